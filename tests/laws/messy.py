"""Calls that are wrong in any way, or in none: valid arguments with a few accidents."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from toolfix_audit.model.json import Json, dump_json

from .defects import WRAPPERS, textless, with_texts
from .tools import numbers, seeds, tool_of
from .values import any_value, key_value

ACCIDENTS = ("drop", "add", "set", "rename", "empty", "wrap", "pack")
LEADS = ("my_", "the", "new_", "")


@dataclass(frozen=True, slots=True)
class Call:
    """Arguments, and the schema of the tool that they were sent to."""

    arguments: Json
    schema: dict[str, Json]


def call_of(number: int, seed: int) -> Call:
    """A call by chance to the tool of a recipe."""
    tool = tool_of(number, seed)
    rng = Random(seed)
    if rng.random() < 0.1:
        return Call(any_value(rng), tool.schema)
    value = tool.arguments
    paths = textless(value, tool.schema) if rng.random() < 0.5 else []
    if paths:
        sent, _ = with_texts(value, tool.schema, paths, rng)
        assert isinstance(sent, dict)
        value = sent
    for _ in range(rng.randrange(4)):
        value = _after(value, rng.choice(ACCIDENTS), rng)
    return Call(dump_json(value) if rng.random() < 0.5 else value, tool.schema)


calls: st.SearchStrategy[Call] = st.builds(call_of, numbers, seeds)


def _after(value: dict[str, Json], accident: str, rng: Random) -> dict[str, Json]:
    if accident == "add":
        return {**value, key_value(rng): any_value(rng)}
    if accident == "wrap":
        return {rng.choice(WRAPPERS): value}
    if not value:
        return value
    key = rng.choice(tuple(value))
    rest = {name: member for name, member in value.items() if name != key}
    if accident == "drop":
        return rest
    if accident == "set":
        return {**value, key: any_value(rng)}
    if accident == "empty":
        return {**value, key: rng.choice((None, "", {}))}
    if accident == "rename":
        return {**rest, f"{rng.choice(LEADS)}{key.title()}": value[key]}
    return {**rest, rng.choice(WRAPPERS): {key: value[key]}}
