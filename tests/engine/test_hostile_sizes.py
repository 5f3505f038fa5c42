"""Hostile sizes: many keys, many branches, deep values, long texts."""

from __future__ import annotations

import time

import pytest

from toolfix_audit.engine import repair
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.repair import Repair
from toolfix_audit.model.words import Outcome

S: Json = {"type": "string"}
REQUIRED: dict[str, Json] = {
    "properties": {"path": S, "n": {"type": "integer"}},
    "required": ["path"],
}
CLOSED: dict[str, Json] = {**REQUIRED, "additionalProperties": False}


HANG = 60.0
"""Seconds of processor time that tell a hang from a slow machine; speed is measured in bench/."""


def _quickly(value: Json, schema: Json, seconds: float = HANG) -> Repair:
    start = time.process_time()
    done = repair(value, schema)
    assert time.process_time() - start < seconds
    return done


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
    done = _quickly(value, schema)
    assert done.outcome in {Outcome.UNTOUCHED, Outcome.STILL_FAILING}


def test_ten_thousand_keys_on_an_open_schema() -> None:
    value: Json = {f"key_{number}": number for number in range(10_000)}
    assert _quickly(value, REQUIRED).outcome is Outcome.UNTOUCHED


def test_five_hundred_branches() -> None:
    branches: list[Json] = [
        {"properties": {f"k{n}": S}, "required": [f"k{n}"], "additionalProperties": False}
        for n in range(500)
    ]
    assert _quickly({"k499": "x"}, {"anyOf": branches}).outcome is Outcome.VALID
    done = _quickly({"arguments": {"k499": "x"}}, {"anyOf": branches})
    assert (done.outcome, done.arguments) == (Outcome.FIXED, {"k499": "x"})
    assert _quickly({"arguments": {"z": {"y": 1}}}, {"anyOf": branches}).steps


def test_a_deep_value_ends() -> None:
    text = '{"path":' * 50_000 + "1" + "}" * 50_000
    done = _quickly(text, {"properties": {"path": {"type": "object"}}, "required": ["n"]})
    assert done.outcome is Outcome.UNTOUCHED
    assert done.arguments is text


def test_a_megabyte_of_text_ends() -> None:
    value = parse_json('{"arguments":' + dump_json("x" * 1_000_000) + "}")
    assert _quickly(value, REQUIRED).outcome is Outcome.UNTOUCHED
    for text in ("[" * 100_000, "{" * 100_000, '"' * 100_000, "'" * 100_000, "\\" * 100_000):
        assert _quickly(text, REQUIRED).outcome is Outcome.UNTOUCHED
        _quickly({"l": text}, {"properties": {"l": {"type": "array"}}})
