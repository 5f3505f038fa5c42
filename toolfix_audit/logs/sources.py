"""Log files and their lines: which files there are, and what stands in each line."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, NamedTuple

from toolfix_audit.logs.blocks import BLOCK_BYTES, Damage, read_blocks
from toolfix_audit.logs.event_folders import event_files, join_events
from toolfix_audit.model.errors import ReadError
from toolfix_audit.model.json import escape_surrogates

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
"""A longer line is refused as unreadable, and never held in memory."""

STDIN: Final = "-"
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file to read. `shown` is how reports name it; `named` tells a file that was given on the
    command line from one that was found in a directory.

    With a `size` the file ends there, however much it grows meanwhile. `on_read` is told of raw
    bytes as they are read.
    """

    path: Path
    shown: str
    named: bool
    size: int | None = None
    on_read: Callable[[int], None] | None = field(default=None, compare=False, repr=False)

    def blocks(self) -> Iterator[bytes | Damage]:
        """The decompressed content, a block at a time; a Damage, if any, comes last.

        Raises:
            ReadError: the file can't be opened or read.
        """
        return read_blocks(self.path, self.size, self.on_read)


class Line(NamedTuple):
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
    return content_digests(file)[0]


def content_digests(file: LogFile, prefix: int = 0) -> tuple[str, str]:
    """The SHA-256 of the raw bytes, and that of the first `prefix` of them alone.

    Raises:
        ReadError: the file can't be read.
    """
    digest = hashlib.sha256()
    try:
        with file.path.open("rb") as stream:
            left = _hash(stream, prefix, digest)
            first = digest.copy().hexdigest()
            if not left:
                size = None if file.size is None else file.size - prefix
                _hash(stream, size, digest)
    except OSError as error:
        raise _read_error(file.shown, error) from error
    return digest.hexdigest(), first


def _hash(stream: IO[bytes], size: int | None, digest: hashlib._Hash) -> int:
    """Take in so many bytes, or all; gives how many were missing."""
    left = size
    while left is None or left > 0:
        block = stream.read(BLOCK_BYTES if left is None else min(BLOCK_BYTES, left))
        if not block:
            break
        digest.update(block)
        left = None if left is None else left - len(block)
    return left or 0


def iter_lines(file: LogFile, *, limit: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """Give the lines of the decompressed file in order, in flat memory; blank ones are left out.

    A line end is `\\n` or `\\r\\n`, and the last line needs none. A byte order mark before the
    first line is no part of it. Where compressed data is cut or damaged, every complete line
    comes first and one unreadable line ends the file.

    Raises:
        ReadError: the file can't be opened or read.
    """
    splitter = _Splitter(limit)
    for block in file.blocks():
        if isinstance(block, Damage):
            yield splitter.damaged(block.cause)
            return
        yield from splitter.feed(block)
    yield from splitter.end()


class _Splitter:
    """Cuts blocks into lines, and counts lines and bytes on the way."""

    __slots__ = ("_begun", "_limit", "_number", "_offset", "_parts")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._number = 0
        self._offset = 0
        self._parts: list[bytes] = []
        self._begun = 0  # bytes of the line that has not ended yet

    def feed(self, block: bytes) -> Iterator[Line]:
        """The lines that end in this block."""
        pieces = block.split(b"\n")
        last = pieces.pop()
        if pieces and self._begun:
            yield from self._line(pieces.pop(0))
        limit, number, offset = self._limit, self._number, self._offset
        make = tuple.__new__
        for data in pieces:
            number += 1
            size = len(data)
            if data.isascii() and 0 < size <= limit and number > 1 and not data.isspace():
                yield make(Line, (number, offset, data.removesuffix(b"\r"), None))
                offset += size + 1
            else:
                self._number, self._offset = number - 1, offset
                yield from self._line(data)
                offset = self._offset
        self._number, self._offset = number, offset
        self._add(last)

    def end(self) -> Iterator[Line]:
        """The last line, if it has no end."""
        if self._begun:
            yield from self._line(b"")

    def damaged(self, cause: str) -> Line:
        """What stands for all that could not be read."""
        rest = f"; {self._begun} bytes of an unfinished line are lost" if self._begun else ""
        return Line(self._number + 1, self._offset, None, cause + rest)

    def _line(self, piece: bytes) -> Iterator[Line]:
        """The line that ends with this piece; none if it is blank."""
        self._add(piece)
        self._number += 1
        number, offset, size = self._number, self._offset, self._begun
        data = b"".join(self._parts)
        self._offset += size + 1
        self._parts.clear()
        self._begun = 0
        if size > self._limit:
            cause = f"the line has {size} bytes, more than the limit of {self._limit}"
            yield Line(number, offset, None, cause)
            return
        if number == 1:
            data = data.removeprefix(_BOM)
        if data and not data.isspace():
            fault = _utf8_fault(data)
            yield Line(number, offset, None if fault else data.removesuffix(b"\r"), fault)

    def _add(self, piece: bytes) -> None:
        self._begun += len(piece)
        if self._begun > self._limit:
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
    """Regular files below a folder, in the order of their names, folder by folder; and whatever
    may not be looked at, for the reading to say so. The events of a folder are one file."""
    waiting = _entries(folder)
    yield from _take_events(folder, waiting)
    while waiting:
        path = waiting.pop()
        try:
            if path.is_dir() and not path.is_symlink():
                entries = _entries(path)
                yield from _take_events(path, entries)
                waiting.extend(entries)
                continue
            is_log = path.is_file()
        except PermissionError:
            is_log = True
        if is_log:
            yield LogFile(path, escape_surrogates(path.as_posix()), named=False)


def _take_events(folder: Path, entries: list[Path]) -> Iterator[LogFile]:
    """The events among the entries of a folder as one file, and no longer among them; they stay
    if one can't be read."""
    events = event_files(entries)
    if not events:
        return
    try:
        joined = join_events(events)
    except OSError:
        return
    atexit.register(joined.unlink, missing_ok=True)
    gone = frozenset(events)
    entries[:] = [entry for entry in entries if entry not in gone]
    yield LogFile(joined, escape_surrogates(folder.as_posix()), named=False)


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir(), key=lambda entry: entry.name, reverse=True)


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
