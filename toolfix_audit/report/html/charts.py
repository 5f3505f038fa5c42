"""Charts as rows of bars: what each bar says in words, and its segments in thousandths.

A chart never tells more than its table: it names the table that holds its figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.report import Counts, ModelRow, Report
from toolfix_audit.model.words import HostVerdict, Outcome
from toolfix_audit.report import facts, tables, wording
from toolfix_audit.report.visible import shown

WIDTH: Final = 1000
"""The length of a whole bar."""

_DENSE: Final = 12

MIN_CALLS: Final = 30
"""Below this many calls no rate is shown: it would say nothing."""

_LEVELS: Final = (0, 5, 10, 30, 100, 300)
"""The rates, in permille, from which a cell of the heat chart is darker."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: its kind (a CSS class), start and length."""

    kind: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One row. `says` is the bar in words, for those who don't see it; `note` stands beside."""

    label: str
    note: str
    says: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure: its title, what it shows in a sentence, a legend (kind, meaning), its bars, and
    the key of the table with the same figures; a dense one has a line for each bar."""

    key: str
    title: str
    finding: str
    legend: tuple[tuple[str, str], ...]
    bars: tuple[Bar, ...]
    table: str
    more: int = 0
    is_dense: bool = False


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A rate: its text, its darkness (0 to 5), and the same in words."""

    text: str
    level: int
    says: str


@dataclass(frozen=True, slots=True)
class Heat:
    """Rates of families by model; a row is a label, its number of calls, and its cells."""

    title: str
    finding: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, int, tuple[HeatCell, ...]], ...]


def charts(report: Report, *, rows: int, cell: int) -> tuple[Chart, ...]:
    """Every chart that has something to show, with at most `rows` bars each and labels of at
    most `cell` characters."""
    found = (
        *(_families(report), _hosts(report), _depths(report), _places(report)),
        *_proofs(report),
    )
    return tuple(
        Chart(
            chart.key,
            chart.title,
            chart.finding,
            chart.legend,
            tuple(_short(bar, cell) for bar in chart.bars[:rows]),
            chart.table,
            max(0, len(chart.bars) - rows),
            len(chart.bars) > _DENSE,
        )
        for chart in found
        if chart.bars
    )


def _short(bar: Bar, cell: int) -> Bar:
    return Bar(shown(bar.label, cell), bar.note, shown(bar.says, 4 * cell), bar.segments)


_CHANGES: Final = (Outcome.FIXED, Outcome.SWALLOWED, Outcome.STILL_FAILING)


def _families(report: Report) -> Chart:
    seen = sorted((row for row in report.families if row.calls), key=lambda row: -row.calls)
    most = max((row.calls for row in seen), default=0)
    bars = tuple(
        _stacked(
            f"{row.code} {row.name}",
            {
                Outcome.FIXED: row.fixed,
                Outcome.SWALLOWED: row.swallowed,
                Outcome.STILL_FAILING: row.still_failing,
            },
            most,
        )
        for row in seen
    )
    finding = ""
    if seen:
        top = seen[0]
        finding = f"Most changed: {top.code} {top.name}, {wording.count_of(top.calls, 'call')}."
    return Chart("families", "Outcome by family", finding, _legend(_CHANGES), bars, "families")


def _hosts(report: Report) -> Chart:
    seen = [(word, report.host.get(word, {})) for word in HostVerdict]
    bars = tuple(
        _stacked(wording.HOSTS[word], counts, sum(counts.values()))
        for word, counts in seen
        if any(counts.values())
    )
    accepted = report.host.get(HostVerdict.ACCEPTED, {})
    total = sum(accepted.values())
    agreed = accepted.get(Outcome.VALID, 0)
    finding = f"The judge finds {wording.share_of(agreed, total)} of the accepted calls valid."
    return Chart(
        "hosts",
        "What the host said, and what the judge says",
        finding if total else "The host accepted no call.",
        _legend(Outcome),
        bars,
        "host",
    )


def _depths(report: Report) -> Chart:
    counts = report.wrapper_depth
    order = sorted(counts, key=lambda layers: (len(layers), layers))
    most = max(counts.values(), default=0)
    bars = tuple(
        Bar(
            layers,
            wording.count_of(counts[layers], "call"),
            f"{layers} layers: {wording.count_of(counts[layers], 'call')}",
            (Segment("plain", 0, _length(counts[layers], most)),),
        )
        for layers in order
        if counts[layers]
    )
    deepest = bars[-1].label if bars else ""
    finding = f"The deepest wrapper had {deepest} layers."
    return Chart("depths", "Wrapper layers removed", finding, (), bars, "depths")


def _places(report: Report) -> Chart:
    found = report.imitation
    rows = [row for row in found.places if row.calls] if found.runs else []
    most = max((1000 * row.layers // row.calls for row in rows), default=0)
    bars = tuple(
        Bar(
            row.place,
            f"{row.layers:,} layers over {wording.count_of(row.calls, 'call')}",
            f"calls {row.place}: {row.layers:,} layers, the deepest {row.deepest:,}",
            (Segment("plain", 0, _length(1000 * row.layers // row.calls, most)),),
        )
        for row in rows
    )
    after = wording.share_of(found.after_wrapped, found.after_wrapped_of)
    other = wording.share_of(found.after_other, found.after_other_of)
    finding = (
        f"Wrapped: {after} of the calls right after a wrapped one, {other} of those after another."
    )
    title = "Wrapper layers per call, over a session"
    return Chart("places", title, finding, (), bars, "places")


def _proofs(report: Report) -> Iterator[Chart]:
    yield Chart(
        "retries",
        "Confirmed by the model's own retry, with 95 % intervals",
        "A bar spans the share of answered repairs that later calls of the model confirm.",
        (("range", "95 % interval"),),
        tuple(
            Bar(
                row.family,
                f"{row.confirmed:,} of {row.confirmed + row.contradicts:,}",
                f"{row.family}: {row.low / 10:.0f} to {row.high / 10:.0f} % confirmed",
                (Segment("range", row.low, max(4, row.high - row.low)),),
            )
            for row in report.confirmations
            if row.confirmed + row.contradicts
        ),
        "confirmations",
    )
    yield Chart(
        "power",
        "Power of the checks",
        f"{facts.power_line(report)[:1].upper()}{facts.power_line(report)[1:]}.",
        (("convicted", "convicted"), ("missed", "missed")),
        tuple(_power_bar(family, kinds.values()) for family, kinds in sorted(report.power.items())),
        "power",
    )


def _power_bar(family: str, cells: Iterable[Counts]) -> Bar:
    pairs = [(cell.get("wrong", 0), cell.get("convicted", 0)) for cell in cells]
    wrong, convicted = sum(w for w, _ in pairs), sum(c for _, c in pairs)
    return Bar(
        family,
        f"{convicted:,} of {wrong:,}",
        f"{family}: {convicted:,} of {wrong:,} wrong changes convicted",
        _segments((("convicted", convicted), ("missed", wrong - convicted)), wrong),
    )


def _stacked(label: str, counts: Counts, whole: int) -> Bar:
    parts = [(str(word), counts.get(word, 0)) for word in Outcome if counts.get(word, 0)]
    says = " · ".join(f"{number:,} {wording.words_of(word)}" for word, number in parts)
    return Bar(label, says, f"{label}: {says}", _segments(parts, whole))


def _segments(parts: Iterable[tuple[str, int]], whole: int) -> tuple[Segment, ...]:
    """Segments one after the other; none is too thin to be seen, and none leaves the bar."""
    found: list[Segment] = []
    start = 0
    for kind, number in parts:
        length = min(_length(number, whole), WIDTH - start)
        if length > 0:
            found.append(Segment(kind, start, length))
            start += length
    return tuple(found)


def _length(number: int, whole: int) -> int:
    if number <= 0 or whole <= 0:
        return 0
    return max(4, WIDTH * number // whole)


def _legend(words: Iterable[Outcome]) -> tuple[tuple[str, str], ...]:
    return tuple((str(word), wording.words_of(word)) for word in words)


def heat(report: Report, *, rows: int, cell: int) -> Heat | None:
    """The rate of each family by model; None where no model has enough calls."""
    models = sorted(
        (row for row in report.models if row.calls >= MIN_CALLS and row.families),
        key=lambda row: (-facts.malformed_of(row.outcomes), row.model),
    )[:rows]
    codes = sorted({code for row in models for code, number in row.families.items() if number})
    if not models:
        return None
    return Heat(
        title="How often each family occurs, by model",
        finding=f"Share of a model's calls; only models with {MIN_CALLS} calls and more.",
        columns=tuple(shown(code, 12) for code in codes),
        rows=tuple(
            (shown(tables.model_name(row), cell), row.calls, _heat_cells(row, codes))
            for row in models
        ),
    )


def _heat_cells(row: ModelRow, codes: Iterable[str]) -> tuple[HeatCell, ...]:
    return tuple(_heat_cell(code, row.families.get(code, 0), row.calls) for code in codes)


def _heat_cell(code: str, number: int, calls: int) -> HeatCell:
    permille = 1000 * number // calls
    level = sum(permille >= least for least in _LEVELS[1:]) if number else 0
    share = wording.share_of(number, calls)
    return HeatCell(share, max(level, 1) if number else 0, f"{code}: {number:,} calls, {share}")
