"""Tool schemas from files of every shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.engine import compile_schema
from toolfix_audit.logs.tool_definitions import load_definitions
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.errors import SchemaFileError
from toolfix_audit.model.json import parse_json
from toolfix_audit.model.repair import Unusable

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
UNTYPED = {"properties": {"path": {"type": "string"}}, "additionalProperties": False}
GEMINI = {"type": "OBJECT", "properties": {"path": {"type": "STRING"}}, "required": ["path"]}
LOWERED = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
OPENAI = {"type": "function", "function": {"name": "read", "parameters": SCHEMA}}
MCP = {"name": "read", "description": "d", "inputSchema": SCHEMA}


def write(folder: Path, value: Any, name: str = "tools.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def loaded(path: Path) -> dict[str, Any]:
    return {tool.name: json.loads(str(tool.schema)) for tool in load_definitions(path)}


@pytest.mark.parametrize(
    "value",
    [
        {"read": SCHEMA},
        {"tools": {"read": SCHEMA}},
        {"read": {"description": "d", "parameters": SCHEMA}},
        {"read": {"description": "d", "input_schema": SCHEMA}},
        [{"name": "read", "input_schema": SCHEMA}],
        {"name": "read", "input_schema": SCHEMA},
        [OPENAI],
        {"model": "m", "tools": [OPENAI], "messages": []},
        [{"type": "function", "name": "read", "parameters": SCHEMA}],
        {"tools": [MCP]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}},
        {
            "toolConfig": {
                "tools": [{"toolSpec": {"name": "read", "inputSchema": {"json": SCHEMA}}}]
            }
        },
        [{"functionDeclarations": [{"name": "read", "parametersJsonSchema": SCHEMA}]}],
        {"initial": [{"name": "read", "parameters": SCHEMA}], "changes": [[]]},
        [{"id": "q", "question": [], "function": [{"name": "read", "parameters": SCHEMA}]}],
        [OPENAI, MCP],
        [{"name": "read", "input_schema": json.dumps(SCHEMA)}],
    ],
)
def test_every_common_shape_is_read(tmp_path: Path, value: Any) -> None:
    assert loaded(write(tmp_path, value)) == {"read": SCHEMA}


def test_json_lines_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    lines = "\ufeff" + json.dumps(OPENAI) + "\n\n" + json.dumps({**MCP, "name": "b"}) + "\n"
    assert list(loaded(write(tmp_path, lines, "x.jsonl"))) == ["read", "b"]


def test_schemas_are_kept_as_they_are(tmp_path: Path) -> None:
    text = '{"t": {"type": "object", "maximum": 0.10, "properties": {}, "x": 18446744073709551616}}'
    (tool,) = load_definitions(write(tmp_path, text))
    assert tool.schema == (
        '{"type":"object","maximum":0.10,"properties":{},"x":18446744073709551616}'
    )
    assert loaded(write(tmp_path, {"read": UNTYPED})) == {"read": UNTYPED}


def test_geminis_type_words_become_json_schema(tmp_path: Path) -> None:
    value = {"functionDeclarations": [{"name": "read", "parameters": GEMINI}]}
    assert loaded(write(tmp_path, value)) == {"read": LOWERED}


def test_a_namespace_of_tools_gives_its_members(tmp_path: Path) -> None:
    inner = [{"type": "function", "name": "read", "parameters": SCHEMA}]
    value = {"tools": [{"type": "namespace", "name": "files", "tools": inner}, {"type": "web"}]}
    assert loaded(write(tmp_path, value)) == {"read": SCHEMA}


def test_the_type_words_of_function_documents_become_json_schema(tmp_path: Path) -> None:
    """As BFCL writes them, after Python, Java and JavaScript."""
    parameters = {
        "type": "dict",
        "properties": {
            "point": {"type": "tuple", "items": {"type": "float"}},
            "type": {"type": "String", "enum": ["dict", "any"]},
            "options": {"type": "HashMap", "properties": {"deep": {"type": "Boolean"}}},
            "rows": {"type": "ArrayList", "items": {"type": "long"}},
            "other": {"type": "any"},
        },
        "required": ["point"],
    }
    value = [{"name": "geo.area", "parameters": parameters}]
    assert loaded(write(tmp_path, value)) == {
        "geo.area": {
            "type": "object",
            "properties": {
                "point": {"type": "array", "items": {"type": "number"}},
                "type": {"type": "string", "enum": ["dict", "any"]},
                "options": {"type": "object", "properties": {"deep": {"type": "boolean"}}},
                "rows": {"type": "array", "items": {"type": "integer"}},
                "other": {},
            },
            "required": ["point"],
        }
    }


def test_a_word_of_another_notation_inside_json_schema_stays(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "float"}}}
    assert loaded(write(tmp_path, {"t": schema})) == {"t": schema}


@pytest.mark.parametrize(
    "tool",
    [
        {"params": {"path": "string"}, "required": ["path"]},
        {"parameters": {"path": "string"}, "required": ["path"]},
        {"properties": {"path": "string"}, "required": ["path"]},
        {"type": "object", "properties": {"path": "string"}, "required": ["path"]},
        {"types": {"path": {"type": "string"}}, "required": ["path"]},
        {"params": {"path": {"type": "string", "required": True}}},
        {"params": [{"name": "path", "type": "string", "required": True}]},
    ],
)
def test_snapshots_of_names_types_and_required(tmp_path: Path, tool: dict[str, Any]) -> None:
    expected = {"read": LOWERED}
    assert loaded(write(tmp_path, {"read": tool})) == expected
    assert loaded(write(tmp_path, {"tools": {"read": tool}})) == expected
    assert loaded(write(tmp_path, [{"name": "read", **tool}])) == expected


def test_type_words_of_snapshots(tmp_path: Path) -> None:
    words: dict[str, Any] = {"a": "string[]", "b": "number|null", "c": "any", "d": ["array"]}
    (schema,) = loaded(write(tmp_path, {"t": {"params": words}})).values()
    assert schema["properties"] == {
        "a": {"type": "array"},
        "b": {"type": ["number", "null"]},
        "c": {},
        "d": {"type": "array"},
    }


def test_a_folder_is_read_whole_and_repeats_are_harmless(tmp_path: Path) -> None:
    write(tmp_path, [OPENAI], "a/tools.json")
    write(tmp_path, {"read": dict(reversed(SCHEMA.items())), "b": {}}, "b.json")
    write(tmp_path, json.dumps(MCP), "z/one.jsonl")
    write(tmp_path, {"name": "pkg", "version": "1", "types": "x.d.ts"}, "package.json")
    write(tmp_path, "// no JSON", "tsconfig.json")
    write(tmp_path, {"c": SCHEMA}, "other.txt")
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    assert loaded(tmp_path) == {"read": SCHEMA, "b": {}}


def test_two_schemas_of_one_name_are_an_error(tmp_path: Path) -> None:
    first = write(tmp_path, [OPENAI], "a.json")
    second = write(tmp_path, {"read": UNTYPED}, "b.json")
    with pytest.raises(SchemaFileError) as caught:
        load_definitions(tmp_path)
    assert str(first) in caught.value.message
    assert str(second) in caught.value.message
    assert caught.value.hint
    twice = write(tmp_path, [OPENAI, {"name": "read", "parameters": UNTYPED}], "c.json")
    with pytest.raises(SchemaFileError, match="both in"):
        load_definitions(twice)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{}", "no tool schema found"),
        ('["read", "write"]', "no tool schema found"),
        ('{"name": "pkg", "version": "1"}', "no tool schema found"),
        ('{"type": "object", "properties": {"a": {"type": "string"}}}', "no tool schema found"),
        ('[{"name":"t","parameters":[1]},{"type":["x"]},[[[[[[[[[[[]]]]]]]]]]]]', "no tool schema"),
        ('{"a":\n oops}', r"tools\.json:2: not JSON"),
        ("", "no tool schema found"),
    ],
)
def test_a_named_file_without_tools_is_an_error(tmp_path: Path, value: str, message: str) -> None:
    path = write(tmp_path, value)
    with pytest.raises(SchemaFileError, match=message) as caught:
        load_definitions(path)
    assert str(path) in caught.value.message
    assert caught.value.hint


def test_missing_and_unreadable_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(SchemaFileError, match="No such file"):
        load_definitions(tmp_path / "none.json")
    with pytest.raises(SchemaFileError, match="no tool schema found"):
        load_definitions(tmp_path)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(SchemaFileError, match="not UTF-8"):
        load_definitions(tmp_path / "bytes.json")


@pytest.mark.parametrize(
    ("folder", "tools"),
    [("tau-bench", 26), ("opencode", 9)],
)
def test_published_catalogues(shared: Path, folder: str, tools: int) -> None:
    found = load_definitions(shared / "corpora" / "schemas" / folder)
    assert len(found) == tools


def test_published_function_documents_can_be_judged(shared: Path) -> None:
    """Every schema of BFCL compiles, its few that are no schemas apart."""
    folder = shared / "corpora" / "schemas" / "bfcl"
    declared: set[str] = set()
    unusable: set[str] = set()
    for file in sorted(folder.rglob("*.json")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            functions = row.get("function", [row])
            listed = functions if isinstance(functions, list) else [functions]
            declared.update(one["name"] for one in listed)
            for tool in tools_sent(listed):
                if isinstance(compile_schema(parse_json(str(tool.schema))), Unusable):
                    unusable.add(tool.name)
    assert (len(declared), unusable) == (1434, set())


def test_published_files_one_by_one(shared: Path) -> None:
    """Files of requests, MCP snapshots and BFCL documents; package records hold no tool."""
    folder = shared / "corpora" / "schemas"
    names: dict[str, int] = {}
    for file in sorted((folder / "dsh-tools").rglob("*.json")):
        names.update({tool.name: 1 for tool in load_definitions(file)})
    assert len(names) > 40
    snapshots = sorted((folder / "github-mcp-server").rglob("*.snap"))
    found = {tool.name for file in snapshots for tool in load_definitions(file)}
    assert len(found) >= len(snapshots) - 5
    documents = sorted((folder / "bfcl").rglob("*multi_turn_func_doc*.json"))
    assert sum(len(load_definitions(file)) for file in documents) == 162
    for file in sorted((folder / "vscode-copilot-mcp").rglob("*.json")):
        with pytest.raises(SchemaFileError, match="no tool schema found"):
            load_definitions(file)
