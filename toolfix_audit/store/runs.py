"""Dry runs on their way into the store: outcomes whole, their steps and probes also apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import duckdb
import pyarrow as pa

from toolfix_audit.store import queries
from toolfix_audit.store.entries import Run
from toolfix_audit.store.incoming import put_arrow

TABLE_ROWS: Final = 32_768
TABLE_BYTES: Final = 32_000_000
"""Outcomes are written when there are so many, or so much of them."""


def drop_run(connection: duckdb.DuckDBPyConnection, run: str) -> None:
    """Remove a run and everything of it.

    Raises:
        duckdb.Error: it could not be written.
    """
    for statement in queries.DROP_RUN:
        connection.execute(statement, [run])


def gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The same rows in larger tables: every statement has its price."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= TABLE_ROWS or size >= TABLE_BYTES:
            yield pa.Table.from_batches(waiting)
            waiting, rows, size = [], 0, 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def put_outcomes(connection: duckdb.DuckDBPyConnection, run: str, rows: pa.Table) -> None:
    """Add the kernel's outcomes to a run.

    Raises:
        duckdb.Error: it could not be written.
    """
    put_arrow(connection, rows, queries.PUT_OUTCOMES, {"run": run})


def put_run(connection: duckdb.DuckDBPyConnection, run: Run) -> None:
    """Add the row of the run itself, as the latest.

    Raises:
        duckdb.Error: it could not be written.
    """
    row = {"run": run.run, "started": run.started, "spec": run.spec, "report": run.report}
    connection.execute(queries.PUT_RUN, row)
