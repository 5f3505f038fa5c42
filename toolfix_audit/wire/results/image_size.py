"""The width and height of an image, read from its first bytes; the picture is never decoded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

Size: TypeAlias = tuple[int, int]

_MAX_SEGMENTS: Final = 1000
"""A JPEG has some dozens of segments; the size is not searched behind more."""

_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE: Final = frozenset({0x01, *range(0xD0, 0xD8)})
"""JPEG markers that have no length."""


def size_of(media_type: str, data: bytes) -> Size | None:
    """The size in pixels; None if the head is cut, damaged or says zero. Never raises."""
    reader = _READERS.get(media_type)
    size = None if reader is None else reader(data)
    return size if size is not None and min(size) > 0 else None


def _png(data: bytes) -> Size | None:
    if len(data) < 24 or data[12:16] != b"IHDR":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif(data: bytes) -> Size | None:
    if len(data) < 10:
        return None
    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")


def _webp(data: bytes) -> Size | None:
    kind = data[12:16]
    if len(data) < 30:
        return None
    if kind == b"VP8X":
        return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
    if kind == b"VP8L" and data[20] == 0x2F:
        bits = _little(data, 21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


def _little(data: bytes, start: int, length: int) -> int:
    return int.from_bytes(data[start : start + length], "little")


def _jpeg(data: bytes) -> Size | None:
    """The size in the first frame header; segments before it are stepped over by their length."""
    at = 2
    for _ in range(_MAX_SEGMENTS):
        if at + 9 > len(data) or data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker in _FRAMES:
            height, width = data[at + 5 : at + 7], data[at + 7 : at + 9]
            return int.from_bytes(width, "big"), int.from_bytes(height, "big")
        if marker == 0xFF:
            at += 1
        elif marker in _BARE:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


_READERS: Final[Mapping[str, Callable[[bytes], Size | None]]] = MappingProxyType(
    {"image/png": _png, "image/gif": _gif, "image/webp": _webp, "image/jpeg": _jpeg}
)
