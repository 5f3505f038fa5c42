"""AWS event streams (`application/vnd.amazon.eventstream`): bytes to framed messages."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

MAX_FRAME_BYTES: Final = 24 * 1024 * 1024
"""The protocol's own bound is 16 MiB of payload; a longer frame is no frame."""

_PRELUDE: Final = struct.Struct(">III")
_CHECKSUM: Final = struct.Struct(">I")
_FIXED_SIZES: Final = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
_TEXT: Final = 7
_BYTES: Final = 6


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: its bytes, its text headers and its payload; or the `fault` after which
    nothing more can be read."""

    raw: bytes
    headers: dict[str, str] = field(default_factory=dict)
    payload: bytes = b""
    fault: str | None = None

    @property
    def kind(self) -> str:
        """The event's or exception's type; the empty text if the frame tells none."""
        return self.headers.get(":event-type") or self.headers.get(":exception-type") or ""


def looks_framed(data: bytes) -> bool:
    """Whether bytes begin with a sound prelude of this protocol."""
    if len(data) < _PRELUDE.size:
        return False
    total, headers, checksum = _PRELUDE.unpack_from(data)
    return _is_sound(total, headers) and zlib.crc32(data[:8]) == checksum


def iter_frames(data: bytes) -> Iterator[Frame]:
    """Give the frames of a whole stream; a damaged or cut one is the last."""
    start = 0
    while start < len(data):
        frame = _frame_at(data, start)
        yield frame
        if frame.fault:
            return
        start += len(frame.raw)


def _frame_at(data: bytes, start: int) -> Frame:
    if len(data) - start < _PRELUDE.size:
        return Frame(data[start:], fault="the event stream is cut inside a frame")
    total, headers_size, checksum = _PRELUDE.unpack_from(data, start)
    if zlib.crc32(data[start : start + 8]) != checksum or not _is_sound(total, headers_size):
        return Frame(data[start:], fault="damaged event stream: a frame's prelude is wrong")
    raw = data[start : start + total]
    if len(raw) < total:
        return Frame(raw, fault="the event stream is cut inside a frame")
    if zlib.crc32(raw[:-4]) != _CHECKSUM.unpack(raw[-4:])[0]:
        return Frame(raw, fault="damaged event stream: a frame's checksum is wrong")
    body = _PRELUDE.size + headers_size
    headers = _headers(raw[_PRELUDE.size : body])
    return Frame(raw, headers, raw[body:-4])


def _is_sound(total: int, headers: int) -> bool:
    return _PRELUDE.size + headers + 4 <= total <= MAX_FRAME_BYTES


def _headers(data: bytes) -> dict[str, str]:
    """The text headers; what follows one that can't be read is left out."""
    headers: dict[str, str] = {}
    at = 0
    while at < len(data):
        name_end = at + 1 + data[at]
        kind = data[name_end] if name_end < len(data) else -1
        start = name_end + 1
        if kind in (_TEXT, _BYTES) and start + 2 <= len(data):
            end = start + 2 + int.from_bytes(data[start : start + 2])
            if kind == _TEXT:
                name = data[at + 1 : name_end].decode(errors="replace")
                headers[name] = data[start + 2 : end].decode(errors="replace")
        elif kind in _FIXED_SIZES:
            end = start + _FIXED_SIZES[kind]
        else:
            break
        at = end
    return headers
