"""The mis-fix check of one changed call, as the kernel runs it: one row per executed probe."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from toolfix_audit.audit.derived import remembered
from toolfix_audit.audit.foreign import compiler_of, engine_of
from toolfix_audit.audit.foreign.engine import is_swallowed
from toolfix_audit.audit.judged import Judged
from toolfix_audit.audit.misfix import Change, Context, Probe, check, check_name, licences_of
from toolfix_audit.audit.second import second_judges
from toolfix_audit.audit.spec import Spec
from toolfix_audit.engine import repair, repair_call
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Repair, Unusable, Violation
from toolfix_audit.model.words import MisfixKind, Outcome

_PROBE_MEMO: dict[Any, Any] = {}


def probe_rows(given: Json, done: Repair, judged: Judged, spec: Spec) -> list[dict[str, Any]]:
    """Check what an engine made of `given`; a changed name is checked apart from the arguments."""
    judge = judged.judge
    if not spec.probes or isinstance(judge, Unusable):
        return []
    probes: list[Probe] = []
    if judged.resolved != judged.tool:
        probes.append(_name_probe(given, judged, spec))
        probes.extend(check_name(_change(given, done, judged)))
    steps = tuple(step for step in done.steps if step.family != "K")
    if steps:
        before, outcome = _without_name(done), done.outcome
        if not before and is_swallowed(given, done.arguments, judged.schema, judge):
            outcome = Outcome.SWALLOWED
        part = replace(done, outcome=outcome, steps=steps, violations_before=before)
        change = replace(_change(given, part, judged), tool=judged.resolved)
        probes.extend(check(change, _context(judged, judge, spec)))
    return [_row(probe) for probe in probes]


def _name_probe(given: Json, judged: Judged, spec: Spec) -> Probe:
    """With the called name among the tools, the name must stay."""
    tools = {judged.tool: judged.schema, judged.resolved: judged.schema}
    foreign = engine_of(spec)
    if foreign is None:
        named = repair_call(judged.tool, given, tools, families=spec.families).tool
    else:
        named = foreign.meant(judged.tool, given, tools) or judged.tool
    kept = named == judged.tool
    detail = "" if kept else f"the available tool {judged.tool!r} was renamed"
    return Probe(MisfixKind.ALTERNATE_SCHEMA, ("K",), not kept, detail)


def _without_name(done: Repair) -> tuple[Violation, ...]:
    """The violations of the arguments: the unknown name counts as one before them."""
    renamed = any(step.family == "K" for step in done.steps)
    return done.violations_before[1:] if renamed else done.violations_before


def _change(given: Json, done: Repair, judged: Judged) -> Change:
    return Change(
        tool=judged.tool,
        resolved=judged.resolved,
        arguments=given,
        result=done.arguments,
        outcome=done.outcome,
        steps=done.steps,
        violations_before=len(done.violations_before),
        violations_after=len(done.violations_after),
        tools=judged.tools,
    )


def _context(judged: Judged, judge: Judge, spec: Spec) -> Context:
    compile_schema = compiler_of(spec)
    again = _Again(spec, judged.schema, judge)
    return Context(
        schema=judged.schema,
        judge=judge,
        engine=again,
        engine_under=again.under,
        compile=compile_schema,
        compile_derived=remembered(compile_schema),
        alternates=judged.alternates,
        second_judges=second_judges(spec, judge, judged.text),
        licences=licences_of(spec.families),
        memo=_PROBE_MEMO,
    )


@dataclass(frozen=True, slots=True)
class _Again:
    """The engine under audit once more, as the probes run it. Its `repr`, which tells the engines
    of remembered probes apart, is that of the spec."""

    spec: Spec
    schema: Json = field(repr=False)
    judge: Judge = field(repr=False)

    def __call__(self, arguments: Json, schema: Json) -> Repair:
        """What the engine makes of arguments under a schema."""
        own = self.judge if schema is self.schema else compiler_of(self.spec)(schema)
        if isinstance(own, Unusable):
            return Repair(Outcome.UNJUDGED, None, arguments, (), (), (), own.reason)
        return self.under(arguments, schema, own)

    def under(self, arguments: Json, schema: Json, judge: Judge) -> Repair:
        """The same, with the judge of the schema."""
        foreign = engine_of(self.spec)
        if foreign is not None:
            return foreign.repair(arguments, schema, judge=judge)
        return repair(arguments, schema, judge=judge, families=self.spec.families)


def _row(probe: Probe) -> dict[str, Any]:
    return {
        "kind": probe.kind.value,
        "families": list(probe.families),
        "convicted": probe.convicted,
        "detail": probe.detail,
    }
