"""Rows on their way into the store: gathered column by column, handed over as Arrow."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import duckdb
import pyarrow as pa

from toolfix_audit.model.json import escape_surrogates
from toolfix_audit.model.records import AssistantText, Call, Result, Session, StreamError

Cell: TypeAlias = str | int | bool | None
Row: TypeAlias = tuple[Cell, ...]

BATCH_ROWS: Final = 20_000
BATCH_CHARACTERS: Final = 16_000_000
"""A batch is handed over when it has as many rows, or as much text."""

_INCOMING: Final = "incoming"
_INT64: Final = range(-(2**63), 2**63)


def _columns(**types: pa.DataType) -> pa.Schema:
    fields: list[pa.Field[Any]] = [pa.field(name, kind) for name, kind in types.items()]
    return pa.schema(fields)


_INT, _LONG, _TEXT, _FLAG = pa.int32(), pa.int64(), pa.string(), pa.bool_()

IGNORED_KINDS: Final = _columns(source=_INT, kind=_TEXT, n=_LONG)
SESSIONS: Final = _columns(
    source=_INT,
    ordinal=_LONG,
    session=_TEXT,
    harness=_TEXT,
    version=_TEXT,
    started=_TEXT,
    parent=_TEXT,
    seed_length=_LONG,
)
TOOL_SCHEMAS: Final = _columns(digest=_TEXT, text=_TEXT)
CATALOGS: Final = _columns(catalog=_TEXT, tool=_TEXT, digest=_TEXT)
CATALOG_USES: Final = _columns(source=_INT, session=_TEXT, position=_LONG, catalog=_TEXT)
SUPPLIED: Final = _columns(origin=_TEXT, name=_TEXT, ordinal=_LONG, tool=_TEXT, digest=_TEXT)
CALLS: Final = _columns(
    source=_INT,
    position=_LONG,
    call=_TEXT,
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
    size=_LONG,
    call_key=_LONG,
)
RESULTS: Final = _columns(
    source=_INT,
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
    size=_LONG,
)
TEXTS: Final = _columns(
    source=_INT,
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
STREAM_ERRORS: Final = _columns(
    source=_INT, position=_LONG, session=_TEXT, shown=_TEXT, code=_TEXT, raw=_TEXT
)
UNREADABLE: Final = _columns(source=_INT, line=_LONG, byte_offset=_LONG, cause=_TEXT)


def session_row(source: int, ordinal: int, session: Session) -> Row:
    """A row of `sessions`."""
    return (
        source,
        ordinal,
        session.session,
        session.harness,
        session.version,
        session.started,
        session.parent,
        _bounded(session.seed_length),
    )


def call_row(source: int, call_name: str, catalog: str | None, call: Call) -> Row:
    """A row of `calls`."""
    return (
        source,
        call.position,
        call_name,
        call.session,
        call.call_id,
        call.tool,
        call.arguments,
        str(call.form),
        call.streamed,
        call.model,
        call.provider,
        call.time,
        call.finish_reason,
        _bounded(call.event),
        call.inherited,
        call.dispatched,
        catalog,
        len(call.arguments) + len(call.streamed or ""),
        int(call_name, 16),
    )


def result_row(source: int, result: Result) -> Row:
    """A row of `results`."""
    return (
        source,
        result.position,
        result.session,
        result.call_position,
        result.call_id,
        result.is_error,
        result.text,
        result.blocks,
        result.error_name,
        result.error_code,
        result.inherited,
        len(result.text),
    )


def text_row(source: int, text: AssistantText) -> Row:
    """A row of `assistant_texts`."""
    return (
        source,
        text.position,
        text.session,
        text.text,
        text.reasoning,
        text.finish_reason,
        text.model,
        text.provider,
        text.has_calls,
        text.inherited,
    )


def stream_error_row(source: int, error: StreamError) -> Row:
    """A row of `stream_errors`."""
    return (source, error.position, error.session, error.shown, error.code, error.raw)


class Buffer:
    """Rows for one table; handed over by themselves whenever they make a batch."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, columns: pa.Schema, statement: str
    ) -> None:
        self._connection = connection
        self._columns = columns
        self._statement = statement
        self._rows: list[Row] = []
        self._characters = 0

    def add(self, row: Row) -> None:
        """Take one row.

        Raises:
            duckdb.Error: a full batch could not be written.
        """
        self._rows.append(row)
        self._characters += sum([len(cell) for cell in row if type(cell) is str])
        if len(self._rows) >= BATCH_ROWS or self._characters >= BATCH_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Hand over what is there.

        Raises:
            duckdb.Error: it could not be written.
        """
        if not self._rows:
            return
        table = _arrow_table(self._rows, self._columns)
        self._rows, self._characters = [], 0
        put_arrow(self._connection, table, (self._statement,))


def put_arrow(
    connection: duckdb.DuckDBPyConnection,
    table: pa.Table,
    statements: tuple[str, ...],
    parameters: dict[str, str] | None = None,
) -> None:
    """Run statements that read `incoming`.

    Raises:
        duckdb.Error: one failed.
    """
    stream = _Stream(table)
    connection.register(_INCOMING, stream)
    try:
        for statement in statements:
            connection.execute(statement, parameters or {})
    finally:
        stream.table = table.schema.empty_table()
        connection.unregister(_INCOMING)


class _Stream:
    """A table that can be let go of. DuckDB keeps what was registered until the transaction
    ends; were that the table itself, a source would be held in memory whole."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def _arrow_table(rows: list[Row], columns: pa.Schema) -> pa.Table:
    arrays = [
        _arrow_array(list(cells), columns.field(index).type)
        for index, cells in enumerate(zip(*rows, strict=True))
    ]
    return pa.Table.from_arrays(arrays, schema=columns)


def _arrow_array(cells: list[Cell], kind: pa.DataType) -> pa.Array[Any]:
    try:
        return pa.array(cells, kind)
    except UnicodeEncodeError:
        escaped = [escape_surrogates(cell) if isinstance(cell, str) else cell for cell in cells]
        return pa.array(escaped, kind)


def _bounded(number: int | None) -> int | None:
    """A number that a log made up may be of any size; one that no counter reaches is none."""
    return number if number is not None and number in _INT64 else None
