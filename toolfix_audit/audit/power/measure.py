"""Runs the broken engines and counts what the checks convict. Pure and deterministic."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final

from toolfix_audit.audit.inject.ground import ground_of
from toolfix_audit.audit.inject.subject import Subject, random_of
from toolfix_audit.audit.misfix import Change, Context, check, licences_of
from toolfix_audit.audit.power import guesses_keys, guesses_values
from toolfix_audit.audit.power.broken import Broken, parsed, run_broken
from toolfix_audit.audit.sample import PowerCall
from toolfix_audit.engine import SAFE, compile_schema, repair, repair_name
from toolfix_audit.model.json import Json, same_json
from toolfix_audit.model.repair import Judge, Repair, Unusable
from toolfix_audit.model.report import Counts
from toolfix_audit.model.words import MisfixKind, Outcome, UnjudgedReason

BROKEN: Final[tuple[Broken, ...]] = (*guesses_keys.BROKEN, *guesses_values.BROKEN)
"""Every broken engine for arguments; the one for tool names stands beside them."""

NEAREST_NAME: Final = "nearest tool name"
MAX_WRONG: Final = 10
"""So many wrong changes of one broken engine are checked; half of them on calls as recorded."""
MAX_LURES: Final = 3
MAX_TRIED: Final = 120
"""So many lured calls are tried for one broken engine, whether it falls for them or not."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One wrong change of a broken engine. `kinds` are the checks that convict it, `aimed` is
    the one that its error is a matter of."""

    broken: str
    family: str
    call: str
    aimed: MisfixKind
    kinds: tuple[MisfixKind, ...]
    given: Json
    result: Json

    @property
    def kind(self) -> MisfixKind:
        """The kind that the change counts for: the one it is a matter of, else the first that
        convicts."""
        return self.aimed if self.aimed in self.kinds or not self.kinds else self.kinds[0]


def measure_power(
    calls: Sequence[PowerCall],
    families: Collection[str],
    *,
    limit: int = 500,
    ran: Collection[str] = SAFE,
) -> Mapping[str, Mapping[str, Counts]]:
    """How many wrong changes the broken engines of `families` make on the first `limit` calls in
    the sample's order, and how many the checks convict: by family letter and kind, each wrong
    change once. `ran` are the families of the sound engine."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for attempt in attempts(calls, families, limit=limit, ran=ran):
        cell = found.setdefault(attempt.family, {}).setdefault(
            attempt.kind.value, {"wrong": 0, "convicted": 0}
        )
        cell["wrong"] += 1
        cell["convicted"] += bool(attempt.kinds)
    return {
        family: {kind: kinds[kind] for kind in sorted(kinds)}
        for family, kinds in sorted(found.items())
    }


def attempts(
    calls: Sequence[PowerCall],
    families: Collection[str],
    *,
    limit: int = 500,
    ran: Collection[str] = SAFE,
) -> Iterator[Attempt]:
    """Every wrong change that is made, broken engine by broken engine."""
    letters = {family[:1] for family in families}
    ordered = sorted(calls, key=lambda call: call.order)[:limit]
    bench = _Bench(ordered, tuple(sorted(ran)))
    for broken in BROKEN:
        if broken.family in letters:
            yield from bench.attempts_of(broken)
    if "K" in letters:
        yield from bench.wrong_names()


@dataclass(frozen=True, slots=True)
class _Case:
    """A call with what the sound engine makes of it."""

    call: PowerCall
    given: Json
    sound: Repair
    judge: Judge
    subject: Subject | None


class _Bench:
    """The calls of a measurement, each repaired once."""

    def __init__(self, calls: Sequence[PowerCall], ran: tuple[str, ...]) -> None:
        self.ran = ran
        self.cases = [case for call in calls if (case := self._case(call)) is not None]

    def attempts_of(self, broken: Broken) -> Iterator[Attempt]:
        """The wrong changes of one broken engine: on calls as recorded, then on lured ones."""
        recorded = (
            attempt
            for case in self.cases
            if (attempt := self._attempt(broken, case, case.given, case.sound)) is not None
        )
        made = list(islice(recorded, MAX_WRONG // 2))
        yield from made
        yield from islice(self._lured(broken), MAX_WRONG - len(made))

    def wrong_names(self) -> Iterator[Attempt]:
        """The nearest tool for a name that is none of them."""
        made = 0
        for case in self.cases:
            called = f"{case.call.tool}_v2"
            near = difflib.get_close_matches(called, case.call.names, n=1, cutoff=0.0)
            is_lured = isinstance(case.given, dict) and near and called not in case.call.names
            if made >= MAX_WRONG or not is_lured or repair_name(called, case.call.names):
                continue
            made += 1
            yield _name_attempt(case, called, near[0])

    def _lured(self, broken: Broken) -> Iterator[Attempt]:
        tried = 0
        own = [case for case in self.cases if broken.family in case.call.families]
        others = [case for case in self.cases if broken.family not in case.call.families]
        for case in (*own, *others):
            if case.subject is None or tried >= MAX_TRIED:
                continue
            rng = random_of(broken.name, case.call.call)
            for given in islice(broken.lures(case.subject, rng), MAX_LURES):
                tried += 1
                schema = case.subject.ground.schema
                sound = repair(given, schema, judge=case.judge, families=self.ran)
                attempt = self._attempt(broken, case, given, sound)
                if attempt is not None:
                    yield attempt
                    break

    def _attempt(self, broken: Broken, case: _Case, given: Json, sound: Repair) -> Attempt | None:
        """The wrong change that the broken engine makes of given arguments, if it makes one."""
        ground = ground_of(case.call.schema)
        if next(broken.guesses(parsed(sound.arguments), ground), None) is None:
            return None
        engine = partial(run_broken, broken=broken, families=self.ran)
        schema = ground.schema
        done = engine(given, schema)
        value = done.arguments
        is_wrong = not same_json(value, parsed(sound.arguments)) and not same_json(
            value, parsed(given)
        )
        if not done.changed or not is_wrong:
            return None
        change = Change(
            tool=case.call.tool,
            resolved=case.call.tool,
            arguments=given,
            result=value,
            outcome=done.outcome,
            steps=done.steps,
            violations_before=len(done.violations_before),
            violations_after=len(done.violations_after),
        )
        licences = licences_of(self.ran)
        context = Context(schema, case.judge, engine, compile_schema, licences=licences)
        kinds = _convicting(change, context, broken.kind)
        return Attempt(broken.name, broken.family, case.call.call, broken.kind, kinds, given, value)

    def _case(self, call: PowerCall) -> _Case | None:
        ground = ground_of(call.schema)
        judge = compile_schema(ground.schema)
        if isinstance(judge, Unusable):
            return None
        value = parsed(call.arguments)
        given = value if isinstance(value, dict) else call.arguments
        sound = repair(given, ground.schema, judge=judge, families=self.ran)
        if sound.outcome is Outcome.UNJUDGED:
            return None
        base = parsed(sound.arguments)
        is_valid = sound.outcome is not Outcome.UNTOUCHED and not sound.violations_after
        subject = None
        if is_valid and isinstance(base, dict):
            subject = Subject(call.call, call.tool, call.names, ground, judge, base)
        return _Case(call, given, sound, judge, subject)


def _name_attempt(case: _Case, called: str, near: str) -> Attempt:
    change = Change(
        tool=called,
        resolved=near,
        arguments=case.given,
        result=case.given,
        outcome=Outcome.FIXED,
        steps=(),
        violations_before=1,
        violations_after=0,
    )
    schema = ground_of(case.call.schema).schema
    engine = partial(repair, families=())
    aimed = MisfixKind.KEY_UNRELATED
    kinds = _convicting(change, Context(schema, case.judge, engine, compile_schema), aimed)
    return Attempt(NEAREST_NAME, "K", case.call.call, aimed, kinds, called, near)


def _convicting(change: Change, context: Context, aimed: MisfixKind) -> tuple[MisfixKind, ...]:
    """The kinds that convict a change. Alternate schemas, which cost most, are tried where they
    are what the error is a matter of, and where nothing else convicts."""
    kinds: tuple[MisfixKind, ...] = ()
    if aimed is not MisfixKind.ALTERNATE_SCHEMA:
        kinds = _kinds(change, replace(context, compile=_compile_nothing))
    return kinds or _kinds(change, context)


def _kinds(change: Change, context: Context) -> tuple[MisfixKind, ...]:
    convicted = {probe.kind for probe in check(change, context) if probe.convicted}
    return tuple(kind for kind in MisfixKind if kind in convicted)


def _compile_nothing(_schema: Json) -> Unusable:
    return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "no alternate is looked at")
