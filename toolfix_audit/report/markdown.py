"""The report as GitHub-flavoured Markdown, for a pull-request comment or a step summary.

Every string of a log stands in a code span or a fenced block: there it makes no link, mention,
picture or markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.report import Example, MisfixExample, Report
from toolfix_audit.model.words import CHANGED
from toolfix_audit.report import facts, finding_tables, group_tables, tables
from toolfix_audit.report.diff import diff_lines, value_lines
from toolfix_audit.report.emitter import Emitter
from toolfix_audit.report.redact import redaction_of
from toolfix_audit.report.tables import Cell, Ratio, Share, Table
from toolfix_audit.report.visible import shown
from toolfix_audit.report.wording import share_of, words_of

MAX_CHARACTERS: Final = 60_000
"""A comment on a pull request may have 65,536 (GitHub's limit)."""


@dataclass(frozen=True, slots=True)
class _Limits:
    rows: int
    examples: int
    lines: int
    cell: int


_TIGHTER: Final = (
    _Limits(rows=15, examples=8, lines=30, cell=100),
    _Limits(rows=10, examples=3, lines=15, cell=80),
    _Limits(rows=5, examples=1, lines=8, cell=60),
    _Limits(rows=3, examples=0, lines=0, cell=40),
)
"""Tried in turn until the text is short enough; the last is short whatever the report."""

_COLUMNS: Final[tuple[tuple[Callable[[Report], Table], tuple[int, ...]], ...]] = (
    (tables.outcomes, (0, 3)),
    (tables.families, ()),
    (group_tables.basis, (0, 1)),
    (tables.host, (0,)),
    (tables.tools, ()),
    (tables.models, ()),
    (group_tables.by_label, ()),
    (group_tables.asked, ()),
    (tables.imitation, (0,)),
    (finding_tables.leaks, ()),
    (finding_tables.reask, (0,)),
    (finding_tables.images, ()),
    (finding_tables.lowering, ()),
    (finding_tables.streams, ()),
    (finding_tables.shapes, ()),
)
"""The tables, and which of their columns hold words of ours rather than of a log."""

_RUN: Final = re.compile("`+")
_PLAIN: Final = re.compile(r"[a-z0-9 ,%/-]+")
_PLAIN_TITLE: Final = re.compile(r"[A-Za-z0-9 ,:;'-]+")


def render(report: Report) -> str:
    """The report as Markdown of at most `MAX_CHARACTERS` characters."""
    text = ""
    for limits in _TIGHTER:
        text = "\n\n".join(_parts(report, limits)) + "\n"
        if len(text) <= MAX_CHARACTERS:
            break
    return text


def _parts(report: Report, limits: _Limits) -> Iterator[str]:
    yield f"## toolfix-audit: {facts.verdict_line(report)}"
    yield _head(report, limits)
    yield from _bullets(report.verdict.reasons, limits)
    yield from _table(tables.policies(report), limits, (1, 3, 5))
    yield from _titled(group_tables.since(report), limits, (3,))
    yield from _titled(group_tables.regressions(report), limits)
    yield f"### Mis-fix check: {facts.proof_line(report)}"
    yield facts.power_line(report)
    yield from (_conviction(one, limits) for one in report.misfixes.examples[: limits.examples])
    yield from _table(tables.kinds(report), limits, (2,))
    for make, ours in _COLUMNS:
        yield from _titled(make(report), limits, ours)
    yield from _unseen(report, limits)
    yield from _examples(report, limits)
    yield from _bullets(
        tuple(note for note in report.notes if note != redaction_of(report)), limits
    )


def _head(report: Report, limits: _Limits) -> str:
    engine, judge = report.engine, report.judge
    pairs = [
        ("engine", f"{engine.name} {engine.version}"),
        ("families", " ".join(engine.families) or "none"),
        ("judge", f"{judge.name} {judge.version}"),
        *((key, value) for key, value in sorted(report.labels.items())[: limits.rows]),
    ]
    words = [f"{code(name, limits.cell)}: {code(value, limits.cell)}" for name, value in pairs]
    return " · ".join([*words, redaction_of(report)])


def _bullets(lines: tuple[str, ...], limits: _Limits) -> Iterator[str]:
    if lines:
        kept = [f"- {code(line, 4 * limits.cell)}" for line in lines[: limits.rows]]
        left = len(lines) - len(kept)
        yield "\n".join([*kept, *([f"- … and {left:,} more"] if left else [])])


def _titled(table: Table, limits: _Limits, ours: Iterable[int] = ()) -> Iterator[str]:
    if table.rows:
        is_plain = _PLAIN_TITLE.fullmatch(table.caption)
        yield f"### {table.caption if is_plain else code(table.caption, 2 * limits.cell)}"
        yield from _table(table, limits, ours)


def _table(table: Table, limits: _Limits, ours: Iterable[int] = ()) -> Iterator[str]:
    """The table; words of a log stand in code spans, those of the columns `ours` as they are."""
    if not table.rows:
        return
    part = table.limited(limits.rows)
    plain = frozenset(ours)
    lines = [
        _row(_head_cell(name, limits) for name in part.columns),
        _row("--:" if is_number else ":--" for is_number in part.numeric),
        *(
            _row(_cell(cell, limits, is_ours=place in plain) for place, cell in enumerate(row))
            for row in part.rows
        ),
    ]
    yield "\n".join(lines)
    if part.more:
        yield f"… and {part.more:,} more"


def _head_cell(name: str, limits: _Limits) -> str:
    """The name of a column; one that a user chose stands in a code span."""
    return name if _PLAIN.fullmatch(name) else code(name, limits.cell).replace("|", "\\|")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell, limits: _Limits, *, is_ours: bool) -> str:
    match cell:
        case Ratio(part, whole):
            return f"{part:,} / {whole:,}"
        case Share(part, whole):
            return share_of(part, whole)
        case str():
            return cell if is_ours else code(cell, limits.cell).replace("|", "\\|")
        case int():
            return f"{cell:,}"


def _unseen(report: Report, limits: _Limits) -> Iterator[str]:
    advice = facts.unseen(report)
    if not advice:
        return
    yield "### Not checked, and what to do about it"
    yield "\n".join(
        f"- {one.text}{f': {code(one.command, 4 * limits.cell)}' if one.command else ''}"
        for one in advice
    )
    yield from _table(tables.unjudged_tools(report), limits, (2,))
    yield from _table(tables.unreadable(report), limits)


def _examples(report: Report, limits: _Limits) -> Iterator[str]:
    shown_ones = [one for one in report.examples if one.outcome in CHANGED][: limits.examples]
    if shown_ones:
        yield "### Examples"
        yield from (_example(one, limits) for one in shown_ones)


def _example(example: Example, limits: _Limits) -> str:
    actions = ", ".join(step.action for step in example.steps[: limits.rows])
    title = (
        f"{words_of(example.outcome)}: {code(example.tool, limits.cell)} "
        f"{code(actions, limits.cell)}, seen {example.count:,} times"
    )
    lines = diff_lines(example.before, example.after, lines=limits.lines, width=limits.cell)
    return _folded(title, _fenced("diff", (f"{line.mark} {line.text}" for line in lines)))


def _conviction(example: MisfixExample, limits: _Limits) -> str:
    title = (
        f"{code(example.kind, limits.cell)}: {code(example.tool, limits.cell)}, call "
        f"{code(example.call, limits.cell)}: {code(example.detail, 2 * limits.cell)}"
    )
    if example.after is None:
        lines = value_lines(example.before, lines=limits.lines, width=limits.cell)
    else:
        lines = diff_lines(example.before, example.after, lines=limits.lines, width=limits.cell)
    return _folded(title, _fenced("diff", (f"{line.mark} {line.text}" for line in lines)))


def _folded(title: str, body: str) -> str:
    return f"- {title}\n\n{_indented(body)}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else line for line in text.split("\n"))


def _fenced(language: str, lines: Iterable[str]) -> str:
    text = "\n".join(shown(line, 400) for line in lines)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def code(text: str, limit: int) -> str:
    """Text of a log as a code span, visible and cut; nothing in it can end the span."""
    kept = shown(text, limit)
    if not kept:
        return "—"
    ticks = "`" * (_longest_run(kept) + 1)
    space = " " if kept[0] in "` " or kept[-1] in "` " else ""
    return f"{ticks}{space}{kept}{space}{ticks}"


def _longest_run(text: str) -> int:
    return max((len(match.group()) for match in _RUN.finditer(text)), default=0)


EMITTER: Final = Emitter(
    name="markdown",
    suffix=".md",
    render=render,
    summary="for a pull-request comment or a CI step summary, at most 60,000 characters",
    shared=True,
)
