"""The comparison as a Markdown page: every figure comes from the run, none is typed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolfix_audit.model.json import Json, dump_json

from .case_files import OTHER, Asked
from .engines import Engine, Home
from .scoring import Answer, Mark, Need, Score, median_rate, timed_by_all

FAMILIES: Final = ("A", "B", "C", "D", "E", "F", "K", "L", "M", "N", "O", "P", OTHER)
SHOWN_MISFIXES: Final = 3
CLIP: Final = 90


@dataclass(frozen=True, slots=True)
class Measured:
    """What one engine did: its marks on the cases and on the documented examples, and its
    speed on one valid call and one defect, in calls per second."""

    engine: Engine
    version: str
    score: Score
    examples: Score
    answers: Mapping[str, Answer]
    valid_rate: float | None
    defect_rate: float | None


@dataclass(frozen=True, slots=True)
class Missing:
    """An engine that could not be asked, and why."""

    engine: Engine
    reason: str


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the comparison; the first result is this project's engine."""

    day: str
    machine: str
    paths: tuple[Path, ...]
    cases: tuple[Asked, ...]
    examples: tuple[Asked, ...]
    results: tuple[Measured | Missing, ...]

    @property
    def measured(self) -> tuple[Measured, ...]:
        """The engines that answered."""
        return tuple(one for one in self.results if isinstance(one, Measured))


def page(run: Run) -> str:
    """The whole page."""
    parts = (
        _opening(run),
        _engines(run),
        _totals(run),
        _family_table(run, Need.FIX, "Calls that have a lossless fix", _fix_cell),
        _family_table(run, Need.STAY, "Calls that must stay as they are", _stay_cell),
        _family_table(run, Need.GUESS, "Calls where a fix needs a guess", _guess_cell),
        _examples(run),
        _ahead(run),
        _misfixes(run),
        _limits(len(run.cases)),
    )
    return "\n".join(part for part in parts if part)


def _opening(run: Run) -> str:
    files = ", ".join(f"`{path.name}`" for path in run.paths if path.parent.name != "vectors")
    vectors = sum(path.parent.name == "vectors" for path in run.paths)
    named = f"{files} (from public bug reports) and " if files else ""
    needs = {need: sum(one.case.need is need for one in run.cases) for need in Need}
    return f"""# Comparison with other engines

Written by `python bench/peers.py --write docs/comparison.md`; don't edit it by hand.
Measured on {run.day} ({run.machine}).

Cases: {named}the {vectors} files of `corpora/vectors/`.
Of the {len(run.cases)} calls {needs[Need.FIX]} have a lossless fix, {needs[Need.STAY]} must stay
as they are, and for {needs[Need.GUESS]} a value exists that validates but needs a guess.

**Read this first.** The cases were collected and decided by this project, and its engine was
written against them: its own full score says that it keeps its rules, not that the rules are
the best ones. Most peers were made for another purpose, and some decide differently on purpose:
closing a text that was cut, or reading `yes` as true, is a feature there and counts as a
mis-fix here.
"""


def _engines(run: Run) -> str:
    rows = []
    for one in run.results:
        version = one.version if isinstance(one, Measured) else "not measured"
        package = f"{one.engine.home.value} `{one.engine.package}`"
        where = "this tree" if one.engine.home is Home.PROJECT else package
        rows.append((one.engine.name, where, version, one.engine.purpose, one.engine.limits))
    missing = [one for one in run.results if isinstance(one, Missing)]
    lines = "".join(f"\nNot measured: {one.engine.name}: {_clip(one.reason)}\n" for one in missing)
    head = ("engine", "from", "version", "made for", "how it is driven, and limits")
    return "## Engines\n\n" + _table(head, rows) + lines


def _totals(run: Run) -> str:
    common = _common(run)
    rows = []
    for one in run.measured:
        marks = one.score.total()
        rates = (one.valid_rate, one.defect_rate, median_rate(one.answers, common))
        counts = [str(marks[mark]) for mark in Mark]
        rows.append((one.engine.name, *counts, str(one.score.only_kind), *map(_rate, rates)))
    head = ("engine", *(mark.value for mark in Mark), "only 1 / 1.0")
    speeds = ("valid call/s", "array as text/s", "median case/s")
    return f"""## Totals

{_table((*head, *speeds), rows)}
- right: the expected value, or unchanged where the call must stay or would need a guess
- left: unchanged where a fix exists; a refusal by the engine's documented means counts as
  unchanged, since the call then stays what it was
- guessed: exactly the value that needs a guess; a reader may want it
- mis-fixed: changed to another value than the expected one, or changed where it must stay; a
  dropped or added key and another type count. "only 1 / 1.0" says how many of these are the
  expected value but for the kind of a number
- none: the schema can't be expressed, the engine broke or refused a legal call, or the case is
  about the tool's name (K), which no peer's interface takes
- speeds: calls per second in one process, schema already compiled, best of twenty rounds. The
  valid call has three keys; the array as text is `"[1, 50]"`, which some refuse (that is timed,
  too); the median is over the {len(common)} cases that every engine here answered or refused.
  Engines that take text parse it within that time, those that take values get them parsed
"""


def _common(run: Run) -> frozenset[str]:
    names = {one.case.identity for one in run.cases}
    return timed_by_all(one.answers for one in run.measured) & names


def _family_table(run: Run, need: Need, title: str, cell: Callable[[Measured, str], str]) -> str:
    counts = {
        family: sum(one.case.family == family and one.case.need is need for one in run.cases)
        for family in FAMILIES
    }
    rows = [
        (f"{family} ({count})", *(cell(one, family) for one in run.measured))
        for family, count in counts.items()
        if count
    ]
    legend = {
        Need.FIX: "Cells: right / left / mis-fixed / none.",
        Need.STAY: "Cells: kept / changed / none.",
        Need.GUESS: "Cells: kept / guessed value / changed otherwise / none.",
    }[need]
    head = ("family", *(one.engine.name for one in run.measured))
    return f"## {title}\n\n{legend}\n\n{_table(head, rows)}"


def _fix_cell(one: Measured, family: str) -> str:
    marks = one.score.total(Need.FIX, family)
    return _cell(marks[mark] for mark in (Mark.RIGHT, Mark.LEFT, Mark.MISFIXED, Mark.NONE))


def _stay_cell(one: Measured, family: str) -> str:
    marks = one.score.total(Need.STAY, family)
    return _cell(marks[mark] for mark in (Mark.RIGHT, Mark.MISFIXED, Mark.NONE))


def _guess_cell(one: Measured, family: str) -> str:
    marks = one.score.total(Need.GUESS, family)
    return _cell(marks[mark] for mark in (Mark.RIGHT, Mark.GUESSED, Mark.MISFIXED, Mark.NONE))


def _examples(run: Run) -> str:
    rows = []
    for asked in run.examples:
        name = asked.case.identity
        cells = [_example_cell(one, name) for one in run.measured]
        rows.append((asked.source, _code(asked.case.sent), *cells))
    head = ("documented by", "sent", *(one.engine.name for one in run.measured))
    totals = [str(one.examples.total()[Mark.RIGHT]) for one in run.measured]
    rows.append(("sum", "", *totals))
    return f"""## Examples from the peers' own documentation

What the peers say that they do, asked of all. `yes`: the documented value; `no`: unchanged or
refused; `other`: another value; `none`: no answer. `1` and `1.0` are the same here. Several of
these are guesses by this project's rules, which is why its engine leaves them. Examples that a
peer documents for use without a schema are asked with the schema `{{"type": "object"}}`.

{_table(head, rows)}"""


def _example_cell(one: Measured, name: str) -> str:
    words = {Mark.RIGHT: "yes", Mark.MISFIXED: "other", Mark.LEFT: "no"}
    return words.get(one.examples.by_case[name], "none")


def _ahead(run: Run) -> str:
    ours, *peers = run.measured
    lines, common = [], _common(run)
    figures: tuple[tuple[str, Callable[[Measured], float | None]], ...] = (
        ("a valid call", lambda one: one.valid_rate),
        ("an array sent as text", lambda one: one.defect_rate),
        ("the median case", lambda one: median_rate(one.answers, common)),
    )
    for title, figure in figures:
        mine = figure(ours) or 0.0
        faster = [(figure(one) or 0.0, one.engine.name) for one in peers]
        found = [
            f"{name} ({_rate(rate)})" for rate, name in sorted(faster, reverse=True) if rate > mine
        ]
        if found:
            lines.append(f"- speed, {title} (ours {_rate(mine)}): {', '.join(found)}")
    lines += _more(ours, peers, "values that need a guess", _guessed)
    lines += _more(ours, peers, "documented examples", _documented)
    for family in FAMILIES:
        lines += _more(ours, peers, f"lossless fixes of family {family}", _fixed_in(family))
    return (
        "## Where a peer is ahead\n\n" + "\n".join(lines or ["- in no figure of this run"]) + "\n"
    )


def _more(
    ours: Measured, peers: Iterable[Measured], title: str, figure: Callable[[Measured], int]
) -> list[str]:
    mine = figure(ours)
    found = [f"{one.engine.name} ({figure(one)})" for one in peers if figure(one) > mine]
    return [f"- {title} (ours {mine}): {', '.join(found)}"] if found else []


def _guessed(one: Measured) -> int:
    return one.score.total(Need.GUESS)[Mark.GUESSED]


def _documented(one: Measured) -> int:
    return one.examples.total()[Mark.RIGHT]


def _fixed_in(family: str) -> Callable[[Measured], int]:
    return lambda one: one.score.total(Need.FIX, family)[Mark.RIGHT]


def _misfixes(run: Run) -> str:
    sent = {one.case.identity: one.case for one in run.cases}
    rows = []
    for one in run.measured:
        for name in one.score.misfixed[:SHOWN_MISFIXES]:
            came = one.answers[name].value
            want = sent[name].expected if sent[name].need is Need.FIX else "unchanged"
            expected = want if want == "unchanged" else _code(want)
            rows.append((one.engine.name, name, _code(sent[name].sent), _code(came), str(expected)))
    if not rows:
        return ""
    head = ("engine", "case", "sent", "came", "expected")
    return f"## Some of the changes that count as mis-fixes\n\n{_table(head, rows)}"


def _limits(count: int) -> str:
    return f"""## Method and limits

- Each peer runs in a process of its own, at the version above, and speaks one JSON line per
  call with an adapter in `bench/adapters/`. Nothing of a peer is a dependency of this project.
- Values compare with their types. Differences that an engine's own JSON parser can't see are
  not held against it: Node has one kind of number, Python reads `0.10` as `0.1`.
- pydantic, toolproxy and BAML know no JSON Schema: their models are made from it as far as their
  type systems go. A hand-written model may do better or worse.
- Most schemas are small, and {count} hand-picked calls are no sample of any traffic: the figures
  say what an engine does with a shape, not how often that shape occurs.
- Speeds are of one machine on one day; compare their order of magnitude only.
"""


def _rate(rate: float | None) -> str:
    return "–" if not rate else f"{rate:,.0f}"


def _cell(counts: Iterable[int]) -> str:
    return " / ".join(map(str, counts))


def _code(value: Json) -> str:
    text = value if isinstance(value, str) else dump_json(value)
    return f"`{_clip(text)}`"


def _clip(text: str) -> str:
    plain = text.replace("\n", "⏎").replace("`", "'").replace("|", "¦")
    return plain if len(plain) <= CLIP else plain[: CLIP - 1] + "…"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
