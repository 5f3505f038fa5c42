"""Claude Code: messages split over rows, copied history, errors; and what its SDK exchanges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Result,
    Session,
    StreamError,
    ToolCatalog,
)

from .conftest import ReadLog, WriteLog

Block = dict[str, Any]


def use(call_id: str = "t1", name: str = "Read", **arguments: object) -> Block:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def answer(call_id: str = "t1", content: object = "done", **more: object) -> Block:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def assistant(*blocks: Block, message: str = "m1", stop: str | None = None, **row: object) -> str:
    inner = {
        "id": message,
        "role": "assistant",
        "model": "claude",
        "content": list(blocks),
        "stop_reason": stop,
    }
    return json.dumps({"type": "assistant", "sessionId": "s", "message": inner, **row})


def user(*blocks: Block, **row: object) -> str:
    inner = {"role": "user", "content": list(blocks)}
    return json.dumps({"type": "user", "sessionId": "s", "message": inner, **row})


def test_a_message_over_several_rows_is_one(write_log: WriteLog, read_log: ReadLog) -> None:
    """The text comes first, a result in between; what is known at the end holds for all rows."""
    log = read_log(
        write_log(
            user(text("hi"), version="2.1.0", timestamp="2026-01-01T00:00:00.000Z"),
            assistant({"type": "thinking", "thinking": "hm"}),
            assistant(text("I will read.")),
            assistant(use("t1")),
            user(answer("t1")),
            assistant(use("t2"), stop="tool_use"),
            assistant(text("Done."), message="m2", stop="max_tokens"),
        )
    )
    assert log.reader == "claude-code"
    texts = [(one.text, one.has_calls, one.finish_reason) for one in log.of(AssistantText)]
    assert texts == [
        ("hm", True, "tool_use"),
        ("I will read.", True, "tool_use"),
        ("Done.", False, "length"),
    ]
    assert [call.finish_reason for call in log.of(Call)] == ["tool_use", "tool_use"]
    assert log.of(AssistantText)[0].reasoning
    (session,) = log.of(Session)
    assert (session.harness, session.version) == ("claude-code", "2.1.0")
    assert session.started == "2026-01-01T00:00:00.000Z"


def test_calls_of_another_message_are_not_of_this(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            assistant(text("a"), message="m1"),
            assistant(text("b"), use("t1"), message="m2"),
            assistant(text("c"), message="m1", sessionId="other"),
            assistant(use("t2"), message="m1", sessionId="third"),
        )
    )
    assert [one.has_calls for one in log.of(AssistantText)] == [False, True, False]


def test_arguments_keep_every_digit(write_log: WriteLog, read_log: ReadLog) -> None:
    row = assistant(use("t1", big=0, small=1)).replace('"big": 0', '"big": 12345678901234567890.50')
    log = read_log(write_log(row, assistant({"type": "tool_use", "id": "t2", "name": "Bash"})))
    first, second = log.of(Call)
    assert first.arguments == '{"big":12345678901234567890.50,"small":1}'
    assert (first.form, second.form) == (ArgumentsForm.VALUE, ArgumentsForm.ABSENT)


def test_repeated_ids_pair_in_order_and_by_session(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            assistant(use("t"), use("t"), message="m1"),
            assistant(use("t"), message="m2", sessionId="other"),
            user(answer("t", "other's"), sessionId="other"),
            user(answer("t", "first"), answer("t", "second"), answer("t", "nobody's")),
        )
    )
    pairs = [(one.text, one.call_position) for one in log.of(Result)]
    assert pairs == [("other's", 2), ("first", 0), ("second", 1), ("nobody's", None)]


def test_results_tell_errors_and_blocks(write_log: WriteLog, read_log: ReadLog) -> None:
    refused = "<tool_use_error>InputValidationError: Read failed</tool_use_error>"
    image = {"type": "image", "source": {"type": "base64", "data": "AA=="}}
    log = read_log(
        write_log(
            user(answer("a", "no", is_error=True)),
            user(answer("b", refused)),
            user(answer("c", [text("seen"), image], is_error=False)),
        )
    )
    assert [one.is_error for one in log.of(Result)] == [True, True, False]
    last = log.of(Result)[2]
    assert (last.text, json.loads(last.blocks or "")[1]) == ("seen", image)


def test_history_of_a_resumed_session_belongs_to_the_first(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    """A copy of a user's row keeps its session id, that of a model's row gets the new one."""
    old = write_log(
        user(text("go"), sessionId="old", uuid="u1"),
        assistant(use("t1"), sessionId="old", uuid="u2", parentUuid="u1"),
        user(answer("t1"), sessionId="old", uuid="u3", parentUuid="u2"),
        name="old",
    )
    new = write_log(
        user(text("go"), sessionId="old", uuid="u1"),
        assistant(use("t1"), sessionId="new", uuid="u2", parentUuid="u1"),
        user(answer("t1"), sessionId="old", uuid="u3", parentUuid="u2"),
        user(text("more"), sessionId="new", uuid="u4", parentUuid="u3"),
        assistant(use("t2"), message="m2", sessionId="new", uuid="u5", parentUuid="u4"),
        user(answer("t2"), sessionId="new", uuid="u6", parentUuid="u5"),
        name="new",
    )
    (told,) = read_log(old).of(Call)
    log = read_log(new)
    copy, fresh = log.of(Call)
    assert (copy.session, copy.inherited, copy.event) == ("old", True, told.event)
    assert (fresh.session, fresh.inherited) == ("new", False)
    assert told.event not in (None, fresh.event)
    assert [one.call_position for one in log.of(Result)] == [copy.position, fresh.position]
    assert [one.inherited for one in log.of(Result)] == [True, False]


def test_a_fork_names_where_its_rows_come_from(write_log: WriteLog, read_log: ReadLog) -> None:
    origin = {"sessionId": "old", "messageUuid": "u2"}
    log = read_log(
        write_log(
            assistant(use("t1"), sessionId="new", uuid="n2", forkedFrom=origin),
            assistant(use("t2"), message="m2", sessionId="new", uuid="n3", parentUuid="n9"),
        )
    )
    owners = [(call.session, call.inherited) for call in log.of(Call)]
    assert owners == [("old", True), ("new", False)]


def test_rows_told_twice_in_a_file_are_inherited(write_log: WriteLog, read_log: ReadLog) -> None:
    row = assistant(use("t1"), uuid="u1")
    again = assistant(use("t1"), uuid="u2")
    log = read_log(write_log(row, user(answer("t1"), uuid="u3"), row, again))
    assert [call.inherited for call in log.of(Call)] == [False, True, True]
    assert len({call.event for call in log.of(Call)}) == 1
    assert log.of(Result)[0].call_position == 0


def test_a_subagent_is_a_session_of_its_own(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            assistant(use("t1"), isSidechain=True, agentId="a1"),
            user(answer("t1"), isSidechain=True, agentId="a1"),
            assistant(use("t1"), message="m2", isSidechain=True),
        )
    )
    assert [call.session for call in log.of(Call)] == ["s/a1", "s"]
    assert log.of(Result)[0].call_position == 0


def test_errors_of_the_api_are_no_texts(write_log: WriteLog, read_log: ReadLog) -> None:
    overloaded = {"error": {"type": "error", "error": {"message": "Overloaded"}}, "status": 529}
    own = {"role": "assistant", "model": "<synthetic>", "content": [text("No response requested.")]}
    log = read_log(
        write_log(
            assistant(text("API Error: 429"), isApiErrorMessage=True, error="rate_limit"),
            json.dumps({"type": "system", "subtype": "api_error", "error": overloaded}),
            json.dumps({"type": "assistant", "sessionId": "s", "message": own}),
            json.dumps({"type": "future_claude_event", "sessionId": "s"}),
            json.dumps({"type": "summary", "leafUuid": "x", "summary": "API Error: 401"}),
        )
    )
    shown = [(one.shown, one.code) for one in log.of(StreamError)]
    assert shown == [("API Error: 429", "rate_limit"), ("Overloaded", "529")]
    assert not log.of(AssistantText)
    assert log.ignored == {"synthetic message": 1, "future_claude_event": 1, "summary": 1}


def test_messages_without_an_envelope(write_log: WriteLog, read_log: ReadLog) -> None:
    rows = [
        {"timestamp": "2026-01-01T00:00:00Z", "role": "user", "content": "hi"},
        {"role": "assistant", "model": "claude", "content": [text("ok"), use("t1", path="a")]},
        {"role": "user", "content": [answer("t1")]},
        {"role": "assistant", "content": "plain"},
    ]
    log = read_log(write_log(*map(json.dumps, rows)))
    assert log.reader == "claude-code"
    assert [(one.text, one.has_calls) for one in log.of(AssistantText)] == [
        ("ok", True),
        ("plain", False),
    ]
    assert log.of(Result)[0].call_position == log.of(Call)[0].position
    assert log.of(Call)[0].model == "claude"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_broken_rows_are_told_and_the_rest_is_read(
    write_log: WriteLog, read_log: ReadLog, end: str
) -> None:
    good = assistant(use("t1"), text("é"))
    cut = good.encode().replace(b"\\u00e9", "é".encode())[:-12]
    path = write_log(
        "\ufeff" + good,
        good[:40],
        b'{"type":"user","message":"\xc3',
        '{"type":"assistant","message":"hi"}',
        assistant({"type": "tool_use", "id": "t2"}),
        '"text"',
        user(answer("t1")),
        cut,
        end=end,
    )
    log = read_log(path)
    assert [fault.line for fault in log.unreadable] == [2, 3, 4, 5, 6, 8]
    raw = path.read_bytes()
    assert all(fault.offset == 0 or raw[fault.offset - 1] == 10 for fault in log.unreadable)
    assert log.unreadable[1].cause.startswith("not UTF-8: byte 0xc3")
    assert log.unreadable[3].cause == "a tool_use block without a text 'name'"
    assert log.of(Result)[0].call_position == log.of(Call)[0].position


def frame(direction: str, message: object) -> dict[str, object]:
    return {"direction": direction, "message": message}


SDK_MESSAGES: list[dict[str, Any]] = [
    {"type": "system", "subtype": "init", "session_id": "s", "uuid": "1", "tools": ["Read"]},
    {
        "type": "stream_event",
        "session_id": "s",
        "uuid": "2",
        "event": {"type": "content_block_start", "index": 1, "content_block": use("t1")},
    },
    *(
        {
            "type": "stream_event",
            "session_id": "s",
            "uuid": "3",
            "event": {"type": "content_block_delta", "index": 1, "delta": {"partial_json": part}},
        }
        for part in ('{"file":', ' "a"}')
    ),
    {**json.loads(assistant(text("ok"))), "session_id": "s", "uuid": "4"},
    {**json.loads(assistant(use("t1", file="a"))), "session_id": "s", "uuid": "5"},
    {**json.loads(user(answer("t1"))), "session_id": "s", "uuid": "6"},
    {"type": "result", "subtype": "success", "session_id": "s", "uuid": "7"},
]
for one in SDK_MESSAGES:
    one.pop("sessionId", None)


def capture(write_log: WriteLog) -> Path:
    control = {"type": "control_request", "request": {"tool_name": "Read", "tool_input": {}}}
    frames = [frame("recv", control), *(frame("recv", message) for message in SDK_MESSAGES)]
    return write_log(json.dumps({"metadata": {}, "messages": frames}, indent=1))


def stream(write_log: WriteLog) -> Path:
    return write_log(*map(json.dumps, SDK_MESSAGES))


@pytest.mark.parametrize("make", [capture, stream])
def test_the_sdk_hears_the_same_as_the_file(
    write_log: WriteLog, read_log: ReadLog, make: Any
) -> None:
    log = read_log(make(write_log))
    assert log.reader == "claude-agent-sdk"
    (call,) = log.of(Call)
    assert (call.session, call.arguments) == ("s", '{"file":"a"}')
    assert call.streamed == '{"file": "a"}'
    assert [one.has_calls for one in log.of(AssistantText)] == [True]
    assert log.of(Result)[0].call_position == call.position
    assert [tool.name for tool in log.of(ToolCatalog)[0].tools] == ["Read"]
    assert log.of(Session)[0].harness == "claude-code"
    assert log.ignored["result/success"] == 1


def test_a_cut_capture_is_read_as_far_as_it_goes(write_log: WriteLog, read_log: ReadLog) -> None:
    whole = capture(write_log).read_text()
    cut = whole[: whole.rindex('"direction"') + 5]
    log = read_log(write_log(cut, end="", name="cut"))
    assert len(log.of(Call)) == len(log.of(Result)) == 1
    assert [fault.cause for fault in log.unreadable] == [
        "the document is cut: it ends inside a value"
    ]
