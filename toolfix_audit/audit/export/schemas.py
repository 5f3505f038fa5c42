"""A tool schema with its own values replaced like those of the calls, and its prose left out."""

from __future__ import annotations

from typing import Final

from toolfix_audit.audit.export.placeholders import Placeholders
from toolfix_audit.model.json import Json, dump_json, parse_json

_PROSE: Final = frozenset({"title", "description", "examples", "example", "default", "$comment"})
_NAMES: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
_VALUES: Final = frozenset({"enum", "const"})


def placeholder_schema(text: str, placeholders: Placeholders) -> str:
    """The JSON text of the schema; what it admits of replaced values is what it admitted of the
    originals, but for patterns."""
    return dump_json(_schema(parse_json(text), placeholders))


def _schema(schema: Json, placeholders: Placeholders) -> Json:
    if isinstance(schema, list):
        return [_schema(item, placeholders) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Json] = {}
    for key, part in schema.items():
        if key in _VALUES:
            made[key] = parse_json(placeholders.text(dump_json(part)))
        elif key in _NAMES and isinstance(part, dict):
            made[key] = {name: _schema(one, placeholders) for name, one in part.items()}
        elif key not in _PROSE:
            made[key] = _schema(part, placeholders)
    return made
