"""What the page shows, made from the report and cut to limits; the template only lays it out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from toolfix_audit.model.report import Report
from toolfix_audit.model.words import Outcome
from toolfix_audit.report import commands, facts, group_tables, tables
from toolfix_audit.report.facts import Advice
from toolfix_audit.report.html.beside import Beside, make_beside
from toolfix_audit.report.html.cards import (
    Card,
    Group,
    Limits,
    conviction_cards,
    example_groups,
    some,
)
from toolfix_audit.report.html.charts import Chart, Heat, charts, heat
from toolfix_audit.report.redact import NOTE, redaction_of
from toolfix_audit.report.tables import Table
from toolfix_audit.report.visible import shown
from toolfix_audit.report.wording import count_of, share_of, words_of


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure with its name; `tone` is good, bad, warn or plain, and `change` what became of it
    since an earlier report."""

    name: str
    figure: str
    note: str
    tone: str
    change: str = ""


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
    worst: tuple[tuple[str, str, str], ...]
    misfixes: int
    proof: str
    power: str
    convictions: tuple[Card, ...]
    convictions_left: int
    advice: tuple[Advice, ...]
    groups: tuple[Group, ...]
    keep_store: str | None
    labels: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    beside: Beside
    cell: int


_TABLES: Final = (
    tables.policies,
    group_tables.since,
    group_tables.regressions,
    group_tables.basis,
    group_tables.by_source,
    group_tables.by_label,
    group_tables.asked,
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


def make_page(report: Report, limits: Limits) -> Page:
    """Everything on the page, within the limits."""
    convictions = conviction_cards(report, limits)
    labels = sorted(report.labels.items())[: limits.rows]
    return Page(
        status=facts.status_word(report),
        verdict=facts.verdict_line(report),
        decided=some(_decided(report), limits),
        corpus=_maybe(facts.corpus_kind(report), limits.cell),
        versions=_versions(report, limits),
        tiles=_tiles_since(report),
        tables={table.key: table.limited(limits.rows) for table in _tables(report)},
        charts=charts(report, rows=limits.bars, cell=limits.cell),
        heat=heat(report, rows=limits.bars, cell=limits.cell),
        redaction=redaction_of(report),
        absent=shown(", ".join(tables.unseen_families(report)), 4 * limits.cell),
        worst=_worst(report, limits),
        misfixes=report.misfixes.count,
        proof=facts.proof_line(report),
        power=facts.power_line(report),
        convictions=convictions,
        convictions_left=len(report.misfixes.examples) - len(convictions),
        advice=facts.unseen(report),
        groups=example_groups(report, limits),
        keep_store=commands.keep_store(report) if report.examples else None,
        labels=tuple((shown(key, limits.cell), shown(text, limits.cell)) for key, text in labels),
        notes=some(tuple(one for one in report.notes if not one.startswith(NOTE)), limits),
        beside=make_beside(report, limits.rows),
        cell=limits.cell,
    )


def _tables(report: Report) -> list[Table]:
    return [make(report) for make in _TABLES]


def _decided(report: Report) -> tuple[str, ...]:
    """Why the verdict is what it is; what only warns says so."""
    warned = {one.policy for one in report.verdict.policies if one.level == "warn"}
    return tuple(
        f"Warning: {reason}" if reason.partition(":")[0] in warned else reason
        for reason in report.verdict.reasons
    )


def _worst(report: Report, limits: Limits) -> tuple[tuple[str, str, str], ...]:
    """The tool and the model with the most malformed calls."""
    models = sorted(report.models, key=lambda row: -facts.malformed_of(row.outcomes))
    named = [
        *(("tool", row.tool, row.calls, row.outcomes) for row in tables.sorted_tools(report)[:1]),
        *(("model", tables.model_name(row), row.calls, row.outcomes) for row in models[:1]),
    ]
    return tuple(
        (kind, shown(name or "—", limits.cell), f"{facts.malformed_of(counts):,} of {calls:,}")
        for kind, name, calls, counts in named
        if facts.malformed_of(counts)
    )


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


def _tiles_since(report: Report) -> tuple[Tile, ...]:
    """The tiles, each with its change since the earlier report, if there is one."""
    changes = {str(row[0]): str(row[-1]) for row in group_tables.since(report).rows}
    return tuple(
        replace(tile, change=f"{changes[tile.name]} since the earlier report")
        if tile.name in changes
        else tile
        for tile in _tiles(report)
    )


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
