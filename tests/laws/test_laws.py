"""The laws of the engine: what never happens, whatever the tool and the call."""

from __future__ import annotations

import copy
from typing import Any, cast

import jsonschema_rs
from hypothesis import assume, example, given, note
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolfix_audit.audit.misfix import Change, Context, check
from toolfix_audit.engine import ALL, SAFE, compile_schema, repair
from toolfix_audit.model.json import dump_json
from toolfix_audit.model.repair import Unusable
from toolfix_audit.model.words import CHANGED, Outcome

from .effort import law
from .leaves import EMPTY, ENVELOPE, leaves
from .messy import Call, call_of, calls
from .tools import Tool, tools

TIERS = st.sampled_from((SAFE, ALL))


@law
@given(tools, TIERS)
def test_valid_arguments_stay_the_same_object(tool: Tool, families: frozenset[str]) -> None:
    done = repair(tool.arguments, tool.schema, families=families)
    if done.outcome is Outcome.SWALLOWED:
        assert set(tool.arguments) == {"arguments"}
        return
    assert done.outcome is Outcome.VALID
    assert done.arguments is tool.arguments
    assert not done.steps


@law
@given(tools, TIERS)
def test_valid_text_stays_the_same_text(tool: Tool, families: frozenset[str]) -> None:
    assume(set(tool.arguments) != {"arguments"})
    text = dump_json(tool.arguments)
    done = repair(text, tool.schema, families=families)
    assert done.outcome is Outcome.VALID
    assert done.arguments is text
    assert not done.steps


@law
@given(calls, TIERS)
def test_fixed_is_what_both_validators_accept(call: Call, families: frozenset[str]) -> None:
    done = repair(call.arguments, call.schema, families=families)
    if done.outcome in {Outcome.FIXED, Outcome.SWALLOWED}:
        assert Draft202012Validator(call.schema).is_valid(cast(Any, done.arguments))
        fast = jsonschema_rs.validator_for(cast(Any, call.schema))
        assert fast.is_valid(done.arguments)
    if done.outcome is Outcome.STILL_FAILING and not {"A"} & {step.family for step in done.steps}:
        assert len(done.violations_after) < len(done.violations_before)
    if done.outcome not in CHANGED:
        assert done.arguments is call.arguments
        assert not done.steps


@law
@given(calls, TIERS)
def test_a_second_repair_changes_nothing(call: Call, families: frozenset[str]) -> None:
    once = repair(call.arguments, call.schema, families=families)
    again = repair(once.arguments, call.schema, families=families)
    assert again.arguments is once.arguments
    assert len(again.violations_after) == len(once.violations_after)


@law
@given(calls, TIERS)
def test_input_is_never_mutated(call: Call, families: frozenset[str]) -> None:
    arguments, schema = call.arguments, call.schema
    kept, kept_schema = copy.deepcopy(arguments), copy.deepcopy(schema)
    first = repair(arguments, schema, families=families)
    assert dump_json(arguments) == dump_json(kept)
    assert dump_json(schema) == dump_json(kept_schema)
    second = repair(kept, kept_schema, families=families)
    assert dump_json(first.arguments) == dump_json(second.arguments)
    assert first.outcome is second.outcome
    assert [step.action for step in first.steps] == [step.action for step in second.steps]


@law
@given(calls)
def test_leaves_are_conserved(call: Call) -> None:
    """Nothing appears but an object that was emptied; nothing goes but null, "" and empty
    containers, and the empty word of an envelope."""
    done = repair(call.arguments, call.schema)
    if done.outcome not in CHANGED:
        return
    before, after = leaves(call.arguments), leaves(done.arguments)
    note(done)
    assert set(after - before) <= {"{}"}
    gone = set(before - after)
    envelopes = any(step.action == "unwrap:value" for step in done.steps)
    assert gone <= (EMPTY | ENVELOPE if envelopes else EMPTY)


@law
@given(calls)
@example(call_of(2175, 2175))  # `{"arguments":{"input":{}},"items":…}`: wrappers around nothing
@example(call_of(937, 937))  # an alias beside an optional key that is dropped, of a like name
@example(call_of(1814, 1814))  # another violation, which the engine mends under the alternate
def test_no_change_is_convicted(call: Call) -> None:
    done = repair(call.arguments, call.schema)
    if done.outcome not in CHANGED:
        return
    judge = compile_schema(call.schema)
    assert not isinstance(judge, Unusable)
    context = Context(schema=call.schema, judge=judge, engine=repair, compile=compile_schema)
    change = Change(
        tool=None,
        resolved=None,
        arguments=call.arguments,
        result=done.arguments,
        outcome=done.outcome,
        steps=done.steps,
        violations_before=len(done.violations_before),
        violations_after=len(done.violations_after),
    )
    convicted = [probe for probe in check(change, context) if probe.convicted]
    assert not convicted, (convicted, done.steps)
