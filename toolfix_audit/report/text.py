"""The report for a terminal: dense tables, the verdict on the last line.

Nothing of a log is ever read as markup, and no width or colour is probed: both are arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from toolfix_audit.model.report import MisfixExample, Report
from toolfix_audit.report import facts, finding_tables, group_tables, tables
from toolfix_audit.report.emitter import Emitter
from toolfix_audit.report.tables import Cell, Ratio, Share, Table
from toolfix_audit.report.visible import shown
from toolfix_audit.report.wording import count_of, share_of

MAX_ROWS: Final = 15
MAX_CELL: Final = 120
MAX_LINE: Final = 400
_TALL: Final = 100
_GAP: Final = 2

_TONES: Final = {"FAIL": "bold red", "warning": "yellow", "ok": "green"}


def render(report: Report, *, width: int = 100, color: bool = False) -> str:
    """The report as lines of at most `width` columns (no less than 60), with ANSI colours only
    if asked. Ends with the verdict line and a line feed."""
    out = StringIO()
    page = _Page(_console(out, max(width, 60), color))
    _head(page, report)
    _counts(page, report)
    _details(page, report)
    _unseen(page, report)
    _misfixes(page, report)
    _gate(page, report)
    if color:
        return out.getvalue()
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _console(out: StringIO, width: int, color: bool) -> Console:
    """A console that asks neither the environment nor the terminal."""
    return Console(
        file=out,
        width=width,
        height=_TALL,
        color_system="standard" if color else None,
        force_terminal=color,
        no_color=not color,
        force_jupyter=False,
        force_interactive=False,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        _environ={},
    )


class _Page:
    """Writes the parts of the page, every string of the report made visible and cut."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def title(self, left: str, right: str) -> None:
        """One line with a word at its right end."""
        grid = RichTable.grid(expand=True, padding=(0, 1))
        grid.add_column(overflow="fold")
        grid.add_column(justify="right", no_wrap=True)
        grid.add_row(_text(left, MAX_LINE, "bold"), _text(right, MAX_LINE, _TONES.get(right, "")))
        self._console.print(grid)

    def heading(self, text: str) -> None:
        """A blank line and a heading."""
        self._console.print()
        self._console.print(_text(text, MAX_LINE, "bold"))

    def line(self, text: str, style: str = "", *, limit: int = MAX_LINE) -> None:
        """One indented paragraph."""
        self._console.print(Padding(_text(text, limit, style), (0, 0, 0, 2)), overflow="fold")

    def last(self, text: str, style: str) -> None:
        """A blank line and one line that is never indented."""
        self._console.print()
        self._console.print(_text(text, MAX_LINE, style), soft_wrap=True)

    def table(self, table: Table, *, heading: bool = True) -> None:
        """A table under its caption; nothing at all if it has no rows."""
        if not table.rows:
            return
        if heading:
            self.heading(table.caption)
        if _needed_width(table) > self._console.width - 2:
            self._list(table)
        else:
            self._grid(table)
        if table.more:
            self.line(f"… and {table.more:,} more", "dim")

    def _grid(self, table: Table) -> None:
        grid = RichTable(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
        widths = _widths(table, self._console.width - 2)
        for name, is_number, width in zip(table.columns, table.numeric, widths, strict=True):
            grid.add_column(
                _text(name, MAX_CELL),
                justify="right" if is_number else "left",
                overflow="fold",
                width=width,
            )
        for row in table.rows:
            grid.add_row(*(_cell(cell) for cell in row))
        self._console.print(Padding(grid, (0, 0, 0, 2)))

    def _list(self, table: Table) -> None:
        """A table that is too wide, one paragraph a row; zeros are left out."""
        for first, *rest in table.rows:
            parts = [
                f"{_cell(cell).plain} {name}" if is_number else _cell(cell).plain
                for cell, name, is_number in zip(
                    rest, table.columns[1:], table.numeric[1:], strict=True
                )
                if cell not in ("", 0)
            ]
            self.line(f"{_cell(first).plain}  {' · '.join(parts)}", limit=4 * MAX_LINE)


def _needed_width(table: Table) -> int:
    columns = range(len(table.columns))
    return sum(_least_width(table, place) + _GAP for place in columns)


def _widths(table: Table, room: int) -> list[int]:
    """What every column needs, and the room that is left to those that would fill it."""
    widths = [_least_width(table, place) for place in range(len(table.columns))]
    spare = room - sum(widths) - _GAP * len(widths)
    for place, name in enumerate(table.columns):
        wanted = max(_widest(table, place), len(name)) - widths[place]
        widths[place] += min(wanted, spare)
        spare -= min(wanted, spare)
    return widths


def _widest(table: Table, place: int) -> int:
    return max(_cell(row[place]).cell_len for row in table.rows)


def _least_width(table: Table, place: int) -> int:
    """The room that a column needs: figures and heads unbroken, names rarely broken."""
    widest = _widest(table, place)
    head = max(len(word) for word in table.columns[place].split(" "))
    if table.numeric[place]:
        return max(widest, head)
    return max(head, min(widest, 36 if place == 0 else 16))


def _cell(cell: Cell) -> Text:
    match cell:
        case Ratio(part, whole):
            return Text(f"{part:,} / {whole:,}", "red" if part else "")
        case Share(part, whole):
            return Text(share_of(part, whole))
        case str():
            return _text(cell, MAX_CELL, _TONES.get(cell, ""))
        case int():
            return Text(f"{cell:,}", "" if cell else "dim")


def _text(text: str, limit: int, style: str = "") -> Text:
    return Text(shown(text, limit), style)


def _head(page: _Page, report: Report) -> None:
    corpus = report.corpus
    read = " · ".join(
        (
            count_of(corpus.sources, "source"),
            count_of(corpus.calls, "call"),
            f"{facts.malformed_of(report.outcomes):,} malformed",
        )
    )
    version = shown(report.tool_version, MAX_CELL)
    page.title(f"toolfix-audit {version}   {read}", facts.status_word(report))
    engine, judge = report.engine, report.judge
    families = (f"families {' '.join(engine.families)}",) if engine.families else ()
    parts = (
        f"engine {engine.name} {engine.version}",
        *families,
        f"judge {judge.name} {judge.version}",
    )
    page.line(" · ".join(shown(part, MAX_CELL) for part in parts), "dim")
    if kind := facts.corpus_kind(report):
        page.line(f"corpus: {kind}", "yellow")


def _counts(page: _Page, report: Report) -> None:
    page.table(tables.outcomes(report))
    page.table(tables.families(report))
    if absent := tables.unseen_families(report):
        page.line(f"no trace of: {', '.join(absent)}", "dim")
    if depth := facts.depth_line(report):
        page.line(depth, "dim")
    if looked := finding_tables.looked(report):
        page.line(looked, "dim")
    page.table(tables.host(report))
    page.table(group_tables.basis(report))


def _details(page: _Page, report: Report) -> None:
    for make in (
        tables.untouched,
        tables.left_alone,
        tables.suspicions,
        tables.findings,
        tables.tools,
        tables.models,
        group_tables.by_label,
        group_tables.asked,
        tables.imitation,
    ):
        page.table(make(report).limited(MAX_ROWS))
    for table in finding_tables.brief(report):
        page.table(table.limited(MAX_ROWS))


def _unseen(page: _Page, report: Report) -> None:
    advice = facts.unseen(report)
    page.heading("Not checked, and what to do about it" if advice else "Everything was checked")
    for entry in advice:
        page.line(entry.text)
        if entry.command:
            page.line(f"  {entry.command}", "cyan")
    page.table(tables.unjudged_tools(report).limited(MAX_ROWS), heading=False)
    page.table(tables.unreadable(report).limited(MAX_ROWS), heading=False)


def _misfixes(page: _Page, report: Report) -> None:
    page.heading(f"Mis-fix check: {facts.proof_line(report)}")
    page.table(tables.kinds(report), heading=False)
    page.line(facts.power_line(report), "dim")
    page.table(tables.confirmations(report), heading=False)
    shown_examples = report.misfixes.examples[:MAX_ROWS]
    for example in shown_examples:
        _conviction(page, example)
    left = len(report.misfixes.examples) - len(shown_examples)
    if left:
        page.line(f"… and {left:,} more", "dim")


def _conviction(page: _Page, example: MisfixExample) -> None:
    families = " ".join(example.families)
    page.line(
        f"{shown(example.kind, MAX_CELL)}  {shown(example.tool, MAX_CELL)}"
        f"  call {shown(example.call, MAX_CELL)}  {shown(families, MAX_CELL)}".rstrip(),
        "red",
    )
    page.line(f"  {example.detail}")


def _gate(page: _Page, report: Report) -> None:
    page.table(group_tables.since(report))
    page.table(group_tables.regressions(report).limited(MAX_ROWS))
    page.table(tables.policies(report))
    reasons = report.verdict.reasons
    if reasons:
        page.heading("Why")
    for reason in _first(reasons):
        page.line(reason)
    page.last(facts.verdict_line(report), "bold green" if facts.is_pass(report) else "bold red")


def _first(lines: tuple[str, ...]) -> Iterable[str]:
    yield from lines[:MAX_ROWS]
    if len(lines) > MAX_ROWS:
        yield f"… and {len(lines) - MAX_ROWS:,} more"


EMITTER: Final = Emitter(
    name="text",
    suffix=".txt",
    render=render,
    summary="tables for a terminal; the last line is the verdict and the exit code",
)
