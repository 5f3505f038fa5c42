"""Gemini CLI (chat files, streams) and Qwen Code, in the shapes that their documents show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.model.records import AssistantText, Call, Result, Session, StreamError
from toolfix_audit.model.words import HostVerdict
from toolfix_audit.wire.host_verdict import host_verdict

from .conftest import ReadLog, WriteLog


def answer(response: dict[str, object], call_id: str = "c1") -> dict[str, object]:
    return {"functionResponse": {"id": call_id, "name": "read", "response": response}}


def tool_call(status: str, *results: object, call_id: str = "c1") -> dict[str, object]:
    call = {
        "id": call_id,
        "name": "read",
        "args": {"path": "a", "n": 12345678901234567890},
        "status": status,
    }
    return {**call, "result": list(results)}


MESSAGES: list[dict[str, Any]] = [
    {"id": "m1", "type": "user", "content": [{"text": "hi"}]},
    {
        "id": "m2",
        "type": "gemini",
        "content": "I will read.",
        "model": "gemini-3",
        "thoughts": [{"subject": "Plan", "description": "read"}],
        "toolCalls": [
            tool_call("success", answer({"output": "x"})),
            tool_call("error", answer({"error": "params must have property 'p'"}), call_id="c2"),
            tool_call("cancelled", answer({"error": "[Operation Cancelled]"}), call_id="c3"),
            tool_call("executing", call_id="c4"),
        ],
        "timestamp": "2026-01-01T00:00:01.000Z",
    },
    {"id": "m3", "type": "error", "content": "[API Error: quota]"},
    {"id": "m4", "type": "gemini", "content": [{"text": "Done."}], "model": "gemini-3"},
]
CHAT = {"sessionId": "s1", "projectHash": "h", "startTime": "2026-01-01T00:00:00.000Z"}


def chat_file(write_log: WriteLog) -> Path:
    return write_log("\ufeff" + json.dumps({**CHAT, "messages": MESSAGES}, indent=2), name="a")


def chat_lines(write_log: WriteLog) -> Path:
    update = {"$set": {"lastUpdated": "x"}}
    return write_log(*map(json.dumps, [CHAT, MESSAGES[0], update, *MESSAGES[1:]]), end="\r\n")


@pytest.mark.parametrize("make", [chat_file, chat_lines])
def test_a_chat_is_read_whole(write_log: WriteLog, read_log: ReadLog, make: Any) -> None:
    log = read_log(make(write_log))
    assert log.reader == "gemini-cli"
    assert [session.session for session in log.of(Session)] == ["s1"]
    calls = log.of(Call)
    assert [call.call_id for call in calls] == ["c1", "c2", "c3", "c4"]
    assert calls[0].arguments == '{"path":"a","n":12345678901234567890}'
    assert calls[0].model == "gemini-3"
    results = log.of(Result)
    assert [one.call_position for one in results] == [call.position for call in calls[:3]]
    assert [one.text for one in results][:2] == ["x", "params must have property 'p'"]
    verdicts = [host_verdict("gemini-cli", True, one.is_error, one.text, None) for one in results]
    assert verdicts[:2] == [HostVerdict.ACCEPTED, HostVerdict.REJECTED_ARGUMENTS]
    assert [one.is_error for one in results] == [False, True, True]
    texts = [(one.text, one.reasoning, one.has_calls) for one in log.of(AssistantText)]
    assert texts == [
        ("Plan: read", True, True),
        ("I will read.", False, True),
        ("Done.", False, False),
    ]
    assert [one.shown for one in log.of(StreamError)] == ["[API Error: quota]"]


def line(kind: str, **fields: object) -> str:
    return json.dumps({"type": kind, "timestamp": "2026-01-01T00:00:01.000Z", **fields})


def piece(text: str) -> str:
    return line("message", role="assistant", content=text, delta=True)


def test_a_stream_is_put_together(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            json.dumps({"type": "note", "text": "a foreign line"}),
            line("init", session_id="s1", model="gemini-3"),
            line("message", role="user", content="hi"),
            piece("I will "),
            piece("read."),
            line("tool_use", tool_name="read", tool_id="c1", parameters={"path": "a"}),
            line("tool_result", tool_id="c1", status="success", output="x"),
            line("tool_use", tool_name="reed", tool_id="c2", parameters={}),
            line(
                "tool_result",
                tool_id="c2",
                status="error",
                error={"type": "TOOL_NOT_REGISTERED", "message": 'Tool "reed" not found.'},
            ),
            line("tool_use", tool_id="c3", parameters={}),
            piece("All "),
            piece("done."),
        )
    )
    assert log.reader == "gemini-cli"
    assert [session.session for session in log.of(Session)] == ["s1"]
    texts = [(one.text, one.has_calls) for one in log.of(AssistantText)]
    assert texts == [("I will read.", True), ("All done.", False)]
    calls, results = log.of(Call), log.of(Result)
    assert [one.call_position for one in results] == [call.position for call in calls]
    assert (results[1].is_error, results[1].error_name) == (True, "TOOL_NOT_REGISTERED")
    assert results[1].text == 'Tool "reed" not found.'
    assert [fault.cause for fault in log.unreadable] == ["tool_use without a text 'tool_name'"]
    assert log.ignored["piece of a message"] == 3


def qwen(kind: str, *parts: dict[str, Any], **more: object) -> str:
    message = {"role": "model" if kind == "assistant" else "user", "parts": list(parts)}
    row = {"sessionId": "s1", "type": kind, "version": "0.21.13", "message": message}
    return json.dumps({"timestamp": "2026-01-01T00:00:01.000Z", **row, **more})


def test_qwen_rows_of_one_message_are_one(write_log: WriteLog, read_log: ReadLog) -> None:
    call = {"functionCall": {"id": "c1", "name": "read", "args": {"path": "a"}}}
    telemetry = {"uiEvent": {"error_message": "quota", "status_code": 429}}
    log = read_log(
        write_log(
            qwen("user", {"text": "hi"}),
            qwen("assistant", {"text": "hm", "thought": True}, uuid="u1"),
            qwen("assistant", {"text": "Reading."}, uuid="u1"),
            qwen("assistant", call, uuid="u1", model="qwen"),
            qwen(
                "tool_result",
                answer({"error": "no"}),
                toolCallResult={"status": "error", "errorType": "invalid_tool_params"},
            ),
            qwen("system", subtype="ui_telemetry", systemPayload=telemetry),
            qwen("assistant", {"functionCall": {"id": "c2"}}, uuid="u2"),
            qwen("assistant", call, uuid="u3")[:-10],
            '{"type":"assistant","sessionId":"s1"}',
        )
    )
    assert log.reader == "qwen-code"
    assert all(one.has_calls for one in log.of(AssistantText))
    (made,) = log.of(Call)
    assert (made.model, made.arguments) == ("qwen", '{"path":"a"}')
    (result,) = log.of(Result)
    assert (result.call_position, result.is_error, result.text) == (made.position, True, "no")
    assert result.error_code == "invalid_tool_params"
    assert [(one.shown, one.code) for one in log.of(StreamError)] == [("quota", "429")]
    assert [fault.line for fault in log.unreadable] == [7, 8, 9]
    assert log.of(Session)[0].version == "0.21.13"
