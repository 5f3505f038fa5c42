"""The retry oracle: after a rejected call, the model's own later accepted call answers what it
meant. Compared with our repair, it confirms or contradicts it.

Pairing: the first later call of the same session to the same tool, at most WITHIN calls on, that
the host took and that needed no repair. It speaks of the same target only if every leaf that the
repair left as it was stands in it unchanged, and those are at least as many as the repair set.

- `confirmed`: every leaf of the repaired arguments is in the retry, key and value alike;
- `contradicts`: a leaf that the repair set (another key, another type) has another value there;
- `no retry`: there is none, or it speaks of something else.

A repair that set no leaf, such as a plain unwrapping, can be confirmed and never contradicted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from toolfix_audit.model.json import Json, JsonError, decimal_of, dump_json, parse_json
from toolfix_audit.model.report import ConfirmationRow

WITHIN: Final = 10
"""Calls of the same session that a retry may be away."""

MAX_LEAVES: Final = 5_000
_Leaf: TypeAlias = tuple[tuple[str, ...], str]


class Answer(StrEnum):
    """What a retry says of a repair."""

    CONFIRMED = "confirmed"
    CONTRADICTS = "contradicts"
    NO_RETRY = "no retry"


@dataclass(frozen=True, slots=True)
class Pair:
    """A repaired call with its retry, all arguments as JSON text (`retry` None: there is none)."""

    call: str
    session: str
    tool: str
    families: tuple[str, ...]
    before: str
    after: str
    retry: str | None


def answer_of(pair: Pair) -> Answer:
    """What the retry says of the repair."""
    if pair.retry is None:
        return Answer.NO_RETRY
    before, after, retry = (_leaves(text) for text in (pair.before, pair.after, pair.retry))
    if not after or not retry:
        return Answer.NO_RETRY
    if not after - retry:
        return Answer.CONFIRMED
    kept, made = _kept_and_set(before, after)
    if not kept or kept - retry or kept.total() < made.total():
        return Answer.NO_RETRY
    retried = {path for path, _ in retry}
    is_answered = any(path in retried for path, _ in made - retry)
    return Answer.CONTRADICTS if is_answered else Answer.NO_RETRY


def confirmations(answers: Iterable[tuple[Pair, Answer]]) -> tuple[ConfirmationRow, ...]:
    """The answers by family; a call of several families counts in each."""
    counts: Counter[tuple[str, Answer]] = Counter()
    for pair, answer in answers:
        counts.update((family, answer) for family in pair.families)
    return tuple(_confirmation(family, counts) for family in sorted({one for one, _ in counts}))


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share (Wilson 1927); (0, 1) without trials."""
    if not trials:
        return 0.0, 1.0
    z = 1.959963984540054
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def _confirmation(family: str, counts: Counter[tuple[str, Answer]]) -> ConfirmationRow:
    confirmed = counts[family, Answer.CONFIRMED]
    contradicts = counts[family, Answer.CONTRADICTS]
    low, high = wilson(confirmed, confirmed + contradicts)
    no_retry = counts[family, Answer.NO_RETRY]
    return ConfirmationRow(
        family, confirmed, contradicts, no_retry, math.floor(1000 * low), math.ceil(1000 * high)
    )


def _kept_and_set(
    before: Counter[_Leaf], after: Counter[_Leaf]
) -> tuple[Counter[_Leaf], Counter[_Leaf]]:
    """The leaves of the result that the repair left as they were, and those that it set. A leaf
    is kept if the original has one of the same last key and value, wherever it sat."""
    there = Counter((path[-1:], value) for path, value in before.elements())
    kept: Counter[_Leaf] = Counter()
    made: Counter[_Leaf] = Counter()
    for path, value in after.elements():
        tail = (path[-1:], value)
        if there[tail] > 0:
            there[tail] -= 1
            kept[path, value] += 1
        else:
            made[path, value] += 1
    return kept, made


def _leaves(text: str) -> Counter[_Leaf]:
    """The scalars and empty containers of a JSON text, with their keys (indexes left out)."""
    try:
        value = parse_json(text)
    except JsonError:
        return Counter()
    found: Counter[_Leaf] = Counter()
    for leaf in _walk(value):
        found[leaf] += 1
        if found.total() > MAX_LEAVES:
            return Counter()
    return found


def _walk(value: Json) -> Iterator[_Leaf]:
    todo: list[tuple[tuple[str, ...], Json]] = [((), value)]
    while todo:
        path, item = todo.pop()
        if isinstance(item, dict) and item:
            todo.extend(((*path, key), member) for key, member in item.items())
        elif isinstance(item, list) and item:
            todo.extend((path, member) for member in item)
        else:
            yield path, _value_text(item)


def _value_text(item: Json) -> str:
    """A leaf as text; numbers by their value, so that `30000.0` is `30000`."""
    if isinstance(item, int | float) and not isinstance(item, bool):
        number = decimal_of(item)
        if number is not None:
            return f"{number.normalize():f}" if abs(number.adjusted()) < 400 else str(number)
    return dump_json(item)
