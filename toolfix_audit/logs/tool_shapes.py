"""The shapes in which programs write down a tool and its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.fields import text_at
from toolfix_audit.logs.type_words import plain_types
from toolfix_audit.model.json import Json, JsonError, dump_json, escape_surrogates, parse_json
from toolfix_audit.model.records import ToolDefinition

SCHEMA_KEYS: Final = (
    "input_schema",
    "inputSchema",
    "parameters",
    "parametersJsonSchema",
    "parameters_json_schema",
)
"""Where a tool keeps the JSON Schema of its parameters; the first one present counts."""

_DECLARATION_LISTS: Final = ("functionDeclarations", "function_declarations")
_COMBINATORS: Final = ("$ref", "allOf", "anyOf", "oneOf")


def tools_sent(entries: Json) -> tuple[ToolDefinition, ...]:
    """The tools of a request: a list in any shape, names alone included."""
    if not isinstance(entries, list):
        return ()
    return tuple(tool for entry in entries for tool in _sent(entry))


def read_tool(entry: dict[str, Json]) -> Iterator[ToolDefinition]:
    """The tools that one object declares: none if it is no declaration, several if it is a
    Gemini list or a namespace. The schema is None if the object names a tool without one."""
    declarations = _declarations(entry)
    if declarations is not None:
        for declaration in declarations:
            if isinstance(declaration, dict):
                yield from read_tool(declaration)
        return
    for key in ("function", "toolSpec", "tool_spec"):
        inner = entry.get(key)
        if isinstance(inner, dict):
            yield from read_tool(inner)
            return
    name = text_at(entry, "name")
    if name is not None:
        yield ToolDefinition(name, schema_text(schema_of(entry)))


def _declarations(entry: dict[str, Json]) -> list[Json] | None:
    """The members of a Gemini list or of a namespace of tools; None if it is neither."""
    keys = ("tools",) if entry.get("type") == "namespace" else _DECLARATION_LISTS
    for key in keys:
        declarations = entry.get(key)
        if isinstance(declarations, list):
            return declarations
    return None


def schema_of(entry: dict[str, Json]) -> Json:
    """The parameters' JSON Schema of a tool object; None if it has none."""
    for key in SCHEMA_KEYS:
        if key in entry:
            return _plain(entry[key])
    return None


def looks_like_schema(value: Json) -> bool:
    """Whether a value reads as the JSON Schema of an object of parameters."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    members = value.get("properties")
    if kind == "object" or (isinstance(kind, list) and "object" in kind):
        return members is None or _are_schemas(members, may_tell_required=True)
    if kind is None and members is not None:
        return _are_schemas(members, may_tell_required=False)
    return not value or any(isinstance(value.get(key), str | list) for key in _COMBINATORS)


def _are_schemas(members: Json, *, may_tell_required: bool) -> bool:
    """Whether every property is a schema; `required: true` inside one is a snapshot's habit."""
    return isinstance(members, dict) and all(
        isinstance(member, bool)
        or (
            isinstance(member, dict)
            and (may_tell_required or not isinstance(member.get("required"), bool))
        )
        for member in members.values()
    )


def schema_text(schema: Json) -> str | None:
    """A schema as compact JSON text; None for what can be no schema."""
    return dump_json(schema) if isinstance(schema, dict | bool) else None


def _sent(entry: Json) -> Iterator[ToolDefinition]:
    if isinstance(entry, str):
        yield ToolDefinition(escape_surrogates(entry), None)
    elif isinstance(entry, dict):
        yield from read_tool(entry)


def _plain(schema: Json) -> Json:
    """Undo what surrounds a schema: text, or Bedrock's `{"json": …}`."""
    if isinstance(schema, str):
        try:
            schema = parse_json(schema)
        except JsonError:
            return None
    if isinstance(schema, dict) and list(schema) == ["json"]:
        schema = schema["json"]
    return plain_types(schema)
