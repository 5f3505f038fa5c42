"""What the page shows of the finds beside the calls."""

from __future__ import annotations

from dataclasses import dataclass

from toolfix_audit.model.report import Report
from toolfix_audit.report import finding_tables
from toolfix_audit.report.tables import Table


@dataclass(frozen=True, slots=True)
class Beside:
    """The tables that have rows, how many finds are in no row, and, where nothing was found, what
    was looked through."""

    tables: tuple[Table, ...]
    more: int
    looked: str | None


def make_beside(report: Report, rows: int) -> Beside:
    """Everything of the finds, within so many rows a table."""
    made = (make(report).limited(rows) for make in finding_tables.FOUND)
    tables = tuple(table for table in made if table.rows)
    return Beside(tables, report.found.more, finding_tables.looked(report))
