"""The reference judge: what it counts, and what it refuses."""

from __future__ import annotations

import pytest

from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.repair import Unusable
from toolfix_audit.model.words import Outcome, UnjudgedReason

from .judging import DRAFTS, count, judge_of

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
        (
            {"patternProperties": {"^x-": {}}, "additionalProperties": False},
            {"x-a": 1, "b": 1, "c": 1},
            2,
        ),
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
)
def test_violations_are_counted_as_the_rules_say(schema: Json, value: Json, expected: int) -> None:
    assert count(schema, value) == expected


def test_unevaluated_keys_count_each_in_2019_09_as_well() -> None:
    schema: Json = {
        "$schema": DRAFTS["2019-09"],
        "properties": {"a": {}},
        "unevaluatedProperties": False,
    }
    assert count(schema, {"a": 1, "x": 1, "y": 2}) == 2


@pytest.mark.parametrize("root", ["[]", '"x"', "1", "null", "true", "[{}]", "1.5"])
@pytest.mark.parametrize(
    "schema", [{}, True, CLOSED, {"type": "array"}, {"type": ["null", "string"]}]
)
def test_a_root_that_is_no_object_is_exactly_one_violation(root: str, schema: Json) -> None:
    assert count(schema, parse_json(root)) == 1


def test_violations_tell_place_keyword_and_key() -> None:
    schema: Json = {"properties": {"l": {"items": {"$ref": "#/$defs/o"}}}, "$defs": {"o": CLOSED}}
    found = judge_of(schema).violations({"l": [{"a": "x", "b": 1}, {"a": 5, "extra": None}]})
    told = {(one.path, one.keyword, one.key) for one in found}
    lead = "/properties/l/items"  # the library leaves `$ref` out of locations
    assert told == {
        (("l", 1, "a"), f"{lead}/properties/a/type", None),
        (("l", 1), f"{lead}/required", "b"),
        (("l", 1), f"{lead}/additionalProperties", "extra"),
    }


def test_messages_never_hold_a_whole_long_value() -> None:
    schema: Json = {
        "properties": {"a": {"type": "integer"}, "b": {"enum": ["x"]}, "c": {"pattern": "^z$"}}
    }
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
    ("name", "hides"),
    [("4", True), ("6", True), ("7", True), ("2019-09", False), ("2020-12", False)],
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
    schema: dict[str, Json] = {"properties": {"a": {"prefixItems": [{"type": "string"}]}}}
    assert count(schema, {"a": [1]}) == 1
    assert count({**schema, "$schema": "https://example.org/unknown"}, {"a": [1]}) == 1


def test_dependencies_of_older_drafts_count_inside() -> None:
    schema: Json = {
        "$schema": DRAFTS["7"],
        "dependencies": {"k": ["a", "b"], "m": {"required": ["c", "d"]}},
    }
    assert count(schema, {"k": 1, "m": 1}) == 4


def test_formats_are_not_asserted() -> None:
    assert (
        count({"properties": {"u": {"type": "string", "format": "uri"}}}, {"u": "not a uri"}) == 0
    )


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (5, UnjudgedReason.SCHEMA_UNUSABLE),
        ([], UnjudgedReason.SCHEMA_UNUSABLE),
        (None, UnjudgedReason.SCHEMA_UNUSABLE),
        ("text", UnjudgedReason.SCHEMA_UNUSABLE),
        ({"type": "any"}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"properties": None}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"required": "a"}, UnjudgedReason.SCHEMA_UNUSABLE),
        ({"type": "object", "properties": {}, "required": 5}, UnjudgedReason.SCHEMA_UNUSABLE),
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
    assert repair({"x": 1}, schema).steps == ()
    assert repair('{"arguments":{"x":1}}', {"anyOf": [schema]}).outcome is Outcome.UNJUDGED


def test_the_metaschemas_are_at_hand() -> None:
    schema: Json = {"properties": {"schema": {"$ref": DRAFTS["2020-12"]}}}
    assert count(schema, {"schema": {"type": "object"}}) == 0
    assert count(schema, {"schema": {"type": "nonsense"}}) == 1
