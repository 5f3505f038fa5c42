"""The laws of the engine on random tools, valid arguments and injected defects."""

from __future__ import annotations

import copy
from typing import Any, cast

import jsonschema_rs
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolfix_audit.audit.misfix import Change, Context, check
from toolfix_audit.engine import ALL, SAFE, compile_schema, repair, repair_call
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.repair import Repair, Unusable
from toolfix_audit.model.words import CHANGED, Outcome

from .defects import ALIASES, WRAPPERS, textless, with_texts, wrapped
from .effort import law
from .governing import at_path, declared_names, is_declared, required_names
from .tools import Tool, anything, keys, tools

TIERS = st.sampled_from((SAFE, ALL))


def declares(tool: Tool, *names: str) -> bool:
    """Whether the root may declare one of the names; true where that is not plain."""
    found = at_path(tool.schema, ())
    return found is None or any(is_declared(found, name) for name in names)


def is_packed(tool: Tool) -> bool:
    """Whether valid arguments look like a wrapper themselves, or hold an undeclared one."""
    value = tool.arguments
    return any(name in value and not declares(tool, name) for name in WRAPPERS) or (
        set(value) == {"type", "value"} and not declares(tool, "type", "value")
    )


def is_swallowed(tool: Tool) -> bool:
    """Whether `arguments` around the valid arguments hides them from a tool that needs none."""
    found = at_path(tool.schema, ())
    return (
        found is not None
        and bool(tool.arguments)
        and not required_names(found)
        and bool(declared_names(found))
        and all(is_declared(found, key) for key in tool.arguments)
    )


def is_wrong(value: Json, schema: Json) -> bool:
    return not Draft202012Validator(cast(Any, schema)).is_valid(cast(Any, value))


def assert_restored(done: Repair, original: Json) -> None:
    assert done.outcome is Outcome.FIXED
    assert dump_json(done.arguments) == dump_json(original)
    assert done.steps
    assert not done.violations_after


@law
@given(tools(), TIERS)
def test_valid_arguments_stay_the_same_object(tool: Tool, families: frozenset[str]) -> None:
    done = repair(tool.arguments, tool.schema, families=families)
    if done.outcome is Outcome.SWALLOWED:
        assert set(tool.arguments) == {"arguments"}
        return
    assert done.outcome is Outcome.VALID
    assert done.arguments is tool.arguments
    assert not done.steps


@law
@given(tools(), TIERS)
def test_valid_text_stays_the_same_text(tool: Tool, families: frozenset[str]) -> None:
    assume(set(tool.arguments) != {"arguments"})
    text = dump_json(tool.arguments)
    done = repair(text, tool.schema, families=families)
    assert done.outcome is Outcome.VALID
    assert done.arguments is text
    assert not done.steps


@law
@given(tools(), st.integers(1, 60))
def test_wrapped_arguments_come_back(tool: Tool, layers: int) -> None:
    """A: `arguments` undeclared, the schema declares a property."""
    found = at_path(tool.schema, ())
    assume(found is not None and declared_names(found) and not is_packed(tool))
    assume(not declares(tool, "arguments"))
    sent = wrapped(tool.arguments, ["arguments"] * layers)
    done = repair(sent, tool.schema)
    if is_wrong(sent, tool.schema):
        assert_restored(done, tool.arguments)
    elif is_swallowed(tool):
        assert done.outcome is Outcome.SWALLOWED
        assert dump_json(done.arguments) == dump_json(tool.arguments)
    else:
        assert done.outcome is Outcome.VALID
        assert done.arguments is sent
    if done.steps:
        assert len(done.steps) == layers


@law
@given(tools(), st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=6), TIERS)
def test_aliases_come_off(tool: Tool, names: list[str], families: frozenset[str]) -> None:
    """B, and mixed chains: every name undeclared, and the wrapped call has violations."""
    assume(names[-1] in ALIASES)
    assume(not is_packed(tool) and not declares(tool, *names))
    sent = wrapped(tool.arguments, names)
    done = repair(sent, tool.schema, families=families)
    if is_wrong(sent, tool.schema):
        assert_restored(done, tool.arguments)
    else:
        assert done.arguments is sent


@law
@given(tools(), st.sampled_from(WRAPPERS), st.data())
def test_wrapped_siblings_are_merged(tool: Tool, name: str, data: st.DataObject) -> None:
    """C: the wrapper undeclared, no key twice, and the call has violations."""
    names = list(tool.arguments)
    assume(len(names) > 1 and not is_packed(tool) and not declares(tool, name))
    inside = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=len(names) - 1))
    sent: dict[str, Json] = {}
    for key in names:
        if key not in inside:
            sent[key] = tool.arguments[key]
    sent[name] = {key: tool.arguments[key] for key in inside}
    assume(is_wrong(sent, tool.schema))
    done = repair(sent, tool.schema)
    assert done.outcome is Outcome.FIXED
    assert dump_json(done.arguments, sort_keys=True) == dump_json(tool.arguments, sort_keys=True)


@law
@given(tools(), st.data())
def test_texts_become_what_they_spell(tool: Tool, data: st.DataObject) -> None:
    """E and F: strings are excluded by every branch at each place."""
    paths = textless(tool.arguments, tool.schema)
    assume(paths)
    sent, chosen = data.draw(with_texts(tool.arguments, tool.schema, paths))
    assume(chosen)
    assume(len(chosen) == 1 or is_plain(tool))
    assert_restored(repair(sent, tool.schema), tool.arguments)


def is_plain(tool: Tool) -> bool:
    """Whether no part of the schema counts several violations as one."""
    text = dump_json(tool.schema)
    return not any(f'"{word}"' in text for word in ("anyOf", "oneOf", "not", "if"))


@law
@given(tools(), st.integers(1, 5), st.data())
def test_defects_compose(tool: Tool, layers: int, data: st.DataObject) -> None:
    """Texts inside a wrapper chain, and the whole as double-encoded text."""
    paths = textless(tool.arguments, tool.schema)
    found = at_path(tool.schema, ())
    assume(paths and found and declared_names(found) and is_plain(tool))
    names = data.draw(st.lists(st.sampled_from(WRAPPERS), min_size=layers, max_size=layers))
    assume(not is_packed(tool) and not declares(tool, *names))
    inner, chosen = data.draw(with_texts(tool.arguments, tool.schema, paths))
    assume(chosen)
    sent = wrapped(inner, names)
    assume(is_wrong(sent, tool.schema))
    for given_arguments in (sent, dump_json(sent), dump_json(dump_json(sent))):
        done = repair(given_arguments, tool.schema)
        assert_restored(done, tool.arguments)


@law
@given(
    st.lists(st.sampled_from(("read", "Write", "bash", "mcp__a__b", "x.y")), unique=True),
    st.tuples(
        st.sampled_from(("functions.", "functions:", "tools/", "tool.", "")),
        st.sampled_from(("", ":0", ":12")),
        st.sampled_from(("", "<|channel|>commentary", "<|end|>", " ")),
    ),
    st.data(),
)
def test_drifted_names_come_back(
    names: list[str], around: tuple[str, str, str], data: st.DataObject
) -> None:
    """K: prefix, index, token, blanks and case around one of the tools."""
    assume(names)
    name = data.draw(st.sampled_from(names))
    called = data.draw(st.sampled_from((name, name.upper(), name.title())))
    lead, index, tail = around
    sent = lead + called + index + tail
    schema: Json = {"type": "object", "properties": {"a": {"type": "integer"}}}
    done = repair_call(sent, {"a": 1}, dict.fromkeys(names, schema))
    assert done.tool == name
    assert done.outcome is (Outcome.VALID if sent == name else Outcome.FIXED)
    assert done.arguments == {"a": 1}


@st.composite
def messy_calls(draw: st.DrawFn) -> tuple[Json, dict[str, Json]]:
    """A tool and arguments that are wrong in any way, or in none."""
    tool = draw(tools())
    value: Json = tool.arguments
    paths = textless(value, tool.schema)
    has_texts: bool = draw(st.booleans())
    if paths and has_texts:
        value, _ = draw(with_texts(value, tool.schema, paths))
    assert isinstance(value, dict)
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(("drop", "add", "set", "rename", "empty", "wrap", "pack")))
        value = _messed(draw, value, kind)
    if draw(st.integers(0, 9)) == 0:
        return draw(anything), tool.schema
    return (dump_json(value) if draw(st.booleans()) else value), tool.schema


def _messed(draw: st.DrawFn, value: dict[str, Json], kind: str) -> dict[str, Json]:
    if kind == "add":
        return {**value, draw(keys): draw(anything)}
    if kind == "wrap":
        return {draw(st.sampled_from(WRAPPERS)): value}
    if not value:
        return value
    key = draw(st.sampled_from(tuple(value)))
    rest = {name: member for name, member in value.items() if name != key}
    if kind == "drop":
        return rest
    if kind == "set":
        return {**value, key: draw(anything)}
    if kind == "empty":
        return {**value, key: draw(st.sampled_from((None, "", {})))}
    if kind == "rename":
        lead = draw(st.sampled_from(("my_", "the", "new_", "")))
        return {**rest, f"{lead}{key.title()}": value[key]}
    return {**rest, draw(st.sampled_from(WRAPPERS)): {key: value[key]}}


@law
@given(messy_calls(), TIERS)
def test_fixed_is_what_both_validators_accept(
    call: tuple[Json, dict[str, Json]], families: frozenset[str]
) -> None:
    arguments, schema = call
    done = repair(arguments, schema, families=families)
    if done.outcome in {Outcome.FIXED, Outcome.SWALLOWED}:
        assert Draft202012Validator(schema).is_valid(cast(Any, done.arguments))
        assert jsonschema_rs.validator_for(cast(Any, schema)).is_valid(done.arguments)
    if done.outcome is Outcome.STILL_FAILING and not {"A"} & {step.family for step in done.steps}:
        assert len(done.violations_after) < len(done.violations_before)
    if done.outcome not in CHANGED:
        assert done.arguments is arguments
        assert not done.steps


@law
@given(messy_calls(), TIERS)
def test_a_second_repair_changes_nothing(
    call: tuple[Json, dict[str, Json]], families: frozenset[str]
) -> None:
    arguments, schema = call
    once = repair(arguments, schema, families=families)
    again = repair(once.arguments, schema, families=families)
    assert again.arguments is once.arguments
    assert len(again.violations_after) == len(once.violations_after)


@law
@given(messy_calls(), TIERS)
def test_input_is_never_mutated(
    call: tuple[Json, dict[str, Json]], families: frozenset[str]
) -> None:
    arguments, schema = call
    kept, kept_schema = copy.deepcopy(arguments), copy.deepcopy(schema)
    first = repair(arguments, schema, families=families)
    assert dump_json(arguments) == dump_json(kept)
    assert dump_json(schema) == dump_json(kept_schema)
    second = repair(kept, kept_schema, families=families)
    assert dump_json(first.arguments) == dump_json(second.arguments)
    assert first.outcome is second.outcome
    assert [step.action for step in first.steps] == [step.action for step in second.steps]


@law
@given(messy_calls())
def test_no_change_is_convicted(call: tuple[Json, dict[str, Json]]) -> None:
    arguments, schema = call
    done = repair(arguments, schema)
    if done.outcome not in CHANGED:
        return
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable)
    context = Context(schema=schema, judge=judge, engine=repair, compile=compile_schema)
    change = Change(
        tool=None,
        resolved=None,
        arguments=arguments,
        result=done.arguments,
        outcome=done.outcome,
        steps=done.steps,
        violations_before=len(done.violations_before),
        violations_after=len(done.violations_after),
    )
    convicted = [probe for probe in check(change, context) if probe.convicted]
    assert not convicted, (convicted, done.steps)
