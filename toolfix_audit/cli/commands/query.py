"""`toolfix-audit query`: SQL over the store, read-only."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.console import guarded, write_out
from toolfix_audit.cli.options import DEFAULT_DB, Db

if TYPE_CHECKING:
    from toolfix_audit.store.entries import QueryResult


class RowFormat(StrEnum):
    """How the rows are written."""

    TEXT = "text"
    CSV = "csv"
    NDJSON = "ndjson"


Sql = Annotated[str, typer.Argument(metavar="SQL", help="One SELECT (DuckDB's SQL).")]
Format = Annotated[RowFormat, typer.Option("--format", help="text, csv or ndjson.")]


@guarded
def query(sql: Sql, db: Db = None, row_format: Format = RowFormat.TEXT) -> None:
    """Ask the store with SQL; nothing can be written, and nothing but the store be read.

    Example: toolfix-audit query "select tool, count(*) from calls group by tool"
    """
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    with Store.open(db or DEFAULT_DB, create=False, read_only=True) as store:
        found = store.query(sql)
    write_out(_WRITERS[row_format](found))


def _as_text(found: QueryResult) -> str:
    """Tab-separated lines, as they can be cut; control characters are made visible."""
    from toolfix_audit.report.visible import visible  # noqa: PLC0415

    rows: list[Iterable[object]] = [found.columns, *found.rows]
    lines = ("\t".join("" if one is None else visible(str(one)) for one in row) for row in rows)
    return "\n".join(lines) + "\n"


def _as_csv(found: QueryResult) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(found.columns)
    writer.writerows(found.rows)
    return out.getvalue()


def _as_ndjson(found: QueryResult) -> str:
    import json  # noqa: PLC0415

    return "".join(
        json.dumps(dict(zip(found.columns, row, strict=True)), default=str) + "\n"
        for row in found.rows
    )


_WRITERS = {RowFormat.TEXT: _as_text, RowFormat.CSV: _as_csv, RowFormat.NDJSON: _as_ndjson}
