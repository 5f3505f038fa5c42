"""Under any schema at all only a `Repair` comes back, and the fast judge agrees with the slow."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolfix_audit.engine import ALL, compile_schema, repair, repair_call, search
from toolfix_audit.engine.judges.pair import PairJudge, compile_pair
from toolfix_audit.engine.judges.python import compile_python
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.repair import JudgeLimitError, Repair, Unusable
from toolfix_audit.model.words import CHANGED, Outcome

from .defects import wrapped
from .effort import law
from .examples import example as example_of
from .garbage import any_schemas, sound_schemas
from .tools import recipes
from .values import anything

NUMBERS = (
    "-0", "-0.0", "0.10", "1.0", "1E2", "1e400", "-1e400", "9007199254740993",
    "9007199254740993.0", "18446744073709551616", "1" + "0" * 400, "9" * 4400, "1e-400",
    "100000000000000000000000000.5",
)  # fmt: skip
objects_of_any_sort = sound_schemas.filter(lambda schema: isinstance(schema, dict)).map(
    lambda schema: {**schema, "type": "object"}
)
odd_numbers = st.sampled_from(NUMBERS).map(parse_json)
values = st.one_of(
    anything,
    st.dictionaries(
        st.sampled_from(("a", "b", "arguments", "args", "type", "value", "")),
        st.one_of(anything, odd_numbers, anything.map(dump_json)),
        max_size=4,
    ),
)
objects = st.dictionaries(
    st.sampled_from(("a", "b", "")), st.one_of(anything, odd_numbers), max_size=3
)
texts = st.one_of(
    values.map(dump_json),
    st.text(max_size=12),
    values.map(lambda value: f"```json\n{dump_json(value)}\n```"),
    values.map(lambda value: dump_json(value)[:-1]),
    values.map(lambda value: dump_json(value) + "}"),
    values.map(lambda value: dump_json(value) * 2),
    values.map(repr),
)


def assert_sound(done: Repair, arguments: Json) -> None:
    assert isinstance(done, Repair)
    if done.outcome in CHANGED:
        assert done.steps
    else:
        assert done.arguments is arguments
        assert not done.steps
    needs_reason = done.outcome in {Outcome.UNTOUCHED, Outcome.UNJUDGED}
    assert (done.reason is not None) is needs_reason
    assert (not done.violations_after) is (
        done.outcome in {Outcome.VALID, Outcome.FIXED, Outcome.SWALLOWED, Outcome.UNJUDGED}
    )


@law
@given(st.one_of(values, texts), any_schemas, st.booleans())
@example({"type": [], "value": {"a": 1}}, {"properties": {"a": {}}, "required": ["a"]}, False)
@example({"a": "1e9999999999999999999"}, {"properties": {"a": {"type": "number"}}}, False)
@example({"a": "0e9999999999999999999"}, {"properties": {"a": {"type": "number"}}}, False)
@example('{"a":1e400,"b":"x"}', {"properties": {"a": {"multipleOf": 0.1}}, "required": ["c"]}, True)
@example({"a": 10**400}, {"properties": {"a": {"multipleOf": 0.1}}}, False)
@example(
    {"a": 1},
    {"properties": {"a": {"$ref": "#/additionalProperties/x"}}, "additionalProperties": False},
    False,
)
@example({"a": 1}, {"properties": {"a": {"$ref": "#/x/p"}}, "x": {"p": {"type": "any"}}}, False)
@example({"a": {}}, {"properties": {"a": {"$ref": "#/x/p"}}, "x": {"p": {"properties": 5}}}, False)
@example({"a": 1}, {"properties": {"a": {"$ref": "#/x/p"}}, "x": {"p": {"minimum": "x"}}}, False)
@example({"a": 1}, {"properties": {"a": {"$ref": "#/x/p"}}, "x": {"p": [1]}}, False)
@example(
    {"a": 1},
    {
        "properties": {"a": {"$ref": "#/x/p"}},
        "x": {"p": {"allOf": [{"$ref": "http://example.invalid/y"}]}},
    },
    False,
)
@example({"a": 10**5000}, {"properties": {"a": {"type": "string"}}}, False)
@example({"a": 10**5000}, {"properties": {"a": {"enum": ["a"]}}}, False)
def test_only_repairs_come_back(arguments: Json, schema: dict[str, Json], more: bool) -> None:
    families = ALL if more else frozenset("ABCDEFKLMNOP")
    done = repair(arguments, schema, families=families)
    assert_sound(done, arguments)
    named = repair_call("functions.t:0", arguments, {"t": schema}, families=families)
    assert isinstance(named, Repair)
    if done.outcome in {Outcome.FIXED, Outcome.SWALLOWED}:
        again = repair(done.arguments, schema, families=families)
        assert again.arguments is done.arguments


@law
@given(st.one_of(values, texts), any_schemas)
def test_trials_are_bounded(arguments: Json, schema: dict[str, Json]) -> None:
    judge = compile_schema(schema)
    assume(not isinstance(judge, Unusable))
    counter = _Counter(judge)
    repair(arguments, schema, judge=cast(Any, counter), families=ALL)
    assert counter.calls <= 2 * search.MAX_TRIALS + 4


class _Counter:
    """A judge that counts how often it is asked."""

    def __init__(self, judge: Any) -> None:
        self._judge = judge
        self.name, self.version = judge.name, judge.version
        self.calls = 0

    def is_valid(self, value: Json) -> bool:
        self.calls += 1
        return bool(self._judge.is_valid(value))

    def violations(self, value: Json) -> Any:
        self.calls += 1
        return self._judge.violations(value)


@law
@given(values, any_schemas, st.integers(0, 3))
def test_what_a_schema_accepts_stays(arguments: Json, schema: dict[str, Json], layers: int) -> None:
    """Under any schema that accepts x, x is untouched (with `arguments` declared: never even
    unwrapped)."""
    arguments = wrapped(arguments, ["arguments"] * layers)
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    schema = {**schema, "properties": {**known, "arguments": known.get("arguments", {})}}
    judge = compile_schema(schema)
    assume(not isinstance(judge, Unusable))
    assert not isinstance(judge, Unusable)
    try:
        assume(judge.is_valid(arguments))
    except JudgeLimitError:
        assume(False)
    for sent in (arguments, dump_json(arguments)):
        done = repair(sent, schema, families=ALL)
        assert done.outcome is Outcome.VALID
        assert done.arguments is sent


@law
@given(anything.filter(lambda value: isinstance(value, dict)))
def test_a_schema_made_of_the_value_keeps_it(arguments: dict[str, Json]) -> None:
    schema = _schema_of(arguments)
    for sent in (arguments, dump_json(arguments)):
        done = repair(sent, schema, families=ALL)
        assert done.outcome is Outcome.VALID
        assert done.arguments is sent


def _schema_of(value: Json) -> dict[str, Json]:
    """A closed schema of just this value's types, every key declared and required."""
    if isinstance(value, dict):
        return {
            "type": "object",
            "properties": {key: _schema_of(member) for key, member in value.items()},
            "required": list(value),
            "additionalProperties": False,
        }
    if isinstance(value, list):
        return (
            {"type": "array", "prefixItems": [_schema_of(item) for item in value]}
            if value
            else {"type": "array"}
        )
    return {"const": value}


@law
@given(sound_schemas, objects, st.data())
@example({"properties": {"a": {"not": {"type": "number"}}}}, {"a": parse_json("0.10")}, None)
def test_the_fast_judge_never_accepts_what_the_slow_one_rejects(
    schema: Json, value: dict[str, Json], data: st.DataObject | None
) -> None:
    judge = compile_pair(schema)
    assume(isinstance(judge, PairJudge))
    assert isinstance(judge, PairJudge)
    reference = compile_python(schema)
    assert not isinstance(reference, Unusable)
    drawn = data is not None and data.draw(st.booleans()) and example_of(data, schema)
    for one in (value, drawn or {}):
        assert judge.is_valid(one) == reference.is_valid(one)
        assert judge.is_valid(one) == Draft202012Validator(cast(Any, schema)).is_valid(one)
        assert tuple(judge.violations(one)) == tuple(reference.violations(one))
        assert judge.is_valid(one) is (not judge.violations(one))


@law
@given(st.one_of(recipes.map(lambda made: made.schema), objects_of_any_sort), st.data())
def test_generated_examples_stay_the_same_object(
    schema: dict[str, Json], data: st.DataObject
) -> None:
    """Valid in, the same object out: values that are made by none of our code."""
    value = example_of(data, schema)
    assume(value is not None and set(value) != {"arguments"})
    assume(Draft202012Validator(schema).is_valid(cast(Any, value)))
    done = repair(value, schema, families=ALL)
    assert done.outcome is Outcome.VALID
    assert done.arguments is value


@law
@given(values, sound_schemas)
def test_text_and_value_are_repaired_alike(value: Json, schema: Json) -> None:
    assume(not isinstance(value, str))
    text = dump_json(value)
    by_value, by_text = repair(value, schema), repair(text, schema)
    assert by_value.outcome is by_text.outcome
    assert by_value.reason is by_text.reason
    if by_value.changed:
        assert dump_json(by_value.arguments) == dump_json(by_text.arguments)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_schema_with_no_json_number_is_no_crash(number: float) -> None:
    done = repair({"a": 1}, {"properties": {"a": {"maximum": number}}})
    assert isinstance(done, Repair)


def test_patterns_beside_unevaluated_keywords_are_judged() -> None:
    """A pattern that can be run is no reason to leave a call unjudged."""
    schema: Json = {
        "properties": {"a": {"properties": {"b": {}}, "unevaluatedProperties": False}},
        "patternProperties": {"^x-": {"type": "string"}},
    }
    assert repair({"a": {"b": 1}, "x-y": "z"}, schema).outcome is Outcome.VALID


def test_references_do_not_shorten_wrapper_chains() -> None:
    """A chain of 2,500 layers comes off, whatever the schema refers to."""
    schema: Json = {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/s"}},
        "required": ["p"],
        "$defs": {"s": {"type": "string"}},
    }
    done = repair(wrapped({"p": "x"}, ["arguments"] * 2500), schema)
    assert json.dumps(done.arguments) == '{"p": "x"}' or done.arguments == {"p": "x"}
    assert done.outcome is Outcome.FIXED
