"""Dry runs on their way into the store: outcomes whole, their steps and probes also apart."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from toolfix_audit.store import queries
from toolfix_audit.store.entries import Run
from toolfix_audit.store.incoming import put_arrow


def drop_run(connection: duckdb.DuckDBPyConnection, run: str) -> None:
    """Remove a run and everything of it.

    Raises:
        duckdb.Error: it could not be written.
    """
    for statement in queries.DROP_RUN:
        connection.execute(statement, [run])


def put_outcomes(connection: duckdb.DuckDBPyConnection, run: str, batch: pa.RecordBatch) -> None:
    """Add a batch of the kernel's outcomes to a run.

    Raises:
        duckdb.Error: it could not be written.
    """
    put_arrow(connection, pa.Table.from_batches([batch]), queries.PUT_OUTCOMES, {"run": run})


def put_run(connection: duckdb.DuckDBPyConnection, run: Run) -> None:
    """Add the row of the run itself, as the latest.

    Raises:
        duckdb.Error: it could not be written.
    """
    row = {"run": run.run, "started": run.started, "spec": run.spec, "report": run.report}
    connection.execute(queries.PUT_RUN, row)
