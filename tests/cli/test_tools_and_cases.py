"""`repair` with tools in any shape, `test` with folders, `family` with one code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .running import READ, run, write

FREE: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}}
SENT = {"arguments": {"path": "a"}}
NAMED = {"name": "read", "description": "reads"}
SHAPES: dict[str, Any] = {
    "a map": {"read": READ, "write": FREE},
    "a map of tools without their names": {"read": {"input_schema": READ}, "write": FREE},
    "Anthropic": [{**NAMED, "input_schema": READ}, {"name": "write", "input_schema": FREE}],
    "OpenAI chat": [{"type": "function", "function": {**NAMED, "parameters": READ}}],
    "OpenAI responses": [{"type": "function", **NAMED, "parameters": READ}],
    "MCP": [{**NAMED, "inputSchema": READ}],
    "an MCP answer": {"tools": [{**NAMED, "inputSchema": READ}]},
    "Bedrock": [{"toolSpec": {**NAMED, "inputSchema": {"json": READ}}}],
    "Gemini": [{"functionDeclarations": [{**NAMED, "parameters": READ}]}],
    "Gemini, one object": {"functionDeclarations": [{**NAMED, "parameters": READ}]},
    "one tool": {**NAMED, "input_schema": READ},
    "names beside": ["write", {**NAMED, "input_schema": READ}],
}


def answers(folder: Path, *requests: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = run("repair", "--ndjson", cwd=folder, stdin=lines)
    return done.code, [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize("tools", SHAPES.values(), ids=SHAPES.keys())
def test_a_request_takes_tools_in_every_shape(tmp_path: Path, tools: Any) -> None:
    request = {"id": 1, "tools": tools, "tool": "functions.read:0", "args": SENT}
    code, (told,) = answers(tmp_path, request)
    assert code == 0
    assert (told["outcome"], told["tool"], told["arguments"]) == ("fixed", "read", {"path": "a"})


def test_a_tool_without_a_schema_is_unjudged(tmp_path: Path) -> None:
    _, (told,) = answers(tmp_path, {"id": 1, "tools": ["read"], "tool": "read", "args": SENT})
    assert (told["outcome"], told["arguments"]) == ("unjudged", SENT)


def test_no_tools_at_all_leave_a_name_unknown(tmp_path: Path) -> None:
    _, told = answers(
        tmp_path,
        {"id": 1, "tools": [], "tool": "read", "args": SENT},
        {"id": 2, "tools": {}, "tool": "read", "args": SENT},
    )
    assert [one["reason"] for one in told if "reason" in one][-1] == "unknown-tool"


@pytest.mark.parametrize(
    "tools",
    [
        7,
        "read",
        [1, 2],
        [{**NAMED, "input_schema": READ}, {**NAMED, "input_schema": FREE}],
    ],
)
def test_tools_that_are_none_are_answered_as_such(tmp_path: Path, tools: Any) -> None:
    good = {"id": 2, "schema": READ, "args": SENT}
    code, told = answers(tmp_path, {"id": 1, "tools": tools, "tool": "read", "args": SENT}, good)
    assert code == 2
    assert [one["id"] for one in told] == [1, 2]
    assert "error" in told[0]
    assert told[1]["outcome"] == "fixed"


@pytest.mark.parametrize("tools", [value for key, value in SHAPES.items() if key != "names beside"])
def test_a_catalogue_is_no_schema(tmp_path: Path, tools: Any) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(tools), encoding="utf-8")
    done = run("repair", "--schema", "tools.json", "{}", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    error, mend = done.err.splitlines()
    assert error.startswith("error: tools.json: ")
    assert "(read" in error
    assert "not the JSON Schema of one" in error
    assert "mend: give the parameters schema of one tool" in mend


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        READ,
        {"required": ["a"]},
        {"not": {"type": "object"}},
        {"$defs": {"a": READ}, "$ref": "#/$defs/a"},
        {"additionalProperties": READ},
        {"properties": {"name": {"type": "string"}, "parameters": {"type": "object"}}},
        {"anyOf": [READ, FREE]},
        {"title": "anything"},
    ],
    ids=str,
)
def test_a_schema_is_no_catalogue(tmp_path: Path, schema: Any) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    done = run("repair", "--schema", "schema.json", '{"path":"a"}', cwd=tmp_path)
    assert done.code == 0, done.err
    assert "outcome" in done.json()


CASE = {"id": "one", "family": "A", "schema": READ, "args": SENT}
RIGHT = json.dumps({**CASE, "expected": {"outcome": "fixed", "value": {"path": "a"}}})
WRONG = json.dumps({**CASE, "id": "two", "expected": {"outcome": "untouched"}})


def test_cases_are_taken_from_folders(tmp_path: Path) -> None:
    (tmp_path / "cases" / "more").mkdir(parents=True)
    write(tmp_path / "cases" / "a.jsonl", [RIGHT, RIGHT])
    write(tmp_path / "cases" / "more" / "b.jsonl", [WRONG])
    write(tmp_path / "cases" / "notes.txt", ["no cases"])
    write(tmp_path / "c.jsonl", [RIGHT])
    done = run("test", "cases", "c.jsonl", cwd=tmp_path)
    assert done.code == 1
    assert done.out.splitlines()[-1] == "3 right, 1 wrong, 0 skipped"


@pytest.mark.parametrize("args", [("none.jsonl",), ("empty",), ("right.jsonl", "--family", "B")])
def test_no_case_is_nothing_checked(tmp_path: Path, args: tuple[str, ...]) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "none.jsonl", [])
    write(tmp_path / "right.jsonl", [RIGHT])
    done = run("test", *args, cwd=tmp_path)
    assert (done.code, done.out) == (3, "0 right, 0 wrong, 0 skipped\n")
    assert "error: no case was found" in done.err


def test_a_code_with_vectors_writes_that_family(tmp_path: Path) -> None:
    done = run("family", "D", "--vectors", "v", "--write", "w", cwd=tmp_path)
    assert done.code == 0
    assert [path.name for path in (tmp_path / "v").iterdir()] == ["D-key-alias.jsonl"]
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["D-key-alias.md"]
    assert run("test", "v", cwd=tmp_path).code == 0


def test_an_unknown_code_with_vectors_writes_nothing(tmp_path: Path) -> None:
    done = run("family", "Q", "--vectors", "v", cwd=tmp_path)
    assert done.code == 2
    assert not (tmp_path / "v").exists()


def test_without_a_code_every_family_is_written(tmp_path: Path) -> None:
    run("family", "--vectors", "v", "--write", "w", cwd=tmp_path)
    assert len(list((tmp_path / "v").iterdir())) > 10
    assert (tmp_path / "w" / "README.md").is_file()
