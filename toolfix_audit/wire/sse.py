"""Server-sent events from bytes, as they come, with every byte of the stream kept in order.

Lines are split on bytes and decoded whole, so a character that two network chunks share is
never damaged. The `raw` parts of all events, joined, are the bytes that went in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_EVENT_BYTES: Final = 64 * 1024 * 1024
"""The bytes of a larger event are passed on as they come, and its data is not read."""

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event: its `raw` bytes with all line ends, its `event` field and its joined data.

    `data` is None where the event has none (comments, a lone blank line) or where a `fault` says
    why it can't be read. `stray` holds lines that are no field of the protocol, such as an error
    object that a server wrote bare. `ended` is False if the stream stopped inside the event.
    """

    raw: bytes
    name: str | None = None
    data: str | None = None
    stray: str | None = None
    ended: bool = True
    fault: str | None = None


def with_data(event: SseEvent, data: str) -> bytes:
    """The bytes of an event with other data, and every line that is no data as it was."""
    parts: list[bytes] = []
    is_told = False
    for line in event.raw.splitlines(keepends=True):
        content = line.rstrip(b"\r\n")
        mark = _BOM if content.startswith(_BOM) else b""
        field, _, value = content.removeprefix(mark).partition(b":")
        if field != b"data":
            parts.append(line)
            continue
        if not is_told:
            lead = b"data: " if value.startswith(b" ") else b"data:"
            end = line[len(content) :]
            parts.append(mark + b"".join(lead + part.encode() + end for part in data.split("\n")))
        is_told = True
    return b"".join(parts)


class SseDecoder:
    """Cuts a byte stream into events; holds the bytes of one event at most."""

    __slots__ = (
        "_began",
        "_data",
        "_fault",
        "_limit",
        "_line",
        "_name",
        "_raw",
        "_size",
        "_stray",
        "_waiting",
    )

    def __init__(self, limit: int = MAX_EVENT_BYTES) -> None:
        self._limit = limit
        self._waiting = b""  # a last CR, of which the next byte tells whether a LF belongs to it
        self._began = False
        self._line: list[bytes] = []
        self._raw: list[bytes] = []
        self._size = 0
        self._name: str | None = None
        self._data: list[str] = []
        self._stray: list[str] = []
        self._fault: str | None = None

    def feed(self, data: bytes) -> list[SseEvent]:
        """The events that these bytes end; the same events however a stream is cut into bytes."""
        if self._waiting:
            data = self._waiting + data
            self._waiting = b""
        if data.endswith(b"\r"):
            data, self._waiting = data[:-1], b"\r"
        return self._take(data)

    def close(self) -> list[SseEvent]:
        """What the end of the stream leaves: an event without its blank line, or nothing."""
        waiting, self._waiting = self._waiting, b""
        events = self._take(waiting)
        if self._line:
            line = b"".join(self._line)
            self._line.clear()
            self._take_line(line)
        return [*events, self._event(ended=False)] if self._raw else events

    def _take(self, data: bytes) -> list[SseEvent]:
        events: list[SseEvent] = []
        start = 0
        for match in _LINE_END.finditer(data):
            self._line.append(data[start : match.start()])
            self._keep(data[start : match.end()])
            start = match.end()
            line = b"".join(self._line)
            self._line.clear()
            if self._take_line(line):
                events.append(self._event(ended=True))
        if start < len(data):
            self._line.append(data[start:])
            self._keep(data[start:])
        if self._size > self._limit:
            events.append(self._overlong())
        return events

    def _keep(self, raw: bytes) -> None:
        self._raw.append(raw)
        self._size += len(raw)

    def _take_line(self, line: bytes) -> bool:
        """Read one line; True if it is the blank one that ends an event."""
        if not self._began:
            self._began = True
            line = line.removeprefix(_BOM)
        if not line:
            return True
        if self._fault is None:
            try:
                self._take_field(line.decode())
            except UnicodeDecodeError as error:
                self._fault = f"not UTF-8: byte 0x{line[error.start]:02x}"
        return False

    def _take_field(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        elif field and field not in ("id", "retry"):
            self._stray.append(line)

    def _event(self, *, ended: bool) -> SseEvent:
        if self._size > self._limit:
            self._fault = self._too_long
        readable = self._fault is None
        event = SseEvent(
            b"".join(self._raw),
            self._name,
            "\n".join(self._data) if self._data and readable else None,
            "\n".join(self._stray) if self._stray and readable else None,
            ended,
            self._fault,
        )
        self._raw.clear()
        self._size = 0
        self._reset()
        return event

    def _overlong(self) -> SseEvent:
        """Let go of the bytes of an event that is too large; the rest of it follows alike."""
        self._fault = self._too_long
        self._line = [b"?"] if self._line else []
        event = SseEvent(b"".join(self._raw), ended=False, fault=self._fault)
        self._raw.clear()
        self._size = 0
        self._data.clear()
        self._stray.clear()
        return event

    @property
    def _too_long(self) -> str:
        return f"an event has more than {self._limit} bytes"

    def _reset(self) -> None:
        self._name = None
        self._data.clear()
        self._stray.clear()
        self._fault = None
