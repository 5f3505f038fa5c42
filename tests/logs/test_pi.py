"""pi and its relatives: trees, aborted streams, branched sessions; OpenClaw's trajectories."""

from __future__ import annotations

import json
from typing import Any

from toolfix_audit.model.records import (
    AssistantText,
    Call,
    Result,
    Session,
    StreamError,
    ToolCatalog,
)

from .conftest import ReadLog, WriteLog

HEADER = {
    "type": "session",
    "version": 3,
    "id": "s1",
    "timestamp": "2026-01-02T00:00:00.000Z",
    "cwd": "/w",
}


def entry(role: str, content: object, /, at: str = "2026-01-03", **more: Any) -> str:
    row = {key: more.pop(key) for key in ("id", "parentId") if key in more}
    message = {"role": role, "content": content, **more}
    return json.dumps(
        {"type": "message", "timestamp": f"{at}T00:00:00.000Z", "message": message, **row}
    )


def call(call_id: str = "c1", **more: object) -> dict[str, object]:
    return {"type": "toolCall", "id": call_id, "name": "read", "arguments": {"path": "a"}, **more}


def reply(*blocks: dict[str, object], stop: str = "toolUse", **more: Any) -> str:
    return entry("assistant", list(blocks), stopReason=stop, model="m", provider="p", **more)


def result(call_id: str = "c1", **more: Any) -> str:
    text = [{"type": "text", "text": "ok"}]
    return entry("toolResult", text, toolCallId=call_id, toolName="read", isError=False, **more)


def test_every_branch_counts(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            json.dumps(HEADER),
            entry("user", [{"type": "text", "text": "hi"}], id="e1"),
            reply({"type": "thinking", "thinking": "hm"}, call("c1"), id="e2", parentId="e1"),
            result("c1", id="e3", parentId="e2"),
            reply({"type": "text", "text": "other"}, call("c1"), id="e4", parentId="e1"),
            result("c1", id="e5", parentId="e4"),
        )
    )
    assert log.reader == "pi"
    (session,) = log.of(Session)
    assert (session.session, session.harness, session.version) == ("s1", "pi", "3")
    calls = log.of(Call)
    assert [one.call_position for one in log.of(Result)] == [made.position for made in calls]
    assert [(made.model, made.provider, made.finish_reason) for made in calls] == [
        ("m", "p", "toolUse")
    ] * 2
    assert [(one.text, one.reasoning) for one in log.of(AssistantText)] == [
        ("hm", True),
        ("other", False),
    ]
    assert all(one.has_calls for one in log.of(AssistantText))
    assert not any(made.inherited for made in calls)


def test_what_was_streamed_of_a_cut_call_is_kept(write_log: WriteLog, read_log: ReadLog) -> None:
    text = '{"path": "/Users/a'
    log = read_log(write_log(json.dumps(HEADER), reply(call(partialJson=text), stop="aborted")))
    assert log.of(Call)[0].streamed == text
    assert log.of(Call)[0].finish_reason == "aborted"


def test_errors_of_streams(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            json.dumps(HEADER),
            reply(call(), stop="error", errorMessage="terminated"),
            reply(stop="error"),
            reply(stop="aborted", errorMessage="Request was aborted."),
        )
    )
    assert [one.shown for one in log.of(StreamError)] == ["terminated", "unknown error"]
    raw = json.loads(log.of(StreamError)[0].raw or "")
    assert raw == {"stopReason": "error", "errorMessage": "terminated"}
    assert log.ignored == {"assistant": 1}


def test_a_branched_session_inherits_what_is_older(write_log: WriteLog, read_log: ReadLog) -> None:
    """The copied call has the same number in both files."""
    path = "/x/2026-01-01T00-00-00-000Z_s0.jsonl"
    parent = read_log(
        write_log(json.dumps({**HEADER, "id": "s0"}), reply(call(), at="2026-01-01"), name="a")
    )
    for key in ("branchedFrom", "parentSession"):
        log = read_log(
            write_log(
                json.dumps({**HEADER, key: path}),
                reply(call(), at="2026-01-01"),
                result(at="2026-01-01"),
                reply(call("c2")),
                name="b",
            )
        )
        assert log.of(Session)[0].parent == "s0"
        assert [made.inherited for made in log.of(Call)] == [True, False]
        assert log.of(Call)[0].event == parent.of(Call)[0].event
        assert log.of(Result)[0].inherited


def test_entries_without_a_header_and_broken_ones(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            "\ufeff" + reply(call()),
            reply({"type": "toolCall", "id": "c2"}),
            '{"type":"message"}',
            result()[:-20],
            b'{"type":"message","message":{"role":"\xe2\x82',
            "[]",
            json.dumps({"type": "model_change", "modelId": "n", "provider": "q"}),
            entry("assistant", [call("c3")], stopReason="stop"),
            result("c3"),
            end="\r\n",
        )
    )
    assert [fault.line for fault in log.unreadable] == [2, 3, 4, 5, 6]
    assert len(log.of(Session)) == 1
    assert [(made.model, made.provider) for made in log.of(Call)] == [("m", "p"), ("n", "q")]
    assert log.of(Result)[0].call_position == log.of(Call)[1].position


def test_a_session_is_told_although_its_first_row_is_broken(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    log = read_log(write_log(reply({"type": "toolCall", "id": "c"}), reply(call())))
    assert [type(record) for record in log.records] == [Session, Call]


def trajectory(kind: str, **data: object) -> str:
    row = {
        "traceSchema": "openclaw-trajectory",
        "schemaVersion": 1,
        "type": kind,
        "ts": "2026-01-01T00:00:00.000Z",
        "sessionId": "s1",
        "provider": "openai",
        "modelId": "gpt",
        "data": data,
    }
    return json.dumps(row)


def test_a_trajectory_tells_tools_and_calls(write_log: WriteLog, read_log: ReadLog) -> None:
    tools = [{"name": "tap", "parameters": {"type": "object"}}]
    log = read_log(
        write_log(
            trajectory("session.started", trigger="user"),
            trajectory("context.compiled", tools=tools),
            trajectory("tool.call", toolCallId="c1", name="tap", arguments={"x": 1}),
            trajectory("tool.result", toolCallId="c1", name="tap", success=False, output="no"),
            trajectory("model.completed", assistantTexts=["Done"]),
            trajectory("tool.call", toolCallId="c2"),
        )
    )
    assert log.reader == "openclaw-trajectory"
    assert log.of(ToolCatalog)[0].tools[0].schema == '{"type":"object"}'
    (made,) = log.of(Call)
    assert (made.arguments, made.model, made.provider) == ('{"x":1}', "gpt", "openai")
    (answer,) = log.of(Result)
    assert (answer.call_position, answer.is_error, answer.text) == (made.position, True, "no")
    assert [one.text for one in log.of(AssistantText)] == ["Done"]
    assert [fault.cause for fault in log.unreadable] == ["tool.call without a text 'name'"]
