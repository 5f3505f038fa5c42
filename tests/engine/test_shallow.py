"""The judge for schemas that no validator runs: it says little, and nothing that is wrong."""

from __future__ import annotations

import pytest

from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Unusable
from toolfix_audit.model.words import Outcome, UnjudgedReason

SLOPPY: Json = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "required": True},
        "limit": {"type": "Integer"},
        "note": {"type": "string", "nullable": True},
        "any": {"type": "any"},
    },
    "additionalProperties": False,
}


def count(schema: Json, value: Json) -> int:
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable)
    assert judge.name == "shallow"
    return len(judge.violations(value))


@pytest.mark.parametrize(
    ("value", "violations"),
    [
        ({"path": "a", "limit": 5, "note": None, "any": [1]}, 0),
        ({"path": "a", "limit": 5.0}, 0),
        ({}, 1),
        ({"path": 5, "limit": "x"}, 2),
        ({"path": "a", "x": 1, "y": 2}, 2),
        ({"path": None}, 1),
        ([], 1),
        (None, 1),
    ],
)
def test_it_counts_what_can_be_said(value: Json, violations: int) -> None:
    assert count(SLOPPY, value) == violations


def test_keys_that_a_pattern_names_are_not_extra() -> None:
    schema: Json = {
        "properties": {"a": {"type": "any"}},
        "required": ["a"],
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }
    assert count(schema, {"x-trace": 1}) == 1
    assert count(schema, {"a": 1}) == 0


LINKS: dict[str, Json] = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(1_000)}
CHAIN: dict[str, Json] = {
    "properties": {"x": {"$ref": "#/$defs/d0"}, "y": {"type": "string"}},
    "$defs": {**LINKS, "d1000": {"type": "integer"}},
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (CHAIN, {"x": "1"}),
        ({"properties": {"x": {"required": True}}}, {"x": 5}),
        ({"properties": {"x": {"type": "str"}}}, {"x": 5}),
        ({"properties": {"x": {"type": "any"}}, "anyOf": [{"required": ["z"]}]}, {"x": 5}),
        ({"properties": {"x": {"type": "any"}}, "patternProperties": {"^y": {}}}, {"y": 5}),
        (
            {"properties": {"x": {"type": "any"}}, "additionalProperties": {"type": "str"}},
            {"y": 5},
        ),
        ({**CHAIN, "required": ["x"]}, {"arguments": {"x": "1"}}),
    ],
    ids=["chain", "required-only", "unknown-word", "any-of", "pattern", "extra", "wrapped"],
)
def test_what_it_can_t_look_at_it_does_not_admit(schema: Json, value: Json) -> None:
    done = repair(value, schema)
    assert (done.outcome, done.reason) == (Outcome.UNJUDGED, UnjudgedReason.SCHEMA_UNUSABLE)
    assert done.arguments is value


def test_a_wrapper_whose_inside_it_can_t_look_at_stays() -> None:
    value: Json = {"arguments": {"x": "1"}}
    done = repair(value, CHAIN)
    assert (done.outcome, done.arguments) == (Outcome.VALID, value)


def test_what_it_can_look_at_is_judged_beside_the_rest() -> None:
    assert repair({"y": "a"}, CHAIN).outcome is Outcome.VALID
    assert repair({"x": 1, "y": 2}, CHAIN).outcome is Outcome.UNTOUCHED


def test_a_strict_validator_s_yes_is_enough_for_a_nullable_schema() -> None:
    schema: Json = {
        "properties": {"a": {"type": "string", "nullable": True}, "b": {"enum": [1, 2]}},
        "required": ["a"],
    }
    assert repair({"a": "x", "b": 1}, schema).outcome is Outcome.VALID
    assert repair({"a": None}, schema).outcome is Outcome.VALID
    assert repair({"a": None, "b": 3}, schema).outcome is Outcome.UNJUDGED


def test_only_the_wrapper_and_alias_families_run_under_it() -> None:
    done = repair({"arguments": {"path": "a"}}, SLOPPY)
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"path": "a"})
    value: Json = {"path": "a", "limit": "5"}
    assert repair(value, SLOPPY).arguments is value
    assert repair({"file_path": "a"}, SLOPPY).arguments == {"path": "a"}
