"""Arrow rows into DuckDB: under the name `incoming`, for the statements that read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import duckdb
import pyarrow as pa

from toolfix_audit.store.tables import TABLES, Batch

_INCOMING: Final = "incoming"


@dataclass(frozen=True, slots=True)
class OfSource:
    """Rows of one source, which is told by its number and digest."""

    number: int
    digest: str
    rows: pa.RecordBatch


def put_batch(connection: duckdb.DuckDBPyConnection, batch: Batch) -> None:
    """Insert a batch.

    Raises:
        duckdb.Error: it could not be written.
    """
    table = pa.Table.from_batches([batch.rows])
    put_arrow(connection, table, (TABLES[batch.table].statement,), {})


def put_of_sources(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    parts: Sequence[OfSource],
    parameters: Mapping[str, str | int],
) -> None:
    """Insert rows of one or more sources into a table, in that order; `source` and `digest` stand
    beside them.

    Raises:
        duckdb.Error: they could not be written.
    """
    together = pa.Table.from_batches([_with_source(part) for part in parts])
    put_arrow(connection, together, (TABLES[table].statement,), parameters)


def put_arrow(
    connection: duckdb.DuckDBPyConnection,
    rows: pa.Table,
    statements: tuple[str, ...],
    parameters: Mapping[str, str | int],
) -> None:
    """Run statements that read `incoming`, each with those of the parameters that it names.

    Raises:
        duckdb.Error: one failed.
    """
    stream = _Stream(rows)
    connection.register(_INCOMING, stream)
    try:
        for statement in statements:
            named = {key: value for key, value in parameters.items() if f"${key}" in statement}
            connection.execute(statement, named)
    finally:
        stream.table = rows.schema.empty_table()
        with suppress(duckdb.TransactionException):  # what failed has ended the transaction
            connection.unregister(_INCOMING)


def _with_source(part: OfSource) -> pa.RecordBatch:
    count = part.rows.num_rows
    source = pa.repeat(pa.scalar(part.number, pa.int32()), count)
    digest = pa.DictionaryArray.from_arrays(
        pa.repeat(pa.scalar(0, pa.int8()), count), [part.digest]
    )
    names = [*part.rows.schema.names, "source", "source_digest"]
    return pa.RecordBatch.from_arrays([*part.rows.columns, source, digest], names=names)


class _Stream:
    """A table that can be let go of. DuckDB keeps what was registered until the transaction
    ends; were that the table itself, a source would be held in memory whole."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)
