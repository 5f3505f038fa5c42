"""Tool schemas from the reference folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from toolfix_audit.logs.tool_definitions import load_definitions
from toolfix_audit.model.errors import SchemaFileError
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.records import ToolDefinition

_TYPES: Final = {"dict": "object", "float": "number", "tuple": "array"}


def definitions_below(folder: Path) -> tuple[ToolDefinition, ...]:
    """Every different schema of every file; one name may have several."""
    return _distinct(tool for file in sorted(folder.rglob("*")) for tool in _tools_of(file))


def bfcl_definitions(folder: Path) -> tuple[ToolDefinition, ...]:
    """The functions of the BFCL questions, with their type words mapped to JSON Schema's."""
    return _distinct(
        ToolDefinition(str(function["name"]), dump_json(_mapped(function["parameters"])))
        for file in sorted(folder.rglob("*.json"))
        for line in file.read_text("utf-8").split("\n")
        if line.strip()
        for function in _functions(parse_json(line))
    )


def _tools_of(file: Path) -> tuple[ToolDefinition, ...]:
    try:
        return load_definitions(file) if file.is_file() else ()
    except SchemaFileError:
        return ()


def _distinct(tools: Iterable[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    return tuple({(tool.name, tool.schema): tool for tool in tools}.values())


def _functions(row: Json) -> Iterator[dict[str, Json]]:
    listed = row.get("function", row) if isinstance(row, dict) else None
    for entry in listed if isinstance(listed, list) else [listed]:
        if isinstance(entry, dict) and "parameters" in entry:
            yield entry


def _mapped(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_mapped(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    data = {"default", "enum", "const"}
    mapped = {key: member if key in data else _mapped(member) for key, member in schema.items()}
    word = schema.get("type")
    if word == "any":
        del mapped["type"]
    elif isinstance(word, str):
        mapped["type"] = _TYPES.get(word, word)
    return mapped
