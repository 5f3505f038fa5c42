"""The judge for schemas that no validator runs: it says little, and nothing that is wrong."""

from __future__ import annotations

import pytest

from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Unusable
from toolfix_audit.model.words import Outcome

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
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }
    assert count(schema, {"x-trace": 1}) == 0


def test_only_the_wrapper_and_alias_families_run_under_it() -> None:
    done = repair({"arguments": {"path": "a"}}, SLOPPY)
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"path": "a"})
    value: Json = {"path": "a", "limit": "5"}
    assert repair(value, SLOPPY).arguments is value
    assert repair({"file_path": "a"}, SLOPPY).arguments == {"path": "a"}
