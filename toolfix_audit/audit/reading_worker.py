"""The process at the other end of `reading_processes`: takes jobs, gives frames."""

from __future__ import annotations

import gc
import json
import os
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

from toolfix_audit.audit.reading import Job, Message, Opened, read_log
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.store.entries import KnownSource
from toolfix_audit.store.tables import TABLES, Batch

FRAME: Final = struct.Struct(">cBI")
"""The head of a frame: what it is (O opened, B batch, C counts, P bytes read, E error, Z end of a
file), for a batch the number of its table, and the length of what follows."""

_TABLE_NUMBERS: Final = {name: number for number, name in enumerate(TABLES)}
_GARBAGE_THRESHOLD: Final = 100_000  # rows are no cycles, and looking for some takes its time
_PROGRESS_BYTES: Final = 4_000_000


def job_line(job: Job) -> bytes:
    """A job as a line of JSON."""
    file = job.file
    told = {
        "path": os.fsencode(file.path).hex(),
        "shown": file.shown,
        "named": file.named,
        "format_name": job.format_name,
        "earlier": None if job.earlier is None else asdict(job.earlier),
    }
    return json.dumps(told).encode() + b"\n"


def _job(line: bytes) -> Job:
    told = json.loads(line)
    path = Path(os.fsdecode(bytes.fromhex(told["path"])))
    earlier = told["earlier"]
    return Job(
        LogFile(path, told["shown"], told["named"]),
        told["format_name"],
        None if earlier is None else KnownSource(**earlier),
    )


def serve(jobs: IO[bytes], frames: IO[bytes]) -> None:
    """Do jobs until there are no more."""

    def send(letter: bytes, told: Any) -> None:
        body = json.dumps(told).encode()
        frames.write(FRAME.pack(letter, 0, len(body)) + body)

    for line in jobs:
        try:
            _read(_job(line), frames, send)
        except ToolfixError as error:
            name = type(error).__name__
            send(b"E", {"kind": name, "message": error.message, "hint": error.hint})
        send(b"Z", None)
        frames.flush()


def _read(job: Job, frames: IO[bytes], send: Callable[[bytes, Any], None]) -> None:
    """Read one log; the content that its path had already need not be read."""
    unsent = 0

    def on_read(size: int) -> None:
        nonlocal unsent
        unsent += size
        if unsent >= _PROGRESS_BYTES:
            send(b"P", unsent)
            unsent = 0

    for message in read_log(job, on_read):
        _send_message(message, frames, send)
        if isinstance(message, Opened) and job.earlier and message.digest == job.earlier.digest:
            return


def _send_message(message: Message, frames: IO[bytes], send: Callable[[bytes, Any], None]) -> None:
    if isinstance(message, Batch):
        body = message.rows.serialize()
        frames.write(FRAME.pack(b"B", _TABLE_NUMBERS[message.table], body.size))
        frames.write(body)
        frames.flush()
    else:
        send(b"O" if isinstance(message, Opened) else b"C", asdict(message))


def main() -> None:
    """Serve standard input and output; whoever takes the output may go at any time."""
    gc.set_threshold(_GARBAGE_THRESHOLD)
    with suppress(BrokenPipeError), os.fdopen(0, "rb") as jobs, os.fdopen(1, "wb") as frames:
        serve(jobs, frames)


if __name__ == "__main__":
    main()
