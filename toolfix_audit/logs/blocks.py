"""The decompressed bytes of a file, a block at a time: plain, gzip or zstd, by magic bytes."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import zstandard

from toolfix_audit.model.errors import ReadError

BLOCK_BYTES: Final = 1 << 20
_FEED_BYTES: Final = 1 << 10  # a zstd block of 4 bytes can hold 128 KiB: bounds one call's output
_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE: Final = b"\x2a\x4d\x18"


@dataclass(frozen=True, slots=True)
class Damage:
    """The stream can't be read on from here, and why."""

    cause: str


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes:
        """The next bytes; none at the end."""


class _Counted:
    """A stream up to a size, that tells of what was read."""

    def __init__(
        self, stream: _Stream, size: int | None, on_read: Callable[[int], None] | None
    ) -> None:
        self._stream = stream
        self._left = size
        self._on_read = on_read

    def read(self, size: int, /) -> bytes:
        if self._left is not None:
            size = min(size, self._left)
        data = self._stream.read(size)
        if self._left is not None:
            self._left -= len(data)
        if self._on_read is not None:
            self._on_read(len(data))
        return data


def read_blocks(
    path: Path, size: int | None = None, on_read: Callable[[int], None] | None = None
) -> Iterator[bytes | Damage]:
    """Give the decompressed content in order; a Damage, if any, comes last.

    With a `size` nothing beyond so many raw bytes is looked at. `on_read` is told of raw bytes as
    they are read. Memory stays flat however much a file inflates.

    Raises:
        ReadError: the file can't be opened or read.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(4)[:size]
            file.seek(0)
            stream = _Counted(file, size, on_read)
            if magic == _ZSTD_MAGIC or magic[1:4] == _ZSTD_SKIPPABLE:
                yield from _zstd_blocks(stream)
            elif magic.startswith(_GZIP_MAGIC):
                yield from _gzip_blocks(stream)
            else:
                while block := stream.read(BLOCK_BYTES):
                    yield block
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReadError(
            f"{path}: {reason}", hint="check that the file exists and may be read"
        ) from error


def _gzip_blocks(stream: _Stream) -> Iterator[bytes | Damage]:
    """Every member of a gzip file; zero padding between members is skipped, as gzip does."""
    member = None
    data = b""
    while data or (data := stream.read(BLOCK_BYTES)):
        if member is None:
            data = data.lstrip(b"\0")
            if not data:
                continue
            member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            block = member.decompress(data, BLOCK_BYTES)
        except zlib.error as error:
            yield Damage(f"damaged gzip data: {error}")
            return
        if block:
            yield block
        if member.eof:
            data, member = member.unused_data, None
        else:
            data = member.unconsumed_tail
    if member is not None:
        yield Damage("the gzip data is cut: its last member has no end")


def _zstd_blocks(stream: _Stream) -> Iterator[bytes | Damage]:
    """Every frame of a zstd file; frames need not tell their size."""
    decompressor = zstandard.ZstdDecompressor()
    frame = None
    while chunk := stream.read(BLOCK_BYTES):
        for start in range(0, len(chunk), _FEED_BYTES):
            data = chunk[start : start + _FEED_BYTES]
            while data:
                if frame is None:
                    frame = decompressor.decompressobj()
                try:
                    block = frame.decompress(data)
                except zstandard.ZstdError as error:
                    yield Damage(f"damaged zstd data: {error}")
                    return
                if block:
                    yield block
                data = b""
                if frame.eof:
                    data, frame = frame.unused_data, None
    if frame is not None:
        yield Damage("the zstd data is cut: its last frame has no end")
