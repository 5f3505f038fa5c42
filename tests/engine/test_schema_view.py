"""The schema view: what is declared, required or provably excluded, and "maybe" when in doubt."""

from __future__ import annotations

import pytest

from toolfix_audit.engine import repair
from toolfix_audit.engine.schema_leaves import KINDS
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import Outcome

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
S: Json = {"type": "string"}
O: Json = {"type": "object", "properties": {"k": S}}  # noqa: E741 — beside S


def kinds(schema: Json, *path: str | int) -> set[str]:
    view = SchemaView.of(schema)
    for part in path:
        view = view.child(part)
    return {kind for kind in KINDS if view.admits(kind)}


ALL_KINDS = set(KINDS)
NUMBERS = {"integer", "number"}


@pytest.mark.parametrize(
    ("schema", "admitted"),
    [
        ({}, ALL_KINDS),
        (True, ALL_KINDS),
        (False, set()),
        (S, {"string"}),
        ({"type": ["array", "null"]}, {"array", "null"}),
        ({"type": "integer"}, {"integer"}),
        ({"type": "number"}, NUMBERS),
        ({"const": "x"}, {"string"}),
        ({"const": 1}, {"integer"}),
        ({"type": "integer", "nullable": True}, {"integer", "null"}),
        ({"const": None}, {"null"}),
        ({"enum": ["a", True, None]}, {"string", "boolean", "null"}),
        ({"enum": [[], {}]}, {"array", "object"}),
        ({"enum": ["a"], "type": ["string", "null"]}, {"string"}),
        ({"allOf": [{"type": ["string", "array"]}, {"type": ["array", "null"]}]}, {"array"}),
        ({"allOf": [S, {"type": "array"}]}, set()),
        ({"anyOf": [S, {"type": "array"}]}, {"string", "array"}),
        ({"oneOf": [S, {"const": None}]}, {"string", "null"}),
        ({"anyOf": [S, {}]}, ALL_KINDS),
        ({"anyOf": [S, True]}, ALL_KINDS),
        ({"anyOf": [S, False]}, {"string"}),
        ({"anyOf": [{"allOf": [{"type": "array"}, S]}, {"type": "null"}]}, {"null"}),
        ({"type": ["string", "array"], "anyOf": [S, {"type": "null"}]}, {"string"}),
        ({"not": S}, ALL_KINDS - {"string"}),
        ({"not": {"type": ["string", "null"]}}, ALL_KINDS - {"string", "null"}),
        ({"not": {"type": "number"}}, ALL_KINDS - NUMBERS),
        ({"not": {"type": "integer"}}, ALL_KINDS - {"integer"}),
        ({"not": {"type": "string", "minLength": 3}}, ALL_KINDS),
        ({"not": {"enum": ["a"]}}, ALL_KINDS),
        ({"not": {}}, set()),
        ({"not": True}, set()),
        ({"not": False}, ALL_KINDS),
        ({"$ref": "#/$defs/s", "$defs": {"s": S}}, {"string"}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": S}}, {"string"}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, ALL_KINDS),
        ({"$ref": "#/$defs/missing"}, ALL_KINDS),
        ({"$ref": "https://example.org/x"}, ALL_KINDS),
        ({"$ref": "#/$defs/s", "type": "array", "$defs": {"s": S}}, set()),
        ({"$ref": "#word", "$defs": {"s": {"$anchor": "word", "type": "string"}}}, {"string"}),
        ({"if": {"required": ["a"]}, "then": S, "else": {"type": "null"}}, {"string", "null"}),
        ({"if": {"required": ["a"]}, "then": S}, ALL_KINDS),
        ({"if": {"required": ["a"]}, "else": S}, ALL_KINDS),
        ({"dependentSchemas": {"a": S}}, ALL_KINDS),
        ({"type": "any"}, ALL_KINDS),
        ({"minLength": 3}, ALL_KINDS),
        ({"properties": {"k": S}}, ALL_KINDS),
    ],
)  # fmt: skip
def test_what_may_be_legal_at_a_place(schema: Json, admitted: set[str]) -> None:
    assert kinds(schema) == admitted
    assert kinds({"properties": {"p": schema}, **_definitions(schema)}, "p") == admitted


def _definitions(schema: Json) -> dict[str, Json]:
    return {"$defs": schema["$defs"]} if isinstance(schema, dict) and "$defs" in schema else {}


@pytest.mark.parametrize(
    ("schema", "path", "admitted"),
    [
        ({"properties": {"a": S}}, ("a",), {"string"}),
        ({"properties": {"a": S}}, ("b",), ALL_KINDS),
        ({"properties": {"a": S}, "additionalProperties": False}, ("b",), set()),
        ({"properties": {"a": S}, "additionalProperties": {"type": "null"}}, ("b",), {"null"}),
        ({"properties": {"a": S}, "additionalProperties": {"type": "null"}}, ("a",), {"string"}),
        ({"patternProperties": {"^x-": S}}, ("x-a",), {"string"}),
        ({"patternProperties": {"^x-": S}}, ("a",), ALL_KINDS),
        ({"patternProperties": {"^x-": S}, "additionalProperties": False}, ("x-a",), {"string"}),
        (
            {
                "properties": {"xa": {"type": ["string", "null"]}},
                "patternProperties": {"^x": {"type": ["null", "array"]}},
            },
            ("xa",),
            {"null"},
        ),
        (
            {"allOf": [{"properties": {"a": S}}, {"properties": {"a": {"minLength": 1}}}]},
            ("a",),
            {"string"},
        ),
        (
            {"anyOf": [{"properties": {"a": S}}, {"properties": {"a": {"type": "null"}}}]},
            ("a",),
            {"string", "null"},
        ),
        ({"anyOf": [{"properties": {"a": S}}, {"required": ["b"]}]}, ("a",), ALL_KINDS),
        ({"oneOf": [{"properties": {"a": S}}, {"type": "array"}]}, ("a",), {"string"}),
        ({"anyOf": [{"type": "null"}, O]}, ("k",), {"string"}),
        ({"properties": {"a": {"$ref": "#/$defs/o"}}, "$defs": {"o": O}}, ("a", "k"), {"string"}),
        (
            {
                "if": {},
                "then": {"properties": {"a": S}},
                "else": {"properties": {"a": {"type": "null"}}},
            },
            ("a",),
            {"string", "null"},
        ),
        ({"dependentSchemas": {"b": {"properties": {"a": S}}}}, ("a",), ALL_KINDS),
        ({"items": S}, (0,), {"string"}),
        ({"items": S}, (7,), {"string"}),
        ({"prefixItems": [S, {"type": "null"}]}, (1,), {"null"}),
        ({"prefixItems": [S]}, (1,), ALL_KINDS),
        ({"prefixItems": [S], "items": {"type": "null"}}, (1,), {"null"}),
        ({"prefixItems": [S], "items": False}, (1,), set()),
        ({"$schema": DRAFT_7, "items": [S, {"type": "null"}]}, (1,), {"null"}),
        ({"$schema": DRAFT_7, "items": [S], "additionalItems": {"type": "null"}}, (1,), {"null"}),
        ({"$schema": DRAFT_7, "items": [S]}, (1,), ALL_KINDS),
        ({"$schema": DRAFT_7, "items": S, "additionalItems": False}, (1,), {"string"}),
        (
            {
                "$schema": DRAFT_7,
                "properties": {"a": {"$ref": "#/definitions/s", "type": "null"}},
                "definitions": {"s": S},
            },
            ("a",),
            {"string"},
        ),
        (
            {"properties": {"a": {"$ref": "#/$defs/s", "type": "null"}}, "$defs": {"s": S}},
            ("a",),
            set(),
        ),
        ({"properties": {"l": {"items": {"properties": {"a": S}}}}}, ("l", 3, "a"), {"string"}),
        (
            {"properties": {"name": S, "child": {"$ref": "#"}}},
            ("child", "child", "child", "name"),
            {"string"},
        ),
        (
            {
                "$defs": {
                    "n": {
                        "properties": {
                            "v": S,
                            "next": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]},
                        }
                    }
                },
                "$ref": "#/$defs/n",
            },
            ("next", "next", "v"),
            {"string"},
        ),
        ({"properties": {"a": False}}, ("a",), set()),
        ({"properties": {"a": True}}, ("a",), ALL_KINDS),
    ],
)
def test_what_may_be_legal_below(
    schema: Json, path: tuple[str | int, ...], admitted: set[str]
) -> None:
    assert kinds(schema, *path) == admitted


def test_a_schema_with_its_own_id_resolves_its_references_there() -> None:
    schema: Json = {
        "properties": {
            "a": {
                "$id": "http://localhost/a",
                "$ref": "#/$defs/k",
                "$defs": {"k": {"type": "null"}},
            }
        },
        "$defs": {"k": S},
    }
    assert kinds(schema, "a") == {"null"}


W: Json = {"properties": {"arguments": {}}}


@pytest.mark.parametrize(
    ("schema", "declared"),
    [
        ({}, False),
        (True, False),
        (W, True),
        ({"properties": {"other": {}}}, False),
        ({"properties": {"arguments": False}}, True),
        ({"required": ["arguments"]}, True),
        ({"patternProperties": {"^arg": {}}}, True),
        ({"patternProperties": {"^x": {}}}, False),
        ({"patternProperties": {"": {"type": "null"}}}, True),
        ({"additionalProperties": S}, True),
        ({"additionalProperties": {"description": "anything"}}, True),
        ({"additionalProperties": True}, False),
        ({"additionalProperties": {}}, False),
        ({"additionalProperties": False}, False),
        ({"allOf": [{"properties": {"x": {}}}, W]}, True),
        ({"anyOf": [{"properties": {"x": {}}}, W]}, True),
        ({"oneOf": [{"properties": {"x": {}}}, {"additionalProperties": S}]}, True),
        ({"$ref": "#/$defs/w", "$defs": {"w": W}}, True),
        ({"anyOf": [{"allOf": [{"$ref": "#/$defs/w"}]}, {}], "$defs": {"w": W}}, True),
        ({"$defs": {"w": W}}, False),
        ({"if": {"required": ["x"]}, "then": W}, True),
        ({"if": {"required": ["x"]}, "else": W}, True),
        ({"if": W, "then": {"required": ["x"]}}, True),
        ({"dependentSchemas": {"x": W}}, True),
        ({"$schema": DRAFT_7, "dependencies": {"x": W}}, True),
        (
            {
                "$schema": DRAFT_7,
                "$ref": "#/definitions/o",
                "definitions": {"o": O},
                "properties": {"arguments": {}},
            },
            False,
        ),
    ],
)
def test_what_declares_a_key(schema: Json, declared: bool) -> None:
    assert SchemaView.of(schema).declares("arguments") is declared


@pytest.mark.parametrize(
    ("schema", "some", "sure"),
    [
        ({"required": ["a", "b"]}, {"a", "b"}, {"a", "b"}),
        ({"allOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a", "b"}, {"a", "b"}),
        ({"anyOf": [{"required": ["a", "b"]}, {"required": ["b", "c"]}]}, {"a", "b", "c"}, {"b"}),
        ({"oneOf": [{"required": ["a"]}, {}]}, {"a"}, set()),
        ({"$ref": "#/$defs/r", "$defs": {"r": {"required": ["a"]}}}, {"a"}, {"a"}),
        ({"if": {}, "then": {"required": ["a"]}}, {"a"}, set()),
        ({"if": {}, "then": {"required": ["a"]}, "else": {"required": ["a"]}}, {"a"}, {"a"}),
        ({"dependentSchemas": {"x": {"required": ["a"]}}}, {"a"}, set()),
        ({"not": {"required": ["a"]}}, set(), set()),
        ({}, set(), set()),
        ({"required": "a"}, set(), set()),
    ],
)
def test_what_is_required(schema: Json, some: set[str], sure: set[str]) -> None:
    view = SchemaView.of(schema)
    assert view.required_names() == some
    assert view.surely_required_names() == sure


@pytest.mark.parametrize(
    ("schema", "free"),
    [
        ({}, True),
        ({"type": "object"}, True),
        ({"type": "object", "additionalProperties": True}, True),
        ({"type": "object", "additionalProperties": {}}, True),
        ({"required": ["a"]}, True),
        ({"properties": {}}, True),
        ({"properties": {"a": {}}}, False),
        ({"patternProperties": {"^a": {}}}, False),
        ({"additionalProperties": S}, False),
        ({"anyOf": [{"type": "null"}, O]}, False),
    ],
)
def test_what_is_free_form(schema: Json, free: bool) -> None:
    assert SchemaView.of(schema).is_free_form() is free


def test_declared_names_are_in_the_order_of_the_schema() -> None:
    schema: Json = {
        "properties": {"z": {}, "a": {}},
        "allOf": [{"properties": {"m": {}, "z": {}}}],
        "anyOf": [{"properties": {"q": {}}}, {"patternProperties": {"^x": {}}}],
    }
    assert SchemaView.of(schema).declared_names() == ("z", "a", "m", "q")


def test_five_hundred_branches() -> None:
    branches: list[Json] = [{"properties": {f"k{n}": S}, "required": [f"k{n}"]} for n in range(500)]
    view = SchemaView.of({"anyOf": branches})
    assert view.declares("k0")
    assert view.declares("k499")
    assert not view.declares("k500")
    assert view.surely_required_names() == set()
    assert len(view.declared_names()) == 500


WRAPPED: Json = {"properties": {"arguments": {"type": "string"}, "path": S}, "required": ["path"]}


def _chain(length: int) -> Json:
    """A schema behind so many references, which declares `arguments`."""
    definitions: dict[str, Json] = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{length}": WRAPPED}}


def _wide(branches: int) -> Json:
    """So many branches, of which the last declares `arguments`."""
    others: list[Json] = [{"required": [f"k{n}"]} for n in range(branches)]
    return {"anyOf": [*others, WRAPPED]}


def _nested(depth: int) -> Json:
    schema = WRAPPED
    for _ in range(depth):
        schema = {"allOf": [schema]}
    return schema


@pytest.mark.parametrize(
    "schema",
    [_chain(100), _chain(200), _chain(1000), _wide(5000), _nested(100), _nested(200)],
    ids=["chain-100", "chain-200", "chain-1000", "wide-5000", "nested-100", "nested-200"],
)
def test_a_key_that_is_declared_far_away_is_never_unwrapped(schema: Json) -> None:
    value: Json = {"arguments": {"path": "a.md"}}
    done = repair(value, schema)
    assert done.steps == ()
    assert done.arguments is value
    assert done.outcome in {Outcome.UNTOUCHED, Outcome.UNJUDGED}


@pytest.mark.parametrize("schema", [_chain(1000), _wide(5000)], ids=["chain-1000", "wide-5000"])
def test_what_was_not_looked_at_counts_as_declared(schema: Json) -> None:
    view = SchemaView.of(schema)
    assert view.declares("arguments")
    assert not view.is_free_form()
    assert all(view.admits(kind) for kind in KINDS)


def test_a_pattern_that_explodes_may_match() -> None:
    view = SchemaView.of({"patternProperties": {"^(a|aa)+$": S}})
    assert view.declares("a" * 200 + "!")


def test_the_same_schema_has_one_view() -> None:
    assert SchemaView.of({"properties": {"a": S}}) is SchemaView.of({"properties": {"a": S}})
