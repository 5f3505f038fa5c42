"""The laws of the search: what never happens, whatever comes in; and why calls are left."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from toolfix_audit.engine import ALL, SAFE, compile_schema, repair, repair_call
from toolfix_audit.model.json import Json, dump_json, same_json
from toolfix_audit.model.repair import Repair, Unusable
from toolfix_audit.model.words import CHANGED, Outcome, UnjudgedReason, UntouchedReason

ABCD = frozenset("ABCD")
S: Json = {"type": "string"}
I: Json = {"type": "integer"}  # noqa: E741 — beside S

LAWS = settings(
    max_examples=300,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

# Names that families care about, so that random calls meet random schemas.
KEYS = st.sampled_from(
    ["path", "file_path", "filePath", "name", "skill_name", "limit", "arguments", "args", "input",
     "type", "value", "old_string", "new_string", "a", "a.b", "items[0]", "items"]
)  # fmt: skip
TEXTS = st.sampled_from(
    ["", "x", "5", "true", "null", "[1, 2]", '{"path":"a"}', "valid", "object", "A", "[", "a,b"]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from([1.0, 2.5]) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS: st.SearchStrategy[Any] = st.dictionaries(KEYS, VALUES, max_size=4)
KINDS = st.sampled_from(
    [S, I, {"type": "boolean"}, {"type": "number"}, {"type": ["integer", "null"]}, {},
     {"type": "array", "items": S}, {"type": "array", "items": I}, {"type": "array"},
     {"enum": ["a", "b"]}, {"anyOf": [S, {"type": "array"}]}, {"type": "object"}]
)  # fmt: skip


def _object_schema(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(KEYS, inner, max_size=4)},
        optional={
            "required": st.lists(KEYS, max_size=2, unique=True),
            "additionalProperties": st.sampled_from([False, True, {}, S]),
            "anyOf": st.lists(
                st.fixed_dictionaries({"required": st.lists(KEYS, max_size=2, unique=True)}),
                min_size=1,
                max_size=2,
            ),
            "minProperties": st.integers(0, 2),
        },
    )


SCHEMAS = _object_schema(st.recursive(KINDS, _object_schema, max_leaves=4))
FAMILIES = st.sampled_from([SAFE, ABCD, ALL])


def told(done: Repair) -> tuple[Any, ...]:
    return (
        done.outcome,
        done.tool,
        dump_json(done.arguments),
        [(one.family, one.action, one.pointer, dump_json(one.after)) for one in done.steps],
        done.violations_before,
        done.violations_after,
        done.reason,
        done.opt_in,
    )


@LAWS
@given(OBJECTS, SCHEMAS, FAMILIES)
def test_laws(value: Any, schema: Any, families: frozenset[str]) -> None:
    given_value, given_schema = copy.deepcopy(value), copy.deepcopy(schema)
    done = repair(value, schema, families=families)
    assert dump_json(value) == dump_json(given_value)
    assert dump_json(schema) == dump_json(given_schema)
    assert told(repair(given_value, given_schema, families=families)) == told(done)
    _check_outcome(value, schema, done)
    _check_idempotent(done, schema, families)
    _check_text(value, schema, done, families)


def _check_outcome(value: Json, schema: Json, done: Repair) -> None:
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable)
    before, after = judge.violations(value), judge.violations(done.arguments)
    assert (tuple(before), tuple(after)) == (done.violations_before, done.violations_after)
    assert done.changed is bool(done.steps)
    if done.outcome not in CHANGED:
        assert done.arguments is value
    if done.outcome is Outcome.VALID:
        assert (before, done.reason) == ((), None)
    elif done.outcome is Outcome.FIXED:
        assert before
        assert not after
    elif done.outcome is Outcome.STILL_FAILING:
        assert after
        assert len(after) < len(before) or any(step.family == "A" for step in done.steps)
    elif done.outcome is Outcome.UNTOUCHED:
        assert isinstance(done.reason, UntouchedReason)
        assert before


def _check_idempotent(done: Repair, schema: Json, families: frozenset[str]) -> None:
    if done.changed:
        again = repair(done.arguments, schema, families=families)
        assert again.steps == ()
        assert again.arguments is done.arguments


def _check_text(value: Json, schema: Json, done: Repair, families: frozenset[str]) -> None:
    text = dump_json(value)
    as_text = repair(text, schema, families=families)
    if done.changed:
        assert told(as_text) == told(done)
    else:
        assert as_text.arguments is text
        assert (as_text.outcome, as_text.reason) == (done.outcome, done.reason)


@settings(LAWS, max_examples=150)
@given(OBJECTS, SCHEMAS)
def test_a_schema_made_to_take_the_value_leaves_it(value: Any, schema: Any) -> None:
    """The original is legal by one more branch, so nothing may change."""
    widened: Json = {
        "properties": {**schema["properties"], **{key: {} for key in value}},
        "anyOf": [schema, {"const": value}],
    }
    done = repair(value, widened)
    assert done.outcome is Outcome.VALID
    assert done.arguments is value


@settings(LAWS, max_examples=80)
@given(OBJECTS, SCHEMAS, st.integers(1, 38))
def test_a_wrapped_valid_call_comes_back(value: Any, schema: Any, depth: int) -> None:
    schema = {**schema, "required": ["path"], "additionalProperties": False}
    schema.pop("anyOf", None)
    schema["properties"] = {
        key: one for key, one in schema["properties"].items() if key != "arguments"
    }
    schema["properties"]["path"] = {}
    value = {key: one for key, one in value.items() if key != "arguments"} | {"path": "a"}
    judge = compile_schema(schema)
    assume(not isinstance(judge, Unusable) and judge.is_valid(value))
    wrapped: Json = value
    for _ in range(depth):
        wrapped = {"arguments": wrapped}
    done = repair(wrapped, schema)
    assert (done.outcome, len(done.steps)) == (Outcome.FIXED, depth)
    assert same_json(done.arguments, value)


@settings(LAWS, max_examples=200)
@given(st.text(st.sampled_from("{}[]\",:'\\ \nabtrue1`")) | st.text(), FAMILIES)
def test_any_text_is_taken(text: str, families: frozenset[str]) -> None:
    schema: Json = {"properties": {"a": S}, "required": ["a"]}
    done = repair(text, schema, families=families)
    if not done.changed:
        assert done.arguments is text
    else:
        judge = compile_schema(schema)
        assert not isinstance(judge, Unusable)
        assert tuple(judge.violations(done.arguments)) == done.violations_after


EDIT: dict[str, Json] = {
    "type": "object",
    "properties": {"path": S, "old_text": S, "new_text": S},
    "required": ["path", "old_text", "new_text"],
    "additionalProperties": False,
}
SKILL: Json = {"properties": {"name": S, "kind": S}, "required": ["name"]}


@pytest.mark.parametrize(
    ("value", "schema", "after"),
    [
        ({"skill_name": "x"}, SKILL, {"name": "x"}),
        (
            {"path": "a", "old_string": "x", "newText": ""},
            EDIT,
            {"path": "a", "old_text": "x", "new_text": ""},
        ),
        (
            {"filePath": "a", "old_text": "x", "new_text": ""},
            EDIT,
            {"path": "a", "old_text": "x", "new_text": ""},
        ),
        ({"arguments": {"skill_name": "x"}}, SKILL, {"name": "x"}),
        ({"args": {"skillName": "x", "kind": "k"}}, SKILL, {"name": "x", "kind": "k"}),
        ({"kind": "k", "skill_name": "x"}, SKILL, {"kind": "k", "name": "x"}),
    ],
)
def test_renames(value: Json, schema: Json, after: Json) -> None:
    done = repair(value, schema, families=ABCD)
    assert (done.outcome, done.arguments) == (Outcome.FIXED, after)
    assert isinstance(done.arguments, dict)
    assert isinstance(after, dict)
    assert list(done.arguments) == list(after)


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ({"skill_name": "a", "skillName": "b"}, SKILL),
        ({"name": "n", "skill_name": "x"}, SKILL),
        ({"skill_name": ["a"]}, SKILL),
        ({"skill_name": "a"}, {"properties": {"name": {"enum": ["b"]}}, "required": ["name"]}),
        ({"skill_kind": "x"}, {"properties": {"name": S, "kind": S}}),
        (
            {"file_path": "a", "command": "view"},
            {"properties": {"path": S, "action": S}, "required": ["path", "action"]},
        ),
        ({"filePath": "a", "before": "x", "after": "y"}, EDIT),
        ({"skill_name": "x"}, {"properties": {"name": S, "skill_name": S}, "required": ["name"]}),
        (
            {"skill_name": "x"},
            {"properties": {"name": S}, "required": ["name"], "additionalProperties": S},
        ),
        ({"parent_id": "x"}, {"properties": {"id": S}, "required": ["id"]}),
        (
            {"user_id": "x"},
            {"anyOf": [{"properties": {"id": S}, "required": ["id", "z"]}, {"required": ["y"]}]},
        ),
    ],
)
def test_renames_that_are_guesses(value: Json, schema: Json) -> None:
    done = repair(value, schema, families=ABCD)
    assert done.steps == ()
    assert done.arguments is value


def test_one_source_with_two_targets_is_ambiguous() -> None:
    schema: Json = {"properties": {"path": S, "absolute_path": S}, "required": ["path"]}
    done = repair({"my_absolute_path": "x"}, schema, families=ABCD)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.AMBIGUOUS)


def test_each_rename_must_lower_the_count() -> None:
    schema: Json = {"properties": {"name": S, "limit": I}, "required": ["name"]}
    done = repair({"skill_name": "x", "max_count": 1, "row_limit": 3}, schema, families=ABCD)
    assert done.arguments == {"name": "x", "max_count": 1, "row_limit": 3}


def test_an_independent_defect_stays() -> None:
    done = repair(
        {"arguments": {"path": "a", "limit": [1]}},
        {**EDIT, "properties": {"path": S, "limit": I}, "required": ["path"]},
    )
    assert done.outcome is Outcome.STILL_FAILING
    assert done.arguments == {"path": "a", "limit": [1]}
    assert [one.path for one in done.violations_after] == [("limit",)]


@pytest.mark.parametrize("text", ['{"a":1,"a":2}', '{"o":{"b":1,"b":"x"},"skill_name":"s"}'])
def test_different_duplicates_are_judged_as_the_last_and_never_repaired(text: str) -> None:
    done = repair(text, SKILL)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.AMBIGUOUS)
    assert done.arguments is text
    legal = '{"name":1,"name":"x"}'
    assert repair(legal, SKILL).outcome is Outcome.VALID
    assert repair(legal, SKILL).arguments is legal
    assert repair('{"name":"x","name":1}', SKILL).reason is UntouchedReason.AMBIGUOUS


def test_equal_duplicates_are_harmless() -> None:
    done = repair('{"skill_name":"x","skill_name":"x"}', SKILL)
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"name": "x"})


def test_a_swallowed_wrapper_with_duplicates_stays() -> None:
    text = '{"arguments":{"n":1,"n":2}}'
    done = repair(text, {"properties": {"n": {}}})
    assert (done.outcome, done.arguments) == (Outcome.VALID, text)


REQUIRED: dict[str, Json] = {"properties": {"path": S, "n": I}, "required": ["path"]}
CLOSED: dict[str, Json] = {**REQUIRED, "additionalProperties": False}
REASONS: tuple[tuple[str, Json, Json, UntouchedReason], ...] = (
    ("cut in a string", '{"path":"a', REQUIRED, UntouchedReason.TRUNCATED),
    ("cut in a word", '{"path":tru', REQUIRED, UntouchedReason.TRUNCATED),
    ("cut behind a value", '{"path":"a"', REQUIRED, UntouchedReason.TRUNCATED),
    ("words", "ls -l", REQUIRED, UntouchedReason.UNPARSEABLE),
    ("wrong escape", '{"path":"\\q"}', REQUIRED, UntouchedReason.UNPARSEABLE),
    ("unquoted", "{path: 'a'}", REQUIRED, UntouchedReason.UNPARSEABLE),
    ("no text", "", REQUIRED, UntouchedReason.EMPTY_ARGUMENTS),
    ("blank", " \n", REQUIRED, UntouchedReason.EMPTY_ARGUMENTS),
    ("null", "null", REQUIRED, UntouchedReason.EMPTY_ARGUMENTS),
    ("null value", None, REQUIRED, UntouchedReason.EMPTY_ARGUMENTS),
    ("empty", {}, REQUIRED, UntouchedReason.EMPTY_ARGUMENTS),
    ("wrapped null", {"arguments": None}, REQUIRED, UntouchedReason.EMPTY_ARGUMENTS),
    ("alias of null", {"input": None}, REQUIRED, UntouchedReason.EMPTY_ARGUMENTS),
    ("empty alias", {"args": {}}, REQUIRED, UntouchedReason.UNRELATED_KEY),
    (
        "declared null",
        {"arguments": None},
        {"properties": {"arguments": S}, "required": ["arguments"]},
        UntouchedReason.OTHER,
    ),
    (
        "collision",
        {"arguments": {"path": "a"}, "path": "b", "n": "x"},
        CLOSED,
        UntouchedReason.AMBIGUOUS,
    ),
    ("two sources", {"file_path": "a", "filePath": "b"}, REQUIRED, UntouchedReason.AMBIGUOUS),
    ("another key", {"command": "ls"}, REQUIRED, UntouchedReason.UNRELATED_KEY),
    ("another key beside", {"n": 1, "command": "ls"}, REQUIRED, UntouchedReason.UNRELATED_KEY),
    ("left out", {"n": 1}, REQUIRED, UntouchedReason.OMITTED_REQUIRED),
    (
        "left out inside",
        {"o": {}},
        {"properties": {"o": REQUIRED}},
        UntouchedReason.OMITTED_REQUIRED,
    ),
    (
        "another key inside",
        {"o": {"q": 1}},
        {"properties": {"o": REQUIRED}},
        UntouchedReason.UNRELATED_KEY,
    ),
    (
        "another key elsewhere",
        {"o": {}, "q": 1},
        {"properties": {"o": REQUIRED}},
        UntouchedReason.OMITTED_REQUIRED,
    ),
    ("wrong type", {"path": 5}, REQUIRED, UntouchedReason.OTHER),
    ("extra key", {"path": "a", "q": 5}, CLOSED, UntouchedReason.OTHER),
    ("list", "[]", REQUIRED, UntouchedReason.OTHER),
    ("number", 5, REQUIRED, UntouchedReason.OTHER),
    ("text", '"x"', REQUIRED, UntouchedReason.OTHER),
)


@pytest.mark.parametrize(
    ("value", "schema", "reason"), [one[1:] for one in REASONS], ids=[one[0] for one in REASONS]
)
def test_the_first_reason_that_applies(value: Json, schema: Json, reason: UntouchedReason) -> None:
    done = repair(value, schema, families=ABCD)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, reason)
    assert done.arguments is value


def test_an_unknown_tool_comes_before_every_other_reason() -> None:
    tools: dict[str, Json] = {"read": REQUIRED}
    for text in ('{"path":"a', "", "null", '{"path":"a"}'):
        done = repair_call("nothing_like_it", text, tools)
        assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.UNKNOWN_TOOL)
        assert done.arguments is text
        assert done.tool == "nothing_like_it"
    done = repair_call("read", '{"path":"a"}', tools)
    assert (done.outcome, done.tool) == (Outcome.VALID, "read")


def test_an_unusable_schema_comes_before_the_text() -> None:
    done = repair("{", {"$ref": "https://example.org/x"})
    assert (done.outcome, done.reason) == (Outcome.UNJUDGED, UnjudgedReason.REMOTE_REF)


@pytest.mark.skipif("E" not in ALL, reason="family E is not built")
def test_an_opt_in_family_that_would_fix_is_named() -> None:
    done = repair({"type": "file", "value": {"path": "a"}}, CLOSED)
    assert (done.outcome, done.reason, done.opt_in) == (
        Outcome.UNTOUCHED,
        UntouchedReason.OPT_IN,
        "B",
    )
