"""Captured traffic: sessions, histories told once, tools in force, streams, places."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
import yaml

from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Result,
    Session,
    StreamError,
    ToolCatalog,
)

from .conftest import Reading, ReadLog, WriteLog

Row = dict[str, Any]
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
TOOL = {"type": "function", "function": {"name": "find", "parameters": SCHEMA}}
ASK = {"role": "user", "content": "go"}


def made(call_id: str | None = "c1", arguments: Any = '{"q":"x"}', name: str = "find") -> Row:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def request(*history: Row, tools: list[Row] | None = None, **more: Any) -> Row:
    body: Row = {"model": "asked", "messages": [ASK, *history], **more}
    return body if tools is None else {**body, "tools": tools}


def answer(*calls: Row, text: str | None = None, identity: str = "r", **more: Any) -> Row:
    message = {"role": "assistant", "content": text, "tool_calls": list(calls)}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    head = {"id": identity, "object": "chat.completion", "model": "m", "created": 1717866063}
    return {**head, "choices": [choice], **more}


def pair(asked: Any, answered: Any, **more: Any) -> str:
    return json.dumps({"request": asked, "response": answered, **more})


def result(call_id: str | None = "c1", content: Any = "found") -> Row:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def said(*calls: Row, text: str | None = None) -> Row:
    return {"role": "assistant", "content": text, "tool_calls": list(calls)}


def counts(log: Reading) -> tuple[int, int, int, int]:
    kinds = (Session, Call, Result, AssistantText)
    one, two, three, four = (len(log.of(kind)) for kind in kinds)
    return one, two, three, four


def test_a_conversation_is_told_once(write_log: WriteLog, read_log: ReadLog) -> None:
    """Each request repeats all that came before; every call and result is one record."""
    first, second = made("c1"), made("c2", '{"q":"y"}')
    log = read_log(
        write_log(
            pair(request(tools=[TOOL]), answer(first, identity="1")),
            pair(request(said(first), result("c1"), tools=[TOOL]), answer(second, identity="2")),
            pair(
                request(said(first), result("c1"), said(second), result("c2"), tools=[TOOL]),
                answer(text="done", identity="3"),
            ),
            pair(
                request(said(first), result("c1"), said(second), result("c2"), said(text="done")),
                answer(text="bye", identity="4"),
            ),
        )
    )
    assert log.reader == "api-capture"
    assert counts(log) == (1, 2, 2, 2)
    assert log.units == 8
    assert log.ignored == {"request without news": 1}
    positions = {call.call_id: call.position for call in log.of(Call)}
    assert [answer.call_position for answer in log.of(Result)] == [positions["c1"], positions["c2"]]
    (catalogue,) = log.of(ToolCatalog)
    assert catalogue.position < min(positions.values())
    assert json.loads(str(catalogue.tools[0].schema)) == SCHEMA
    call = log.of(Call)[0]
    assert (call.model, call.finish_reason, call.form) == ("m", "tool_calls", ArgumentsForm.TEXT)
    assert call.time == "2024-06-08T17:01:03.000Z"


def test_history_that_no_answer_of_the_file_told_is_told(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    history = [said(made("old"), text="wait"), result("old", [{"type": "text", "text": "a"}])]
    log = read_log(write_log(pair(request(*history), answer(text="ok"))))
    assert counts(log) == (1, 1, 1, 2)
    assert log.of(Call)[0].model == "asked"
    assert log.of(AssistantText)[0].has_calls is True
    assert log.of(Result)[0].call_position == log.of(Call)[0].position


def test_conversations_that_share_nothing_are_sessions(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    log = read_log(
        write_log(
            pair(request(), answer(made("a"), identity="1")),
            pair(request(), answer(made("b"), identity="2")),
            pair(request(said(made("a")), result("a")), answer(text="x", identity="3")),
            pair(request(said(made("b")), result("b")), answer(text="y", identity="4")),
        )
    )
    assert counts(log) == (2, 2, 2, 2)
    for sessions in (
        [call.session for call in log.of(Call)],
        [answered.session for answered in log.of(Result)],
        [text.session for text in log.of(AssistantText)],
    ):
        assert len(set(sessions)) == 2


def test_ids_that_are_used_again_are_calls_again(write_log: WriteLog, read_log: ReadLog) -> None:
    """llama.cpp gives every call the same id."""
    call = made("same")
    turn = [said(call), result("same")]
    log = read_log(
        write_log(
            pair(request(), answer(call, identity="1")),
            pair(request(*turn), answer(call, identity="2")),
            pair(request(*turn, *turn), answer(text="done", identity="3")),
        )
    )
    assert counts(log) == (1, 2, 2, 1)
    positions = [made_call.position for made_call in log.of(Call)]
    assert [one.call_position for one in log.of(Result)] == positions


def gemini(**part: Any) -> Row:
    return {"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]}


@pytest.mark.parametrize("later_id", [None, "made-up"])
def test_calls_without_ids_are_known_by_what_they_say(
    write_log: WriteLog, read_log: ReadLog, later_id: str | None
) -> None:
    call = {"name": "find", "args": {"b": 1, "a": 2}}
    again = {**call, "args": {"a": 2, "b": 1}}
    reply = {"name": "find", "response": {"output": "x"}}
    if later_id:
        again["id"] = reply["id"] = later_id
    turn = [
        {"role": "model", "parts": [{"functionCall": again}]},
        {"role": "user", "parts": [{"functionResponse": reply}]},
    ]
    start = {"contents": [{"role": "user", "parts": [{"text": "go"}]}]}
    log = read_log(
        write_log(
            pair(start, gemini(functionCall=call)),
            pair({"contents": start["contents"] + turn}, gemini(functionCall=call)),
            pair({"contents": start["contents"] + turn}, gemini(text="done")),
        )
    )
    assert counts(log) == (1, 2, 1, 1)
    assert log.of(Result)[0].call_position == log.of(Call)[0].position
    assert log.of(Call)[0].arguments == '{"b":1,"a":2}'


def test_an_answer_that_is_fetched_again_is_told_once(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    call = {"type": "function_call", "id": "f", "call_id": "c", "name": "find", "arguments": "{}"}
    waiting = {"object": "response", "id": "r", "status": "in_progress", "output": []}
    done = {**waiting, "status": "completed", "output": [call]}
    asked = {"model": "m", "input": "go"}
    follow = {"model": "m", "previous_response_id": "r"}
    output = {"type": "function_call_output", "call_id": "c", "output": "x"}
    log = read_log(
        write_log(
            pair(asked, waiting),
            json.dumps(done),
            json.dumps(done),
            json.dumps({**waiting, "id": "late"}),
            json.dumps({**done, "id": "late", "output": [{**call, "call_id": "d"}]}),
            pair({**follow, "input": [output]}, {**done, "id": "s", "output": []}),
        )
    )
    assert counts(log) == (2, 2, 1, 0)
    assert log.of(Result)[0].call_position == log.of(Call)[0].position


def test_tools_that_change_are_told_again(write_log: WriteLog, read_log: ReadLog) -> None:
    other = {"name": "go", "input_schema": SCHEMA}
    log = read_log(
        write_log(
            pair(request(tools=[TOOL]), answer(made("a"))),
            pair(request(said(made("a")), tools=[TOOL, other]), answer(made("b"), identity="2")),
            pair(request(said(made("a")), said(made("b"))), answer(text="x", identity="3")),
        )
    )
    names = [[tool.name for tool in catalogue.tools] for catalogue in log.of(ToolCatalog)]
    assert names == [["find"], ["find", "go"]]


def test_tools_that_the_provider_ran_are_no_unknown_tools(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    listed = {"type": "mcp_list_tools", "tools": [{"name": "ask", "input_schema": SCHEMA}]}
    called = {"type": "mcp_call", "id": "m", "name": "ask", "arguments": "{}", "error": "denied"}
    unlisted = {**called, "id": "n", "name": "other", "error": None, "output": "x"}
    body = {"object": "response", "id": "r", "status": "completed"}
    asked = {"model": "m", "input": "go", "tools": [{"type": "mcp", "server_label": "s"}]}
    log = read_log(write_log(pair(asked, {**body, "output": [listed, called, unlisted]})))
    last = log.of(ToolCatalog)[-1]
    assert [(tool.name, bool(tool.schema)) for tool in last.tools] == [
        ("ask", True),
        ("other", False),
    ]
    assert last.position < log.of(Call)[0].position
    assert [answer.is_error for answer in log.of(Result)] == [True, False]


def test_results_of_every_protocol(write_log: WriteLog, read_log: ReadLog) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "x"}}
    blocks = [
        {"type": "tool_use", "id": "a", "name": "find", "input": {}},
        {"toolUse": {"toolUseId": "b", "name": "find", "input": {"n": 1.50}}},
    ]
    failed = {"type": "tool_result", "tool_use_id": "a", "is_error": True, "content": [image]}
    answers = [
        failed,
        {"toolResult": {"toolUseId": "b", "status": "error", "content": [{"text": "no"}]}},
    ]
    body = {
        "messages": [{"role": "assistant", "content": blocks}, {"role": "user", "content": answers}]
    }
    log = read_log(write_log(pair(body, {"type": "message", "content": []})))
    first, second = log.of(Result)
    assert (first.is_error, first.text, json.loads(str(first.blocks))) == (True, "", [image])
    assert (second.is_error, second.text, second.blocks) == (True, "no", None)
    assert [call.arguments for call in log.of(Call)] == ["{}", '{"n":1.5}']


def chunk(**delta: Any) -> Row:
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return {"id": "c", "object": "chat.completion.chunk", "choices": [choice]}


def piece(text: str, **more: Any) -> Row:
    return chunk(tool_calls=[{"index": 0, **more, "function": {"name": "find", "arguments": text}}])


def test_raw_streams_are_read_event_by_event(write_log: WriteLog, read_log: ReadLog) -> None:
    events = [
        piece('{"q":', id="c1"),
        piece('"x"}'),
        chunk(),
        "[DONE]",
        {**chunk(content="y"), "id": "d"},
    ]
    text = "".join(
        f"data: {event if isinstance(event, str) else json.dumps(event)}\r\n\r\n"
        for event in events
    )
    content = "\ufeff: hello\r\n\r\n" + text + 'data: {"cut'
    log = read_log(write_log(content, end=""))
    assert log.reader == "sse-stream"
    (call,) = log.of(Call)
    assert (call.arguments, call.streamed) == ('{"q":"x"}', '{"q":"x"}')
    assert log.of(AssistantText)[0].finish_reason == "length"
    assert log.ignored == {"comment": 1, "chat.completion.chunk": 3}
    (fault,) = log.unreadable
    assert fault.cause.startswith("the event is cut")
    assert content.encode()[fault.offset :] == b'data: {"cut'
    assert fault.line == content.count("\n") + 1


def test_chunks_on_lines_are_a_stream(write_log: WriteLog, read_log: ReadLog) -> None:
    lines = [json.dumps(event) for event in (piece('{"q":', id="c1"), piece('"x"}'))]
    log = read_log(write_log(*lines, '{"id":"c","obj', "also broken"))
    (call,) = log.of(Call)
    assert (call.arguments, call.finish_reason) == ('{"q":"x"}', "length")
    assert [fault.line for fault in log.unreadable] == [3, 4]
    assert log.units == 4


def test_an_answer_cut_at_its_limit_says_so_in_one_word(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    for stop in ("max_tokens", "model_context_window_exceeded"):
        content = [{"type": "tool_use", "id": "a", "name": "find", "input": {}}]
        log = read_log(
            write_log(json.dumps({"type": "message", "content": content, "stop_reason": stop}))
        )
        assert log.of(Call)[0].finish_reason == "length"


def test_errors_in_a_stream_are_told_and_error_pages_are_not(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    error = {"error": {"code": 503, "message": "gone"}}
    stream = f"data: {json.dumps(chunk(content='x'))}\n\n{json.dumps(error)}"
    log = read_log(write_log(pair(request(), stream), pair(request(), error, status=503)))
    (told,) = log.of(StreamError)
    assert (told.shown, told.code, json.loads(str(told.raw))) == ("503: gone", "503", error)
    assert log.ignored == {"error response": 1}


def cassette(*interactions: Row) -> str:
    return yaml.safe_dump({"interactions": list(interactions), "version": 1}, width=60)


def exchange(asked: Any, answered: Any, **more: Any) -> Row:
    return {
        "request": {"body": asked, "method": "POST", "uri": "https://api.openai.com/v1/x"},
        "response": {"body": {"string": answered}, "status": {"code": 200, "message": "OK"}},
        **more,
    }


def test_cassettes_of_every_recorder_read_alike(write_log: WriteLog, read_log: ReadLog) -> None:
    asked, answered = json.dumps(request(tools=[TOOL])), json.dumps(answer(made()))
    coded = base64.b64encode(answered.encode()).decode()
    interactions = {
        "vcrpy": exchange(asked, answered),
        "bytes": exchange(asked.encode(), answered.encode()),
        "parsed": {
            "request": {"parsed_body": request(tools=[TOOL]), "uri": "https://api.openai.com/"},
            "response": {"parsed_body": answer(made()), "status": {"code": 200}},
        },
        "go": {
            "id": 0,
            "request": {"body": asked, "url": "https://api.openai.com/v1/x"},
            "response": {"body": answered, "status": "200 OK", "code": 200},
        },
        "ruby": {
            "request": {"uri": "https://api.openai.com/", "body": {"string": asked}},
            "response": {"status": {"code": 200}, "body": {"base64_string": coded}},
        },
        "grpc": {
            "request_sample": {"json": request(tools=[TOOL])},
            "response_sample": {"json": answer(made())},
        },
    }
    for name, interaction in interactions.items():
        texts = [
            cassette(interaction),
            json.dumps({"interactions": [interaction]}, default=bytes.decode),
        ]
        for text in texts:
            log = read_log(write_log(text))
            assert log.reader == "vcr-cassette", name
            (call,) = log.of(Call)
            assert (call.call_id, call.arguments) == ("c1", '{"q":"x"}'), name
            assert call.provider == (None if name == "grpc" else "openai"), name
            assert len(log.of(ToolCatalog)) == 1, name


def test_other_traffic_in_a_cassette_is_passed_over(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            cassette(
                exchange(None, b"%PDF-1.4\xff"),
                exchange('{"input":"x","model":"embed","encoding_format":"base64"}', '{"data":[]}'),
                exchange("{'python': 1}", "{broken"),
                {"other": 1},
                exchange(json.dumps(request()), "", response={"status": {"code": 500}}),
            )
        )
    )
    assert log.ignored == {
        "other request": 2,
        "other response": 2,
        "other interaction": 1,
        "error response": 1,
        "version": 1,
    }
    assert [fault.cause.split(":")[0] for fault in log.unreadable] == ["request", "response"]
    assert [type(record) for record in log.records] == [Session]


def test_a_cut_cassette_keeps_what_is_whole(write_log: WriteLog, read_log: ReadLog) -> None:
    text = cassette(*(exchange(json.dumps(request()), json.dumps(answer(made(c)))) for c in "ab"))
    log = read_log(write_log(text[: text.rindex("role")], end=""))
    assert [call.call_id for call in log.of(Call)] == ["a"]
    assert len(log.unreadable) == 1
    whole = json.dumps({"interactions": yaml.safe_load(text)["interactions"]})
    log = read_log(write_log(whole[:-40], end=""))
    assert [call.call_id for call in log.of(Call)][:1] == ["a"]
    assert len(log.unreadable) == 1


def test_archives_are_read_with_times_and_packed_bodies(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    stream = "".join(f"data: {json.dumps(event)}\n\n" for event in (piece("{}", id="c1"), chunk()))
    entry = {
        "startedDateTime": "2026-01-02T03:04:05Z",
        "request": {"url": "https://x.example/v1", "postData": {"text": json.dumps(request())}},
        "response": {
            "status": 200,
            "content": {"encoding": "base64", "text": base64.b64encode(stream.encode()).decode()},
        },
    }
    log = read_log(
        write_log(json.dumps({"log": {"version": "1.2", "entries": [entry, 5]}}, indent=1))
    )
    assert log.reader == "har"
    (call,) = log.of(Call)
    assert (call.time, call.provider) == ("2026-01-02T03:04:05Z", "x.example")
    assert [fault.cause for fault in log.unreadable] == ["an entry that is no object"]


def test_sockets_hold_sent_and_received_messages(write_log: WriteLog, read_log: ReadLog) -> None:
    call = {"type": "function_call", "id": "f", "call_id": "c", "name": "find", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "x"}
    tool = {"type": "function", "name": "find", "parameters": SCHEMA}
    messages = [
        ("sent", {"type": "session.update", "session": {"tools": [tool]}}),
        ("sent", {"type": "response.create"}),
        ("received", {"type": "response.created", "response": {"id": "r"}}),
        ("received", {"type": "response.output_item.done", "output_index": 0, "item": call}),
        ("sent", {"type": "conversation.item.create", "item": output}),
        ("received", {"type": "response.done", "response": {"status": "completed"}}),
        ("received", {"type": "response.created", "response": {"id": "s"}}),
        ("received", {"type": "response.output_text.delta", "output_index": 0, "delta": "y"}),
    ]
    rows = [{"kind": "message", "direction": way, "data": data} for way, data in messages]
    log = read_log(write_log(cassette(*rows)))
    assert counts(log) == (1, 1, 1, 1)
    assert len(log.of(ToolCatalog)) == 1
    assert log.of(Result)[0].call_position == log.of(Call)[0].position


def test_hostile_values_do_no_harm(write_log: WriteLog, read_log: ReadLog) -> None:
    deep = '{"a":' * 1500 + "1" + "}" * 1500
    lines = [
        pair(request(), answer(made("\ud83d", "\ud83d", name="\ud83d"))),
        pair(request(), answer(made(arguments="@"))).replace('"@"', deep),
        pair(request(), answer(made(arguments="@"))).replace('"@"', "NaN"),
        pair(request(), answer(made(arguments="@"))).replace('"@"', "1e999"),
        pair({"messages": [{"role": ["x"], "content": {"a": 5}}, 5, None]}, {"choices": [5, {}]}),
        pair([1], 5),
    ]
    log = read_log(write_log(*lines))
    assert [call.arguments for call in log.of(Call)] == ["\\ud83d", deep, "1e999"]
    assert [fault.line for fault in log.unreadable] == [3]
