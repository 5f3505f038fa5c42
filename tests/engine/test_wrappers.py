"""Families A, B and C: chains, envelopes, text inside, siblings, and the swallowed wrapper."""

from __future__ import annotations

import json

import pytest

from toolfix_audit.engine import repair
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.repair import Repair
from toolfix_audit.model.words import Outcome, UntouchedReason

ABCD = frozenset("ABCD")
S: Json = {"type": "string"}
READ: Json = {
    "type": "object",
    "properties": {"path": S, "limit": {"type": "integer"}},
    "required": ["path"],
    "additionalProperties": False,
}
OPEN: Json = {"type": "object", "properties": {"path": S, "limit": {}}, "required": ["path"]}
OPTIONAL: Json = {"type": "object", "properties": {"path": S, "limit": {"type": "integer"}}}
ALIASES = (
    "args",
    "parameters",
    "params",
    "input",
    "inputs",
    "kwargs",
    "tool_input",
    "tool_arguments",
    "function_arguments",
    "_",
)


def run(value: Json, schema: Json = READ) -> Repair:
    return repair(value, schema, families=ABCD)


def wrapped(depth: int, inner: str = '{"path":"a"}', key: str = "arguments") -> str:
    return f'{{"{key}":' * depth + inner + "}" * depth


@pytest.mark.parametrize("schema", [READ, OPEN])
@pytest.mark.parametrize("depth", [1, 2, 38, 2_500, 100_000])
def test_a_chain_of_any_length(schema: Json, depth: int) -> None:
    done = run(wrapped(depth), schema)
    assert done.outcome is Outcome.FIXED
    assert dump_json(done.arguments) == '{"path":"a"}'
    assert len(done.steps) == depth
    assert {(step.family, step.action, step.pointer) for step in done.steps} == {
        ("A", "unwrap:arguments", "")
    }


@pytest.mark.parametrize("depth", [1, 38, 2_500])
@pytest.mark.parametrize("inner", ['"text"', "null", "[]", "1", "false", '[{"path":"a"}]'])
def test_a_chain_that_ends_in_no_object_stays(depth: int, inner: str) -> None:
    text = wrapped(depth, inner)
    done = run(text)
    assert done.outcome is Outcome.UNTOUCHED
    assert done.arguments is text
    assert (done.reason is UntouchedReason.EMPTY_ARGUMENTS) is (inner == "null")


def test_a_chain_beyond_the_bound_is_a_limit() -> None:
    done = run(wrapped(150_000))
    if done.outcome is Outcome.UNTOUCHED:
        assert done.reason is UntouchedReason.LIMIT
    else:
        assert done.outcome is Outcome.FIXED


def test_each_step_tells_its_layer() -> None:
    done = run({"arguments": {"arguments": {"path": "a"}}})
    first, second = done.steps
    assert first.before == {"arguments": {"arguments": {"path": "a"}}}
    assert first.after == second.before == {"arguments": {"path": "a"}}
    assert second.after == {"path": "a"}


@pytest.mark.parametrize("alias", ALIASES)
def test_every_alias_alone_and_in_a_chain(alias: str) -> None:
    done = run({alias: {"path": "a"}})
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"path": "a"})
    assert [(step.family, step.action) for step in done.steps] == [("B", f"unwrap:{alias}")]
    done = run({alias: {"arguments": {alias: {"path": "a"}}}})
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"path": "a"})
    assert [step.family for step in done.steps] == ["B", "A", "B"]


@pytest.mark.parametrize(
    "key", ["data", "payload", "body", "value", "Arguments", "ARGS", "argument", "arguments ", "__"]
)
def test_no_other_key_is_a_wrapper(key: str) -> None:
    assert run({key: {"path": "a"}}).steps == ()


@pytest.mark.parametrize("word", ["valid", "object"])
def test_an_envelope_with_an_empty_word(word: str) -> None:
    done = run({"type": word, "value": {"path": "a"}})
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"path": "a"})
    assert [step.action for step in done.steps] == ["unwrap:value"]
    assert {step.family for step in done.steps} == {"B"}
    twice: Json = {"type": word, "value": {"type": "valid", "value": {"path": "a"}}}
    assert run(twice).arguments == {"path": "a"}
    assert run({"arguments": twice}).arguments == {"path": "a"}


@pytest.mark.parametrize(
    "value",
    [
        {"type": "file", "value": {"path": "a"}},
        {"type": "Valid", "value": {"path": "a"}},
        {"type": "valid", "value": {"path": "a"}, "id": 1},
        {"type": "valid", "value": "a"},
        {"type": "valid", "value": [{"path": "a"}]},
        {"type": "valid"},
        {"type": None, "value": {"path": "a"}},
        {"type": 1, "value": {"path": "a"}},
        {"type": ["valid"], "value": {"path": "a"}},
        {"type": {"valid": 1}, "value": {"path": "a"}},
        {"arguments": {"type": [], "value": {"path": "a"}}},
    ],
)
def test_anything_else_is_no_envelope(value: Json) -> None:
    done = run(value)
    assert all(step.action != "unwrap:value" for step in done.steps)


def test_a_declared_key_is_no_envelope() -> None:
    schema: Json = {"properties": {"type": S, "path": S}, "required": ["path"]}
    assert run({"type": "valid", "value": {"path": "a"}}, schema).steps == ()


@pytest.mark.parametrize("key", ["arguments", *ALIASES])
def test_a_declared_wrapper_is_never_touched(key: str) -> None:
    schemas: tuple[Json, ...] = (
        {"properties": {key: S, "path": S}, "required": ["path"]},
        {"properties": {"path": S}, "required": ["path"], "patternProperties": {f"^{key}$": S}},
        {"properties": {"path": S}, "required": ["path"], "additionalProperties": S},
        {"anyOf": [{"properties": {key: S}}, {}], "properties": {"path": S}, "required": ["path"]},
    )
    for declared in schemas:
        assert run({key: {"path": "a"}}, declared).steps == ()
        assert run({key: {key: {"path": "a"}}}, declared).steps == ()


def test_the_text_of_an_object_inside() -> None:
    done = run({"arguments": '{"path":"a"}'})
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"path": "a"})
    inner = json.dumps({"args": json.dumps({"path": "a"})})
    done = run({"arguments": inner})
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"path": "a"})


@pytest.mark.parametrize("text", ["plain", "[1]", '"x"', "null", "", '{"path":"a"', '{"path":1}'])
def test_a_text_inside_needs_an_object_and_a_gain(text: str) -> None:
    done = run({"arguments": text})
    assert done.steps == () or len(done.violations_after) < len(done.violations_before)
    assert done.outcome is not Outcome.FIXED


def test_a_text_inside_without_gain_stays() -> None:
    assert run({"arguments": '{"limit":1}'}, OPEN).outcome is Outcome.UNTOUCHED
    done = run({"arguments": {"arguments": '{"limit":"x","q":1}'}}, OPEN)
    assert done.outcome is Outcome.STILL_FAILING
    assert done.arguments == {"arguments": '{"limit":"x","q":1}'}


@pytest.mark.parametrize(
    ("value", "schema", "after"),
    [
        ({"arguments": {}}, READ, {}),
        ({"arguments": {"arguments": {}}}, OPEN, {}),
        ({"arguments": {"limit": "x"}}, OPEN, {"limit": "x"}),
        ({"arguments": {"limit": "x"}}, READ, {"limit": "x"}),
        ({"arguments": {"command": "ls"}}, READ, {"command": "ls"}),
        ({"arguments": {"input": "ls"}}, READ, {"input": "ls"}),
        ({"arguments": {"arguments": {"_": None}}}, OPEN, {"_": None}),
        ({"arguments": {"args": {"limit": 1}}}, OPEN, {"args": {"limit": 1}}),
    ],
)
def test_a_wrapper_at_the_root_goes_even_without_gain(
    value: Json, schema: Json, after: Json
) -> None:
    done = run(value, schema)
    assert done.outcome is Outcome.STILL_FAILING
    assert done.arguments == after
    assert {step.family for step in done.steps} == {"A"}


def test_unwrapping_may_uncover_more_than_it_hid() -> None:
    schema: Json = {"properties": {"limit": {"type": "integer"}}, "required": ["path"]}
    done = run({"arguments": {"limit": "x"}}, schema)
    assert done.outcome is Outcome.STILL_FAILING
    assert (len(done.violations_before), len(done.violations_after)) == (1, 2)


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ({"args": {}}, OPEN),
        ({"args": {"limit": 1}}, OPEN),
        ({"type": "valid", "value": {"limit": 1}}, OPEN),
        ({"arguments": {"x": 1}}, {"type": "object"}),
        ({"arguments": {"x": 1}}, {"required": ["path"]}),
        ({"arguments": {"x": 1}}, {"required": ["path"], "additionalProperties": True}),
    ],
)
def test_the_others_need_a_gain(value: Json, schema: Json) -> None:
    done = run(value, schema)
    assert done.steps == ()
    assert done.arguments is value


NESTED: Json = {"properties": {"o": READ, "l": {"type": "array", "items": READ}}, "required": ["o"]}


def test_nested_places() -> None:
    done = run(
        {"o": {"arguments": {"path": "a"}}, "l": [{"input": {"path": "b"}}, {"path": "c"}]}, NESTED
    )
    assert done.outcome is Outcome.FIXED
    assert done.arguments == {"o": {"path": "a"}, "l": [{"path": "b"}, {"path": "c"}]}
    assert [(step.family, step.pointer) for step in done.steps] == [("A", "/o"), ("B", "/l/0")]


def test_a_nested_place_needs_a_gain() -> None:
    schema: Json = {"properties": {"o": OPEN}}
    value: Json = {"o": {"arguments": {"limit": 1}}}
    assert run(value, schema).outcome is Outcome.UNTOUCHED


def test_outer_and_inner_wrappers_go_together() -> None:
    done = run({"arguments": {"o": {"arguments": {"path": "a"}}}}, NESTED)
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"o": {"path": "a"}})


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ({"arguments": {"path": "a"}, "limit": 1}, {"path": "a", "limit": 1}),
        ({"limit": 1, "args": {"path": "a"}}, {"limit": 1, "path": "a"}),
        ({"arguments": {}, "path": "a"}, {"path": "a"}),
        ({"arguments": '{"path":"a"}', "limit": 1}, {"path": "a", "limit": 1}),
    ],
)
def test_siblings_are_merged(value: Json, after: Json) -> None:
    done = run(value)
    assert (done.outcome, done.arguments) == (Outcome.FIXED, after)
    assert {step.family for step in done.steps} == {"C"}
    assert isinstance(done.arguments, dict)
    assert isinstance(after, dict)
    assert list(done.arguments) == list(after)


@pytest.mark.parametrize(
    "value",
    [
        {"arguments": {"path": "a"}, "path": "b"},
        {"arguments": {"path": "a"}, "path": "a"},
        {"arguments": {"limit": 1}, "args": {"path": "a"}},
        {"arguments": {"path": "a", "limit": 2}, "limit": 1},
    ],
)
def test_a_collision_and_a_second_wrapper_are_ambiguous(value: Json) -> None:
    done = run(value)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.AMBIGUOUS)
    assert done.arguments is value


def test_a_merge_without_gain_stays() -> None:
    value: Json = {"arguments": {"limit": 1}, "path": "a"}
    done = run(value, OPEN)
    assert (done.outcome, done.arguments) == (Outcome.VALID, value)


SWALLOWED: tuple[tuple[Json, Json], ...] = (
    ({"arguments": {"path": "a"}}, {"path": "a"}),
    ({"arguments": {"arguments": {"path": "a", "limit": 3}}}, {"path": "a", "limit": 3}),
    (parse_json(wrapped(38)), {"path": "a"}),
)


@pytest.mark.parametrize(("value", "after"), SWALLOWED)
def test_a_swallowed_wrapper_goes(value: Json, after: Json) -> None:
    for given in (value, dump_json(value)):
        done = run(given, OPTIONAL)
        assert (done.outcome, done.arguments) == (Outcome.SWALLOWED, after)
        assert done.violations_before == done.violations_after == ()
        assert {step.action for step in done.steps} == {"unwrap:arguments"}


def test_a_swallowed_wrapper_with_a_repair_inside() -> None:
    schema: Json = {"properties": {"o": READ}}
    done = run({"arguments": {"o": {"arguments": {"path": "a"}}}}, schema)
    assert (done.outcome, done.arguments) == (Outcome.SWALLOWED, {"o": {"path": "a"}})


NOT_SWALLOWED: tuple[tuple[str, Json, Json], ...] = (
    ("undeclared key inside", {"arguments": {"path": "a", "x": 1}}, OPTIONAL),
    ("nothing inside", {"arguments": {}}, OPTIONAL),
    ("two keys", {"arguments": {"path": "a"}, "limit": 1}, OPTIONAL),
    ("two keys, one undeclared", {"arguments": {"path": "a"}, "x": 1}, OPTIONAL),
    ("alias", {"args": {"path": "a"}}, OPTIONAL),
    ("alias inside", {"arguments": {"args": {"path": "a"}}}, OPTIONAL),
    ("alias outside", {"args": {"arguments": {"path": "a"}}}, OPTIONAL),
    ("envelope", {"type": "valid", "value": {"path": "a"}}, OPTIONAL),
    ("text inside", {"arguments": '{"path":"a"}'}, OPTIONAL),
    ("null inside", {"arguments": None}, OPTIONAL),
    ("list inside", {"arguments": [{"path": "a"}]}, OPTIONAL),
    ("inner value does not fit", {"arguments": {"limit": "x"}}, OPTIONAL),
    ("nothing declared", {"arguments": {"path": "a"}}, {"type": "object"}),
    ("no property", {"arguments": {"path": "a"}}, {"patternProperties": {"^path$": {}}}),
    ("declared", {"arguments": {"path": "a"}}, {"properties": {"arguments": {}, "path": {}}}),
    (
        "declared by a pattern",
        {"arguments": {"path": "a"}},
        {"properties": {"path": {}}, "patternProperties": {"arg": {}}},
    ),
    (
        "declared in a branch",
        {"arguments": {"path": "a"}},
        {"properties": {"path": {}}, "anyOf": [{}, {"properties": {"arguments": {}}}]},
    ),
    (
        "all keys declared",
        {"arguments": {"path": "a"}},
        {"properties": {"path": {}}, "additionalProperties": {"type": "object"}},
    ),
    (
        "required by a branch",
        {"arguments": {"path": "a"}},
        {"properties": {"path": {}}, "anyOf": [{"required": ["path"]}, {}]},
    ),
)


@pytest.mark.parametrize(
    ("value", "schema"), [one[1:] for one in NOT_SWALLOWED], ids=[one[0] for one in NOT_SWALLOWED]
)
def test_anything_else_that_is_valid_stays(value: Json, schema: Json) -> None:
    done = run(value, schema)
    assert (done.outcome, done.steps) == (Outcome.VALID, ())
    assert done.arguments is value
    text = dump_json(value)
    assert run(text, schema).arguments is text


def test_a_swallowed_wrapper_stays_without_family_a() -> None:
    value: Json = {"arguments": {"path": "a"}}
    assert repair(value, OPTIONAL, families=frozenset("BCD")).outcome is Outcome.VALID


def test_a_wrapper_on_a_call_with_violations_is_never_swallowed() -> None:
    schema: Json = {"properties": {"path": S}, "additionalProperties": False}
    assert run({"arguments": {"path": "a"}}, schema).outcome is Outcome.FIXED
    schema = {"properties": {"path": S}, "minProperties": 2}
    assert run({"arguments": {"path": "a"}}, schema).outcome is Outcome.STILL_FAILING
