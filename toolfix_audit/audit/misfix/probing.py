"""The probes under alternate schemas: what an alternate makes legal must come back unchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from toolfix_audit.audit.misfix.alternates import (
    Legal,
    Variant,
    derive,
    has_indexed_items,
    legal_types,
    legal_values,
)
from toolfix_audit.audit.misfix.change import Change, Context, Probe
from toolfix_audit.audit.misfix.difference import Place, outermost
from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.poison import poisoned_schema
from toolfix_audit.audit.misfix.schema_nodes import declares, govern
from toolfix_audit.audit.misfix.steps import Stage, stages
from toolfix_audit.model.json import Json, clip_json, dump_json
from toolfix_audit.model.pointer import Path, starts_with, to_pointer, value_at
from toolfix_audit.model.repair import Judge, JudgeLimitError, Unusable
from toolfix_audit.model.words import MisfixKind

MAX_PLACES: Final = 12
MAX_TOGETHER: Final = 200
MAX_STEPS: Final = 40
MAX_CONST: Final = 60
MAX_MEMO: Final = 20_000
HEAVY_TEXT: Final = 200_000
HEAVY_VIOLATIONS: Final = 200
"""Arguments of more characters or violations than these get two probes, not dozens."""

_AT_ONCE: Final = "all legal at once"

_PLAIN_LAST: Final = Variant(first=False, poisoned=False)
_PLAIN_FIRST: Final = Variant(first=True, poisoned=False)
_POISONED_LAST: Final = Variant(first=False, poisoned=True)
_POISONED_FIRST: Final = Variant(first=True, poisoned=True)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """One way to write an alternate. `judged_as` is the schema whose judge decides under it: the
    order of branches makes no difference to a judge."""

    schema: Json
    judged_as: Json
    poisoned: bool


@dataclass(frozen=True, slots=True)
class _Trial:
    """One value under one reading of its schema: the places that must come back, the `plain`
    schema of that reading, and the spellings that the engine is run under. With `whole` nothing
    else may move either, unless something else is wrong."""

    value: Json
    places: tuple[Place, ...]
    families: tuple[str, ...]
    title: str
    plain: Json
    spellings: tuple[_Spelling, ...]
    whole: bool = False
    is_derived: bool = True


def alternate_probes(original: Json, change: Change, context: Context) -> tuple[Probe, ...]:
    """Run the engine again under schemas that make legal what it changed.

    An alternate under which the judge does not find the places legal is passed over: it would
    prove nothing. Answers are remembered in the memo of the context.
    """
    places = tuple(place for place in outermost(original, change.result) if place.path)
    if not places:
        return ()
    schema_text = dump_json(context.schema)
    key = _memo_key(schema_text, original, change, context)
    known = context.memo.get(key)
    if known is None:
        runs = _runs(original, places[:MAX_TOGETHER], schema_text, change)
        supplied = _supplied(original, places, change, context)
        known = tuple(_probes((*runs, *supplied), context))
        if len(context.memo) >= MAX_MEMO:
            context.memo.clear()
        context.memo[key] = known
    return known


def _memo_key(
    schema_text: str, original: Json, change: Change, context: Context
) -> tuple[str, ...]:
    steps = "\n".join(f"{step.family} {step.action} {step.pointer}" for step in change.steps)
    alternates = "\n".join(dump_json(schema) for schema in context.alternates)
    return (
        _digest(schema_text),
        _digest(dump_json(change.result) + steps + alternates + repr(context.engine)),
        _digest(dump_json(original)),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _runs(
    original: Json, places: tuple[Place, ...], schema_text: str, change: Change
) -> Iterator[_Trial]:
    families = tuple(sorted({step.family for step in change.steps}))
    whole = _Base(original, schema_text, families)
    if _is_heavy(original, change):
        yield from whole.under(places, (_PLAIN_LAST, _POISONED_FIRST), whole=True, title=_AT_ONCE)
        return
    has_order = any(not place.went for place in places)
    variants = (
        (_PLAIN_LAST, _PLAIN_FIRST, _POISONED_LAST, _POISONED_FIRST)
        if has_order
        else (_PLAIN_LAST, _POISONED_LAST)
    )
    yield from whole.under(places, variants, whole=True, title=_AT_ONCE)
    if all(clip_json(place.sent, MAX_CONST) is not None for place in places[:4]) and has_order:
        yield whole.exactly(places[:4], all_of_them=len(places) <= 4)
    if len(places) > 1:
        for place in places[:MAX_PLACES]:
            variants = (_PLAIN_LAST, _POISONED_FIRST)
            yield from whole.under((place,), variants, whole=False, title="legal alone")
    yield from _step_runs(original, schema_text, change, len(places))


def _is_heavy(original: Json, change: Change) -> bool:
    if change.violations_before > HEAVY_VIOLATIONS:
        return True
    return clip_json(original, HEAVY_TEXT) is None


def _step_runs(original: Json, schema_text: str, change: Change, outer: int) -> Iterator[_Trial]:
    if len(change.steps) < 2 and outer < 2:
        return  # the step is the whole difference, which has been probed
    for stage in _spread(stages(original, change.steps))[:MAX_STEPS]:
        places = tuple(place for place in stage.places if place.path)
        base = _Base(stage.value, schema_text, (stage.step.family,))
        variants = (_PLAIN_LAST, _POISONED_FIRST)
        title = f"legal before {stage.step.action}"
        yield from base.under(places, variants, whole=False, title=title)


def _spread(all_stages: Sequence[Stage]) -> list[Stage]:
    """The stages, without the middle of long runs of the same step."""
    kept: list[Stage] = []
    for index, stage in enumerate(all_stages):
        near = all_stages[max(0, index - 1) : index + 2]
        same = [other for other in near if _is_same_step(stage, other)]
        if len(same) < 3 or len(near) < 3:
            kept.append(stage)
    return kept


def _is_same_step(one: Stage, other: Stage) -> bool:
    left, right = one.step, other.step
    return (left.family, left.action, left.pointer) == (right.family, right.action, right.pointer)


@dataclass(frozen=True, slots=True)
class _Base:
    value: Json
    schema_text: str
    families: tuple[str, ...]

    def under(
        self,
        places: tuple[Place, ...],
        variants: Sequence[Variant],
        *,
        whole: bool,
        title: str,
    ) -> Iterator[_Trial]:
        """The trial under the alternates that admit the types of what stood at the places."""
        if places:
            legal = legal_types(places, indexed=has_indexed_items(self.schema_text))
            yield self._trial(places, legal, variants, whole=whole, title=title)

    def exactly(self, places: tuple[Place, ...], *, all_of_them: bool) -> _Trial:
        """The trial under the alternate that admits nothing more than what stood there."""
        legal = legal_values(places)
        title = "legal by its value"
        return self._trial(places, legal, (_POISONED_FIRST,), whole=all_of_them, title=title)

    def _trial(
        self,
        places: tuple[Place, ...],
        legal: tuple[Legal, ...],
        variants: Sequence[Variant],
        *,
        whole: bool,
        title: str,
    ) -> _Trial:
        plain = derive(self.schema_text, legal, _PLAIN_LAST)
        spellings = tuple(self._spelling(legal, one) for one in variants)
        return _Trial(self.value, places, self.families, title, plain, spellings, whole)

    def _spelling(self, legal: tuple[Legal, ...], variant: Variant) -> _Spelling:
        schema = derive(self.schema_text, legal, variant)
        like = derive(self.schema_text, legal, replace(variant, first=False))
        return _Spelling(schema, like, variant.poisoned)


def _supplied(
    original: Json, places: tuple[Place, ...], change: Change, context: Context
) -> Iterator[_Trial]:
    touched = {str(place.path[0]) for place in places}
    families = tuple(sorted({step.family for step in change.steps}))
    for schema in context.alternates:
        nodes = govern(schema, schema)
        if not isinstance(schema, dict) or not all(declares(nodes, key) for key in touched):
            continue
        poisoned = poisoned_schema(schema)
        spellings = (
            _Spelling(schema, schema, poisoned=False),
            _Spelling(poisoned, poisoned, poisoned=True),
        )
        yield _Trial(original, places, families, "alternate", schema, spellings, is_derived=False)


def _probes(trials: Iterable[_Trial], context: Context) -> Iterator[Probe]:
    derived = context.compile_derived or context.compile
    for trial in trials:
        compile_one = derived if trial.is_derived else context.compile
        judge = compile_one(trial.plain)
        left = None if isinstance(judge, Unusable) else _wrong_elsewhere(judge, trial)
        if left is None:
            continue
        for spelling in trial.spellings:
            own = compile_one(spelling.judged_as)
            if not isinstance(own, Unusable):
                done = _run(trial.value, spelling.schema, own, context)
                moved = _moved(trial, done, whole=trial.whole and not left)
                title = f"{trial.title}, poisoned" if spelling.poisoned else trial.title
                detail = "" if moved is None else _told(moved, title)
                kind = MisfixKind.ALTERNATE_SCHEMA
                yield Probe(kind, trial.families, moved is not None, detail)


def _run(value: Json, schema: Json, judge: Judge, context: Context) -> Json:
    """What the engine makes of a value under a schema."""
    if context.engine_under is None:
        return context.engine(value, schema).arguments
    return context.engine_under(value, schema, judge).arguments


def _wrong_elsewhere(judge: Judge, trial: _Trial) -> int | None:
    """How many violations the judge finds away from the places; None where it finds one at the
    places, or in a branch around them."""
    try:
        violations = judge.violations(trial.value)
    except JudgeLimitError:
        return None
    for violation in violations:
        at = violation.path if violation.key is None else (*violation.path, violation.key)
        if any(starts_with(at, place.path) for place in trial.places):
            return None
        if violation.key is None and any(starts_with(p.path, violation.path) for p in trial.places):
            return None
    return len(violations)


def _moved(trial: _Trial, done: Json, *, whole: bool) -> Path | None:
    """The first place that did not come back, anywhere if it is about the whole value; None where
    all did."""
    if whole:
        if is_same(trial.value, done):
            return None
        return next((place.path for place in outermost(trial.value, done)), ())
    gone = (one.path for one in trial.places if not _stands(done, one.path, one.sent))
    return next(gone, None)


def _stands(value: Json, path: Path, sent: Json) -> bool:
    try:
        return is_same(value_at(value, path), sent)
    except KeyError:
        return False


def _told(path: Path, title: str) -> str:
    return f"{to_pointer(path) or 'the root'}: changed where it is legal ({title})"
