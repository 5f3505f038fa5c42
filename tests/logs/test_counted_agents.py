"""The readers of coding agents against real logs that an independent reader counted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from toolfix_audit.model.records import AssistantText, Call, Result, Session

from .conftest import Reading, ReadLog

Counts = tuple[int, int, int]

READERS = {
    "claude-code": {"claude-code"},
    "claude-agent-sdk": {"claude-agent-sdk"},
    "codex": {"codex"},
    "pi": {"pi"},
    "openclaw": {"pi", "openclaw-trajectory"},
    "cline": {"cline", "nock"},
}
AGENTS = {
    "__claude__": "claude-code",
    "__codex": "codex",
    "Fixtures__session_": "codex",
    "__pi__": "pi",
    "__openclaw__": "pi",
    "__gemini__": "gemini-cli",
    "__qwen__": "qwen-code",
    "__opencode__": "opencode-storage",
}
"""Marks in the names of the files of several agents, and who must read those."""

RIGHT: dict[str, tuple[Counts, str]] = {
    "98b76fb9-f5d3-40c5-ab82-b970c20e3764.jsonl": (
        (0, 0, 3),
        "one text is Claude Code's own (model <synthetic>), no model wrote it",
    ),
    "trace.trajectory.jsonl": ((0, 0, 1), "model.completed holds the text of the assistant"),
    "claude__large.jsonl": ((1, 1, 5), "results and texts were not counted"),
    "claude__small.jsonl": ((3, 3, 5), "results and texts were not counted"),
    "claude__schema_drift.jsonl": ((1, 1, 1), "a tool_result row beside the tool_use row; texts"),
    "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f.jsonl": ((1, 0, 1), "texts were not counted"),
    "agent-a0ad4f44468bdf20d.jsonl": ((1, 1, 1), "results and texts were not counted"),
    "codex__large.jsonl": ((1, 1, 7), "items of the older types tool_call and tool_result; texts"),
    "codex__schema_drift.jsonl": ((1, 1, 1), "a function_result row; texts"),
    "codex__small.jsonl": (
        (7, 6, 1),
        "custom and built-in calls (shell, web search, tool search) and their outputs; texts",
    ),
    "session_branch.jsonl": ((1, 1, 1), "rows of the older types tool_call and tool_result"),
    "session_toolcall.jsonl": ((1, 1, 1), "rows of the older types tool_call and tool_result"),
    "openclaw__large.jsonl": ((2, 2, 3), "texts were not counted"),
    "openclaw__small.jsonl": ((1, 1, 1), "texts were not counted"),
    "openclaw__schema_drift.jsonl": ((1, 1, 1), "texts were not counted"),
    "pi__small.jsonl": ((0, 0, 2), "texts were not counted"),
    "gemini__jsonl_v040.jsonl": ((1, 1, 1), "texts were not counted"),
    "gemini__large.json": ((2, 2, 2), "texts were not counted"),
    "gemini__small.json": ((0, 0, 1), "texts were not counted"),
    "qwen__019f0000-0000-7000-8000-000000000001.jsonl": ((1, 1, 1), "texts were not counted"),
    "qwen__019f0000-0000-7000-8000-000000000004.jsonl": ((1, 0, 2), "texts were not counted"),
    "qwen__system_telemetry.jsonl": ((1, 1, 2), "texts were not counted"),
}
"""Where the count is wrong, by the end of the file's name: what is right (looked up in the file
by hand), and why."""

NO_LOGS = (
    "meta.json",  # describes a subagent
    "session_simple.jsonl",  # without any sign of the program that had the conversation
    "gemini__schema_drift.json",  # the same
    "small__002.json",  # a part of a message that names neither the message nor the session
    "user_small__001.json",  # the same
)
"""Counted files that are no logs, by the end of their names: all counts are zero."""

TWO_ROWS_IN_ONE = "qwen__019f0000-0000-7000-8000-000000000005.jsonl"
"""Its only line is two objects, and thus no JSON: the one file with something unreadable."""


def counted(shared: Path, folder: str) -> dict[str, Counts]:
    """The files of a folder, each with what is right."""
    lines = (shared / "corpora" / "COUNTS.jsonl").read_text("utf-8").splitlines()
    return {
        row["file"]: right_counts(row["file"], (row["calls"], row["results"], row["texts"]))
        for row in map(json.loads, lines)
        if row["file"].startswith(folder + "/") and not row["file"].endswith(NO_LOGS)
    }


def right_counts(file: str, counts: Counts) -> Counts:
    corrected = [right for ending, (right, _) in RIGHT.items() if file.endswith(ending)]
    assert len(corrected) <= 1, file
    return corrected[0] if corrected else counts


def counts_of(log: Reading) -> Counts:
    texts = [text for text in log.of(AssistantText) if not text.reasoning]
    return len(log.of(Call)), len(log.of(Result)), len(texts)


def read_all(shared: Path, read_log: ReadLog, files: Iterable[str]) -> dict[str, Reading]:
    """The files as they were read; what must hold of every reading is looked at."""
    logs = {file: read_log(shared / "corpora" / file) for file in files}
    for file, log in logs.items():
        assert len(log.unreadable) == file.endswith(TWO_ROWS_IN_ONE)
        positions = [one.position for one in log.records if not isinstance(one, Session)]
        assert positions == list(range(len(positions)))
        calls = {call.position: call for call in log.of(Call)}
        for result in log.of(Result):
            if result.call_position is not None:
                call = calls[result.call_position]
                assert (call.session, call.call_id) == (result.session, result.call_id)
    return logs


@pytest.mark.parametrize("folder", READERS)
def test_what_is_read_is_what_was_counted(shared: Path, read_log: ReadLog, folder: str) -> None:
    expected = counted(shared, folder)
    logs = read_all(shared, read_log, expected)
    assert {log.reader for log in logs.values()} == READERS[folder]
    assert {file: counts_of(log) for file, log in logs.items()} == expected
    assert expected


@pytest.mark.parametrize("mark", AGENTS)
def test_files_of_several_agents(shared: Path, read_log: ReadLog, mark: str) -> None:
    files = counted(shared, "multi-agent-fixtures")
    expected = {file: counts for file, counts in files.items() if mark in file}
    logs = read_all(shared, read_log, expected)
    assert {log.reader for log in logs.values()} == {AGENTS[mark]}
    assert {file: counts_of(log) for file, log in logs.items()} == expected
    assert expected


def test_every_result_finds_its_call(shared: Path, read_log: ReadLog) -> None:
    orphans = {
        file.rsplit("/", 1)[-1]
        for folder in READERS
        for file in counted(shared, folder)
        for result in read_log(shared / "corpora" / file).of(Result)
        if result.call_position is None
    }
    assert orphans == {"tests__fixtures__session.jsonl"}, "toolu_02 was never called there"


def test_no_correction_is_stale(shared: Path) -> None:
    files = [
        file for folder in (*READERS, "multi-agent-fixtures") for file in counted(shared, folder)
    ]
    for ending in RIGHT:
        assert any(file.endswith(ending) for file in files), ending
