"""Hostile sizes: many keys, many branches, deep values, long texts."""

from __future__ import annotations

import pytest

from toolfix_audit.engine import repair
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.words import Outcome

S: Json = {"type": "string"}
REQUIRED: dict[str, Json] = {
    "properties": {"path": S, "n": {"type": "integer"}},
    "required": ["path"],
}
CLOSED: dict[str, Json] = {**REQUIRED, "additionalProperties": False}


MANY: Json = {f"key_{number}": number for number in range(2_000)}
MANY_PROPERTIES: Json = {f"property{number}": S for number in range(300)}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (MANY, REQUIRED),
        (MANY, CLOSED),
        ({"arguments": MANY}, CLOSED),
        (MANY, {"properties": MANY_PROPERTIES, "required": ["property0"]}),
        ({"o": MANY}, {"properties": {"o": {"additionalProperties": S}}}),
        ({"l": [{"x": 1}] * 600}, {"properties": {"l": {"items": CLOSED}}}),
    ],
    ids=["open", "closed", "wrapped", "300-properties", "all-wrong", "items"],
)
def test_thousands_of_keys(value: Json, schema: Json) -> None:
    done = repair(value, schema)
    assert done.outcome in {Outcome.UNTOUCHED, Outcome.STILL_FAILING}


def test_ten_thousand_keys_on_an_open_schema() -> None:
    value: Json = {f"key_{number}": number for number in range(10_000)}
    assert repair(value, REQUIRED).outcome is Outcome.UNTOUCHED


def test_five_hundred_branches() -> None:
    branches: list[Json] = [
        {"properties": {f"k{n}": S}, "required": [f"k{n}"], "additionalProperties": False}
        for n in range(500)
    ]
    assert repair({"k499": "x"}, {"anyOf": branches}).outcome is Outcome.VALID
    done = repair({"arguments": {"k499": "x"}}, {"anyOf": branches})
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"k499": "x"})
    assert repair({"arguments": {"z": {"y": 1}}}, {"anyOf": branches}).steps


def test_a_deep_value_ends() -> None:
    text = '{"path":' * 50_000 + "1" + "}" * 50_000
    done = repair(text, {"properties": {"path": {"type": "object"}}, "required": ["n"]})
    assert done.outcome is Outcome.UNTOUCHED
    assert done.arguments is text


def test_a_megabyte_of_text_ends() -> None:
    value = parse_json('{"arguments":' + dump_json("x" * 1_000_000) + "}")
    assert repair(value, REQUIRED).outcome is Outcome.UNTOUCHED
    for text in ("[" * 100_000, "{" * 100_000, '"' * 100_000, "'" * 100_000, "\\" * 100_000):
        assert repair(text, REQUIRED).outcome is Outcome.UNTOUCHED
        repair({"l": text}, {"properties": {"l": {"type": "array"}}})
