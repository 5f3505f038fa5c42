"""The beginning of a file, parsed as far as it goes: all that detection looks at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolfix_audit.logs.blocks import Damage
from toolfix_audit.logs.documents import read_partial
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, JsonError, parse_json

HEAD_BYTES: Final = 1 << 20
HEAD_LINES: Final = 50
_ARCHIVES: Final = (
    ("zip", 0, b"PK\x03\x04"),
    ("zip", 0, b"PK\x05\x06"),
    ("7z", 0, b"7z\xbc\xaf\x27\x1c"),
    ("tar", 257, b"ustar"),
)


class Layout(StrEnum):
    """How JSON lies in a file: a value a line, a document over many lines, or not at all."""

    LINES = "lines"
    DOCUMENT = "document"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Head:
    """The first bytes and the objects and arrays that they hold.

    In layout LINES `values` are those of the first lines; in layout DOCUMENT it is the one
    value, as far as the first bytes tell it. `damage` says why compressed data ended early,
    `archive` which kind of archive it is: then there are no values, whatever its members hold.
    """

    first: bytes
    layout: Layout
    values: tuple[Json, ...]
    damage: str | None = None
    archive: str | None = None


def read_head(file: LogFile) -> Head:
    """Read and parse the beginning of a file.

    Raises:
        ReadError: the file can't be read.
    """
    first, damage, complete = _first_bytes(file)
    archive = _archive(first)
    if archive:
        return Head(first, Layout.NONE, (), damage, archive)
    text = first.decode("utf-8", errors="replace").removeprefix("\ufeff")
    lines = text.split("\n")
    if not complete:
        lines.pop()
    lines = [line for line in lines if line and not line.isspace()][:HEAD_LINES]
    values = [_container(line) for line in lines]
    if lines and values[0] is not None:
        return Head(first, Layout.LINES, _found(values), damage)
    found = _found(values)
    document = read_partial(text)
    if document is None and not any(found):
        document = read_partial(text, may_be_broken=True) or None
    if document is not None:
        return Head(first, Layout.DOCUMENT, (document,), damage)
    return Head(first, Layout.LINES if found else Layout.NONE, found, damage)


def _archive(first: bytes) -> str | None:
    """The kind of archive that begins so."""
    for kind, place, magic in _ARCHIVES:
        if first.startswith(magic, place):
            return kind
    return None


def _first_bytes(file: LogFile) -> tuple[bytes, str | None, bool]:
    parts: list[bytes] = []
    size = 0
    for block in file.blocks():
        if isinstance(block, Damage):
            return b"".join(parts), block.cause, True
        parts.append(block)
        size += len(block)
        if size > HEAD_BYTES:
            return b"".join(parts)[:HEAD_BYTES], None, False
    return b"".join(parts), None, True


def _container(line: str) -> Json:
    """The object or array on a line; None for anything else."""
    try:
        value = parse_json(line)
    except JsonError:
        return None
    return value if isinstance(value, dict | list) else None


def _found(values: list[Json]) -> tuple[Json, ...]:
    return tuple(value for value in values if value is not None)
