"""The search: families propose, this applies, the judge decides.

Places are visited from the outside in, in document order; at one place the families in their
fixed order. A candidate is judged on its closure: the repairs accepted at or below the places
that it wrote, and nothing else. Two rivals that both stand and differ cancel each other.

Bound: every trial is one judged value. After MAX_TRIALS of them, or MAX_WORK nodes judged,
nothing more is tried; an accepted change lowers the number of violations or takes a wrapper off,
so visits end too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from toolfix_audit.engine.proposal import (
    Candidate,
    Edit,
    Family,
    Place,
    Rivalry,
    Standing,
)
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.model.json import Json, same_json
from toolfix_audit.model.pointer import (
    Path,
    has_place,
    to_pointer,
    value_at,
    with_value,
)
from toolfix_audit.model.repair import Judge, Step, Violation

MAX_TRIALS: Final = 2_000
MAX_WORK: Final = 2_000_000
"""Values (containers and scalars) that all trials may judge together."""

MAX_DEPTH: Final = 64
"""Places deeper than this are not looked at."""

_BRANCHING: Final = ("/anyOf", "/oneOf", "/not", "/contains", "/if", "/propertyNames")


@dataclass(frozen=True)
class State:
    """The arguments as they stand, what the judge says of them, and the steps so far."""

    value: Json
    violations: tuple[Violation, ...]
    steps: tuple[Step, ...] = ()

    @cached_property
    def violated(self) -> frozenset[Path]:
        """The paths of the violations, and every path above one."""
        return frozenset(
            violation.path[:length]
            for violation in self.violations
            for length in range(len(violation.path) + 1)
        )

    @cached_property
    def branching(self) -> frozenset[Path]:
        """The places where violations may hide below, inside branches."""
        return frozenset(one.path for one in self.violations if _may_hide(one))

    def concerns(self, path: Path) -> bool:
        """Whether a violation lies at or below the place, or hides inside branches above it."""
        if path in self.violated:
            return True
        return bool(self.branching) and any(
            path[:length] in self.branching for length in range(len(path) + 1)
        )


@dataclass(slots=True)
class Search:
    """One search over one call. `ambiguous` and `exhausted` tell afterwards why it stopped."""

    judge: Judge
    view: SchemaView
    families: tuple[Family, ...]
    read_text: Callable[[str], Json]
    trials: int = 0
    work: int = 0
    ambiguous: bool = False
    exhausted: bool = False
    _size: int = 1

    def run(self, state: State) -> State:
        """Repair until a further visit changes nothing."""
        self._size = _nodes(state.value)
        while True:
            after = self._visit(state, (), self.families)
            if after is state:
                return state
            state = after

    def judged(self, value: Json, steps: tuple[Step, ...]) -> State:
        """A state with the judge's word on the value."""
        self.trials += 1
        self.work += self._size
        return State(value, tuple(self.judge.violations(value)), steps)

    def _visit(self, state: State, path: Path, families: tuple[Family, ...]) -> State:
        if not state.concerns(path):
            return state
        if len(path) > MAX_DEPTH:
            self.exhausted = True
            return state
        before = state
        for family in families:
            state, rewritten = self._try_family(state, path, family)
            if rewritten:
                return state
        for part in _parts(value_at(state.value, path)):
            state = self._visit(state, (*path, part), families)
        return state if state is before else self._visit(state, path, families)

    def _try_family(self, state: State, path: Path, family: Family) -> tuple[State, bool]:
        """Let one family try at one place; also say whether the place itself was rewritten."""
        value = value_at(state.value, path)
        place = Place(path, value, self._view_at(path), self.read_text, state.violated)
        standing: list[tuple[Candidate, State]] = []
        for proposal in family.propose(place):
            if isinstance(proposal, Rivalry):
                self.ambiguous |= proposal is Rivalry.AMBIGUOUS
                self.exhausted |= proposal is Rivalry.LIMIT
                continue
            stood = self._stand(state, path, proposal)
            if stood is not None and all(
                not same_json(stood[1].value, other.value) for _, other in standing
            ):
                standing.append(stood)
        if len(standing) > 1:
            self.ambiguous = True
        if len(standing) != 1:
            return state, False
        candidate, after = standing[0]
        return after, any(() in edit.wrote for edit in candidate.edits)

    def _stand(
        self, state: State, path: Path, candidate: Candidate
    ) -> tuple[Candidate, State] | None:
        """The candidate, or its fallback, with the state that it leads to, if it stands."""
        trial: State | None
        if candidate.standing is Standing.EACH_NEEDED:
            trial = self._try_parts(state, path, candidate)
        else:
            trial = self._apply(state, path, candidate)
        if trial is not None and _is_better(state, trial, path, candidate):
            return candidate, trial
        fallback = candidate.fallback
        return None if fallback is None else self._stand(state, path, fallback)

    def _apply(self, state: State, path: Path, candidate: Candidate) -> State | None:
        """The state after the edits and their closure; None when the trials are used up or the
        candidate finds the result incoherent."""
        if self.trials >= MAX_TRIALS or self.work >= MAX_WORK:
            self.exhausted = True
            return None
        value, steps = value_at(state.value, path), list(state.steps)
        for edit in candidate.edits:
            after = edit.apply(value)
            steps.append(Step(edit.family, edit.action, to_pointer(path), value, after))
            value = after
        trial = self.judged(with_value(state.value, path, value), tuple(steps))
        followers = self._followers(candidate)
        for wrote in _outermost(candidate.edits):
            if has_place(trial.value, (*path, *wrote)):
                trial = self._visit(trial, (*path, *wrote), followers)
        if candidate.coherent and not candidate.coherent(value_at(trial.value, path)):
            return None
        return trial

    def _try_parts(self, state: State, path: Path, candidate: Candidate) -> State | None:
        """Apply the edits together, leaving out each whose value does not fit or that is not
        needed for the gain."""
        whole = replace(candidate, coherent=None)
        while whole.edits:
            trial = self._apply(state, path, whole)
            if trial is None:
                return None
            bad = _misfit(trial, path, whole.edits) or self._needless(state, trial, path, whole)
            if bad is None:
                coherent = candidate.coherent
                is_whole = coherent is None or coherent(value_at(trial.value, path))
                return trial if is_whole else None
            whole = _without(whole, bad)
        return None

    def _needless(
        self, state: State, trial: State, path: Path, candidate: Candidate
    ) -> Edit | None:
        for edit in candidate.edits:
            rest = _without(candidate, edit)
            without = self._apply(state, path, rest) if rest.edits else state
            if without is None or len(without.violations) <= len(trial.violations):
                return edit
        return None

    def _followers(self, candidate: Candidate) -> tuple[Family, ...]:
        allowed = candidate.followers
        if allowed is None:
            return self.families
        return tuple(family for family in self.families if family.code in allowed)

    def _view_at(self, path: Path) -> SchemaView:
        view = self.view
        for part in path:
            view = view.child(part)
        return view


def _is_better(state: State, trial: State, path: Path, candidate: Candidate) -> bool:
    if candidate.standing is Standing.ALWAYS:
        return True
    fewer = len(trial.violations) < len(state.violations)
    return fewer and _misfit(trial, path, candidate.edits) is None


def _without(candidate: Candidate, edit: Edit) -> Candidate:
    return replace(candidate, edits=tuple(other for other in candidate.edits if other is not edit))


def _misfit(trial: State, path: Path, edits: tuple[Edit, ...]) -> Edit | None:
    """The first edit that leaves a violation where it promised none."""
    for edit in edits:
        if any((*path, *part) in trial.violated for part in edit.fit):
            return edit
    return None


def _may_hide(violation: Violation) -> bool:
    return violation.keyword.endswith(_BRANCHING) or violation.keyword.endswith(
        "/unevaluatedProperties"
    )


def _nodes(value: Json) -> int:
    """How many values there are in all, and one more for each 1,000 characters of text."""
    count = 0
    todo: list[Json] = [value]
    while todo:
        item = todo.pop()
        count += 1 + (len(item) // 1000 if isinstance(item, str) else 0)
        if isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return count


def _parts(value: Json) -> Iterator[str | int]:
    if isinstance(value, dict):
        yield from tuple(value)
    elif isinstance(value, list):
        yield from range(len(value))


def _outermost(edits: tuple[Edit, ...]) -> tuple[Path, ...]:
    wrote = dict.fromkeys(place for edit in edits for place in edit.wrote)
    return ((),) if () in wrote else tuple(wrote)
