"""Real logs: nothing leaked where nothing did, and exactly what was planted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolfix_audit.engine.leaks import Leak, Message, StructuredCall, detect
from toolfix_audit.logs.detect import detect as detect_format
from toolfix_audit.logs.sources import find_logs
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.records import AssistantText, Call, Record, ToolCatalog

# How many texts each corpus must give at least, so that none is passed over in silence.
CLEAN = {
    "claude-code": 180,
    "codex": 5,
    "pi": 540,
    "openhands": 100,
    "tau-bench": 1_300,
    "inspect-ai": 15,
    "cline": 20,
}


def _sources(folder: Path) -> Iterator[list[Record]]:
    for file in find_logs([str(folder)]):
        reader = detect_format(file).reader
        if reader is not None:
            yield [record for unit in reader.read(file) for record in unit.records]


def _tools_called(records: list[Record]) -> dict[str, dict[str, Json]]:
    called: dict[str, dict[str, Json]] = {}
    for record in records:
        if isinstance(record, Call):
            called.setdefault(record.session, {})[record.tool] = {}
    return called


def _messages(records: list[Record]) -> Iterator[tuple[str, Message, dict[str, Json]]]:
    """Every text and call of a source, with the tools in force; where the log declares none, with
    those that were called in the session, which may take anything."""
    called = _tools_called(records)
    declared: dict[str, dict[str, Json]] = {}
    for record in records:
        if isinstance(record, ToolCatalog):
            declared[record.session] = {
                tool.name: parse_json(tool.schema) if tool.schema else {} for tool in record.tools
            }
        if not isinstance(record, AssistantText | Call):
            continue
        tools = declared.get(record.session) or called.get(record.session, {})
        if isinstance(record, Call):
            call = StructuredCall(record.tool, record.arguments)
            yield record.session, Message(calls=(call,)), tools
            continue
        calls = (StructuredCall(next(iter(tools), ""), {}),) if record.has_calls else ()
        text = ("", record.text) if record.reasoning else (record.text, "")
        yield record.session, Message(*text, calls), tools


def _leaks(folder: Path) -> tuple[int, list[tuple[str, str, Leak]]]:
    texts = 0
    leaks: list[tuple[str, str, Leak]] = []
    for records in _sources(folder):
        for session, message, tools in _messages(records):
            texts += bool(message.text or message.reasoning)
            found = detect(message, tools)
            leaks.extend((session, message.text, leak) for leak in found.leaks)
    return texts, leaks


@pytest.mark.parametrize("corpus", CLEAN)
def test_real_sessions_leak_nothing(shared: Path, corpus: str) -> None:
    texts, leaks = _leaks(shared / "corpora" / corpus)
    assert leaks == []
    assert texts >= CLEAN[corpus]


def test_the_planted_leaks_and_nothing_else(shared: Path) -> None:
    folder = shared / "corpora" / "dsh-host"
    with (folder / "truth.jsonl").open(encoding="utf-8") as lines:
        truth = [line for line in map(json.loads, lines) if line["family"] == "G"]
    _, leaks = _leaks(folder / "sessions")
    found = sorted(
        (session, text[leak.start : leak.end], leak.name, json.dumps(leak.arguments))
        for session, text, leak in leaks
    )
    assert found == sorted(
        (line["session"], line["emitted_text"], line["tool"], json.dumps(line["intended"]))
        for line in truth
    )
    assert len(found) == 9
    assert all(leak.is_repairable for _, _, leak in leaks)
