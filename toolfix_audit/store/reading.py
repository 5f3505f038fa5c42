"""Calls out of the store, in batches for the kernel; and a user's own queries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import duckdb
import pyarrow as pa

from toolfix_audit.model.errors import StoreError
from toolfix_audit.store import queries
from toolfix_audit.store.connect import first_line, first_row, writing
from toolfix_audit.store.entries import QueryResult
from toolfix_audit.wire.host_verdict import UNFLAGGED

PAGE_ROWS: Final = 32_768
PAGE_CHARACTERS: Final = 16_000_000
"""A page is cut short when it holds about so much text."""

_FIELDS: list[pa.Field[Any]] = [
    pa.field("call", pa.string(), nullable=False),
    pa.field("session", pa.string(), nullable=False),
    pa.field("path", pa.string(), nullable=False),
    pa.field("tool", pa.string(), nullable=False),
    pa.field("arguments", pa.string(), nullable=False),
    pa.field("form", pa.string(), nullable=False),
    pa.field("streamed", pa.string()),
    pa.field("dispatched", pa.bool_(), nullable=False),
    pa.field("catalog", pa.string()),
    pa.field("finish_reason", pa.string()),
    pa.field("harness", pa.string()),
    pa.field("version", pa.string()),
    pa.field("provider", pa.string()),
    pa.field("model", pa.string()),
    pa.field("has_result", pa.bool_(), nullable=False),
    pa.field("is_error", pa.bool_()),
    pa.field("result_text", pa.string()),
    pa.field("error_code", pa.string()),
]
CALL_BATCH: Final = pa.schema(_FIELDS)
"""The columns of a batch of calls; the kernel's input, which a test compares."""

_PAGE_PARAMETERS: Final = (
    "row_page",
    "size_page",
    "first_source",
    "last_source",
    "first_position",
    "last_position",
    "first_answer",
    "last_answer",
)
_READS: Final = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)


def read_calls(
    cursor: duckdb.DuckDBPyConnection, path: Path, batch_rows: int
) -> Iterator[pa.RecordBatch]:
    """Kept calls with their results, in the order of the sources and of their positions.

    Which rows make a page is settled first, with numbers only; then one page at a time is
    fetched, so that no more than one is ever held. The text of a result that is no error is left
    out where no host says anything in one.

    Raises:
        StoreWriteError: there is no room for the plan of the batches.
    """
    with writing(path):
        hosts = first_row(cursor, queries.UNFLAGGED, [UNFLAGGED])
        unflagged = {"unflagged": hosts is not None}
        rows = max(PAGE_ROWS // batch_rows, 1) * batch_rows
        limits = {"rows": rows, "size": PAGE_CHARACTERS}
        cursor.execute(queries.PAGES, {**limits, **unflagged})
        bounds = cursor.execute(queries.PAGE_BOUNDS).fetchall()
    for page in bounds:
        parameters = {**dict(zip(_PAGE_PARAMETERS, page, strict=True)), **unflagged}
        table = cursor.sql(queries.PAGE, params=parameters).to_arrow_table()
        for batch in table.combine_chunks().to_batches(max_chunksize=batch_rows):
            yield pa.RecordBatch.from_arrays(batch.columns, schema=CALL_BATCH)


def read_query(cursor: duckdb.DuckDBPyConnection, sql: str) -> QueryResult:
    """Answer one reading statement, in a transaction that can't write.

    Raises:
        StoreError: it is not exactly one SELECT, or it fails.
    """
    try:
        sql.encode()  # a lone surrogate is no UTF-8, and DuckDB would blame our code
        statements = cursor.extract_statements(sql)
        if len(statements) != 1 or statements[0].type not in _READS:
            raise StoreError(
                "a query is one statement that reads: SELECT, FROM, DESCRIBE, SUMMARIZE, EXPLAIN",
                hint="the store is never written or left by a query",
            )
        cursor.execute(queries.BEGIN_READ_ONLY)
        cursor.execute(statements[0])
        columns = tuple(str(column[0]) for column in cursor.description or ())
        return QueryResult(columns=columns, rows=cursor.fetchall())
    except (duckdb.Error, UnicodeEncodeError) as error:
        raise StoreError(
            f"the query can't be answered: {first_line(error)}",
            hint="list the tables with: SHOW TABLES",
        ) from error
