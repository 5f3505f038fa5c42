"""The members of a zip archive, one at a time, bounded: archives are hostile input.

Stored, deflated and zstd members are read. Sizes are checked as bytes come, not as declared.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import zstandard

from toolfix_audit.model.errors import ReadError

MAX_MEMBER_BYTES: Final = 256 * 1024 * 1024
"""A larger member is refused."""

MAX_TOTAL_BYTES: Final = 16 * 1024**3
"""After so many bytes in all, the rest of an archive is refused."""

ZIP_MAGIC: Final = b"PK\x03\x04"
"""The first bytes of an archive that has members."""

_ZSTD: Final = 93
_CHUNK: Final = 1 << 20
_ENCRYPTED: Final = 0x1
_NAME_LENGTHS: Final = struct.Struct("<26xHH")


@dataclass(frozen=True, slots=True)
class Member:
    """A member: its name, where it starts in the archive, and its bytes or why there are none."""

    name: str
    offset: int
    data: bytes | None
    cause: str | None = None


class _RefusedError(Exception):
    """A member is not read; the text is the cause."""


def first_member(head: bytes) -> str | None:
    """The name of the member that an archive begins with; None if the bytes are no archive."""
    if not head.startswith(ZIP_MAGIC) or len(head) < 30:
        return None
    length, _ = _NAME_LENGTHS.unpack_from(head)
    return head[30 : 30 + length].decode("utf-8", errors="replace")


def iter_members(
    path: Path,
    prefixes: tuple[str, ...],
    *,
    limit: int = MAX_MEMBER_BYTES,
    total: int = MAX_TOTAL_BYTES,
) -> Iterator[Member]:
    """Give the members whose names start so, in the order of the archive's index. Where a name
    occurs twice the last one counts. A damaged archive ends with a nameless member that has the
    cause.

    Raises:
        ReadError: the file can't be opened or read.
    """
    try:
        with path.open("rb") as stream:
            yield from _members(stream, prefixes, limit, total)
    except OSError as error:
        reason = error.strerror or str(error)
        hint = "check that the file exists and may be read"
        raise ReadError(f"{path}: {reason}", hint=hint) from error


def _members(
    stream: IO[bytes], prefixes: tuple[str, ...], limit: int, total: int
) -> Iterator[Member]:
    try:
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        yield Member("", 0, None, f"the zip archive is cut or damaged: {error}")
        return
    wanted = {info.filename: info for info in archive.infolist()}
    for name, info in wanted.items():
        if not name.startswith(prefixes) or info.is_dir():
            continue
        try:
            data = _content(archive, stream, info, min(limit, total))
        except _RefusedError as refused:
            yield Member(name, info.header_offset, None, f"{name}: {refused}")
            continue
        total -= len(data)
        yield Member(name, info.header_offset, data)


def _content(
    archive: zipfile.ZipFile, stream: IO[bytes], info: zipfile.ZipInfo, limit: int
) -> bytes:
    if info.flag_bits & _ENCRYPTED:
        raise _RefusedError("an encrypted member")
    if info.file_size > limit:
        raise _RefusedError(f"{info.file_size} bytes, more than the limit of {limit}")
    try:
        if info.compress_type == _ZSTD:
            data = _zstd_content(stream, info, limit)
        else:
            with archive.open(info) as member:
                data = member.read(limit + 1)
    except (zipfile.BadZipFile, zlib.error, zstandard.ZstdError, EOFError) as error:
        raise _RefusedError(f"damaged: {error}") from error
    except NotImplementedError as error:
        raise _RefusedError(f"a compression that is not read: {error}") from error
    if len(data) > limit:
        raise _RefusedError(f"more than the limit of {limit} bytes")
    if data.startswith(ZIP_MAGIC):
        raise _RefusedError("an archive within the archive is not read")
    return data


def _zstd_content(stream: IO[bytes], info: zipfile.ZipInfo, limit: int) -> bytes:
    stream.seek(info.header_offset)
    header = stream.read(30)
    if len(header) < 30 or not header.startswith(ZIP_MAGIC):
        raise zipfile.BadZipFile("no member where the index says")
    stream.seek(sum(_NAME_LENGTHS.unpack(header)), 1)
    packed = stream.read(info.compress_size)
    data = bytearray()
    with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
        while len(data) <= limit and (block := reader.read(_CHUNK)):
            data += block
    if len(data) <= limit and zlib.crc32(data) != info.CRC:
        raise zipfile.BadZipFile("its checksum is wrong")
    return bytes(data)
