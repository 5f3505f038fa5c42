"""`replay` as a user runs it: its outputs and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .running import READ, run, write


def sse(arguments: str) -> list[str]:
    """The lines of a recorded stream with one call."""
    head = {"type": "tool_use", "id": "t", "name": "read", "input": {}}
    delta = {"type": "input_json_delta", "partial_json": arguments}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": head},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    ]
    return [line for one in events for line in (f"data: {json.dumps(one)}", "")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "bad.sse", sse('{"arguments": {"path": "a"}}'))
    write(tmp_path / "good.sse", sse('{"path": "a"}'))
    write(tmp_path / "prose.sse", [line for line in sse("") if "content_block" not in line])
    write(tmp_path / "words.txt", ["just some words"])
    write(tmp_path / "native.jsonl", ['{"type":"session","session":"s1","harness":"x"}'])
    (tmp_path / "empty.sse").write_text("")
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "read", "input_schema": READ}]))
    return tmp_path


WITH = ("--schemas", "tools.json")
ROWS: tuple[tuple[int, tuple[str, ...], str], ...] = (
    (0, ("bad.sse", *WITH), "PASS"),
    (0, ("good.sse", *WITH), "PASS"),
    (0, (".", *WITH), "PASS"),
    (2, ("missing.sse",), "missing.sse"),
    (2, ("words.txt",), "words.txt"),
    (2, ("bad.sse", "--schemas", "words.txt"), "words.txt"),
    (2, ("bad.sse", "--families", "Z", *WITH), "unknown family"),
    (2, ("bad.sse", "--report", "html"), "html"),
    (2, (), "CAPTURE"),
    (3, ("empty.sse",), "empty"),
    (3, ("good.sse",), "no tool block has a schema"),
    (3, ("prose.sse", *WITH), "no answer holds a tool block"),
    (3, ("native.jsonl", *WITH), "no recorded answer"),
)


@pytest.mark.parametrize(("code", "args", "told"), ROWS)
def test_exit_codes(folder: Path, code: int, args: tuple[str, ...], told: str) -> None:
    done = run("replay", *args, cwd=folder)
    assert done.code == code, done.text
    assert told in done.text
    assert "Traceback" not in done.text


def test_the_text_shows_what_was_rewritten(folder: Path) -> None:
    done = run("replay", "bad.sse", *WITH, cwd=folder)
    assert "1 tool blocks: 1 changed" in done.out
    assert 'read  A\n  - {"arguments": {"path": "a"}}\n  + {"path":"a"}' in done.out
    assert done.out.endswith("PASS  0 answers broken by the rewriter\n")
    assert done.err == ""


def test_the_json_is_one_document_and_the_same_every_time(folder: Path) -> None:
    args = ("replay", "bad.sse", "good.sse", *WITH, "--report", "json")
    first, second = (run(*args, cwd=folder, env={"PYTHONHASHSEED": seed}) for seed in "17")
    assert first.out == second.out
    report = first.json()
    wanted = {"streams": 2, "blocks": 2, "changed": 1, "identical": 1, "judged": 2}
    assert {key: report[key] for key in wanted} == wanted
    assert report["verdict"] == "pass"
    assert report["delay"] is None
    assert report["tools"] == [{"tool": "read", "blocks": 2, "changed": 1}]
    assert [source["format"] for source in report["sources"]] == ["sse-stream"] * 2


def test_a_stream_on_stdin(folder: Path) -> None:
    stream = (folder / "bad.sse").read_bytes()
    done = run("replay", "-", *WITH, "--report", "json", cwd=folder, stdin=stream)
    assert (done.code, done.json()["changed"]) == (0, 1)


def test_nothing_is_written(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    run("replay", ".", *WITH, cwd=folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
