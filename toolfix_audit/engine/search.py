"""The search: families propose, this applies, the judge decides.

Places are visited from the outside in, in document order; at one place the families in their
fixed order. A candidate is judged on its closure: the repairs accepted at or below the places
that it wrote, and nothing else. Two rivals that both stand and differ cancel each other.

Where the schema divides, each part of a value is searched by itself, with a judge of its own, and
the whole is judged once afterwards: a thousand defects side by side cost as much as a thousand
calls with one.

Bound: every trial is one judged value. At one visit of a place a family proposes one candidate at
most. After MAX_TRIALS trials, or MAX_WORK spent, the search gives up with JudgeLimitError, and
nothing of it stands. docs/engine.md has the numbers, and why every search ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Final

from toolfix_audit.engine.judges.effort import limited, spend
from toolfix_audit.engine.proposal import (
    Candidate,
    Edit,
    Family,
    Place,
    Rivalry,
    Standing,
)
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.state import Scope, State
from toolfix_audit.model.json import Json, same_json
from toolfix_audit.model.pointer import (
    Path,
    has_place,
    to_pointer,
    value_at,
    with_value,
)
from toolfix_audit.model.repair import Judge, JudgeLimitError, Step
from toolfix_audit.model.words import UntouchedReason

MAX_TRIALS: Final = 20_000
MAX_WORK: Final = 1_000_000
"""What one search may spend, in keywords applied by the judge."""

MAX_DEPTH: Final = 64
"""Places deeper than this are not looked at."""

WALKED_AT_ONCE: Final = 10
"""Values that are walked over in about the time that one keyword takes."""

COPIED_AT_ONCE: Final = 2
"""Members that an edit copies for each keyword that could be applied; steps keep the copies."""

VISIT: Final = 5
"""What all families cost at one place, and as often again for each schema that governs it."""


@dataclass(slots=True)
class Search:
    """One search over one call. `ambiguous` and `exhausted` (a place too deep, a chain too long)
    tell afterwards why it stopped; `visits`, `trials` and `work` what it took."""

    judge: Judge
    view: SchemaView
    families: tuple[Family, ...]
    read_text: Callable[[str], Json]
    visits: int = 0
    trials: int = 0
    work: int = 0
    ambiguous: bool = False
    exhausted: bool = False

    def run(self, state: State) -> State:
        """Repair until a further visit changes nothing.

        Raises:
            JudgeLimitError: MAX_TRIALS or MAX_WORK is reached, or the judge gave up.
        """
        scope = Scope((), self.judge, self.view)
        with limited(MAX_WORK) as effort:
            try:
                spend(_nodes(state.value) // WALKED_AT_ONCE)
                while True:
                    after = self._visit(scope, state, (), self.families)
                    if after is state:
                        return state
                    state = after
            finally:
                self.work += effort.spent

    def judged(self, value: Json, steps: tuple[Step, ...]) -> State:
        """A state with the judge's word on the whole value."""
        return self._judged(Scope((), self.judge, self.view), value, steps)

    def _judged(self, scope: Scope, value: Json, steps: tuple[Step, ...]) -> State:
        if self.trials >= MAX_TRIALS:
            raise JudgeLimitError(UntouchedReason.LIMIT)
        self.trials += 1
        spend(1 + _nodes(value) // WALKED_AT_ONCE)
        violations = tuple(scope.judge.violations(value))
        spend(len(violations))
        return State(value, violations, steps)

    def _visit(self, scope: Scope, state: State, path: Path, families: tuple[Family, ...]) -> State:
        if not state.concerns(path):
            return state
        if path and scope.divides:
            return self._visit_all(scope, state, (path,), families)
        if len(scope.base) + len(path) > MAX_DEPTH:
            self.exhausted = True
            return state
        self.visits += 1
        before, place = state, self._place(scope, state, path)
        for family in families:
            after, rewritten = self._try_family(scope, state, place, family)
            if rewritten:
                return after
            if after is not state:
                state, place = after, self._place(scope, after, path)
        parts = _parts(value_at(state.value, path))
        state = self._visit_all(scope, state, ((*path, part) for part in parts), families)
        return state if state is before else self._visit(scope, state, path, families)

    def _visit_all(
        self, scope: Scope, state: State, paths: Iterable[Path], families: tuple[Family, ...]
    ) -> State:
        """Visit places none of which lies in another; those that are still there."""
        if scope.divides:
            return self._visit_parts(scope, state, paths, families)
        for path in paths:
            if has_place(state.value, path):
                state = self._visit(scope, state, path, families)
        return state

    def _visit_parts(
        self, scope: Scope, state: State, paths: Iterable[Path], families: tuple[Family, ...]
    ) -> State:
        """Visit places in parts that are searched by themselves; then the judge says what the
        whole has become, and if that is not what its parts promise, nothing stands."""
        changed: dict[str | int, Json] = {}
        steps, gain = list(state.steps), 0
        for part, *rest in paths:
            if part not in state.below or not has_place(state.value, (part,)):
                continue
            before = State(value_at(state.value, (part,)), state.below[part])
            after = self._visit(scope.part(part), before, tuple(rest), families)
            if after is not before:
                changed[part] = after.value
                steps.extend(after.steps)
                gain += len(before.violations) - len(after.violations)
        if not changed:
            return state
        trial = self._judged(scope, _with_parts(state.value, changed), tuple(steps))
        return trial if len(trial.violations) == len(state.violations) - gain else state

    def _try_family(
        self, scope: Scope, state: State, place: Place, family: Family
    ) -> tuple[State, bool]:
        """Let one family try at one place; also say whether the place itself was rewritten."""
        path = place.path[len(scope.base) :]
        standing: list[tuple[Candidate, State]] = []
        for proposal in family.propose(place):
            if isinstance(proposal, Rivalry):
                self.ambiguous |= proposal is Rivalry.AMBIGUOUS
                self.exhausted |= proposal is Rivalry.LIMIT
                continue
            stood = self._stand(scope, state, path, proposal)
            if stood is not None and all(
                not same_json(stood[1].value, other.value) for _, other in standing
            ):
                standing.append(stood)
        if len(standing) > 1:
            self.ambiguous = True
        if len(standing) != 1:
            return state, False
        candidate, after = standing[0]
        return after, candidate.rewrites_place

    def _place(self, scope: Scope, state: State, path: Path) -> Place:
        view = scope.view
        for part in path:
            view = view.child(part)
        spend(VISIT * (1 + view.size))
        value = value_at(state.value, path)
        return Place((*scope.base, *path), value, view, self.read_text, state.is_violated_at(path))

    def _stand(
        self, scope: Scope, state: State, path: Path, candidate: Candidate
    ) -> tuple[Candidate, State] | None:
        """The candidate, or its fallback, with the state that it leads to, if it stands."""
        trial: State | None
        if candidate.standing is Standing.EACH_NEEDED:
            trial = self._try_parts(scope, state, path, candidate)
        else:
            trial = self._apply(scope, state, path, candidate)
        if trial is not None and _is_better(state, trial, path, candidate):
            return candidate, trial
        fallback = candidate.fallback
        return None if fallback is None else self._stand(scope, state, path, fallback)

    def _apply(self, scope: Scope, state: State, path: Path, candidate: Candidate) -> State | None:
        """The state after the edits and their closure; None where the candidate finds the result
        incoherent."""
        value, steps = value_at(state.value, path), list(state.steps)
        pointer = to_pointer((*scope.base, *path))
        for edit in candidate.edits:
            spend(1 + _width(value) // COPIED_AT_ONCE)
            after = edit.apply(value)
            steps.append(Step(edit.family, edit.action, pointer, value, after))
            value = after
        trial = self._judged(scope, with_value(state.value, path, value), tuple(steps))
        followers = self._followers(candidate)
        if candidate.rewrites_place:
            trial = self._visit(scope, trial, path, followers)
        else:
            wrote = dict.fromkeys(place for edit in candidate.edits for place in edit.wrote)
            trial = self._visit_all(scope, trial, ((*path, *one) for one in wrote), followers)
        if candidate.coherent and not candidate.coherent(value_at(trial.value, path)):
            return None
        return trial

    def _try_parts(
        self, scope: Scope, state: State, path: Path, candidate: Candidate
    ) -> State | None:
        """Apply the edits together, leaving out those whose value does not fit or that are not
        needed for the gain."""
        whole = replace(candidate, coherent=None)
        while whole.edits:
            trial = self._apply(scope, state, path, whole)
            if trial is None:
                return None
            bad = self._bad_edits(scope, state, path, whole, trial=trial)
            if not bad:
                coherent = candidate.coherent
                is_whole = coherent is None or coherent(value_at(trial.value, path))
                return trial if is_whole else None
            whole = _without(whole, bad)
        return None

    def _bad_edits(
        self, scope: Scope, state: State, path: Path, candidate: Candidate, *, trial: State
    ) -> list[Edit]:
        """Edits to leave out: all of them at once where no key depends on another, else the
        first, since what is left out may change what the others are worth."""
        misfits = _misfits(trial, path, candidate.edits)
        if scope.is_additive and not path:
            return misfits + _needless_keys(state, trial, candidate.edits)
        if misfits:
            return misfits[:1]
        for edit in candidate.edits:
            rest = _without(candidate, [edit])
            without = self._apply(scope, state, path, rest) if rest.edits else state
            if without is None or len(without.violations) <= len(trial.violations):
                return [edit]
        return []

    def _followers(self, candidate: Candidate) -> tuple[Family, ...]:
        allowed = candidate.followers
        if allowed is None:
            return self.families
        return tuple(family for family in self.families if family.code in allowed)


def _is_better(state: State, trial: State, path: Path, candidate: Candidate) -> bool:
    if candidate.standing is Standing.ALWAYS:
        return True
    fewer = len(trial.violations) < len(state.violations)
    return fewer and not _misfits(trial, path, candidate.edits)


def _without(candidate: Candidate, bad: list[Edit]) -> Candidate:
    left_out = set(map(id, bad))
    return replace(
        candidate, edits=tuple(edit for edit in candidate.edits if id(edit) not in left_out)
    )


def _misfits(trial: State, path: Path, edits: tuple[Edit, ...]) -> list[Edit]:
    """The edits that leave a violation where they promised none."""
    return [edit for edit in edits if any((*path, *part) in trial.violated for part in edit.fit)]


def _needless_keys(state: State, trial: State, edits: tuple[Edit, ...]) -> list[Edit]:
    """The edits whose undoing would leave no more violations, told from those of the keys that
    each of them dropped or renamed."""
    needless = []
    for edit, step in zip(edits, trial.steps[len(state.steps) :], strict=False):
        keys = _keys(step.before) ^ _keys(step.after)
        if sum(state.by_key[key] for key in keys) <= sum(trial.by_key[key] for key in keys):
            needless.append(edit)
    return needless


def _keys(value: Json) -> Set[str]:
    return value.keys() if isinstance(value, dict) else frozenset()


def _nodes(value: Json) -> int:
    """How many values there are in all, and one more for each 1,000 characters of text; of more
    than any search may look at, some."""
    count = 1
    todo: list[Json] = [value]
    while todo and count < MAX_WORK * WALKED_AT_ONCE:
        item = todo.pop()
        if isinstance(item, str):
            count += len(item) // 1000
        elif isinstance(item, dict | list):
            count += len(item)
            todo.extend(item.values() if isinstance(item, dict) else item)
    return count


def _width(value: Json) -> int:
    return len(value) if isinstance(value, dict | list) else 0


def _parts(value: Json) -> Iterator[str | int]:
    if isinstance(value, dict):
        yield from tuple(value)
    elif isinstance(value, list):
        yield from range(len(value))


def _with_parts(value: Json, changed: dict[str | int, Json]) -> Json:
    """A copy of a container in which some members or items are others."""
    if isinstance(value, dict):
        return {key: changed.get(key, member) for key, member in value.items()}
    if isinstance(value, list):
        return [changed.get(index, item) for index, item in enumerate(value)]
    return value
