"""Cline's session files, and the HTTP fixtures of the recorder nock."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolfix_audit.model.records import AssistantText, Call, Result, Session, StreamError

from .conftest import ReadLog, WriteLog

SESSION: dict[str, Any] = {
    "version": 1,
    "agent": "lead",
    "sessionId": "s1",
    "messages": [
        {"id": "m1", "role": "user", "content": [{"type": "text", "text": "hi"}]},
        {
            "id": "m2",
            "role": "assistant",
            "content": [
                {"type": "text", "text": "ok"},
                {"type": "tool_use", "id": "t1", "name": "read_files", "input": {"n": 1}},
            ],
            "ts": 1783463093615,
            "modelInfo": {"id": "claude", "provider": "anthropic"},
        },
        {
            "id": "m3",
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "content": [{"query": "a", "result": "x"}],
                }
            ],
        },
    ],
    "system_prompt": "…",
}


def test_a_session_is_read_whole(write_log: WriteLog, read_log: ReadLog) -> None:
    for indent in (None, 2):
        log = read_log(write_log(json.dumps(SESSION, indent=indent)))
        assert log.reader == "cline"
        assert [session.session for session in log.of(Session)] == ["s1"]
        (call,) = log.of(Call)
        assert (call.model, call.provider) == ("claude", "anthropic")
        assert call.time == "2026-07-07T22:24:53.615Z"
        (result,) = log.of(Result)
        assert result.call_position == call.position
        assert json.loads(result.blocks or "") == [{"query": "a", "result": "x"}]
        assert [one.has_calls for one in log.of(AssistantText)] == [True]


def test_messages_before_the_session_id_are_not_lost(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    turned = {key: SESSION[key] for key in ("agent", "messages", "sessionId", "version")}
    log = read_log(write_log(json.dumps(turned)))
    assert (len(log.of(Call)), len(log.of(Result))) == (1, 1)


def test_broken_messages_are_told(write_log: WriteLog, read_log: ReadLog) -> None:
    nameless = {"role": "assistant", "content": [{"type": "tool_use", "id": "t"}]}
    session = {**SESSION, "messages": [*SESSION["messages"], "x", {"content": []}, nameless]}
    text = json.dumps(session)
    log = read_log(write_log("\ufeff" + text, end="\r\n", name="a"))
    assert len(log.unreadable) == 3
    cut = read_log(write_log(text[: text.index('"x"')], end="", name="b"))
    assert cut.unreadable[0].cause == "the document is cut: it ends inside a value"
    assert len(cut.of(Call)) == 1


def test_the_same_call_has_the_same_number_in_both_files(
    shared: Path, read_log: ReadLog, write_log: WriteLog
) -> None:
    folder = shared / "corpora" / "cline" / "cline"
    path = next(folder.glob("*session.messages.json"))
    session = json.loads(path.read_text("utf-8"))
    compacted = {**session, "messages": session["messages"][-12:]}
    numbers = {call.event for call in read_log(path).of(Call)}
    kept = [call.event for call in read_log(write_log(json.dumps(compacted))).of(Call)]
    assert kept
    assert set(kept) <= numbers
    assert len(numbers) == 11


def exchange(response: object, **more: object) -> dict[str, object]:
    return {
        "scope": "https://api.openai.com:443",
        "method": "POST",
        "path": "/v1/chat/completions",
        "status": 200,
        "response": response,
        **more,
    }


def chunk(delta: object, finish: str | None = None) -> str:
    body = {
        "id": "g1",
        "object": "chat.completion.chunk",
        "model": "gpt",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return f"data: {json.dumps(body)}\n\n"


def test_http_fixtures_give_the_streamed_calls(write_log: WriteLog, read_log: ReadLog) -> None:
    first = {"index": 0, "id": "c1", "function": {"name": "read", "arguments": '{"a"'}}
    rest = {"index": 0, "function": {"arguments": ": 1}"}}
    stream = (
        chunk({"tool_calls": [first]})
        + chunk({"tool_calls": [rest]})
        + chunk({}, "tool_calls")
        + "data: [DONE]\n\n"
    )
    body = {"model": "gpt", "messages": [{"role": "user", "content": "hi"}]}
    fixture = [
        exchange({"flags": {}}, method="GET"),
        exchange(stream, body=body),
        exchange({"error": {"message": "no credits"}}, status=402),
        5,
    ]
    log = read_log(write_log(json.dumps(fixture, indent=1)))
    assert log.reader == "nock"
    (call,) = log.of(Call)
    assert (call.tool, call.arguments, call.provider) == ("read", '{"a": 1}', "openai")
    assert call.finish_reason == "tool_calls"
    assert not log.unreadable
    cut = read_log(write_log(json.dumps(fixture)[:-30], end="", name="cut"))
    assert len(cut.of(Call)) == 1
    assert len(cut.unreadable) == 1
    assert not cut.of(StreamError)
