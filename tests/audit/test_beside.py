"""Schemas that did not come with the request: shipped ones, and names spelled alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.audit.beside import spelled_alike
from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.model.records import ToolDefinition
from toolfix_audit.model.report import Report
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

SHELL = {"name": "shell_command", "schema": {"type": "object", "required": ["x"]}}


def log(folder: Path, harness: str | None, version: str | None, *calls: tuple[str, Any]) -> Path:
    rows: list[dict[str, Any]] = [
        {"type": "session", "session": "s", "harness": harness, "version": version}
    ]
    for number, (tool, arguments) in enumerate(calls):
        name = {"session": "s", "id": f"c{number}"}
        rows.append({"type": "tool/call", **name, "tool": tool, "arguments": arguments})
        rows.append({"type": "tool/result", **name, "is_error": False, "content": "ok"})
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.temporary() as opened:
        yield opened


def audited(store: Store, path: Path, *definitions: ToolDefinition) -> Report:
    ingest(store, [str(path)])
    return dry_run(store, Request(definitions=definitions), render=render)


def test_built_in_tools_are_judged_without_any_schema(store: Store, tmp_path: Path) -> None:
    calls = [
        ("shell_command", {"command": "ls"}),
        ("shell_command", {"arguments": {"command": "ls"}}),
        ("their_own", {}),
    ]
    report = audited(store, log(tmp_path, "codex", "0.142.4", *calls))
    outcomes = {name: n for name, n in report.outcomes.items() if n}
    assert outcomes == {"valid": 1, "fixed": 1, "unjudged": 1}
    assert report.schemas == {"request": 0, "catalogue": 2, "inferred": 0}
    told = "codex 0.142.4: calls without a schema are judged by codex 0.142.4, as shipped"
    assert told in report.notes


def test_a_call_that_any_possible_version_allows_is_left(store: Store, tmp_path: Path) -> None:
    edits = [{"oldText": "a", "newText": "b"}]
    calls = [
        ("edit", {"path": "a", "oldText": "a", "newText": "b"}),
        ("edit", {"path": "a", "edits": edits}),
        ("edit", {"path": "a"}),
    ]
    report = audited(store, log(tmp_path, "pi", None, *calls))
    outcomes = {name: n for name, n in report.outcomes.items() if n}
    assert outcomes == {"valid": 2, "untouched": 1}


def test_the_users_schema_goes_before_the_shipped_one(store: Store, tmp_path: Path) -> None:
    path = log(tmp_path, "codex", "0.142.4", ("shell_command", {"command": "ls"}))
    own = ToolDefinition("shell_command", '{"type":"object","required":["x"]}')
    assert audited(store, path, own).outcomes["untouched"] == 1


@pytest.mark.parametrize("harness", [None, "somebody-elses"])
def test_other_harnesses_get_no_shipped_schema(
    store: Store, tmp_path: Path, harness: str | None
) -> None:
    report = audited(store, log(tmp_path, harness, None, ("shell_command", {"command": "ls"})))
    assert report.outcomes["unjudged"] == 1
    assert not [note for note in report.notes if "shipped" in note]


@pytest.mark.parametrize(
    ("called", "given"),
    [
        ("math_factorial", "math.factorial"),
        ("math.factorial", "math_factorial"),
        ("a.b_c", "a_b.c"),
        ("git_log", "mcp__git__log"),
        ("git__log", "mcp__git__log"),
        ("mcp_git_log", "mcp__git__log"),
        ("mcp__git__log", "git_log"),
    ],
)
def test_a_name_may_be_spelled_in_another_way(called: str, given: str) -> None:
    assert spelled_alike([called], {given: 1, "other": 2}) == {called: 1}


@pytest.mark.parametrize(
    ("called", "given"),
    [
        ("a_b", ["a.b", "a__b"]),
        ("read", ["mcp__fs__read"]),
        ("Read", ["read"]),
        ("git-log", ["git_log"]),
        ("a.b", ["a.b", "a_b"]),
    ],
)
def test_a_name_that_is_not_clear_is_none(called: str, given: list[str]) -> None:
    assert spelled_alike([called], dict.fromkeys(given, 1)) == {}


def test_a_dotted_name_is_judged_by_its_schema(store: Store, tmp_path: Path) -> None:
    path = log(tmp_path, None, None, ("math_factorial", {"number": 5}), ("math.factorial", {}))
    schema = '{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}'
    report = audited(store, path, ToolDefinition("math.factorial", schema))
    assert report.outcomes["valid"] == 1
    assert report.outcomes["untouched"] == 1
