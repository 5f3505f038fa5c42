"""The reference judge: what it counts, what it refuses, and that it never reaches out."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema.validators import validator_for
from referencing import Registry

from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.engine.judges.patterns import PATTERN_SECONDS, matches
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.repair import Judge, JudgeLimitError, Unusable
from toolfix_audit.model.words import Outcome, UnjudgedReason, UntouchedReason

DRAFTS = {
    "4": "http://json-schema.org/draft-04/schema#",
    "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
LAWS = settings(
    max_examples=200,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def judge_of(schema: Json) -> Judge:
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable), judge
    return judge


def count(schema: Json, value: Json) -> int:
    judge = judge_of(schema)
    found = judge.violations(value)
    assert judge.is_valid(value) is (not found)
    return len(found)


CLOSED: Json = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (CLOSED, {"a": "x", "b": 1}, 0),
        (CLOSED, {}, 2),
        (CLOSED, {"x": 1, "y": 2, "z": 3}, 5),
        (CLOSED, {"a": 1, "b": "x"}, 2),
        ({"required": ["a", "b", "c"]}, {"b": 1}, 2),
        ({"patternProperties": {"^x-": {}}, "additionalProperties": False}, {"x-a": 1, "b": 1, "c": 1}, 2),
        ({"additionalProperties": {"type": "string"}}, {"p": 1, "q": 2, "r": "x"}, 2),
        ({"anyOf": [{"required": ["a", "b"]}, {"required": ["c", "d", "e"]}]}, {}, 1),
        ({"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}, {"a": 1}, 1),
        ({"oneOf": [{"required": ["a", "b"]}, {"required": ["c", "d"]}]}, {}, 1),
        ({"oneOf": [{}, {}]}, {}, 1),
        ({"not": {"required": ["a"]}}, {"a": 1}, 1),
        ({"properties": {"l": {"contains": {"type": "string"}}}}, {"l": [1, 2, 3]}, 1),
        ({"allOf": [{"required": ["a"]}, {"required": ["b", "c"]}]}, {}, 3),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"required": ["a", "b"]}}}, {}, 2),
        ({"if": {"required": ["k"]}, "then": {"required": ["a", "b"]}}, {"k": 1}, 2),
        ({"if": {"required": ["k"]}, "else": {"required": ["a", "b", "c"]}}, {}, 3),
        ({"dependentSchemas": {"k": {"required": ["a", "b"]}}}, {"k": 1}, 2),
        ({"dependentRequired": {"k": ["a", "b"]}}, {"k": 1}, 2),
        ({"properties": {"a": {}}, "unevaluatedProperties": False}, {"a": 1, "x": 1, "y": 1}, 2),
        ({"properties": {"o": CLOSED}}, {"o": {"x": 1, "a": "s"}}, 2),
        ({"properties": {"l": {"items": CLOSED}}}, {"l": [{}, {"a": "", "b": 1}, {"a": ""}]}, 3),
        ({"properties": {"e": {"enum": [1, "b"]}}}, {"e": "c"}, 1),
        ({"properties": {"e": {"type": "integer", "enum": [1]}}}, {"e": "c"}, 2),
        (False, {}, 1),
        (True, {"x": 1}, 0),
        ({}, {}, 0),
    ],
)  # fmt: skip
def test_violations_are_counted_as_the_rules_say(
    schema: Json, value: Json, expected: int
) -> None:
    assert count(schema, value) == expected


def test_unevaluated_keys_count_each_in_2019_09_as_well() -> None:
    schema: Json = {
        "$schema": DRAFTS["2019-09"],
        "properties": {"a": {}},
        "unevaluatedProperties": False,
    }
    assert count(schema, {"a": 1, "x": 1, "y": 2}) == 2


@pytest.mark.parametrize("root", ["[]", '"x"', "1", "null", "true", "[{}]", "1.5"])
@pytest.mark.parametrize("schema", [{}, True, CLOSED, {"type": "array"}, {"type": ["null", "string"]}])
def test_a_root_that_is_no_object_is_exactly_one_violation(root: str, schema: Json) -> None:
    assert count(schema, parse_json(root)) == 1


def test_violations_tell_place_keyword_and_key() -> None:
    schema: Json = {"properties": {"l": {"items": {"$ref": "#/$defs/o"}}}, "$defs": {"o": CLOSED}}
    found = judge_of(schema).violations({"l": [{"a": "x", "b": 1}, {"a": 5, "extra": None}]})
    told = {(one.path, one.keyword, one.key) for one in found}
    lead = "/properties/l/items/$ref"
    assert told == {
        (("l", 1, "a"), f"{lead}/properties/a/type", None),
        (("l", 1), f"{lead}/required", "b"),
        (("l", 1), f"{lead}/additionalProperties", "extra"),
    }


def test_messages_never_hold_a_whole_long_value() -> None:
    schema: Json = {"properties": {"a": {"type": "integer"}, "b": {"enum": ["x"]}, "c": {"pattern": "^z$"}}}
    value: Json = {"a": "y" * 5000, "b": ["y"] * 5000, "c": "y" * 5000}
    found = judge_of(schema).violations(value)
    assert len(found) == 3
    assert all(len(one.message) < 300 for one in found)


@pytest.mark.parametrize("name", DRAFTS)
def test_recursion_through_the_root_reference_in_every_draft(name: str) -> None:
    schema: Json = {
        "$schema": DRAFTS[name],
        "type": "object",
        "properties": {"name": {"type": "string"}, "child": {"$ref": "#"}},
        "required": ["name"],
        "additionalProperties": False,
    }
    assert count(schema, {"name": "a", "child": {"name": "b", "child": {"name": "c"}}}) == 0
    assert count(schema, {"name": "a", "child": {"child": {"name": 1, "x": 1, "y": 2}}}) == 4


@pytest.mark.parametrize(
    ("name", "hides"), [("4", True), ("6", True), ("7", True), ("2019-09", False), ("2020-12", False)]
)
def test_a_reference_hides_its_siblings_up_to_draft_7(name: str, hides: bool) -> None:
    schema: Json = {
        "$schema": DRAFTS[name],
        "properties": {"a": {"$ref": "#/definitions/s", "maxLength": 2}},
        "definitions": {"s": {"type": "string"}},
    }
    assert count(schema, {"a": "long"}) == (0 if hides else 1)


@pytest.mark.parametrize(
    ("name", "keywords", "value", "violations"),
    [
        ("4", {"a": {"minimum": 1, "exclusiveMinimum": True}}, {"a": 1}, 1),
        ("6", {"a": {"exclusiveMinimum": 1}}, {"a": 1}, 1),
        ("4", {"a": {"const": 1}}, {"a": 2}, 0),
        ("6", {"a": {"const": 1}}, {"a": 2}, 1),
        ("6", {"a": {"if": {}, "then": False}}, {"a": 2}, 0),
        ("7", {"a": {"if": {}, "then": False}}, {"a": 2}, 1),
        ("7", {"a": {"items": [{"type": "string"}], "additionalItems": False}}, {"a": ["x", 1]}, 1),
        ("2019-09", {"a": {"items": [{"type": "string"}]}}, {"a": [1]}, 1),
        ("2020-12", {"a": {"prefixItems": [{"type": "string"}]}}, {"a": [1]}, 1),
        ("7", {"a": {"prefixItems": [{"type": "string"}]}}, {"a": [1]}, 0),
        ("7", {"a": {"contains": {"const": 1}, "minContains": 0}}, {"a": []}, 1),
        ("2019-09", {"a": {"contains": {"const": 1}, "minContains": 0}}, {"a": []}, 0),
        ("2020-12", {"a": {"contains": {"const": 1}, "maxContains": 1}}, {"a": [1, 1]}, 1),
    ],
)
def test_each_draft_has_its_own_keywords(
    name: str, keywords: dict[str, Json], value: Json, violations: int
) -> None:
    assert count({"$schema": DRAFTS[name], "properties": keywords}, value) == violations


def test_the_default_draft_is_2020_12() -> None:
    schema: Json = {"properties": {"a": {"prefixItems": [{"type": "string"}]}}}
    assert count(schema, {"a": [1]}) == 1
    assert count({**schema, "$schema": "https://example.org/unknown"}, {"a": [1]}) == 1


def test_dependencies_of_older_drafts_count_inside() -> None:
    schema: Json = {
        "$schema": DRAFTS["7"],
        "dependencies": {"k": ["a", "b"], "m": {"required": ["c", "d"]}},
    }
    assert count(schema, {"k": 1, "m": 1}) == 4


def test_formats_are_not_asserted() -> None:
    assert count({"properties": {"u": {"type": "string", "format": "uri"}}}, {"u": "not a uri"}) == 0


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (5, UnjudgedReason.SCHEMA_UNUSABLE),
        ([], UnjudgedReason.SCHEMA_UNUSABLE),
        (None, UnjudgedReason.SCHEMA_UNUSABLE),
        ("text", UnjudgedReason.SCHEMA_UNUSABLE),
        ({"type": "any"}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"properties": None}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"properties": {"a": {"required": True}}}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"required": "a"}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"$ref": "#/$defs/missing"}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"$schema": 7}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"minLength": -1}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"properties": {"a": {"pattern": "("}}}, UnjudgedReason.PATTERN_UNSUPPORTED),
        ({"patternProperties": {"[": {}}}, UnjudgedReason.PATTERN_UNSUPPORTED),
        ({"$ref": "https://example.org/x.json"}, UnjudgedReason.REMOTE_REF),
        ({"properties": {"a": {"$ref": "other.json#/x"}}}, UnjudgedReason.REMOTE_REF),
        ({"anyOf": [{"items": {"$ref": "file:///etc/passwd"}}]}, UnjudgedReason.REMOTE_REF),
    ],
)
def test_a_schema_that_no_validator_runs_says_why(schema: Json, reason: UnjudgedReason) -> None:
    found = compile_schema(schema)
    assert isinstance(found, Unusable)
    assert found.reason is reason
    assert found.detail
    assert "\n" not in found.detail
    done = repair('{"arguments":{"a":1}}', schema)
    assert (done.outcome, done.reason, done.steps) == (Outcome.UNJUDGED, reason, ())


def test_a_schema_of_any_depth_never_raises() -> None:
    schema: Json = {}
    for _ in range(20_000):
        schema = {"properties": {"a": schema}}
    assert isinstance(compile_schema(schema), Unusable)
    assert repair({"x": 1}, schema).outcome is Outcome.UNJUDGED


def test_the_metaschemas_are_at_hand() -> None:
    schema: Json = {"properties": {"schema": {"$ref": DRAFTS["2020-12"]}}}
    assert count(schema, {"schema": {"type": "object"}}) == 0
    assert count(schema, {"schema": {"type": "nonsense"}}) == 1


class _Counter(BaseHTTPRequestHandler):
    seen: list[str] = []  # noqa: RUF012 — shared on purpose

    def do_GET(self) -> None:  # noqa: N802 — the name that the server looks for
        self.seen.append(self.path)
        body = b'{"type":"object"}'
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def loopback() -> Iterator[tuple[str, list[str]]]:
    _Counter.seen.clear()
    with HTTPServer(("127.0.0.1", 0), _Counter) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", _Counter.seen
        server.shutdown()


def _remote(base: str) -> dict[str, Json]:
    ref: Json = {"$ref": f"{base}/x.json"}
    return {
        "root": ref,
        "property": {"properties": {"a": ref}},
        "branch": {"anyOf": [{"required": ["z"]}, ref]},
        "through id": {"$id": f"{base}/tools/", "properties": {"a": {"$ref": "x.json"}}},
        "dynamic": {"properties": {"a": {"$dynamicRef": f"{base}/x.json#node"}}},
        "draft 7": {"$schema": DRAFTS["7"], "allOf": [ref]},
        "draft 4": {"$schema": DRAFTS["4"], "id": f"{base}/", "properties": {"a": {"$ref": "y.json#/b"}}},
        "draft 3": {"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"a": ref}},
        "conditional": {"if": {"required": ["a"]}, "then": ref},
        "dependent": {"dependentSchemas": {"a": ref}},
        "names": {"propertyNames": ref},
        "definitions": {"$defs": {"d": ref}, "properties": {"a": {"$ref": "#/$defs/d"}}},
        "encoded": {"properties": {"a": {"$ref": f"{base}/x%2Ejson#/%24defs/a"}}},
        "nested draft": {"properties": {"a": {"$schema": DRAFTS["7"], "$ref": f"{base}/x.json"}}},
    }  # fmt: skip


def test_remote_references_are_never_fetched() -> None:
    with loopback() as (base, seen):
        for name, schema in _remote(base).items():
            done = repair({"arguments": {"a": {"b": 1}}}, schema)
            assert done.outcome is Outcome.UNJUDGED, name
            assert done.reason is UnjudgedReason.REMOTE_REF, name
        for dialect in (f"{base}/meta.json", f"{base}/meta.json#"):
            repair({"a": {"b": 1}}, {"$schema": dialect, "type": "object", "required": ["z"]})
            repair({"a": 1}, {"properties": {"a": {"$schema": dialect, "type": "string"}}})
        assert seen == []


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


EVIL = "^(a|aa)+$"  # too slow even for an engine that sees through `^(a+)+$`
LONG = "a" * 32 + "!"
NESTED = "^(a+)+$"
NESTED_TEXT = "a" * 26 + "!"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"properties": {"s": {"pattern": NESTED}}}, {"s": NESTED_TEXT}),
        ({"properties": {"s": {"pattern": EVIL}}}, {"s": LONG * 2}),
        ({"patternProperties": {EVIL: {"type": "string"}}}, {LONG: 1}),
        ({"patternProperties": {EVIL: {}}, "additionalProperties": False}, {LONG: 1}),
        ({"propertyNames": {"pattern": EVIL}}, {LONG: 1}),
        ({"anyOf": [{"properties": {"s": {"pattern": EVIL}}}, {"required": ["z"]}]}, {"s": LONG}),
        ({"patternProperties": {NESTED: {}}, "unevaluatedProperties": False}, {NESTED_TEXT: 1}),
        (
            {"$schema": DRAFTS["2019-09"], "patternProperties": {NESTED: {}}, "unevaluatedProperties": False},
            {NESTED_TEXT: 1},
        ),
        (
            {"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"s": {"pattern": NESTED}}},
            {"s": NESTED_TEXT},
        ),
    ],
    ids=["nested", "pattern", "patternProperties", "closed", "propertyNames", "anyOf", "unevaluated",
         "unevaluated-2019-09", "draft-3"],
)  # fmt: skip
def test_a_pattern_that_explodes_is_bounded(schema: Json, value: Json) -> None:
    with within(1.0):
        done = repair(value, schema)
    assert not done.steps
    assert done.outcome in {Outcome.UNJUDGED, Outcome.UNTOUCHED, Outcome.VALID}


def _slow_text() -> str:
    """A text on which one match takes long, and yet less than what one match may take."""
    for length in range(16, 60):
        text = "a" * length + "!"
        start = time.monotonic()
        matches(EVIL, text)
        if time.monotonic() - start > PATTERN_SECONDS / 5:
            return text
    pytest.skip("the pattern is never slow here")


def test_many_slow_matches_of_one_call_are_bounded() -> None:
    schema: Json = {"properties": {"l": {"items": {"pattern": EVIL}}}, "required": ["z"]}
    texts: list[Json] = [_slow_text()] * 100
    with within(3.0):
        repair({"l": texts}, schema)


def test_a_pattern_that_takes_too_long_says_so() -> None:
    judge = judge_of({"properties": {"s": {"pattern": EVIL}}})
    with pytest.raises(JudgeLimitError) as caught:
        judge.violations({"s": "a" * 200 + "!"})
    assert caught.value.reason is UnjudgedReason.PATTERN_UNSUPPORTED


def test_patterns_are_not_anchored() -> None:
    assert count({"properties": {"s": {"pattern": "b"}}}, {"s": "abc"}) == 0
    assert count({"patternProperties": {"b": {"type": "string"}}}, {"abc": 1}) == 1


def test_a_value_deeper_than_the_validator_goes_is_a_limit() -> None:
    schema: Json = {"properties": {"c": {"$ref": "#"}}, "additionalProperties": False}
    text = '{"c":' * 5_000 + "1" + "}" * 5_000
    with pytest.raises(JudgeLimitError) as caught:
        judge_of(schema).violations(parse_json(text))
    assert caught.value.reason is UntouchedReason.LIMIT
    done = repair(text, schema)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.LIMIT)
    assert done.arguments is text


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"properties": {"n": {"type": "integer"}}}, '{"n":' + "9" * 5000 + "}"),
        ({"properties": {"n": {"type": "integer"}}}, '{"n":1.0}'),
        ({"properties": {"n": {"type": "integer"}}}, '{"n":-0}'),
        ({"properties": {"n": {"type": "number"}}}, '{"n":1e400}'),
        ({"properties": {"n": {"type": "number", "multipleOf": 0.5}}}, '{"n":1' + "0" * 400 + "}"),
        ({"properties": {"n": {"const": 9007199254740993}}}, '{"n":9007199254740993}'),
        ({"properties": {"n": {"enum": [0.1]}}}, '{"n":0.10}'),
    ],
    ids=["5000-digits", "1.0", "-0", "1e400", "multipleOf-of-400-digits", "beyond-2^53", "0.10"],
)
def test_numbers_that_are_legal(schema: Json, text: str) -> None:
    assert repair(text, schema).outcome is Outcome.VALID


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"properties": {"n": {"const": 9007199254740993}}}, '{"n":9007199254740992}'),
        ({"properties": {"n": {"type": "integer"}}}, '{"n":1.5}'),
        ({"properties": {"n": {"enum": [1]}}}, '{"n":true}'),
        ({"properties": {"n": {"enum": [0]}}}, '{"n":false}'),
        ({"properties": {"n": {"multipleOf": 2}}}, '{"n":1e400}'),
        ({"properties": {"n": {"maximum": 5}}}, '{"n":1' + "0" * 5000 + "}"),
    ],
)
def test_numbers_that_are_not_legal(schema: Json, text: str) -> None:
    done = repair(text, schema)
    assert (done.outcome, done.arguments) == (Outcome.UNTOUCHED, text)


def _plain(schema: Any, value: Any) -> bool:
    """What unmodified `jsonschema` says, without network."""
    cls = validator_for(schema, default=jsonschema.Draft202012Validator)
    registry: Registry[Any] = Registry()
    return bool(cls(schema, registry=registry).is_valid(value))


_SUBIDS: tuple[tuple[Json, Json], ...] = tuple(
    (
        {
            word: [{"$id": "http://localhost/inner", "$ref": "#/$defs/k", "$defs": {"k": {"required": ["in"]}}}],
            "$defs": {"k": {"required": ["out"]}},
        },
        {name: 1},
    )
    for word in ("anyOf", "allOf")
    for name in ("in", "out")
)  # fmt: skip


@pytest.mark.parametrize(("schema", "value"), _SUBIDS)
def test_a_branch_with_its_own_id_resolves_its_references_there(schema: Json, value: Json) -> None:
    assert judge_of(schema).is_valid(value) is _plain(schema, value) is ("in" in str(value))


# Random schemas over the keywords that tools use, with every keyword that is replaced here.
_TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
_KEYS = st.sampled_from(["a", "b", "ab", "x-1"])
_PLAIN_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, -2.5])
    | st.sampled_from(["", "a", "ab", "x-1", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    small = st.integers(0, 2)
    some = st.lists(inner, min_size=1, max_size=2)
    keyed = st.dictionaries(_KEYS, inner, max_size=3)
    names = st.lists(_KEYS, max_size=2, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": _TYPES | st.lists(_TYPES, min_size=1, max_size=2, unique=True),
            "properties": keyed,
            "required": names,
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "-", "b$"]), inner, max_size=2),
            "propertyNames": st.sampled_from([{"pattern": "^a"}, {"maxLength": 1}, True]),
            "dependentRequired": st.dictionaries(_KEYS, names, max_size=2),
            "dependentSchemas": st.dictionaries(_KEYS, inner, max_size=1),
            "unevaluatedProperties": inner,
            "anyOf": some,
            "oneOf": some,
            "allOf": some,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "enum": st.lists(_PLAIN_VALUES, min_size=1, max_size=3),
            "const": _PLAIN_VALUES,
            "pattern": st.sampled_from(["^a", "b$", "1"]),
            "minLength": small,
            "maxLength": small,
            "minItems": small,
            "maxItems": small,
            "minProperties": small,
            "maxProperties": small,
            "uniqueItems": st.booleans(),
            "items": inner,
            "prefixItems": some,
            "contains": inner,
            "minContains": small,
            "maxContains": small,
            "minimum": st.integers(-2, 2),
            "exclusiveMaximum": st.integers(-2, 2),
            "multipleOf": st.sampled_from([1, 2, 0.5]),
        },
    )  # fmt: skip


_SCHEMAS: st.SearchStrategy[Any] = st.recursive(st.booleans(), _schemas, max_leaves=8)
_OBJECTS = st.dictionaries(_KEYS, _PLAIN_VALUES, max_size=4)


@settings(LAWS, max_examples=250)
@given(_schemas(_SCHEMAS), _OBJECTS, st.sampled_from([None, "2019-09", "7", "6"]))
def test_valid_means_what_plain_jsonschema_means(schema: Any, value: Any, draft: str | None) -> None:
    schema = schema if draft is None else {**schema, "$schema": DRAFTS[draft]}
    judge = compile_schema(schema)
    assume(not isinstance(judge, Unusable))
    assert not isinstance(judge, Unusable)
    expected = _plain(schema, value)
    assert judge.is_valid(value) is expected
    assert (not judge.violations(value)) is expected


_FITTING: tuple[tuple[Json, st.SearchStrategy[Any]], ...] = (
    ({"type": "string"}, st.text(max_size=4)),
    ({"type": "integer"}, st.integers() | st.sampled_from([1.0, -2.0])),
    ({"type": "number", "minimum": 0}, st.floats(0, 1e9) | st.integers(0)),
    ({"enum": ["a", 1, None]}, st.sampled_from(["a", 1, None, 1.0])),
    ({"type": ["null", "boolean"]}, st.none() | st.booleans()),
    ({"type": "string", "pattern": "^[ab]{1,4}$"}, st.from_regex("[ab]{1,4}", fullmatch=True)),
    ({"anyOf": [{"type": "null"}, {"const": 3}]}, st.sampled_from([None, 3])),
    ({"type": "array", "items": {"type": "number"}}, st.lists(st.integers() | st.floats(0, 1))),
    ({"type": "object", "required": ["k"]}, st.builds(lambda k: {"k": k}, _PLAIN_VALUES)),
    ({"type": "object", "additionalProperties": {"type": "string"}}, st.dictionaries(_KEYS, st.text())),
    ({}, _PLAIN_VALUES),
)


@st.composite
def _valid_calls(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A closed or open schema of some properties, and a value that it accepts."""
    kinds = draw(st.dictionaries(st.sampled_from("pqrs"), st.sampled_from(_FITTING), max_size=4))
    required = [name for name in kinds if draw(st.booleans())]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: kind for name, (kind, _) in kinds.items()},
        "required": required,
    }
    closed = draw(st.booleans())
    if closed:
        schema["additionalProperties"] = False
    value = {
        name: draw(values)
        for name, (_, values) in kinds.items()
        if name in required or draw(st.booleans())
    }
    if not closed and draw(st.booleans()):
        value["extra"] = draw(_PLAIN_VALUES)
    return schema, value


@LAWS
@given(_valid_calls())
def test_valid_in_is_the_same_object_out(call: tuple[dict[str, Any], dict[str, Any]]) -> None:
    schema, value = call
    assert judge_of(schema).is_valid(value)
    done = repair(value, schema)
    assert (done.outcome, done.steps, done.reason) == (Outcome.VALID, (), None)
    assert done.arguments is value
