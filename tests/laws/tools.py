"""Random tools: a schema as tools declare them, nasty on purpose, and arguments that it accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from hypothesis import assume
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolfix_audit.model.json import Json, dump_json

NAMES = (
    "path", "file_path", "name", "skill_name", "old_text", "new_text", "id", "query", "queries",
    "limit", "command", "cmd", "arguments", "args", "input", "parameters", "type", "value", "_",
    "options", "items", "a.b", "edits", "x",
)  # fmt: skip
MATCHING = {"^x-": "x-trace", "_id$": "user_id", "^(foo|bar)$": "foo"}
WORDS = (
    "", "a", "main.py", "5", "-1", "true", "False", "null", "None", "[1, 2]", '{"a": 1}', "007",
    "new york", "a,b", '"quoted"', "{}", "[]", "é", "0.5", "arguments",
)  # fmt: skip

Values: TypeAlias = st.SearchStrategy[Any]
Make: TypeAlias = Callable[[], Json]
Made: TypeAlias = tuple[dict[str, Json], Make]


@dataclass(frozen=True, slots=True)
class Tool:
    """A schema, and arguments that it accepts."""

    schema: dict[str, Json]
    arguments: dict[str, Json]


texts: Values = st.one_of(st.sampled_from(WORDS), st.text(max_size=6))
integers: Values = st.one_of(st.integers(-3, 12), st.integers(-(2**70), 2**70))
floats: Values = st.floats(allow_nan=False, allow_infinity=False)
scalars: Values = st.one_of(st.none(), st.booleans(), integers, floats, texts)
keys: Values = st.one_of(st.sampled_from(NAMES), st.text(max_size=4))
anything: Values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def tools(draw: st.DrawFn) -> Tool:
    """A tool with valid arguments."""
    shop = _Shop(draw)
    schema, make = shop.object_node(depth=3)
    schema = {**schema, **shop.around_root()}
    if shop.defs:
        schema["$defs"] = dict(shop.defs)
    text = dump_json(schema)
    assume(not ("patternProperties" in text and "unevaluatedProperties" in text))
    arguments = make()
    assume(isinstance(arguments, dict))
    assume(Draft202012Validator(schema).is_valid(cast(Any, arguments)))
    return Tool(schema, cast("dict[str, Json]", arguments))


@dataclass(slots=True)
class _Shop:
    """What is drawn from, and the definitions that were made on the way."""

    draw: st.DrawFn
    defs: dict[str, Json] = field(default_factory=dict)

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent

    def value(self, values: Values) -> Json:
        return cast(Json, self.draw(values))

    def some(self, names: tuple[str, ...], most: int) -> list[str]:
        return self.draw(st.lists(st.sampled_from(names), unique=True, max_size=most))

    def around_root(self) -> dict[str, Json]:
        if self.chance(85):
            return {}
        return self.draw(
            st.sampled_from(
                (
                    {"minProperties": 1},
                    {"not": {"required": ["nothing"]}},
                    {"if": {"required": ["name"]}, "then": {"properties": {"name": {}}}},
                    {"anyOf": [{"required": ["path"]}, {"required": ["name"]}, {}]},
                    {"dependentSchemas": {"id": {"properties": {"limit": {"type": "integer"}}}}},
                    {"propertyNames": {"maxLength": 40}},
                    {"$schema": "https://json-schema.org/draft/2020-12/schema"},
                )
            )
        )

    def node(self, depth: int) -> Made:
        makers: list[Callable[[int], Made]] = [self.scalar_node] * 4
        if depth > 0:
            makers += [self.object_node, self.object_node, self.array_node, self.array_node]
            makers += [self.union_node, self.reference_node, self.every_node, self.tree_node]
            makers += [self.tuple_node]
        return self.draw(st.sampled_from(makers))(depth)

    def scalar_node(self, _depth: int) -> Made:
        return self.draw(
            st.sampled_from(
                (
                    self._typed({"type": "string"}, texts),
                    self._typed({"type": "string", "minLength": 2}, st.text("ab5", min_size=2)),
                    self._typed({"type": "integer"}, integers),
                    self._typed({"type": "integer", "minimum": 0}, st.integers(0, 99)),
                    self._typed({"type": "number"}, st.one_of(integers, floats)),
                    self._typed({"type": "boolean"}, st.booleans()),
                    self._typed({"type": ["integer", "null"]}, st.one_of(st.none(), integers)),
                    self._typed({"type": ["boolean", "null"]}, st.one_of(st.none(), st.booleans())),
                    self._typed({"type": ["string", "number"]}, st.one_of(texts, floats)),
                    self._typed({"enum": ["fast", "Slow", "5"]}, st.sampled_from(("fast", "5"))),
                    self._typed({"enum": [1, 2, None]}, st.sampled_from((1, 2, None))),
                    self._typed({"const": True}, st.just(True)),
                    self._typed({"type": "string", "const": "only"}, st.just("only")),
                    self._typed({"type": "null"}, st.none()),
                    self._typed({"not": {"type": "string"}}, st.one_of(integers, st.none())),
                    self._typed({}, anything),
                    self._typed(
                        {"if": {"type": "string"}, "then": {"maxLength": 3}, "type": "string"},
                        st.text(max_size=3),
                    ),
                )
            )
        )

    def _typed(self, schema: dict[str, Json], values: Values) -> Made:
        return dict(schema), lambda: self.value(values)

    def object_node(self, depth: int) -> Made:
        names = self.some(NAMES, 4)
        members = {name: self.node(depth - 1) for name in names}
        required = [name for name in names if self.chance(50)]
        schema: dict[str, Json] = {"properties": {name: made[0] for name, made in members.items()}}
        if self.chance(90):
            schema["type"] = "object"
        if required or self.chance(20):
            schema["required"] = list(required)
        extra = self._extra(schema, depth)

        def make() -> Json:
            value = {
                name: made[1]()
                for name, made in members.items()
                if name in required or self.chance(60)
            }
            value.update(extra())
            return value

        return schema, make

    def _extra(self, schema: dict[str, Json], depth: int) -> Callable[[], dict[str, Json]]:
        """Close the object, leave it open, or describe its other keys."""
        kind = self.draw(st.sampled_from(("closed", "closed", "closed", "open", "map", "pattern")))
        if kind == "closed":
            schema["additionalProperties"] = False
        if kind == "map":
            inner, make = self.node(min(depth - 1, 0))
            schema["additionalProperties"] = inner
            return lambda: {"other": make()} if self.chance(50) else {}
        if kind == "pattern":
            pattern = self.draw(st.sampled_from(tuple(MATCHING)))
            inner, make = self.node(min(depth - 1, 0))
            schema["patternProperties"] = {pattern: inner}
            schema["additionalProperties"] = False
            return lambda: {MATCHING[pattern]: make()} if self.chance(50) else {}
        if kind == "open" and self.chance(30):
            return lambda: {"extra": self.value(anything)}
        return dict

    def array_node(self, depth: int) -> Made:
        inner, make = self.node(depth - 1)
        size = self.draw(st.integers(0, 3))
        return {"type": "array", "items": inner}, lambda: [make() for _ in range(size)]

    def tuple_node(self, depth: int) -> Made:
        first, second = self.node(depth - 1), self.node(depth - 1)
        schema: dict[str, Json] = {"type": "array", "prefixItems": [first[0], second[0]]}
        if self.chance(60):
            schema["items"] = False
        return schema, lambda: [first[1](), second[1]()]

    def union_node(self, depth: int) -> Made:
        branches = [self.node(depth - 1) for _ in range(self.draw(st.integers(1, 3)))]
        keyword = self.draw(st.sampled_from(("anyOf", "anyOf", "oneOf")))
        chosen = self.draw(st.sampled_from(branches))
        return {keyword: [branch[0] for branch in branches]}, chosen[1]

    def every_node(self, depth: int) -> Made:
        one = self.object_node(depth - 1)
        other = self.object_node(depth - 1)
        for part, _ in (one, other):
            if part.get("additionalProperties") is False:
                del part["additionalProperties"]
        schema: dict[str, Json] = {"allOf": [one[0], other[0]]}
        if self.chance(40):
            schema["unevaluatedProperties"] = False

        def make() -> Json:
            return {**cast("dict[str, Json]", one[1]()), **cast("dict[str, Json]", other[1]())}

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

        def tree(levels: int) -> Json:
            node: dict[str, Json] = {"x": make()}
            if levels and self.chance(60):
                node["items"] = [tree(levels - 1) for _ in range(self.draw(st.integers(0, 2)))]
            return node

        return here, lambda: tree(2)
