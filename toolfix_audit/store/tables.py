"""Rows on their way into the store: gathered column by column, handed over as Arrow.

What is the same for every row of a source (its number), or follows from the row itself, is added
by the statement that inserts: it need not be carried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pyarrow as pa

from toolfix_audit.model.json import escape_surrogates
from toolfix_audit.store import loading_queries as queries

Cell: TypeAlias = str | int | bool | None
Row: TypeAlias = tuple[Cell, ...]

BATCH_ROWS: Final = 16_384
BATCH_CHARACTERS: Final = 8_000_000
"""A batch is handed over when it has as many rows, or as much text."""

_INT64: Final = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class Table:
    """A table to fill: the columns that come as Arrow, and the statement that takes them from
    `incoming`. Cells beyond what a column can hold (a log may make up any number) become null."""

    name: str
    columns: pa.Schema
    statement: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows for one table, named as in `TABLES`."""

    table: str
    rows: pa.RecordBatch


def _table(name: str, statement: str, /, **types: pa.DataType) -> Table:
    fields: list[pa.Field[Any]] = [pa.field(column, kind) for column, kind in types.items()]
    return Table(name, pa.schema(fields), statement)


_INT, _LONG, _TEXT, _FLAG = pa.int32(), pa.int64(), pa.string(), pa.bool_()

SOURCES: Final = _table(
    "sources",
    queries.PUT_SOURCES,
    source=_INT,
    digest=_TEXT,
    path=_TEXT,
    format=_TEXT,
    size=_LONG,
    labels=_TEXT,
    units=_LONG,
    records=_LONG,
    ignored=_LONG,
    unreadable=_LONG,
    calls=_LONG,
    results=_LONG,
    texts=_LONG,
)
SOURCE_PATHS: Final = _table(
    "source_paths", queries.PUT_SOURCE_PATHS, path=_TEXT, digest=_TEXT, stamp=_TEXT
)

IGNORED_KINDS: Final = _table("ignored_kinds", queries.PUT_IGNORED_KINDS, kind=_TEXT, n=_LONG)
SESSIONS: Final = _table(
    "sessions",
    queries.PUT_SESSIONS,
    ordinal=_LONG,
    session=_TEXT,
    harness=_TEXT,
    version=_TEXT,
    started=_TEXT,
    parent=_TEXT,
    seed_length=_LONG,
)
TOOL_SCHEMAS: Final = _table("tool_schemas", queries.PUT_TOOL_SCHEMAS, digest=_TEXT, text=_TEXT)
CATALOGS: Final = _table("catalogs", queries.PUT_CATALOGS, catalog=_TEXT, tool=_TEXT, digest=_TEXT)
CATALOG_USES: Final = _table(
    "catalog_uses", queries.PUT_CATALOG_USES, session=_TEXT, position=_LONG, catalog=_TEXT
)
SUPPLIED: Final = _table(
    "supplied",
    queries.PUT_SUPPLIED,
    origin=_TEXT,
    name=_TEXT,
    ordinal=_LONG,
    tool=_TEXT,
    digest=_TEXT,
)
CALLS: Final = _table(
    "calls",
    queries.PUT_CALLS,
    position=_LONG,
    session=_TEXT,
    call_id=_TEXT,
    tool=_TEXT,
    arguments=_TEXT,
    form=_TEXT,
    streamed=_TEXT,
    model=_TEXT,
    provider=_TEXT,
    time=_TEXT,
    finish_reason=_TEXT,
    event=_LONG,
    inherited=_FLAG,
    dispatched=_FLAG,
    catalog=_TEXT,
)
RESULTS: Final = _table(
    "results",
    queries.PUT_RESULTS,
    position=_LONG,
    session=_TEXT,
    call_position=_LONG,
    call_id=_TEXT,
    is_error=_FLAG,
    text=_TEXT,
    blocks=_TEXT,
    error_name=_TEXT,
    error_code=_TEXT,
    inherited=_FLAG,
)
TEXTS: Final = _table(
    "assistant_texts",
    queries.PUT_TEXTS,
    position=_LONG,
    session=_TEXT,
    text=_TEXT,
    reasoning=_FLAG,
    finish_reason=_TEXT,
    model=_TEXT,
    provider=_TEXT,
    has_calls=_FLAG,
    inherited=_FLAG,
)
STREAM_ERRORS: Final = _table(
    "stream_errors",
    queries.PUT_STREAM_ERRORS,
    position=_LONG,
    session=_TEXT,
    shown=_TEXT,
    code=_TEXT,
    raw=_TEXT,
)
UNREADABLE: Final = _table(
    "unreadable", queries.PUT_UNREADABLE, line=_LONG, byte_offset=_LONG, cause=_TEXT
)

TABLES: Final = {
    table.name: table
    for table in (
        SOURCES,
        SOURCE_PATHS,
        IGNORED_KINDS,
        SESSIONS,
        TOOL_SCHEMAS,
        CATALOGS,
        CATALOG_USES,
        SUPPLIED,
        CALLS,
        RESULTS,
        TEXTS,
        STREAM_ERRORS,
        UNREADABLE,
    )
}
"""What logs and files of schemas fill."""


class Buffer:
    """Rows for one table; put into `full` as a batch whenever they make one."""

    __slots__ = ("_characters", "_full", "_rows", "_table")

    def __init__(self, table: Table, full: list[Batch]) -> None:
        self._table = table
        self._full = full
        self._rows: list[Row] = []
        self._characters = 0

    def add(self, row: Row, characters: int = 0) -> None:
        """Take one row. `characters` tells the length of its long texts."""
        rows = self._rows
        rows.append(row)
        self._characters += characters
        if len(rows) >= BATCH_ROWS or self._characters >= BATCH_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Make a batch of what is there."""
        if self._rows:
            rows = _record_batch(self._rows, self._table.columns)
            self._rows, self._characters = [], 0
            self._full.append(Batch(self._table.name, rows))


def _record_batch(rows: list[Row], columns: pa.Schema) -> pa.RecordBatch:
    arrays = [
        _arrow_array(cells, columns.field(index).type)
        for index, cells in enumerate(zip(*rows, strict=True))
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _arrow_array(cells: Row, kind: pa.DataType) -> pa.Array[Any]:
    try:
        return pa.array(cells, kind)
    except UnicodeEncodeError:
        escaped = [escape_surrogates(cell) if isinstance(cell, str) else cell for cell in cells]
        return pa.array(escaped, kind)
    except OverflowError:
        return pa.array([cell if cell in _INT64 else None for cell in cells], kind)
