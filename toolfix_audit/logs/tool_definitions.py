"""Tool schemas from files: any common shape in, one definition per tool name out.

Accepted, as JSON or as JSON Lines, also inside `tools`, `functions`, `function`, `result`,
`initial` and `changes`:

- a list or a map of tools: `{name, input_schema}`, `{type: function, function: {name,
  parameters}}`, `{type: function, name, parameters}`, `{name, inputSchema}`,
  `{toolSpec: {name, inputSchema: {json}}}`, `{functionDeclarations: […]}`;
- a map from tool name to JSON Schema, or to any of these tools without their name;
- a snapshot of names, types and required names (as the dsh-tool-args-unwrap plugin writes):
  see `schema_snapshots`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from toolfix_audit.logs.schema_snapshots import schema_from_snapshot
from toolfix_audit.logs.tool_shapes import looks_like_schema, read_tool, schema_of, schema_text
from toolfix_audit.logs.type_words import plain_types
from toolfix_audit.model.errors import SchemaFileError
from toolfix_audit.model.json import (
    Json,
    JsonError,
    dump_json,
    escape_surrogates,
    parse_json,
)
from toolfix_audit.model.records import ToolDefinition

_CONTAINERS: Final = (
    "tools",
    "functions",
    "function",
    "result",
    "initial",
    "changes",
    "toolConfig",
    "tool_config",
)
_MAX_DEPTH: Final = 8
_SUFFIXES: Final = frozenset({".json", ".jsonl"})


def load_definitions(path: Path) -> tuple[ToolDefinition, ...]:
    """Read the tools of a file, or of every `.json` and `.jsonl` file below a folder.

    In a folder, files without tools are passed over. The order is that of the files, and every
    name occurs once: the same schema again is no conflict.

    Raises:
        SchemaFileError: the file or folder is missing, unreadable or holds no tool; or two
            different schemas have one name.
    """
    found: dict[str, tuple[ToolDefinition, str]] = {}
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if _is_json_file(file))
        for file in files:
            _merge(found, _tools_of(_load(file, strict=False)), file)
    else:
        _merge(found, _tools_of(_load(path, strict=True)), path)
    if not found:
        raise SchemaFileError(
            f"{path}: no tool schema found",
            hint="give a list of tools, a map from tool name to JSON Schema, or an MCP tools/list",
        )
    return tuple(tool for tool, _ in found.values())


def _is_json_file(file: Path) -> bool:
    return file.suffix in _SUFFIXES and file.is_file()


def _load(file: Path, *, strict: bool) -> list[Json]:
    """The JSON values of a file. Broken JSON is an error only where `strict` says so."""
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        if not strict:
            return []
        raise SchemaFileError(f"{file}: not UTF-8", hint="save the file as UTF-8") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise SchemaFileError(
            f"{file}: {reason}", hint="check the path and that you may read it"
        ) from error
    try:
        return [parse_json(text)]
    except JsonError as error:
        fault = error
    try:
        return [parse_json(line) for line in text.split("\n") if line.strip()]
    except JsonError:
        if not strict:
            return []
    line_number = text.count("\n", 0, fault.position) + 1
    raise SchemaFileError(
        f"{file}:{line_number}: not JSON: {fault}", hint="check the file with a JSON parser"
    ) from fault


def _merge(
    found: dict[str, tuple[ToolDefinition, str]], tools: Iterator[ToolDefinition], file: Path
) -> None:
    for tool in tools:
        known = found.setdefault(tool.name, (tool, str(file)))
        if not _same_schema(known[0], tool):
            places = f"both in {file}" if known[1] == str(file) else f"{known[1]} and {file}"
            raise SchemaFileError(
                f"two different schemas for the tool {tool.name!r}: {places}",
                hint="keep one of the two, or load them in separate runs",
            )


def _same_schema(left: ToolDefinition, right: ToolDefinition) -> bool:
    if left.schema == right.schema or left.schema is None or right.schema is None:
        return left.schema == right.schema
    return _canonical(left.schema) == _canonical(right.schema)


def _canonical(schema: str) -> str:
    return dump_json(parse_json(schema), sort_keys=True)


def _tools_of(values: list[Json]) -> Iterator[ToolDefinition]:
    for value in values:
        yield from _tools_in(value, _MAX_DEPTH)


def _tools_in(value: Json, depth: int) -> Iterator[ToolDefinition]:
    if not depth:
        return
    if isinstance(value, list):
        for entry in value:
            yield from _tools_in(entry, depth - 1)
    elif isinstance(value, dict):
        declared = list(_declared(value))
        if declared:
            yield from declared
            return
        for key in _CONTAINERS:
            yield from _tools_in(value.get(key), depth - 1)
        if not any(isinstance(value.get(key), dict | list) for key in _CONTAINERS):
            yield from _mapped(value)


def _declared(entry: dict[str, Json]) -> Iterator[ToolDefinition]:
    """The tools that an object declares with a schema."""
    for tool in read_tool(entry):
        if tool.schema is not None and looks_like_schema(parse_json(tool.schema)):
            yield tool
        elif isinstance(entry.get("name"), str):
            snapshot = schema_text(schema_from_snapshot(entry))
            if snapshot is not None:
                yield ToolDefinition(tool.name, snapshot)


def _mapped(value: Mapping[str, Json]) -> Iterator[ToolDefinition]:
    """The tools of a map from name to schema; none unless every member is one."""
    tools = [(name, _body_schema(body)) for name, body in value.items()]
    if all(schema is not None for _, schema in tools):
        for name, schema in tools:
            yield ToolDefinition(escape_surrogates(name), schema)


def _body_schema(body: Json) -> str | None:
    """The schema of a map's member: the member itself, or a tool without its name."""
    if not isinstance(body, dict):
        return None
    inner, plain = schema_of(body), plain_types(body)
    if looks_like_schema(inner):
        return schema_text(inner)
    if looks_like_schema(plain):
        return schema_text(plain)
    return schema_text(schema_from_snapshot(body))
