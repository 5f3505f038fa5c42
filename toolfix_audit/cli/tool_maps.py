"""Tools in any shape in which programs write them down, as a map from name to schema."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from toolfix_audit.logs.tool_definitions import load_definitions
from toolfix_audit.logs.tool_shapes import (
    SCHEMA_KEYS,
    looks_like_schema,
    read_tool,
    schema_of,
    tools_sent,
)
from toolfix_audit.model.errors import SchemaFileError
from toolfix_audit.model.json import Json, parse_json, same_json
from toolfix_audit.model.records import ToolDefinition

_CONTAINERS: Final = ("tools", "functions")
_SCHEMA_WORDS: Final = frozenset(
    {
        *("not", "if", "then", "else", "items", "contains", "propertyNames", "enum", "const"),
        *("required", "additionalProperties", "patternProperties", "unevaluatedProperties"),
        *("$defs", "definitions", "dependentSchemas", "dependentRequired", "dependencies"),
        *("minProperties", "maxProperties"),
    }
)


def tool_map(tools: Json) -> Json:
    """The tools of a request as a map from name to schema: a list of tools in any shape, a map
    from name to schema or to a tool without its name, or an object around either. What is none
    of these comes back as it is.

    Raises:
        ValueError: one name has two different schemas.
    """
    if isinstance(tools, list):
        return _mapped(tools_sent(tools)) or tools
    if not isinstance(tools, dict):
        return tools
    for key in _CONTAINERS:
        if isinstance(tools.get(key), list):
            return tool_map(tools[key])
    declared = list(read_tool(tools))
    if declared:
        return _mapped(declared)
    return {name: _bare(member) for name, member in tools.items()}


def catalogue_in(path: Path, schema: Json) -> tuple[str, ...]:
    """The names of the tools that a file declares, where it holds no JSON Schema but tools; none
    where it may be a schema."""
    if looks_like_schema(schema) or (isinstance(schema, dict) and _SCHEMA_WORDS & schema.keys()):
        return ()
    try:
        return tuple(definition.name for definition in load_definitions(path))
    except SchemaFileError:
        return ()


def _mapped(definitions: Iterable[ToolDefinition]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for definition in definitions:
        schema = None if definition.schema is None else parse_json(definition.schema)
        known = found.setdefault(definition.name, schema)
        if not same_json(known, schema):
            raise ValueError(f"the tool {definition.name!r} has two different schemas")
    return found


def _bare(member: Json) -> Json:
    """The schema of a map's member: the member itself, or a tool without its name."""
    if not isinstance(member, dict) or not any(key in member for key in SCHEMA_KEYS):
        return member
    inner = schema_of(member)
    return inner if looks_like_schema(inner) else member
