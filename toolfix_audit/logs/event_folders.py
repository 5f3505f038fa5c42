"""Logs that are a folder with a file for every event, as OpenHands keeps its conversations.

Such files are nothing by themselves: a result answers the call of another one. So they are read
as one log that has a line for each.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Final

from toolfix_audit.logs.blocks import BLOCK_BYTES

_EVENT: Final = re.compile(r"event-(\d{1,9})-[\w-]{8,80}\.json")
_LINE_ENDS: Final = bytes.maketrans(b"\r\n", b"  ")  # in JSON they are mere space
_NOTHING: Final = b'""'  # a file without content is a line all the same


def event_files(entries: Iterable[Path]) -> list[Path]:
    """The entries of a folder that are its events, in their order; none if there is but one."""
    found = [(int(match[1]), entry) for entry in entries if (match := _EVENT.fullmatch(entry.name))]
    events = [entry for _, entry in sorted(found) if entry.is_file()]
    return events if len(events) > 1 else []


def join_events(events: Sequence[Path]) -> Path:
    """Write the events to a new temporary file, a line for each.

    Raises:
        OSError: one can't be read, or the file can't be written; then there is none.
    """
    with tempfile.NamedTemporaryFile(prefix="toolfix-audit-", delete=False) as joined:
        path = Path(joined.name)
        try:
            for event in events:
                with event.open("rb") as stream:
                    _put_line(stream, joined)
        except OSError:
            path.unlink(missing_ok=True)
            raise
    return path


def _put_line(stream: IO[bytes], joined: IO[bytes]) -> None:
    is_blank = True
    while block := stream.read(BLOCK_BYTES):
        joined.write(block.translate(_LINE_ENDS))
        is_blank = is_blank and block.isspace()
    joined.write((_NOTHING if is_blank else b"") + b"\n")
