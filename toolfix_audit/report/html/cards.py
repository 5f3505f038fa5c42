"""Calls shown whole: examples by outcome, and mis-fixes, each cut to limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.report import Example, MisfixExample, Report, StepRow
from toolfix_audit.model.words import CHANGED, Outcome
from toolfix_audit.report import commands
from toolfix_audit.report.diff import Line, diff_lines, value_lines
from toolfix_audit.report.visible import shown
from toolfix_audit.report.wording import words_of


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is shown: examples of one kind, rows of a table, characters, lines of a diff."""

    examples: int
    rows: int
    cell: int
    lines: int
    width: int
    bars: int = 12


FULL: Final = Limits(examples=25, rows=200, cell=160, lines=60, width=160, bars=40)


@dataclass(frozen=True, slots=True)
class StepView:
    """A step in words."""

    family: str
    action: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Card:
    """One call, shown whole."""

    anchor: str
    outcome: str
    label: str
    tool: str
    families: str
    brief: str
    count: int
    facts: tuple[tuple[str, str], ...]
    steps: tuple[StepView, ...]
    diff: tuple[Line, ...]
    is_diff: bool
    before: tuple[str, ...]
    after: tuple[str, ...]
    command: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """The examples of one outcome; `left` more were not shown."""

    key: str
    title: str
    cards: tuple[Card, ...]
    left: int


_ORDER: Final = (
    Outcome.SWALLOWED,
    Outcome.STILL_FAILING,
    Outcome.FIXED,
    Outcome.UNTOUCHED,
    Outcome.UNJUDGED,
    Outcome.VALID,
)


def some(lines: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Lines as a person reads them, at most as many as the limits allow."""
    kept = tuple(shown(line, 3 * limits.cell) for line in lines[: limits.rows])
    left = len(lines) - len(kept)
    return (*kept, f"… and {left:,} more") if left else kept


def example_groups(report: Report, limits: Limits) -> tuple[Group, ...]:
    """The examples by outcome, what needs a look first."""
    groups: list[Group] = []
    for outcome in _ORDER:
        all_of_it = [example for example in report.examples if example.outcome == outcome]
        kept = _kept(all_of_it, limits.examples)
        if not all_of_it:
            continue
        cards = tuple(
            _card(
                f"{outcome}-{place}".replace("_", "-"),
                example,
                limits,
                commands.show_call(report, example.call),
            )
            for place, example in enumerate(kept, 1)
        )
        title = words_of(outcome)
        key = str(outcome).replace("_", "-")
        groups.append(Group(key, title, cards, len(all_of_it) - len(kept)))
    return tuple(groups)


def _kept(examples: Iterable[Example], most: int) -> list[Example]:
    """The first of every first family, or reason where no family touched the call."""
    seen: dict[str, int] = {}
    kept: list[Example] = []
    for example in examples:
        kind = example.families[0] if example.families else (example.reason or "")
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= most and len(kept) < 10 * most:
            kept.append(example)
    return kept


def _card(anchor: str, example: Example, limits: Limits, command: str | None) -> Card:
    is_changed = example.outcome in CHANGED
    limit = {"lines": limits.lines, "width": limits.width}
    if is_changed:
        lines = diff_lines(example.before, example.after, **limit)
    else:
        lines = value_lines(example.before, **limit)
    return Card(
        anchor=anchor,
        outcome=example.outcome,
        label=words_of(example.outcome),
        tool=shown(example.tool, limits.cell),
        families=shown(" ".join(example.families), 40),
        brief=shown(_brief(example.steps) or example.reason or "", limits.cell),
        count=example.count,
        facts=_facts(example, limits),
        steps=tuple(_step(step, limits) for step in example.steps[: limits.lines]),
        diff=lines,
        is_diff=is_changed,
        before=some(example.violations_before, limits),
        after=some(example.violations_after, limits),
        command=command,
    )


def _brief(steps: tuple[StepRow, ...]) -> str:
    """The actions in order, a run of the same one as a product (`unwrap:arguments ×38`)."""
    runs: list[tuple[str, int]] = []
    for step in steps:
        if runs and runs[-1][0] == step.action:
            runs[-1] = (step.action, runs[-1][1] + 1)
        else:
            runs.append((step.action, 1))
    return ", ".join(f"{action} ×{number}" if number > 1 else action for action, number in runs)


def _facts(example: Example, limits: Limits) -> tuple[tuple[str, str], ...]:
    pairs = (
        ("call", example.call),
        ("session", example.session),
        ("source", example.path),
        ("model", example.model or "not recorded"),
        ("the host", words_of(example.host)),
        ("schema from", example.schema_origin or "nowhere"),
        ("reason", example.reason or ""),
    )
    return tuple((name, shown(text, limits.cell)) for name, text in pairs if text)


def _step(step: StepRow, limits: Limits) -> StepView:
    return StepView(
        shown(step.family, 40), shown(step.action, limits.cell), shown(step.pointer, limits.cell)
    )


def conviction_cards(report: Report, limits: Limits) -> tuple[Card, ...]:
    """The first mis-fixes."""
    return tuple(
        _conviction(place, example, limits, commands.show_call(report, example.call))
        for place, example in enumerate(report.misfixes.examples[: limits.examples], 1)
    )


def _conviction(place: int, example: MisfixExample, limits: Limits, command: str | None) -> Card:
    return Card(
        anchor=f"misfix-{place}",
        outcome="misfix",
        label=shown(example.kind, 40),
        tool=shown(example.tool, limits.cell),
        families=shown(" ".join(example.families), 40),
        brief=shown(example.detail, 3 * limits.cell),
        count=1,
        facts=(
            ("call", shown(example.call, limits.cell)),
            ("session", shown(example.session, limits.cell)),
        ),
        steps=(),
        diff=diff_lines(example.before, example.after, lines=limits.lines, width=limits.width),
        is_diff=True,
        before=(),
        after=(),
        command=command,
    )
