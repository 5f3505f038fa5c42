"""Which reader a file needs, by its content; or what the file is instead of a log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolfix_audit.logs.head import Head, read_head
from toolfix_audit.logs.reader import Reader
from toolfix_audit.logs.readers import READERS
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.errors import ConfigError

_TELLING_BYTES: Final = 8192


class FileKind(StrEnum):
    """What a file is; each word can be shown as it is."""

    LOG = "log"
    EMPTY = "empty file"
    ARCHIVE = "archive of files"
    BINARY = "binary file"
    DAMAGED = "damaged compressed file"
    UNKNOWN = "no reader recognises it"


@dataclass(frozen=True, slots=True)
class Detection:
    """What was found: `reader` is there exactly if `kind` is LOG. `detail` tells more about a
    damaged file."""

    kind: FileKind
    reader: Reader | None = None
    detail: str | None = None


def detect(file: LogFile, format_name: str | None = None) -> Detection:
    """Find the reader of a file by its content, or take the named one for any file with content.

    Raises:
        ConfigError: no reader has that name.
        ReadError: the file can't be read.
    """
    named = None if format_name is None else reader_named(format_name)
    head = read_head(file)
    if not head.first.strip(b"\xef\xbb\xbf \t\r\n"):
        if head.damage:
            return Detection(FileKind.DAMAGED, detail=head.damage)
        return Detection(FileKind.EMPTY)
    if named is not None:
        return Detection(FileKind.LOG, named)
    for reader in READERS:
        if reader.detect(head):
            return Detection(FileKind.LOG, reader)
    if head.archive:
        return Detection(FileKind.ARCHIVE, detail=head.archive)
    if _is_binary(head):
        return Detection(FileKind.BINARY, detail=_encoding(head))
    return Detection(FileKind.UNKNOWN, detail=head.damage)


def reader_named(name: str) -> Reader:
    """The reader of that name.

    Raises:
        ConfigError: there is none.
    """
    for reader in READERS:
        if reader.name == name:
            return reader
    known = ", ".join(reader.name for reader in READERS)
    raise ConfigError(f"unknown log format: {name}", hint=f"known formats: {known}")


def _encoding(head: Head) -> str | None:
    """What to say of text that other programs write (PowerShell's `>`): it is no UTF-8."""
    marks = ((b"\xff\xfe", 1), (b"\xfe\xff", 0))
    for mark, empty in marks:
        if head.first.startswith(mark) or not head.first[empty:_TELLING_BYTES:2].strip(b"\0"):
            return "text in UTF-16: convert it to UTF-8"
    return None


def _is_binary(head: Head) -> bool:
    """Whether the bytes are no text: a NUL byte, or more than a tenth of it is not UTF-8."""
    start = head.first[:_TELLING_BYTES]
    if b"\0" in start:
        return True
    text = start.decode("utf-8", errors="replace")
    return text.count("\ufffd") * 10 > len(text)
