"""Log files and their lines: which files there are, and what stands in each line."""

from __future__ import annotations

import atexit
import errno
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from toolfix_audit.logs.blocks import Damage, read_blocks
from toolfix_audit.model.errors import ReadError
from toolfix_audit.model.json import escape_surrogates

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
"""A longer line is refused as unreadable, and never held in memory."""

STDIN: Final = "-"
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file to read. `shown` is how reports name it; `named` tells a file that was given on the
    command line from one that was found in a directory."""

    path: Path
    shown: str
    named: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end: 1-based number, byte offset in the decompressed bytes, and either
    `data` (valid UTF-8) or the `cause` that makes it unreadable."""

    number: int
    offset: int
    data: bytes | None
    cause: str | None = None


def find_logs(paths: Sequence[str]) -> Iterator[LogFile]:
    """Give every file once: files as named, directories recursively and sorted, `-` as stdin.

    Hidden files count. Links to directories inside a directory are not followed, so no loop can
    be entered; sockets, pipes and devices in a directory are passed over.

    Raises:
        ReadError: a path is missing or may not be read.
    """
    seen: set[Path] = set()
    for given in paths:
        for file in _files_of(given):
            real = file.path.resolve()
            if real not in seen:
                seen.add(real)
                yield file


def content_digest(file: LogFile) -> str:
    """The SHA-256 of the raw bytes, as hexadecimal digits.

    Raises:
        ReadError: the file can't be read.
    """
    try:
        with file.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise _read_error(file.shown, error) from error


def iter_lines(file: LogFile, *, limit: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """Give the lines of the decompressed file in order, in flat memory; blank ones are left out.

    A line end is `\\n` or `\\r\\n`, and the last line needs none. A byte order mark before the
    first line is no part of it. Where compressed data is cut or damaged, every complete line
    comes first and one unreadable line ends the file.

    Raises:
        ReadError: the file can't be opened or read.
    """
    splitter = _Splitter(limit)
    for block in read_blocks(file.path):
        if isinstance(block, Damage):
            yield splitter.damaged(block.cause)
            return
        yield from splitter.feed(block)
    last = splitter.close_line() if splitter.size else None
    if last is not None:
        yield last


class _Splitter:
    """Cuts blocks into lines, and counts lines and bytes on the way."""

    __slots__ = ("_limit", "_number", "_offset", "_parts", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._number = 0
        self._offset = 0
        self._parts: list[bytes] = []
        self.size = 0

    def feed(self, block: bytes) -> Iterator[Line]:
        pieces = block.split(b"\n")
        last = pieces.pop()
        for piece in pieces:
            self._add(piece)
            line = self.close_line()
            if line is not None:
                yield line
        self._add(last)

    def close_line(self) -> Line | None:
        """The line that ends here; None if it is blank."""
        self._number += 1
        number, offset, size = self._number, self._offset, self.size
        self._offset += size + 1
        data = b"".join(self._parts)
        self._parts.clear()
        self.size = 0
        if size > self._limit:
            cause = f"the line has {size} bytes, more than the limit of {self._limit}"
            return Line(number, offset, None, cause)
        if number == 1:
            data = data.removeprefix(_BOM)
        if not data or data.isspace():
            return None
        cause_or_none = _utf8_fault(data)
        if cause_or_none:
            return Line(number, offset, None, cause_or_none)
        return Line(number, offset, data.removesuffix(b"\r"))

    def damaged(self, cause: str) -> Line:
        rest = f"; {self.size} bytes of an unfinished line are lost" if self.size else ""
        return Line(self._number + 1, self._offset, None, cause + rest)

    def _add(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size > self._limit:
            self._parts.clear()
        elif piece:
            self._parts.append(piece)


def _utf8_fault(data: bytes) -> str | None:
    if data.isascii():
        return None
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8: byte 0x{data[error.start]:02x} at byte {error.start} of the line"
    return None


def _files_of(given: str) -> Iterator[LogFile]:
    if given == STDIN:
        yield LogFile(_spool(sys.stdin.buffer), "<stdin>", named=True)
        return
    path = Path(given)
    shown = escape_surrogates(given)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            yield from _files_below(path)
        elif stat.S_ISREG(mode):
            with path.open("rb"):
                yield LogFile(path, shown, named=True)
        else:
            with path.open("rb") as stream:
                spooled = _spool(stream)
            yield LogFile(spooled, shown, named=True)
    except OSError as error:
        raise _read_error(shown, error) from error


def _files_below(folder: Path) -> Iterator[LogFile]:
    """Regular files below a folder, in the order of their names, folder by folder."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        if path == folder or (path.is_dir() and not path.is_symlink()):
            waiting.extend(sorted(path.iterdir(), key=lambda entry: entry.name, reverse=True))
        elif path.is_file():
            if not os.access(path, os.R_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            yield LogFile(path, escape_surrogates(path.as_posix()), named=False)


def _spool(stream: IO[bytes]) -> Path:
    """Copy a stream that can be read only once to a file that lives as long as the process."""
    with tempfile.NamedTemporaryFile(prefix="toolfix-audit-", delete=False) as spooled:
        atexit.register(Path(spooled.name).unlink, missing_ok=True)
        shutil.copyfileobj(stream, spooled)
    return Path(spooled.name)


def _read_error(shown: str, error: OSError) -> ReadError:
    reason = error.strerror or str(error)
    if error.filename:
        shown = escape_surrogates(str(error.filename))
    return ReadError(f"{shown}: {reason}", hint="check the path and that you may read it")
