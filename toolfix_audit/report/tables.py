"""The tables of a report, described once; each format only decides how they look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from toolfix_audit.model.report import (
    ConfirmationRow,
    Counts,
    FamilyRow,
    ModelRow,
    Report,
    ToolRow,
)
from toolfix_audit.model.words import HostVerdict, Outcome
from toolfix_audit.report import wording
from toolfix_audit.report.facts import is_foreign, malformed_of


class Ratio(NamedTuple):
    """One count beside another: mis-fixes and the probes that looked for them."""

    part: int
    whole: int


class Share(NamedTuple):
    """A count as a share of a total."""

    part: int
    whole: int


Cell: TypeAlias = "str | int | Ratio | Share"
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns. `numeric` says which columns hold figures; `more` is how many
    rows were left off, and `caption` what the figures are. Strings are as recorded."""

    key: str
    caption: str
    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[Row, ...]
    more: int = 0

    def limited(self, rows: int) -> Table:
        """The first `rows` rows, the rest counted in `more`."""
        if len(self.rows) <= rows:
            return self
        left = len(self.rows) - rows
        return replace(self, rows=self.rows[:rows], more=left + self.more)


def make_table(key: str, caption: str, columns: tuple[str, ...], rows: Iterable[Row] = ()) -> Table:
    """A table; a column whose name starts with `#` holds figures."""
    return Table(
        key=key,
        caption=caption,
        columns=tuple(name.removeprefix("#") for name in columns),
        numeric=tuple(name.startswith("#") for name in columns),
        rows=tuple(rows),
    )


def outcomes(report: Report) -> Table:
    """Every outcome with its calls and its meaning."""
    total = sum(report.outcomes.values())
    rows = tuple(
        (
            wording.words_of(word),
            report.outcomes.get(word, 0),
            Share(report.outcomes.get(word, 0), total),
            wording.OUTCOMES[word],
        )
        for word in Outcome
    )
    caption = "What became of every call; each call counts once"
    return make_table("outcomes", caption, ("outcome", "#calls", "#share", "meaning"), rows)


def families(report: Report) -> Table:
    """Every family that touched or is suspected in a call, or that was probed; of an engine that
    is not ours, the shapes of its changes."""
    rows = tuple(
        (
            f"{row.code} {row.name}",
            row.calls,
            row.fixed,
            row.still_failing,
            row.swallowed,
            row.suspected,
            Ratio(row.misfixes, row.probes),
        )
        for row in report.families
        if _is_seen(row)
    )
    kind = "shape" if is_foreign(report) else "family"
    columns = (
        *(kind, "#calls", "#fixed", "#still failing", "#swallowed"),
        *("#suspected", "#mis-fixes / probes"),
    )
    caption = "Defect families; a call, or a probe, of several counts in each of them"
    if is_foreign(report):
        caption = (
            "Shapes of the changes, by the letters of our families (? is none of them); "
            "a call, or a probe, of several counts in each of them"
        )
    return make_table("families", caption, columns, rows)


def unseen_families(report: Report) -> tuple[str, ...]:
    """The families of which there was no trace; none for an engine that is not ours."""
    if is_foreign(report):
        return ()
    return tuple(f"{row.code} {row.name}" for row in report.families if not _is_seen(row))


def _is_seen(row: FamilyRow) -> bool:
    return bool(row.calls or row.suspected or row.probes or row.misfixes)


def host(report: Report) -> Table:
    """What the host made of a call against what the audit makes of it."""
    rows: tuple[Row, ...] = tuple(
        (
            wording.HOSTS[word],
            sum(counts.values()),
            *(counts.get(outcome, 0) for outcome in Outcome),
        )
        for word in HostVerdict
        if (counts := report.host.get(word, {})) and any(counts.values())
    )
    columns = ("the host", "#calls", *(f"#{wording.words_of(word)}" for word in Outcome))
    return make_table("host", "What the host made of the calls, by outcome here", columns, rows)


def untouched(report: Report) -> Table:
    """Why calls with violations were left."""
    caption = "Calls with violations that were left as they are, by reason"
    table = make_table("untouched", caption, ("reason", "#calls", "why"))
    return _explained(table, report.untouched, wording.UNTOUCHED)


def left_alone(report: Report) -> Table:
    """What looks broken and is legal."""
    caption = "Looks broken, is legal, never changed"
    table = make_table("left-alone", caption, ("left alone", "#calls", "why"))
    return _explained(table, report.left_alone, wording.LEFT_ALONE)


def suspicions(report: Report) -> Table:
    """What is valid and yet odd."""
    caption = "Valid, yet odd; never changed"
    table = make_table("suspicions", caption, ("suspicion", "#calls", "meaning"))
    return _explained(table, report.suspicions, wording.SUSPICIONS)


def _explained(
    table: Table,
    counts: Counts,
    meanings: Mapping[str, str],
) -> Table:
    """The table with a row for every word counted, most calls first."""
    order = sorted(counts, key=lambda word: (-counts[word], word))
    rows = tuple((word, counts[word], meanings.get(word, "")) for word in order if counts[word])
    return replace(table, rows=rows)


_FOUND: Final = frozenset("GHIJ")
"""The families whose finds have tables of their own."""


def findings(report: Report) -> Table:
    """Other things worth reading."""
    rows = tuple(
        (row.code if row.name == row.code else f"{row.code} {row.name}", row.count, row.detail)
        for row in report.findings
        if row.code not in _FOUND
    )
    columns = ("finding", "#calls", "detail")
    return make_table("findings", "Other things worth reading", columns, rows)


def kinds(report: Report) -> Table:
    """Every kind of mis-fix that was looked for, with its probes."""
    by_kind, probes = report.misfixes.by_kind, report.misfixes.probes_by_kind
    rows = tuple(
        (kind, Ratio(by_kind.get(kind, 0), probes.get(kind, 0)), wording.KINDS.get(kind, ""))
        for kind in sorted({*by_kind, *probes}, key=lambda kind: (-by_kind.get(kind, 0), kind))
    )
    caption = "Kinds of mis-fix that were looked for"
    return make_table("kinds", caption, ("kind", "#mis-fixes / probes", "meaning"), rows)


def power(report: Report) -> Table:
    """How many wrong changes of broken engines the checks convicted."""
    rows = tuple(
        (family, kind, Ratio(counts.get("convicted", 0), counts.get("wrong", 0)))
        for family, by_kind in sorted(report.power.items())
        for kind, counts in sorted(by_kind.items())
    )
    caption = "Wrong changes made by built-in broken engines, and how many were convicted"
    return make_table("power", caption, ("family", "kind", "#convicted / wrong"), rows)


def confirmations(report: Report) -> Table:
    """What the model's own retries say of the repairs."""
    rows = tuple(
        (
            row.family,
            row.confirmed,
            row.contradicts,
            row.no_retry,
            _interval(row),
        )
        for row in report.confirmations
    )
    caption = "Repaired calls that the model itself sent again, and the host took"
    columns = ("family", "#confirmed", "#contradicted", "#no retry", "confirmed, 95 %")
    return make_table("confirmations", caption, columns, rows)


def _interval(row: ConfirmationRow) -> str:
    answered = row.confirmed + row.contradicts
    return f"{row.low / 10:.0f} to {row.high / 10:.0f} %" if answered else ""


def tools(report: Report) -> Table:
    """Tools, those with the most malformed calls first."""
    rows: tuple[Row, ...] = tuple(
        (row.tool, row.calls, *spread(row.outcomes)) for row in sorted_tools(report)
    )
    return make_table("tools", "Tools, worst first", ("tool", "#calls", *SPREAD_COLUMNS), rows)


def sorted_tools(report: Report) -> list[ToolRow]:
    """Most malformed calls first, then most unjudged, most calls, name."""

    def rank(row: ToolRow) -> tuple[int, int, int, str]:
        unjudged_calls = row.outcomes.get(Outcome.UNJUDGED, 0)
        return -malformed_of(row.outcomes), -unjudged_calls, -row.calls, row.tool

    return sorted(report.tools, key=rank)


def models(report: Report) -> Table:
    """Models with their calls by outcome and the families that touched them."""
    rows: tuple[Row, ...] = tuple(
        (
            model_name(row),
            row.calls,
            *spread(row.outcomes),
            ", ".join(f"{code} {number:,}" for code, number in sorted(row.families.items())),
        )
        for row in report.models
    )
    columns = ("model", "#calls", *SPREAD_COLUMNS, "families")
    return make_table("models", "Models", columns, rows)


def model_name(row: ModelRow) -> str:
    """A model with its provider, where that is known."""
    return f"{row.provider}/{row.model}" if row.provider else row.model


def depths(report: Report) -> Table:
    """How many wrapper layers were removed from how many calls."""
    counts = report.wrapper_depth
    order = sorted(counts, key=lambda layers: (len(layers), layers))
    rows = tuple((layers, counts[layers]) for layers in order if counts[layers])
    return make_table("depths", "Calls by wrapper layers removed", ("layers", "#calls"), rows)


_SPREAD: Final = tuple(word for word in Outcome if word != Outcome.VALID)
SPREAD_COLUMNS: Final = ("#malformed", *(f"#{wording.words_of(word)}" for word in _SPREAD))
"""The columns of the figures that `spread` gives."""


def spread(counts: Counts) -> tuple[int, ...]:
    """How many calls were malformed, and what became of the calls that are not valid."""
    return malformed_of(counts), *(counts.get(word, 0) for word in _SPREAD)


def rates(report: Report) -> Table:
    """How often the families occur by trait of the call, the highest rates of a trait first."""
    order = sorted(
        report.rates,
        key=lambda row: (row.by, -row.touched * 10**9 // max(row.calls, 1), row.value, row.family),
    )
    rows = tuple(
        (row.by, row.value, row.family, row.calls, row.touched, Share(row.touched, row.calls))
        for row in order
    )
    columns = ("among calls by", "value", "family", "#calls", "#touched", "#share")
    caption = "How often each family occurs, among groups of 30 calls and more"
    return make_table("rates", caption, columns, rows)


def places(report: Report) -> Table:
    """Wrapped calls by their place in the session."""
    rows = tuple(
        (row.place, row.calls, row.wrapped, Share(row.wrapped, row.calls), row.layers, row.deepest)
        for row in report.imitation.places
    )
    columns = ("place in session", "#calls", "#wrapped", "#share", "#layers", "#deepest")
    caption = "Wrapped calls by place in the session"
    return make_table("places", caption, columns, rows if report.imitation.runs else ())


def imitation(report: Report) -> Table:
    """Whether a wrapped call is followed by another."""
    found = report.imitation
    pairs = (
        ("right after a wrapped call", found.after_wrapped, found.after_wrapped_of),
        ("right after another call", found.after_other, found.after_other_of),
        ("first in the session", found.first, found.first_of),
    )
    rows = tuple((name, of, wrapped, Share(wrapped, of)) for name, wrapped, of in pairs)
    runs = f"{wording.count_of(found.runs, 'run')}, the longest of {found.longest_run:,}"
    caption = f"Wrapped calls by what stood before: {runs}"
    columns = ("where the call stands", "#calls", "#wrapped", "#share")
    return make_table("imitation", caption, columns, rows if found.runs else ())


def sources(report: Report) -> Table:
    """Files as they were read."""
    rows = tuple(
        (row.path, row.format, row.calls, row.results, row.texts, row.unreadable)
        for row in report.sources
    )
    columns = ("source", "format", "#calls", "#results", "#texts", "#unreadable")
    return make_table("sources", "Sources as read, duplicates included", columns, rows)


def unreadable(report: Report) -> Table:
    """The first things that could not be read."""
    rows = tuple((row.path, row.line, row.offset, row.cause) for row in report.unreadable)
    left = max(0, report.corpus.unreadable - len(rows))
    columns = ("source", "#line", "#byte offset", "cause")
    return replace(make_table("unreadable", "What could not be read", columns, rows), more=left)


def unjudged_tools(report: Report) -> Table:
    """Tools whose calls have no verdict."""
    rows = tuple((row.tool, row.calls, row.reason) for row in report.unjudged_tools)
    columns = ("tool", "#calls", "reason")
    return make_table("unjudged-tools", "Tools whose calls have no verdict", columns, rows)


def policies(report: Report) -> Table:
    """Every gate policy with the two integers that were compared."""
    rows = tuple(
        (row.policy, row.level, row.actual, row.relation, row.limit, _result(row.level, row.holds))
        for row in report.verdict.policies
    )
    columns = ("policy", "level", "#actual", "must be", "#limit", "result")
    return make_table("policies", "Gate policies, with the numbers compared", columns, rows)


def _result(level: str, holds: bool) -> str:
    if holds:
        return "ok"
    return "FAIL" if level == "error" else "warning"
