"""What a schema proves about a place."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.inject.ground import TEXT, ground_for
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path

_INTEGER: Json = {"type": "integer"}
_STRING: Json = {"type": "string"}


def _at_x(schema: Json, **beside: Json) -> Json:
    return {"type": "object", "properties": {"x": schema}, **beside}


@pytest.mark.parametrize(
    ("schema", "path", "kind", "wanted"),
    [
        (_at_x(_INTEGER), ("x",), "string", True),
        (_at_x(_INTEGER), ("x",), "number", True),
        (_at_x({"type": "number"}), ("x",), "integer", False),
        (_at_x(_STRING), ("x",), "string", False),
        (_at_x({}), ("x",), "string", False),
        (_at_x(True), ("x",), "string", False),
        (_at_x(False), ("x",), "string", True),
        (_at_x({"type": ["integer", "string"]}), ("x",), "string", False),
        (_at_x({"type": ["integer", "null"]}), ("x",), "null", False),
        (_at_x({"type": "integer", "nullable": True}), ("x",), "null", False),
        (_at_x({"type": "text"}), ("x",), "string", False),
        (_at_x({"anyOf": [_INTEGER, _STRING]}), ("x",), "string", False),
        (_at_x({"anyOf": [_INTEGER, {"type": "array"}]}), ("x",), "string", True),
        (_at_x({"oneOf": [_INTEGER, {"enum": ["a"]}]}), ("x",), "string", False),
        (_at_x({"allOf": [{}, _INTEGER]}), ("x",), "string", True),
        (_at_x({"enum": [1, 2]}), ("x",), "string", True),
        (_at_x({"enum": [1, "2"]}), ("x",), "string", False),
        (_at_x({"const": 1}), ("x",), "string", True),
        (_at_x({"enum": ["a"]}), ("x",), TEXT, True),
        (_at_x({"anyOf": [{"enum": ["a"]}, _STRING]}), ("x",), TEXT, False),
        (_at_x({"not": {"type": "string"}}), ("x",), "string", True),
        (_at_x({"not": {"type": "string", "minLength": 3}}), ("x",), "string", False),
        (_at_x({"$ref": "#/$defs/n"}, **{"$defs": {"n": _INTEGER}}), ("x",), "string", True),
        (_at_x({"$ref": "#/$defs/gone"}), ("x",), "string", False),
        (_at_x({"type": "array", "items": _INTEGER}), ("x", 3), "string", True),
        (_at_x({"prefixItems": [_INTEGER, _STRING]}), ("x", 0), "string", True),
        (_at_x({"prefixItems": [_INTEGER, _STRING]}), ("x", 1), "string", False),
        ({"additionalProperties": _INTEGER}, ("any",), "string", True),
        ({"patternProperties": {"^n": _INTEGER}}, ("n1",), "string", True),
        ({"patternProperties": {"^n": _INTEGER}}, ("m1",), "string", False),
        ({"anyOf": [_at_x(_INTEGER), _at_x(_STRING)]}, ("x",), "string", False),
        ({"anyOf": [_at_x(_INTEGER), {"type": "string"}]}, ("x",), "string", True),
        ({"if": {}, "then": _at_x(_INTEGER)}, ("x",), "string", False),
    ],
)
def test_what_is_excluded(schema: Json, path: Path, kind: str, wanted: bool) -> None:
    assert ground_for(schema).excludes(path, kind) is wanted


def test_references_in_a_circle_end() -> None:
    schema: Json = {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "anyOf": [
                    {"$ref": "#/$defs/node"},
                    {"properties": {"next": {"$ref": "#/$defs/node"}, "n": _INTEGER}},
                ]
            }
        },
    }
    ground = ground_for(schema)
    assert not ground.excludes(("next", "next", "n"), "string")
    assert ground.declares(("next",), "n")


def test_beside_a_reference_old_drafts_see_nothing() -> None:
    beside: Json = {"$ref": "#/definitions/any", "type": "integer"}
    schema = _at_x(beside, definitions={"any": {}})
    assert isinstance(schema, dict)
    old: Json = {**schema, "$schema": "http://json-schema.org/draft-07/schema#"}
    assert ground_for(schema).excludes(("x",), "string")
    assert not ground_for(old).excludes(("x",), "string")
