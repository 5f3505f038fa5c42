"""What the page shows, made from the report and cut to limits; the template only lays it out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.report import Example, MisfixExample, Report, StepRow
from toolfix_audit.model.words import CHANGED, Outcome
from toolfix_audit.report import facts, tables
from toolfix_audit.report.diff import Line, diff_lines, value_lines
from toolfix_audit.report.facts import Advice
from toolfix_audit.report.html.charts import Chart, Heat, charts, heat
from toolfix_audit.report.redact import NOTE, redaction_of
from toolfix_audit.report.tables import Table
from toolfix_audit.report.visible import shown
from toolfix_audit.report.wording import count_of, share_of, words_of


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
class Tile:
    """One figure with its name; `tone` is good, bad, warn or plain."""

    name: str
    figure: str
    note: str
    tone: str


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


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on the page."""

    status: str
    verdict: str
    decided: tuple[str, ...]
    corpus: str | None
    versions: tuple[tuple[str, str], ...]
    tiles: tuple[Tile, ...]
    tables: dict[str, Table]
    charts: tuple[Chart, ...]
    heat: Heat | None
    redaction: str
    absent: str
    depth: str
    misfixes: int
    proof: str
    power: str
    convictions: tuple[Card, ...]
    convictions_left: int
    advice: tuple[Advice, ...]
    groups: tuple[Group, ...]
    labels: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    cell: int


_TABLES: Final = (
    tables.policies,
    tables.outcomes,
    tables.families,
    tables.depths,
    tables.host,
    tables.kinds,
    tables.power,
    tables.confirmations,
    tables.untouched,
    tables.unjudged_tools,
    tables.unreadable,
    tables.left_alone,
    tables.suspicions,
    tables.findings,
    tables.tools,
    tables.models,
    tables.rates,
    tables.imitation,
    tables.places,
    tables.sources,
)

_ORDER: Final = (
    Outcome.SWALLOWED,
    Outcome.STILL_FAILING,
    Outcome.FIXED,
    Outcome.UNTOUCHED,
    Outcome.UNJUDGED,
    Outcome.VALID,
)


def make_page(report: Report, limits: Limits) -> Page:
    """Everything on the page, within the limits."""
    convictions = report.misfixes.examples[: limits.examples]
    labels = sorted(report.labels.items())[: limits.rows]
    return Page(
        status=facts.status_word(report),
        verdict=facts.verdict_line(report),
        decided=_some(report.verdict.reasons, limits),
        corpus=_maybe(facts.corpus_kind(report), limits.cell),
        versions=_versions(report, limits),
        tiles=_tiles(report),
        tables={table.key: table.limited(limits.rows) for table in _tables(report)},
        charts=charts(report, rows=limits.bars, cell=limits.cell),
        heat=heat(report, rows=limits.bars, cell=limits.cell),
        redaction=redaction_of(report),
        absent=shown(", ".join(tables.unseen_families(report)), 4 * limits.cell),
        depth=shown(facts.depth_line(report), 6 * limits.cell),
        misfixes=report.misfixes.count,
        proof=facts.proof_line(report),
        power=facts.power_line(report),
        convictions=tuple(
            _conviction(place, example, limits) for place, example in enumerate(convictions, 1)
        ),
        convictions_left=len(report.misfixes.examples) - len(convictions),
        advice=facts.unseen(report),
        groups=_groups(report.examples, limits),
        labels=tuple((shown(key, limits.cell), shown(text, limits.cell)) for key, text in labels),
        notes=_some(tuple(one for one in report.notes if not one.startswith(NOTE)), limits),
        cell=limits.cell,
    )


def _tables(report: Report) -> list[Table]:
    return [make(report) for make in _TABLES]


def _some(lines: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    kept = tuple(shown(line, 3 * limits.cell) for line in lines[: limits.rows])
    left = len(lines) - len(kept)
    return (*kept, f"… and {left:,} more") if left else kept


def _maybe(text: str | None, limit: int) -> str | None:
    return None if text is None else shown(text, limit)


def _versions(report: Report, limits: Limits) -> tuple[tuple[str, str], ...]:
    engine, judge = report.engine, report.judge
    pairs = (
        ("toolfix-audit", report.tool_version),
        ("engine", f"{engine.name} {engine.version}"),
        ("families", " ".join(engine.families) or "not told"),
        ("judge", f"{judge.name} {judge.version}"),
        ("report schema", str(report.schema_version)),
    )
    return tuple((name, shown(text, limits.cell)) for name, text in pairs)


def _tiles(report: Report) -> tuple[Tile, ...]:
    counts, corpus = report.outcomes, report.corpus
    total = sum(counts.values())
    malformed = facts.malformed_of(counts)
    tiles = [
        Tile("calls", f"{corpus.calls:,}", f"in {count_of(corpus.sessions, 'session')}", "plain"),
        Tile("malformed", f"{malformed:,}", f"{share_of(malformed, total)} of calls", "plain"),
    ]
    for word, tone in (
        (Outcome.FIXED, "good"),
        (Outcome.SWALLOWED, "good"),
        (Outcome.STILL_FAILING, "warn"),
        (Outcome.UNTOUCHED, "plain"),
    ):
        number = counts.get(word, 0)
        note = f"{share_of(number, malformed)} of malformed"
        tiles.append(Tile(words_of(word), f"{number:,}", note, tone if number else "plain"))
    unjudged, unreadable = counts.get(Outcome.UNJUDGED, 0), corpus.unreadable
    note = f"{share_of(unjudged, total)} of calls"
    tiles.append(Tile("unjudged", f"{unjudged:,}", note, "warn" if unjudged else "plain"))
    note = f"of {count_of(corpus.records + unreadable, 'record')}"
    tiles.append(Tile("unreadable", f"{unreadable:,}", note, "warn" if unreadable else "plain"))
    misfixes = report.misfixes
    note = f"in {count_of(misfixes.probes, 'probe')}"
    tone = "bad" if misfixes.count else ("good" if misfixes.probes else "warn")
    tiles.append(Tile("mis-fixes", f"{misfixes.count:,}", note, tone))
    return tuple(tiles)


def _groups(examples: tuple[Example, ...], limits: Limits) -> tuple[Group, ...]:
    groups: list[Group] = []
    for outcome in _ORDER:
        all_of_it = [example for example in examples if example.outcome == outcome]
        kept = _kept(all_of_it, limits.examples)
        if not all_of_it:
            continue
        cards = tuple(
            _card(f"{outcome}-{place}".replace("_", "-"), example, limits)
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


def _card(anchor: str, example: Example, limits: Limits) -> Card:
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
        before=_some(example.violations_before, limits),
        after=_some(example.violations_after, limits),
        command=facts.show_command(example.call),
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


def _conviction(place: int, example: MisfixExample, limits: Limits) -> Card:
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
        command=facts.show_command(example.call),
    )
