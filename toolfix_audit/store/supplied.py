"""Tool schemas that came beside the logs: files and catalogues of the user's."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from toolfix_audit.model.records import ToolDefinition
from toolfix_audit.store import queries, tables
from toolfix_audit.store.catalogs import schema_digest
from toolfix_audit.store.connect import first_row
from toolfix_audit.store.incoming import put_batch
from toolfix_audit.store.tables import Batch, Buffer


def put_definitions(
    connection: duckdb.DuckDBPyConnection,
    definitions: Iterable[ToolDefinition],
    *,
    origin: str,
    name: str,
) -> None:
    """Replace what `name` supplied for `origin` by these definitions.

    Raises:
        duckdb.Error: they could not be written.
    """
    connection.execute(queries.DROP_SUPPLIED, [origin, name])
    row = first_row(connection, queries.NEXT_SUPPLIED)
    first = int(row[0]) if row else 1
    full: list[Batch] = []
    texts = Buffer(tables.TOOL_SCHEMAS, full)
    supplied = Buffer(tables.SUPPLIED, full)
    for ordinal, definition in enumerate(definitions, first):
        digest = None
        if definition.schema is not None:
            digest = schema_digest(definition.schema)
            texts.add((digest, definition.schema))
        supplied.add((origin, name, ordinal, definition.name, digest))
    texts.flush()
    supplied.flush()
    for batch in full:
        put_batch(connection, batch)
