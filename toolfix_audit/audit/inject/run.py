"""Plant, repair, compare: what the engine makes of defects whose truth is known. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Final

from toolfix_audit.audit.inject.planters import (
    PLANTERS,
    TOGETHER,
    planted_alone,
    planted_together,
)
from toolfix_audit.audit.inject.subject import Planted, Subject, random_of
from toolfix_audit.audit.misfix import Change, Context, check
from toolfix_audit.engine import SAFE, compile_schema, repair, repair_call
from toolfix_audit.model.json import Json, same_json
from toolfix_audit.model.pointer import to_pointer
from toolfix_audit.model.repair import Repair
from toolfix_audit.model.words import Outcome

SHALLOW_FAMILIES: Final = frozenset("ABCDK")
MAX_DEVIATIONS: Final = 200


class Fate(StrEnum):
    """What became of a planted defect."""

    RESTORED = "restored"
    CHANGED = "changed"  # into something else
    LEFT = "left"
    STAYS_VALID = "stays-valid"  # the judge accepts the damaged call: nothing to repair


@dataclass(frozen=True, slots=True)
class Deviation:
    """A planted defect that was not restored, or a valid call that was touched. `kinds` are the
    mis-fix checks that convict the change."""

    family: str
    tool: str
    call: str
    variant: str
    place: str
    fate: str
    outcome: str
    reason: str | None
    damaged: Json
    truth: Json
    result: Json
    kinds: tuple[str, ...] = ()


@dataclass(slots=True)
class Injection:
    """What an injection found: fates by (family or families, tool), and the no-touch figures."""

    fates: Counter[tuple[str, str, Fate]] = field(default_factory=Counter)
    subjects: int = 0
    valid: int = 0
    touched: int = 0
    swallowed: int = 0
    deviations: list[Deviation] = field(default_factory=list)
    misfixes: int = 0

    def count(self, family: str, fate: Fate) -> int:
        """How many defects of a family had that fate, over all tools."""
        return sum(
            number
            for (code, _, what), number in self.fates.items()
            if (code, what) == (family, fate)
        )

    @property
    def is_clean(self) -> bool:
        """Whether no planted defect became a mis-fix and no valid call was touched."""
        return not self.misfixes and not self.touched

    def keep(self, deviation: Deviation) -> None:
        """Keep a deviation; those that a check convicts are never crowded out."""
        if deviation.kinds or len(self.deviations) < MAX_DEVIATIONS:
            self.deviations.append(deviation)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to plant: the families, how many damaged copies each call gets of each, the seed."""

    families: frozenset[str] = frozenset(code for code, _ in PLANTERS)
    copies: int = 2
    seed: int = 1
    engine_families: tuple[str, ...] = tuple(sorted(SAFE))


def inject(subjects: Iterable[Subject], plan: Plan, *, done: Injection | None = None) -> Injection:
    """Damage every subject in every planned way and let the engine repair the copies. The
    figures are added to those of `done`, if given."""
    done = Injection() if done is None else done
    for subject in subjects:
        done.subjects += 1
        for planted in damaged_copies(subject, plan):
            _judge_fate(done, subject, planted, plan)
    return done


def check_untouched(done: Injection, subject: Subject, plan: Plan) -> bool:
    """Run the engine on the valid call itself: it must come back as it is, unless the rule of a
    swallowed wrapper holds for it. Says whether it came back as it is."""
    result = repair(
        subject.value, subject.ground.schema, judge=subject.judge, families=plan.engine_families
    )
    if not result.changed:
        done.valid += 1
        return True
    planted = Planted("-", "untouched", (), subject.value, subject.tool)
    kinds = convictions(subject, planted, result, plan)
    if result.outcome is Outcome.SWALLOWED and not kinds:
        done.swallowed += 1
        return False
    done.valid += 1
    done.touched += 1
    done.keep(_deviation(subject, planted, result, (Fate.CHANGED, kinds)))
    return False


def damaged_copies(subject: Subject, plan: Plan) -> Iterator[Planted]:
    """The damaged copies of one call, the same for the same seed."""
    able = plan.families
    if subject.judge.name == "shallow":
        able &= SHALLOW_FAMILIES
    for family, _ in PLANTERS:
        if family in able:
            rng = random_of(plan.seed, subject.call, family)
            yield from planted_alone(subject, family, rng, limit=plan.copies)
    for label, families in TOGETHER:
        if able.issuperset(families):
            rng = random_of(plan.seed, subject.call, label)
            yield from planted_together(subject, label, rng, limit=plan.copies)


def is_provable(subject: Subject, planted: Planted) -> bool:
    """Whether the judge sees the defect, or the rules repair it although it does not."""
    if planted.tool != subject.tool or isinstance(planted.arguments, str):
        return True
    return planted.provable_when_valid or subject.count(planted.arguments) != 0


def run_engine(subject: Subject, planted: Planted, families: Collection[str]) -> Repair:
    """The engine's repair of a damaged copy."""
    schema = subject.ground.schema
    if planted.tool == subject.tool:
        done = repair(planted.arguments, schema, judge=subject.judge, families=families)
        return replace(done, tool=subject.tool)
    tools = dict.fromkeys(subject.names, schema)
    return repair_call(planted.tool, planted.arguments, tools, families=families)


def _judge_fate(done: Injection, subject: Subject, planted: Planted, plan: Plan) -> None:
    key = (planted.family, subject.tool)
    if not is_provable(subject, planted):
        done.fates[(*key, Fate.STAYS_VALID)] += 1
        return
    result = run_engine(subject, planted, plan.engine_families)
    if result.tool == subject.tool and same_json(result.arguments, subject.value):
        done.fates[(*key, Fate.RESTORED)] += 1
        return
    fate = Fate.CHANGED if result.changed else Fate.LEFT
    done.fates[(*key, fate)] += 1
    kinds: tuple[str, ...] = ()
    if result.changed:
        kinds = convictions(subject, planted, result, plan)
        done.misfixes += bool(kinds)
    done.keep(_deviation(subject, planted, result, (fate, kinds)))


def convictions(subject: Subject, planted: Planted, result: Repair, plan: Plan) -> tuple[str, ...]:
    """The kinds of mis-fix of which the checks convict what the engine made of a copy."""
    change = Change(
        tool=planted.tool,
        resolved=result.tool or planted.tool,
        arguments=planted.arguments,
        result=result.arguments,
        outcome=result.outcome,
        steps=tuple(step for step in result.steps if step.family != "K"),
        violations_before=len(result.violations_before),
        violations_after=len(result.violations_after),
    )
    context = Context(
        schema=subject.ground.schema,
        judge=subject.judge,
        engine=partial(_engine, families=plan.engine_families),
        compile=compile_schema,
    )
    probes = check(change, context)
    return tuple(sorted({probe.kind.value for probe in probes if probe.convicted}))


def _engine(arguments: Json, schema: Json, *, families: tuple[str, ...]) -> Repair:
    return repair(arguments, schema, families=families)


def _deviation(
    subject: Subject, planted: Planted, result: Repair, verdict: tuple[Fate, tuple[str, ...]]
) -> Deviation:
    fate, kinds = verdict
    return Deviation(
        family=planted.family,
        tool=subject.tool,
        call=subject.call,
        variant=planted.variant,
        place=to_pointer(planted.place),
        fate=fate.value,
        outcome=result.outcome.value,
        reason=None if result.reason is None else result.reason.value,
        damaged=planted.arguments,
        truth=subject.value,
        result=result.arguments,
        kinds=kinds,
    )
