"""Readers of documents and agents against real logs that an independent reader counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolfix_audit.logs.detect import FileKind, detect
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Result,
    Session,
    ToolCatalog,
)

from .conftest import Reading, ReadLog

Counts = tuple[int, int, int]

READERS = {
    "openhands": {"openhands"},
    "openhands-sdk": {"openhands-sdk"},
    "swe-agent-traj": {"swe-agent"},
    "tau-bench": {"openai-messages"},
    "inspect-ai": {"inspect-ai"},
    "invariant-traces": {"openai-messages"},
    "vscode-chatreplay": {"vscode-chatreplay"},
}
AGENTS = {
    "antigravity": "antigravity",
    "copilot": "copilot-cli",
    "cursor": "cursor",
    "droid": "droid",
    "grok": "grok",
    "hermes": "hermes",
    "kimi": "kimi",
}

NO_LOGS = {
    "39_Drug_Response_Prediction_SVM_GDSC_ML.json": "steps retold by another program, no events",
    "base_state.json": "the settings of a conversation, without its events",
    "grok__summary.json": "what a session list shows of a session",
    "grok__subagent__summary.json": "what a session list shows of a session",
    "kimi__state.json": "what a session list shows of a session",
    "kimi__assistant_tools.state.json": "what a session list shows of a session",
}
"""Counted files that are no logs, by the end of their names: all counts are zero."""

RIGHT: dict[str, tuple[Counts, str]] = {
    "deepseek-chat-1757015062.589.json": (
        (1, 1, 1),
        "the conversation stands in raw_messages; its results were not counted",
    ),
    "deepseek-chat-1757015068.723.json": ((1, 2, 1), "as above"),
    "deepseek-chat-1757015076.651.json": ((1, 3, 0), "as above"),
    "spec.chatreplay.json": ((2, 2, 3), "the responses of three requests hold text"),
    "antigravity__cli_small.jsonl": ((2, 9, 1), "steps that ran are results; one plan has text"),
    "antigravity__cli_schema_drift.jsonl": ((0, 1, 0), "a step that ran is a result"),
    "copilot__small.jsonl": ((4, 4, 5), "tool.execution_complete is a result; message texts"),
    "copilot__large.jsonl": ((2, 1, 3), "a request with an object, a start without a request"),
    "copilot__schema_drift.jsonl": ((1, 2, 1), "a request with an object"),
    "eeee__events.jsonl": ((1, 1, 1), "tool.execution_complete is a result; message texts"),
    "cursor__large.jsonl": ((2, 2, 4), "texts were not counted"),
    "cursor__schema_drift.jsonl": ((1, 1, 1), "blocks tool_call and tool-result"),
    "cursor__small.jsonl": ((1, 0, 2), "texts were not counted"),
    "cursor__subagent__parent.jsonl": ((1, 0, 1), "texts were not counted"),
    "cursor__subagent__subagents__child.jsonl": ((0, 0, 1), "texts were not counted"),
    "droid__session_store_large.jsonl": ((1, 1, 3), "texts were not counted"),
    "droid__session_store_schema_drift.jsonl": ((0, 0, 1), "texts were not counted"),
    "droid__stream_json_large.jsonl": ((1, 1, 2), "texts were not counted"),
    "droid__stream_json_small.jsonl": ((1, 1, 1), "texts were not counted"),
    "droid__stream_json_schema_drift.jsonl": ((1, 1, 1), "a result under `id`; texts"),
    "grok__chat_history.jsonl": ((2, 2, 1), "texts were not counted"),
    "grok__subagent__chat_history.jsonl": ((1, 1, 2), "texts were not counted"),
    "hermes__large.json": ((1, 1, 2), "texts were not counted"),
    "hermes__schema_drift.json": ((1, 1, 1), "texts were not counted"),
    "hermes__small.json": ((0, 0, 1), "texts were not counted"),
    "kimi__assistant_tools.jsonl": ((19, 19, 6), "loop events were not counted"),
    "kimi__subagent_agent-0.jsonl": ((2, 2, 1), "loop events were not counted"),
}
"""Where the count is wrong, by the end of the file's name: what is right, and why."""


def counted(shared: Path, folder: str) -> Iterator[tuple[Path, Counts]]:
    corpora = shared / "corpora"
    for line in (corpora / "COUNTS.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["file"].startswith(folder + "/"):
            yield corpora / row["file"], (row["calls"], row["results"], row["texts"])


def right_counts(path: Path, counts: Counts) -> Counts:
    corrected = [right for ending, (right, _) in RIGHT.items() if path.name.endswith(ending)]
    assert len(corrected) <= 1, path
    return corrected[0] if corrected else counts


def counts_of(log: Reading) -> Counts:
    """What the log itself tells, without the history that a request repeats."""
    texts = [text for text in log.of(AssistantText) if not text.reasoning and not text.inherited]
    calls = [call for call in log.of(Call) if not call.inherited]
    return len(calls), len(log.of(Result)), len(texts)


def is_no_log(path: Path) -> bool:
    return any(path.name.endswith(ending) for ending in NO_LOGS)


@pytest.mark.parametrize("folder", READERS)
def test_what_is_read_is_what_was_counted(shared: Path, read_log: ReadLog, folder: str) -> None:
    files = list(counted(shared, folder))
    assert files
    read: dict[str, Counts] = {}
    right: dict[str, Counts] = {}
    for path, counts in files:
        right[path.name] = right_counts(path, counts)
        if is_no_log(path):
            assert detect(LogFile(path, "x", named=False)).kind is FileKind.UNKNOWN
            read[path.name] = (0, 0, 0)
            continue
        log = read_log(path)
        assert log.reader in READERS[folder], path
        assert not log.unreadable, path
        read[path.name] = counts_of(log)
    assert read == right


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_are_read_at_least_as_counted(shared: Path, read_log: ReadLog, agent: str) -> None:
    files = [
        (path, counts)
        for path, counts in counted(shared, "multi-agent-fixtures")
        if f"agents__{agent}__" in path.name
    ]
    assert files
    for path, counts in files:
        if is_no_log(path):
            assert detect(LogFile(path, "x", named=False)).kind is FileKind.UNKNOWN
            continue
        log = read_log(path)
        assert log.reader == AGENTS[agent], path
        assert not log.unreadable, path
        assert counts_of(log) == right_counts(path, counts), path
        assert all(found >= least for found, least in zip(counts_of(log), counts, strict=True)), (
            path
        )


def every_log(shared: Path, read_log: ReadLog) -> Iterator[Reading]:
    for folder in [*READERS, "multi-agent-fixtures"]:
        for path, _ in counted(shared, folder):
            found = detect(LogFile(path, "x", named=False))
            names = {*AGENTS.values(), *(name for known in READERS.values() for name in known)}
            if found.reader is not None and found.reader.name in names:
                yield read_log(path)


def test_positions_rise_and_results_answer_earlier_calls(shared: Path, read_log: ReadLog) -> None:
    for log in every_log(shared, read_log):
        positions = [record.position for record in log.records if not isinstance(record, Session)]
        assert positions == list(range(len(positions)))
        calls = {call.position: call for call in log.of(Call)}
        answered = [one.call_position for one in log.of(Result) if one.call_position is not None]
        assert len(set(answered)) == len(answered)
        for result in log.of(Result):
            if result.call_position is not None:
                call = calls[result.call_position]
                assert call.position < result.position
                assert call.session == result.session
                assert call.call_id in (None, result.call_id)


def test_a_session_is_told_before_its_records(shared: Path, read_log: ReadLog) -> None:
    for log in every_log(shared, read_log):
        known: set[str] = set()
        for record in log.records:
            if isinstance(record, Session):
                known.add(record.session)
            else:
                assert record.session in known


def test_only_these_results_answer_no_call(shared: Path, read_log: ReadLog) -> None:
    """Fixtures were cut, and the traces hold observations before any call."""
    orphans = Counter(
        log.reader
        for log in every_log(shared, read_log)
        for result in log.of(Result)
        if result.call_position is None
    )
    assert orphans == {"antigravity": 8, "copilot-cli": 2, "openai-messages": 7}


def test_openhands_arguments_are_the_models_own(shared: Path, read_log: ReadLog) -> None:
    folder = shared / "corpora" / "openhands" / "OpenHands"
    path = folder / "evaluation__benchmarks__multi_swe_bench__examples__output.jsonl"
    log = read_log(path)
    emitted = []
    for line in path.read_text("utf-8").splitlines():
        for event in json.loads(line)["history"]:
            if "action" in event and "tool_call_metadata" in event:
                (choice,) = event["tool_call_metadata"]["model_response"]["choices"]
                (call,) = choice["message"]["tool_calls"]
                emitted.append((call["id"], call["function"]["arguments"]))
    assert [(call.call_id, call.arguments) for call in log.of(Call)] == emitted
    assert {call.form for call in log.of(Call)} == {ArgumentsForm.TEXT}
    assert {call.model for call in log.of(Call)} == {"meta-llama/llama-4-maverick"}
    assert {session.version for session in log.of(Session)} == {"0.35.0"}
    assert len(log.of(Session)) == len(log.of(ToolCatalog)) == 3
    assert all(tool.schema for catalog in log.of(ToolCatalog) for tool in catalog.tools)


def test_kimi_steps_tell_why_they_ended(shared: Path, read_log: ReadLog) -> None:
    folder = shared / "corpora" / "multi-agent-fixtures" / "agent-sessions"
    log = read_log(folder / "Resources__Fixtures__stage0__agents__kimi__subagent_agent-0.jsonl")
    assert [call.finish_reason for call in log.of(Call)] == ["tool_use", "tool_use"]
    told = [(text.has_calls, text.finish_reason) for text in log.of(AssistantText)]
    assert told == [
        (True, "tool_use"),
        (True, "tool_use"),
        (False, "end_turn"),
        (False, "end_turn"),
    ]
    assert {call.model for call in log.of(Call)} == {"kimi-k2.7-code"}
    assert all(tool.schema for tool in log.of(ToolCatalog)[0].tools)


def test_requests_of_one_conversation_share_their_session(shared: Path, read_log: ReadLog) -> None:
    folder = shared / "corpora" / "openhands-sdk" / "software-agent-sdk"
    logs = {
        path.name.rsplit("__", 1)[1].rsplit("-", 1)[0] + path.name[-8:-5]: read_log(path)
        for path in sorted(folder.glob("*llm-logs*"))
    }
    claude = [log for name, log in logs.items() if name.startswith("claude")]
    deepseek = [log for name, log in logs.items() if name.startswith("deepseek")]
    assert len({log.of(Session)[0].session for log in claude}) == 1
    assert len({log.of(Session)[0].session for log in deepseek}) == 1
    for group in (claude, deepseek):
        own = {
            call.event: (call.call_id, call.tool, call.arguments)
            for log in group
            for call in log.of(Call)
            if not call.inherited
        }
        copies = [call for log in group for call in log.of(Call) if call.inherited]
        assert copies
        for copy in copies:
            known = own.get(copy.event)
            assert known in (None, (copy.call_id, copy.tool, copy.arguments))


def test_inspect_archives_hold_tools_and_finish_reasons(shared: Path, read_log: ReadLog) -> None:
    folder = shared / "corpora" / "inspect-ai" / "inspect_ai"
    log = read_log(folder / "tests__log__test_eval_log__log_message_deduplication.eval")
    (session,) = log.of(Session)
    assert session.harness == "inspect-ai"
    assert session.version == "0.3.135.dev2+g715e750e"
    assert [call.tool for call in log.of(Call)] == ["bash"] * 5
    assert {call.arguments for call in log.of(Call)} == {'{"cmd":"ls"}'}
    assert {tool.name for tool in log.of(ToolCatalog)[0].tools} == {"bash", "python"}
    assert all(call.time for call in log.of(Call))
    assert {call.provider for call in log.of(Call)} == {"hardcoded"}
    assert log.of(AssistantText)[-1].finish_reason == "stop"


def test_a_replay_tells_the_tools_of_its_requests(shared: Path, read_log: ReadLog) -> None:
    folder = shared / "corpora" / "vscode-chatreplay" / "vscode-copilot-chat"
    log = read_log(folder / "src__extension__replay__node__spec.chatreplay.json")
    (catalog,) = log.of(ToolCatalog)
    assert len(catalog.tools) == 69
    assert [(call.tool, call.model) for call in log.of(Call)] == [
        ("create_file", "claude-sonnet-4"),
        ("replace_string_in_file", "claude-sonnet-4.5"),
    ]
    assert all(json.loads(call.arguments)["filePath"] for call in log.of(Call))
    assert {call.form for call in log.of(Call)} == {ArgumentsForm.TEXT}
