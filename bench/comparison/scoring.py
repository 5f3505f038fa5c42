"""How an answer to a case counts. Pure: no process, no network, no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from toolfix_audit.model.json import Json, same_json


class Need(StrEnum):
    """What the case asks for."""

    FIX = "fix"
    STAY = "stay"
    GUESS = "guess"
    """A value exists that validates, but reaching it means a guess."""


class Mark(StrEnum):
    """How one answer counts."""

    RIGHT = "right"
    """The expected value; or unchanged where it must stay or would need a guess."""
    LEFT = "left"
    """Unchanged where a fix exists."""
    GUESSED = "guessed"
    """Exactly the value that needs a guess."""
    MISFIXED = "mis-fixed"
    """Changed to another value than the expected one, or changed where it must stay."""
    NONE = "none"
    """No answer: the peer can't take the schema, broke, or refused a legal call."""


class Numbers(StrEnum):
    """Which differences of numbers an engine's own JSON parser can see."""

    EXACT = "exact"
    PYTHON = "python"
    """`1` is not `1.0`, but `0.10` is `0.1`."""
    DOUBLE = "double"
    """Every number is a double: `1` is `1.0`."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call: what was sent (the text itself where it is not JSON) and what must come of it.

    `is_legal` says that the schema accepts what was sent. `called` and `expected_name` are set
    where the case is about the tool's name, which no peer here takes.
    """

    identity: str
    family: str
    need: Need
    sent: Json
    is_legal: bool
    expected: Json = None
    called: str | None = None
    expected_name: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine said to a case: a value, a refusal by its documented means, or neither."""

    value: Json = None
    has_value: bool = False
    tool: str | None = None
    is_refusal: bool = False
    detail: str = ""
    nanoseconds: float | None = None


NO_ANSWER = Answer(detail="no answer")


@dataclass(frozen=True, slots=True)
class Score:
    """The marks of one engine: by family and need, by case, and the changes that were mis-fixes."""

    marks: Mapping[tuple[str, Need], Counter[Mark]]
    by_case: Mapping[str, Mark]
    misfixed: tuple[str, ...] = ()
    only_kind: int = 0
    """Mis-fixes whose value is the right one but for `1` against `1.0`."""

    def total(self, need: Need | None = None, family: str | None = None) -> Counter[Mark]:
        """The marks of one need and one family, or of all."""
        chosen: Counter[Mark] = Counter()
        for (one, other), marks in self.marks.items():
            if need in (None, other) and family in (None, one):
                chosen.update(marks)
        return chosen


def mark_of(case: Case, answer: Answer, numbers: Numbers, *, takes_names: bool) -> Mark:
    """Mark one answer. A refusal leaves the call as it was, and so counts as unchanged unless
    the call was legal."""
    if case.called is not None and not takes_names:
        return Mark.NONE
    if answer.is_refusal:
        return Mark.NONE if case.is_legal else _unchanged(case)
    if not answer.has_value:
        return Mark.NONE
    if case.need is not Need.STAY and _is_expected(case, answer, numbers):
        return Mark.RIGHT if case.need is Need.FIX else Mark.GUESSED
    is_same_name = case.called is None or answer.tool == case.called
    if is_same_name and _is_same(answer.value, case.sent, numbers):
        return _unchanged(case)
    return Mark.MISFIXED


def _is_expected(case: Case, answer: Answer, numbers: Numbers) -> bool:
    is_its_name = case.called is None or answer.tool == case.expected_name
    return is_its_name and _is_same(answer.value, case.expected, numbers)


def _differs_in_kind(case: Case, answer: Answer) -> bool:
    wanted = case.expected if case.need is Need.FIX else case.sent
    return _is_same(answer.value, wanted, Numbers.DOUBLE)


def _is_same(left: Json, right: Json, numbers: Numbers) -> bool:
    return same_json(fold_numbers(left, numbers), fold_numbers(right, numbers))


def score(
    cases: Iterable[Case],
    answers: Mapping[str, Answer],
    numbers: Numbers,
    *,
    takes_names: bool = False,
) -> Score:
    """The score of one engine over cases; a case without an answer counts as none."""
    marks: dict[tuple[str, Need], Counter[Mark]] = {}
    by_case: dict[str, Mark] = {}
    misfixed, only_kind = [], 0
    for case in cases:
        answer = answers.get(case.identity, NO_ANSWER)
        mark = mark_of(case, answer, numbers, takes_names=takes_names)
        marks.setdefault((case.family, case.need), Counter())[mark] += 1
        by_case[case.identity] = mark
        if mark is Mark.MISFIXED:
            misfixed.append(case.identity)
            only_kind += _differs_in_kind(case, answer)
    return Score(marks, by_case, tuple(misfixed), only_kind)


def fold_numbers(value: Json, numbers: Numbers) -> Json:
    """The value as a parser with such numbers reads it; of any depth."""
    if numbers is Numbers.EXACT:
        return value
    holder: list[Json] = [value]
    todo: list[dict[str, Json] | list[Json]] = [holder]
    while todo:
        box = todo.pop()
        for place, member in _members(box):
            folded = _folded(member, numbers)
            box[place] = folded  # type: ignore[index]  # its own key or index
            if isinstance(folded, dict | list):
                todo.append(folded)
    return holder[0]


def _members(box: dict[str, Json] | list[Json]) -> list[tuple[str | int, Json]]:
    return list(box.items()) if isinstance(box, dict) else list(enumerate(box))


def _folded(value: Json, numbers: Numbers) -> Json:
    """A scalar as it is read, a container as a copy of its top level."""
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, list):
        return list(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return _double(value) if numbers is Numbers.DOUBLE else int(value)
    return value


def _unchanged(case: Case) -> Mark:
    return Mark.LEFT if case.need is Need.FIX else Mark.RIGHT


def _double(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf")


def median_rate(answers: Mapping[str, Answer], names: Collection[str]) -> float | None:
    """Calls per second at the median of the named cases; None if none of them was timed."""
    found = (answers.get(name, NO_ANSWER).nanoseconds for name in names)
    times = [time for time in found if time]
    return 1e9 / median(times) if times else None


def timed_by_all(engines: Iterable[Mapping[str, Answer]]) -> frozenset[str]:
    """The cases that every engine answered or refused, and was timed at."""
    sets = [
        frozenset(name for name, answer in answers.items() if answer.nanoseconds)
        for answers in engines
    ]
    return frozenset.intersection(*sets) if sets else frozenset()
