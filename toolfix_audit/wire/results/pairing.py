"""Family J, a history: which result answers which call, and what is wrong with the pairs.

A result answers an outstanding call of its id, so an id that is used again pairs by position.
Two things are proposed, and only where one answer is possible: the order of whole messages, and
the id of the one result without id that the one unanswered call of its turn can have.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from toolfix_audit.wire.results.history import Entry, History


class PairingDefect(StrEnum):
    """What can be wrong with calls and results."""

    MISSING_RESULT = "missing_result"
    ORPHAN_RESULT = "orphan_result"
    DUPLICATE_RESULT = "duplicate_result"
    RESULT_BEFORE_CALL = "result_before_call"
    RESULT_NOT_ADJACENT = "result_not_adjacent"
    MISSING_ID = "missing_id"
    REUSED_ID = "reused_id"


ORDER = frozenset({PairingDefect.RESULT_BEFORE_CALL, PairingDefect.RESULT_NOT_ADJACENT})
"""The defects that another order would mend."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where (the index of the entry), and with which id."""

    defect: PairingDefect
    index: int
    call_id: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """A call and its result, each by the index of its entry."""

    call: int
    result: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of a history and its faults, in order. `order` is the order of entries that mends
    every fault of order and brings none, None if there is no such fault or no such order;
    `filled` are ids for results without one, by the index of their entry."""

    pairs: tuple[Pair, ...]
    faults: tuple[Fault, ...]
    order: tuple[int, ...] | None = None
    filled: tuple[tuple[int, str], ...] = ()


def pair(history: History) -> Pairing:
    """Pair the calls and results of a history. Never raises."""
    pairing = _Pairer(history).run()
    order = _order(history, pairing)
    return replace(pairing, order=order)


class _Pairer:
    """One pass over a history."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._open: dict[str | None, deque[int]] = defaultdict(deque)
        self._early: dict[str | None, deque[int]] = defaultdict(deque)
        self._later = Counter(one for entry in history.entries for one in entry.calls)
        self._seen: set[str | None] = set()
        self._unnamed: list[tuple[int, int]] = []
        self._pairs: list[Pair] = []
        self._faults: list[Fault] = []
        self._breaks = _Breaks(history.entries)
        self._turn = -1
        self._turn_of: dict[int, int] = {}

    def run(self) -> Pairing:
        is_asking = False
        for entry in self._history.entries:
            asks = bool(entry.acts) and bool(entry.calls)
            if asks and not is_asking:
                self._turn = entry.index
            is_asking = asks or (is_asking and not entry.moves_on)
            for call_id, is_call in entry.acts:
                take = self._take_call if is_call else self._take_result
                take(entry.index, call_id)
        filled = self._fill()
        self._miss()
        self._faults.sort(key=lambda fault: fault.index)
        pairs = tuple(sorted(self._pairs, key=lambda one: (one.call, one.result)))
        return Pairing(pairs, tuple(self._faults), filled=filled)

    def _take_call(self, index: int, call_id: str | None) -> None:
        self._turn_of[index] = self._turn
        self._later[call_id] -= 1
        if call_id is not None and call_id in self._seen:
            self._fault(PairingDefect.REUSED_ID, index, call_id)
        self._seen.add(call_id)
        if call_id is not None and self._early[call_id]:
            self._pairs.append(Pair(index, self._early[call_id].popleft()))
        else:
            self._open[call_id].append(index)

    def _take_result(self, index: int, call_id: str | None) -> None:
        if call_id is None:
            self._unnamed.append((index, self._turn))
        elif self._open[call_id]:
            call = self._open[call_id].popleft()
            self._pairs.append(Pair(call, index))
            if self._history.adjacent and self._breaks.between(call, index):
                self._fault(PairingDefect.RESULT_NOT_ADJACENT, index, call_id)
        elif call_id in self._seen:
            self._fault(PairingDefect.DUPLICATE_RESULT, index, call_id)
        elif self._later[call_id] > len(self._early[call_id]):
            self._early[call_id].append(index)
            self._fault(PairingDefect.RESULT_BEFORE_CALL, index, call_id)
        elif self._later[call_id]:
            self._fault(PairingDefect.DUPLICATE_RESULT, index, call_id)
        else:
            self._fault(PairingDefect.ORPHAN_RESULT, index, call_id)

    def _fill(self) -> tuple[tuple[int, str], ...]:
        """Give a result without id the id of the only call that it can answer."""
        turns = Counter(turn for _, turn in self._unnamed)
        waiting: dict[int, list[tuple[str | None, int]]] = defaultdict(list)
        for call_id, indexes in self._open.items():
            for index in indexes:
                waiting[self._turn_of[index]].append((call_id, index))
        filled: list[tuple[int, str]] = []
        for index, turn in self._unnamed:
            self._fault(PairingDefect.MISSING_ID, index, None)
            calls = waiting[turn]
            if len(calls) == 1 and turns[turn] == 1 and calls[0][0] is not None:
                filled.append((index, calls[0][0]))
                self._pairs.append(Pair(calls[0][1], index))
            if len(calls) <= turns[turn]:
                for call_id, call in calls:
                    self._open[call_id].remove(call)
                waiting[turn] = []
        return tuple(filled)

    def _miss(self) -> None:
        """Calls without result, other than those that the history ends with."""
        entries = self._history.entries
        last = max((entry.index for entry in entries if entry.moves_on), default=-1)
        for call_id, indexes in self._open.items():
            for index in indexes:
                if index < last:
                    self._fault(PairingDefect.MISSING_RESULT, index, call_id)

    def _fault(self, defect: PairingDefect, index: int, call_id: str | None) -> None:
        self._faults.append(Fault(defect, index, call_id))


class _Breaks:
    """Where a history holds anything but results: there a batch of results ends."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._before: dict[int, int] = {}
        count = 0
        for entry in entries:
            self._before[entry.index] = count
            count += not entry.pure

    def between(self, call: int, result: int) -> bool:
        """Whether the entry of a call and that of its result are parted by such a place."""
        return self._before[result] - self._before[call] > 1


def _order(history: History, pairing: Pairing) -> tuple[int, ...] | None:
    """The order in which every misplaced entry stands behind the call that it answers."""
    moved = {fault.index for fault in pairing.faults if fault.defect in ORDER}
    entries = {entry.index: entry for entry in history.entries}
    calls: dict[int, set[int]] = defaultdict(set)
    for one in pairing.pairs:
        calls[one.result].add(one.call)
    if not moved or not all(entries[one].pure and len(calls[one]) == 1 for one in moved):
        return None
    follow: dict[int, list[int]] = defaultdict(list)
    for index in sorted(moved):
        follow[next(iter(calls[index]))].append(index)
    made: list[int] = []
    waiting: list[int] = []
    for entry in history.entries:
        if entry.index in moved:
            continue
        if not entry.pure:
            made += waiting
            waiting = []
        made.append(entry.index)
        waiting += follow[entry.index]
    order = (*made, *waiting)
    return order if _mends(history, pairing, order) else None


def _mends(history: History, pairing: Pairing, order: tuple[int, ...]) -> bool:
    """Whether an order leaves no fault of order, and every other fault as it was."""
    entries = {entry.index: entry for entry in history.entries}
    moved = tuple(replace(entries[old], index=new) for new, old in enumerate(order))
    again = _Pairer(replace(history, entries=moved)).run()
    before = Counter((one.defect, one.call_id) for one in pairing.faults)
    after = Counter((one.defect, one.call_id) for one in again.faults)
    order_faults = Counter({key: n for key, n in before.items() if key[0] in ORDER})
    return after == before - order_faults
