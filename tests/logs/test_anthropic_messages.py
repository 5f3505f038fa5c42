"""Bare lists of Anthropic messages, and what all blocks of that form have in common."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolfix_audit.model.records import AssistantText, Call, Result, Session

from .conftest import ReadLog, WriteLog

HISTORY: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "<task>read</task>"}], "ts": 1},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I read."},
            {
                "type": "tool_use",
                "id": "toolu_01ABCdef0123456789",
                "name": "read_file",
                "input": {},
            },
        ],
        "ts": 1783463093615,
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "toolu_01ABCdef0123456789",
                "content": "Missing value for required parameter 'path'.",
            },
            {"type": "text", "text": "<environment_details/>"},
        ],
        "ts": 1783463093616,
    },
    {"role": "assistant", "content": "done", "ts": 1783463093617},
]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_task_of_an_editor_is_read(
    write_log: WriteLog, read_log: ReadLog, indent: int | None
) -> None:
    log = read_log(write_log(json.dumps(HISTORY, indent=indent)))
    assert log.reader == "anthropic-messages"
    assert [session.harness for session in log.of(Session)] == ["cline"]
    (call,) = log.of(Call)
    assert (call.tool, call.arguments, call.time) == (
        "read_file",
        "{}",
        "2026-07-07T22:24:53.615Z",
    )
    assert [result.call_position for result in log.of(Result)] == [call.position]
    assert [(one.text, one.has_calls) for one in log.of(AssistantText)] == [
        ("I read.", True),
        ("done", False),
    ]
    assert (log.units, log.unreadable) == (4, [])


def test_a_list_of_no_editor_has_no_harness(write_log: WriteLog, read_log: ReadLog) -> None:
    plain = [{key: one[key] for key in ("role", "content")} for one in HISTORY]
    log = read_log(write_log(json.dumps(plain)))
    assert log.reader == "anthropic-messages"
    assert [session.harness for session in log.of(Session)] == [None]
    assert len(log.of(Call)) == 1


def test_a_cut_list_tells_what_is_whole(write_log: WriteLog, read_log: ReadLog) -> None:
    text = json.dumps(HISTORY, indent=1)
    log = read_log(write_log(text[: text.index('"done"')], end=""))
    assert (len(log.of(Call)), len(log.of(Result))) == (1, 1)
    (fault,) = log.unreadable
    assert fault.cause == "the document is cut: it ends inside a value"


def test_what_the_provider_runs_itself_is_no_call(write_log: WriteLog, read_log: ReadLog) -> None:
    """Searches have no tool schema; calls of MCP servers do."""
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
        {"type": "mcp_tool_use", "id": "m1", "name": "echo", "server_name": "e", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m1", "is_error": False, "content": []},
    ]
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": blocks}
    claude = {"type": "assistant", "sessionId": "s", "uuid": "u", "message": message}
    for line in (claude, message, [{"role": "assistant", "content": blocks}]):
        log = read_log(write_log(json.dumps(line)))
        assert [call.tool for call in log.of(Call)] == ["echo"], log.reader
        assert [result.call_id for result in log.of(Result)] == ["m1"], log.reader


@pytest.mark.parametrize(
    ("told", "recorded"),
    [
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("max-tokens", "length"),
        ("incomplete", "length"),
        ("model_context_window_exceeded", "length"),
        ("length", "length"),
        ("tool_use", "tool_use"),
        (None, None),
    ],
)
def test_a_cut_message_has_one_word(
    write_log: WriteLog, read_log: ReadLog, told: str | None, recorded: str | None
) -> None:
    row = {
        "type": "tool/call",
        "session": "s",
        "tool": "t",
        "arguments": "{",
        "finish_reason": told,
    }
    chat = {"role": "assistant", "content": "x", "finish_reason": told}
    for line in (row, {"messages": [{"role": "user", "content": "x"}, chat]}):
        log = read_log(write_log(json.dumps(line)))
        made: list[Call | AssistantText] = [*log.of(Call), *log.of(AssistantText)]
        assert [one.finish_reason for one in made] == [recorded]
