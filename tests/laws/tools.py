"""Random tools: a schema as tools declare them, nasty on purpose, and arguments that it accepts.

They are made from a number by code of our own rather than drawn part by part: one recipe serves
many examples, so its schema is compiled once. Small numbers make small schemas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, TypeAlias, cast

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolfix_audit.model.json import Json, dump_json

from .effort import EXAMPLES
from .values import NAMES, any_value, float_value, integer_value, text_value

RECIPES = max(EXAMPLES // 4, 200)
"""How many schemas the laws are tried on."""

TRIES = 20
MATCHING = {"^x-": "x-trace", "_id$": "user_id", "^(foo|bar)$": "foo"}
AROUND: tuple[dict[str, Json], ...] = (
    {"minProperties": 1},
    {"not": {"required": ["nothing"]}},
    {"if": {"required": ["name"]}, "then": {"properties": {"name": {}}}},
    {"anyOf": [{"required": ["path"]}, {"required": ["name"]}, {}]},
    {"dependentSchemas": {"id": {"properties": {"limit": {"type": "integer"}}}}},
    {"propertyNames": {"maxLength": 40}},
    {"$schema": "https://json-schema.org/draft/2020-12/schema"},
)

Make: TypeAlias = Callable[[Random], Json]
Made: TypeAlias = tuple[dict[str, Json], Make]


@dataclass(frozen=True, slots=True)
class Tool:
    """A schema, and arguments that it accepts."""

    schema: dict[str, Json]
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A schema, and what makes values that it mostly accepts."""

    schema: dict[str, Json]
    make: Make

    def arguments(self, rng: Random) -> dict[str, Json] | None:
        """Arguments that the schema accepts, if some are found soon."""
        validator = Draft202012Validator(self.schema)
        for _ in range(TRIES):
            value = self.make(rng)
            if isinstance(value, dict) and validator.is_valid(cast(Any, value)):
                return value
        return None


@cache
def recipe(number: int) -> Recipe:
    """The recipe of that number: always the same one, and one that works."""
    depth = min(3, number.bit_length() // 2)
    for salt in range(100):
        shop = _Shop(Random(f"{number}/{salt}"))
        made = shop.tool(depth)
        text = dump_json(made.schema)
        if "patternProperties" in text and "unevaluatedProperties" in text:
            continue
        if made.arguments(Random(salt)) is not None:
            return made
    raise AssertionError(f"no recipe {number}")


def tool_of(number: int, seed: int) -> Tool:
    """Arguments by chance for a recipe."""
    found = recipe(number)
    for salt in range(100):
        arguments = found.arguments(Random(f"{seed}/{salt}"))
        if arguments is not None:
            return Tool(found.schema, arguments)
    raise AssertionError(f"no arguments for recipe {number}")


seeds: st.SearchStrategy[int] = st.integers(0, 2**32 - 1)
rngs: st.SearchStrategy[Random] = st.randoms(use_true_random=True)
numbers: st.SearchStrategy[int] = st.integers(0, RECIPES - 1)
recipes: st.SearchStrategy[Recipe] = numbers.map(recipe)
tools: st.SearchStrategy[Tool] = st.builds(tool_of, numbers, seeds)


def tools_with(test: Callable[[dict[str, Json]], bool]) -> st.SearchStrategy[Tool]:
    """The tools whose schema passes a test: none is made in vain."""
    return st.deferred(
        lambda: st.builds(
            tool_of,
            st.sampled_from([number for number in range(RECIPES) if test(recipe(number).schema)]),
            seeds,
        )
    )


@dataclass(slots=True)
class _Shop:
    """What chooses, and the definitions that were made on the way."""

    rng: Random
    defs: dict[str, Json] = field(default_factory=dict)

    def tool(self, depth: int) -> Recipe:
        schema, make = self.object_node(depth)
        if self.chance(15):
            schema = {**schema, **self.rng.choice(AROUND)}
        if self.defs:
            schema["$defs"] = dict(self.defs)
        return Recipe(schema, make)

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def node(self, depth: int) -> Made:
        makers: list[Callable[[int], Made]] = [self.scalar_node] * 4
        if depth > 0:
            makers += [self.object_node, self.object_node, self.array_node, self.array_node]
            makers += [self.union_node, self.reference_node, self.every_node, self.tree_node]
            makers += [self.tuple_node]
        return self.rng.choice(makers)(depth)

    def scalar_node(self, _depth: int) -> Made:
        schema, make = self.rng.choice(SCALARS)
        return dict(schema), make

    def object_node(self, depth: int) -> Made:
        names = self.rng.sample(NAMES, self.rng.randrange(5))
        members = {name: self.node(depth - 1) for name in names}
        required = [name for name in names if self.chance(50)]
        schema: dict[str, Json] = {"properties": {name: made[0] for name, made in members.items()}}
        if self.chance(90):
            schema["type"] = "object"
        if required or self.chance(20):
            schema["required"] = list(required)
        extra = self._extra(schema, depth)

        def make(rng: Random) -> Json:
            value = {
                name: made[1](rng)
                for name, made in members.items()
                if name in required or rng.random() < 0.6
            }
            value.update(extra(rng))
            return value

        return schema, make

    def _extra(self, schema: dict[str, Json], depth: int) -> Callable[[Random], dict[str, Json]]:
        """Close the object, leave it open, or describe its other keys."""
        kind = self.rng.choice(("closed", "closed", "closed", "open", "map", "pattern"))
        if kind == "closed":
            schema["additionalProperties"] = False
        if kind == "map":
            inner, make = self.node(min(depth - 1, 0))
            schema["additionalProperties"] = inner
            return lambda rng: {"other": make(rng)} if rng.random() < 0.5 else {}
        if kind == "pattern":
            pattern = self.rng.choice(tuple(MATCHING))
            inner, make = self.node(min(depth - 1, 0))
            schema["patternProperties"] = {pattern: inner}
            schema["additionalProperties"] = False
            return lambda rng: {MATCHING[pattern]: make(rng)} if rng.random() < 0.5 else {}
        if kind == "open" and self.chance(30):
            return lambda rng: {"extra": any_value(rng)}
        return lambda _rng: {}

    def array_node(self, depth: int) -> Made:
        inner, make = self.node(depth - 1)
        schema: dict[str, Json] = {"type": "array", "items": inner}
        return schema, lambda rng: [make(rng) for _ in range(rng.randrange(4))]

    def tuple_node(self, depth: int) -> Made:
        first, second = self.node(depth - 1), self.node(depth - 1)
        schema: dict[str, Json] = {"type": "array", "prefixItems": [first[0], second[0]]}
        if self.chance(60):
            schema["items"] = False
        return schema, lambda rng: [first[1](rng), second[1](rng)]

    def union_node(self, depth: int) -> Made:
        branches = [self.node(depth - 1) for _ in range(self.rng.randint(1, 3))]
        keyword = self.rng.choice(("anyOf", "anyOf", "oneOf"))
        schema: dict[str, Json] = {keyword: [branch[0] for branch in branches]}
        return schema, lambda rng: rng.choice(branches)[1](rng)

    def every_node(self, depth: int) -> Made:
        one = self.object_node(depth - 1)
        other = self.object_node(depth - 1)
        for part, _ in (one, other):
            if part.get("additionalProperties") is False:
                del part["additionalProperties"]
        schema: dict[str, Json] = {"allOf": [one[0], other[0]]}
        if self.chance(40):
            schema["unevaluatedProperties"] = False

        def make(rng: Random) -> Json:
            first, second = one[1](rng), other[1](rng)
            return {**cast("dict[str, Json]", first), **cast("dict[str, Json]", second)}

        return schema, make

    def reference_node(self, depth: int) -> Made:
        inner, make = self.node(depth - 1)
        name = f"d{len(self.defs)}"
        self.defs[name] = inner
        return {"$ref": f"#/$defs/{name}"}, make

    def tree_node(self, _depth: int) -> Made:
        """A recursive definition: a value and children of its own kind."""
        inner, make = self.scalar_node(0)
        name = f"d{len(self.defs)}"
        here: dict[str, Json] = {"$ref": f"#/$defs/{name}"}
        self.defs[name] = {
            "type": "object",
            "properties": {"x": inner, "items": {"type": "array", "items": here}},
            "required": ["x"],
            "additionalProperties": False,
        }

        def tree(rng: Random, levels: int = 2) -> Json:
            node: dict[str, Json] = {"x": make(rng)}
            if levels and rng.random() < 0.6:
                node["items"] = [tree(rng, levels - 1) for _ in range(rng.randrange(3))]
            return node

        return here, tree


def _one_of(*values: Json) -> Make:
    return lambda rng: rng.choice(values)


def _short_text(rng: Random) -> Json:
    return text_value(rng)[:3]


def _few_letters(rng: Random) -> Json:
    return "".join(rng.choices("ab5", k=rng.randint(2, 4)))


SCALARS: tuple[Made, ...] = (
    ({"type": "string"}, text_value),
    ({"type": "string", "minLength": 2}, _few_letters),
    ({"type": "integer"}, integer_value),
    ({"type": "integer", "minimum": 0}, lambda rng: rng.randrange(100)),
    ({"type": "number"}, lambda rng: rng.choice((integer_value, float_value))(rng)),
    ({"type": "boolean"}, _one_of(True, False)),
    ({"type": ["integer", "null"]}, lambda rng: rng.choice((None, integer_value(rng)))),
    ({"type": ["boolean", "null"]}, _one_of(None, True, False)),
    ({"type": ["string", "number"]}, lambda rng: rng.choice((text_value(rng), float_value(rng)))),
    ({"enum": ["fast", "Slow", "5"]}, _one_of("fast", "5")),
    ({"enum": [1, 2, None]}, _one_of(1, 2, None)),
    ({"const": True}, _one_of(True)),
    ({"type": "string", "const": "only"}, _one_of("only")),
    ({"type": "null"}, _one_of(None)),
    ({"not": {"type": "string"}}, lambda rng: rng.choice((None, integer_value(rng)))),
    ({}, any_value),
    ({"if": {"type": "string"}, "then": {"maxLength": 3}, "type": "string"}, _short_text),
)
