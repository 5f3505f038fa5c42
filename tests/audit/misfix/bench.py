"""What the tests of the mis-fix check share: schemas, engines made of one rewrite, checked runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from toolfix_audit.audit.misfix import Change, Context, Licence, Probe, check
from toolfix_audit.engine import compile_schema
from toolfix_audit.model.json import Json, JsonError, parse_json, same_json
from toolfix_audit.model.repair import Judge, Repair, Step, Unusable
from toolfix_audit.model.words import MisfixKind, Outcome

Rewrite: TypeAlias = Callable[[Json, Json], Json]
"""`(arguments, schema)` to what an engine makes of them; the same object where it does nothing."""

Engine: TypeAlias = Callable[[Json, Json], Repair]


def closed(required: list[Json] | None = None, **properties: Json) -> Json:
    """The schema of an object that takes no other keys."""
    return {**opened(required, **properties), "additionalProperties": False}


def opened(required: list[Json] | None = None, **properties: Json) -> dict[str, Json]:
    """The schema of an object that takes any further key."""
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def kind(word: str, **more: Json) -> Json:
    """A schema of one type."""
    return {"type": word, **more}


def judge_of(schema: Json) -> Judge:
    """The default judge of a schema that has one."""
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable), judge
    return judge


def reckless(rewrite: Rewrite) -> Engine:
    """An engine that rewrites whatever it gets."""

    def engine(arguments: Json, schema: Json) -> Repair:
        value = _value(arguments)
        after = rewrite(value, schema)
        if after is value or same_json(after, arguments):
            return Repair(Outcome.UNTOUCHED, None, arguments, (), (), ())
        return Repair(Outcome.FIXED, None, after, (Step("X", "x", "", value, after),), (), ())

    return engine


def obedient(rewrite: Rewrite) -> Engine:
    """An engine that rewrites what the judge rejects, if the judge then likes it better."""

    def engine(arguments: Json, schema: Json) -> Repair:
        done = reckless(rewrite)(arguments, schema)
        judge = compile_schema(schema)
        if isinstance(judge, Unusable) or not done.changed:
            return Repair(Outcome.UNTOUCHED, None, arguments, (), (), ())
        value = _value(arguments)
        before = 1 if isinstance(value, str) else len(judge.violations(value))
        after = len(judge.violations(done.arguments))
        if after < before:
            outcome = Outcome.STILL_FAILING if after else Outcome.FIXED
            return Repair(outcome, None, done.arguments, done.steps, (), ())
        return Repair(Outcome.UNTOUCHED, None, arguments, (), (), ())

    return engine


def told(kept: Callable[[Json, Json], Repair], arguments: Json, schema: Json) -> Change:
    """What an engine did, as the check is given it."""
    done = kept(arguments, schema)
    return Change(
        None,
        None,
        arguments,
        done.arguments,
        done.outcome,
        done.steps,
        len(done.violations_before),
        len(done.violations_after),
    )


def checked(engine: Engine, arguments: Json, schema: Json, *alternates: Json) -> tuple[Probe, ...]:
    """Every probe of what an engine does to a call."""
    change = told(engine, arguments, schema)
    assert change.outcome is not Outcome.UNTOUCHED, "the engine did nothing"
    return check(change, context_of(engine, schema, *alternates))


def context_of(
    engine: Engine, schema: Json, *alternates: Json, licences: frozenset[Licence] = frozenset()
) -> Context:
    """A context around the default judge."""
    judge = judge_of(schema)
    return Context(schema, judge, engine, compile_schema, alternates, licences=licences)


def convicted(probes: tuple[Probe, ...]) -> set[MisfixKind]:
    """The kinds that convict."""
    return {probe.kind for probe in probes if probe.convicted}


def _value(arguments: Json) -> Json:
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse_json(arguments)
    except JsonError:
        return arguments
