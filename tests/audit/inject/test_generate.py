"""Arguments made from a schema alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolfix_audit.audit.inject.generate import generated
from toolfix_audit.engine import compile_schema
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.repair import Unusable

from .catalogues import definitions_below
from .subjects import READ

_TREE: Json = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 3, "maxLength": 4},
                "when": {"type": "string", "format": "date"},
                "size": {"type": "integer", "minimum": 10, "exclusiveMaximum": 12},
                "kind": {"oneOf": [{"const": "leaf"}, {"enum": ["branch", "root"]}]},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/node"}, "minItems": 1},
            },
            "required": ["name"],
        }
    },
}


def _made(schema: Json, *, seed: int = 1, limit: int = 8) -> list[dict[str, Json]]:
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable)
    subjects = generated("t", schema, judge, names=("t",), limit=limit, seed=seed)
    return [subject.value for subject in subjects]


@pytest.mark.parametrize("schema", [READ, _TREE, {"type": "object"}, {}])
def test_values_are_valid_and_different(schema: Json) -> None:
    made = _made(schema)
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable)
    assert made
    assert all(judge.is_valid(value) for value in made)
    assert len({str(value) for value in made}) == len(made)


def test_optional_keys_come_and_go() -> None:
    keys = [set(value) for value in _made(READ)]
    assert {"file_path"} in keys
    assert any("edits" in found for found in keys)


def test_the_seed_decides() -> None:
    assert _made(READ) == _made(READ)
    assert _made(READ) != _made(READ, seed=2)


def test_a_schema_that_nothing_satisfies_gives_nothing() -> None:
    assert _made({"type": "object", "properties": {"x": False}, "required": ["x"]}) == []


def test_most_public_schemas_can_be_satisfied(shared: Path) -> None:
    definitions = definitions_below(shared / "corpora" / "schemas" / "github-mcp-server")
    made = [tool.name for tool in definitions if tool.schema and _made(parse_json(tool.schema))]
    assert len(made) >= 0.95 * len(definitions)
