"""Logged requests: completion logs, LiteLLM, MCP traffic and GenAI spans."""

from __future__ import annotations

import json
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

Row = dict[str, Any]

TOOLS = [{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}]
CALL = {"id": "c", "type": "function", "function": {"name": "add", "arguments": '{"x": 1.0}'}}
ASKED: list[Row] = [{"role": "user", "content": "hi"}]
ANSWER: Row = {"role": "assistant", "content": "go", "tool_calls": [CALL]}
LATER: list[Row] = [
    *ASKED,
    {**ANSWER, "content": [{"type": "text", "text": "go"}]},
    {"role": "tool", "tool_call_id": "c", "content": "2"},
]


def completion(message: Row, reason: str) -> Row:
    return {"model": "m", "choices": [{"finish_reason": reason, "message": message}]}


FIRST = completion(ANSWER, "tool_calls")
SECOND = completion({"role": "assistant", "content": "done"}, "stop")


def openhands_sdk() -> tuple[Row, Row]:
    base: Row = {"tools": TOOLS, "kwargs": {}, "timestamp": 1757015025.5}
    return (
        {**base, "messages": ASKED, "response": FIRST},
        {**base, "messages": ["prompt"], "raw_messages": LATER, "response": SECOND},
    )


def litellm() -> tuple[Row, Row]:
    base: Row = {
        "call_type": "acompletion",
        "status": "success",
        "custom_llm_provider": "openai",
        "startTime": 1757015025.5,
        "model_parameters": {"tools": TOOLS},
        "session_id": "",
    }
    return (
        {**base, "messages": ASKED, "response": FIRST},
        {**base, "messages": LATER, "response": SECOND},
    )


EXCHANGES = {"openhands-sdk": openhands_sdk(), "litellm": litellm()}


@pytest.mark.parametrize("name", EXCHANGES)
@pytest.mark.parametrize("pretty", [False, True])
def test_a_repeated_call_is_known_again(
    write_log: WriteLog, read_log: ReadLog, name: str, pretty: bool
) -> None:
    first, second = EXCHANGES[name]
    text = json.dumps([first, second], indent=1) if pretty else None
    log = read_log(write_log(*([text] if text else [json.dumps(first), json.dumps(second)])))
    assert log.reader == name
    assert log.units == 2
    own, copy = log.of(Call)
    assert (own.session, own.event, own.arguments) == (copy.session, copy.event, '{"x": 1.0}')
    assert (own.inherited, copy.inherited) == (False, True)
    assert (own.finish_reason, own.model) == ("tool_calls", "m")
    assert own.time == "2025-09-04T19:43:45.500Z"
    (result,) = log.of(Result)
    assert (result.call_position, result.text) == (copy.position, "2")
    texts = [(text.text, text.inherited) for text in log.of(AssistantText)]
    assert texts == [("go", False), ("go", True), ("done", False)]
    assert log.of(ToolCatalog)[0].tools[0].schema == '{"type":"object"}'


@pytest.mark.parametrize("name", EXCHANGES)
def test_other_conversations_have_other_names(
    write_log: WriteLog, read_log: ReadLog, name: str
) -> None:
    first, _ = EXCHANGES[name]
    other = json.dumps(first).replace('"id": "c"', '"id": "d"')
    log = read_log(write_log(json.dumps(first), other))
    assert len({session.session for session in log.of(Session)}) == 2


def test_spend_logs_hold_json_texts(write_log: WriteLog, read_log: ReadLog) -> None:
    row = {
        "request_id": "r",
        "call_type": "acompletion",
        "startTime": "2026-01-01T00:00:00Z",
        "session_id": "s1",
        "model": "gpt",
        "messages": "{}",
        "response": json.dumps(FIRST),
        "proxy_server_request": json.dumps({"messages": ASKED, "tools": TOOLS}),
    }
    log = read_log(write_log(json.dumps(row)))
    assert log.reader == "litellm"
    (call,) = log.of(Call)
    assert (call.session, call.time) == ("s1", "2026-01-01T00:00:00Z")
    assert len(log.of(ToolCatalog)) == 1
    wrapped = {"standard_logging_object": litellm()[0], "more": 1}
    assert len(read_log(write_log(json.dumps(wrapped), name="wrapped")).of(Call)) == 1


def test_a_failed_request_is_an_error(write_log: WriteLog, read_log: ReadLog) -> None:
    first, _ = litellm()
    told = {"error_code": "429", "error_message": "slow down"}
    row = {**first, "status": "failure", "response": {}, "error_information": told}
    (error,) = read_log(write_log(json.dumps(row))).of(StreamError)
    assert (error.shown, error.code) == ("slow down", "429")


def event(kind: str, **fields: object) -> str:
    return json.dumps({"kind": kind, "source": "agent", "timestamp": "2026-01-01", **fields})


def test_events_of_the_openhands_sdk(write_log: WriteLog, read_log: ReadLog) -> None:
    call = {"id": "c", "name": "terminal", "arguments": '{"command": "ls"}'}
    said = {"role": "assistant", "content": [{"type": "text", "text": "bye"}]}
    lines = (
        event("SystemPromptEvent", tools=[{"name": "terminal", "inputSchema": {}}]),
        event("MessageEvent", llm_message={"role": "user", "content": []}),
        event(
            "ActionEvent",
            tool_call=call,
            tool_call_id="c",
            thought=[{"type": "text", "text": "go"}],
            reasoning_content="hm",
            action={"command": "ls", "kind": "TerminalAction"},
        ),
        event(
            "ObservationEvent",
            tool_call_id="c",
            observation={"content": [{"type": "text", "text": "out"}], "is_error": False},
        ),
        event("ActionEvent", tool_name="finish", tool_call_id="d"),
        event("AgentErrorEvent", tool_call_id="d", error="no such argument"),
        event("MessageEvent", llm_message={**said, "thinking_blocks": [{"thinking": "so"}]}),
        event("ConversationErrorEvent", code="LLMError", detail="overloaded"),
        event("ActionEvent"),
        event("CondensationEvent"),
    )
    documents = json.dumps([json.loads(line) for line in lines], indent=1)
    export = json.dumps({"id": "s1", "events": [json.loads(line) for line in lines]})
    for path in (
        write_log(*lines, name="lines"),
        write_log(documents, name="array"),
        write_log(export, name="export"),
    ):
        log = read_log(path)
        assert log.reader == "openhands-sdk"
        first, second = log.of(Call)
        assert (first.tool, first.arguments, first.form) == (
            "terminal",
            '{"command": "ls"}',
            ArgumentsForm.TEXT,
        )
        assert (second.tool, second.form) == ("finish", ArgumentsForm.ABSENT)
        good, bad = log.of(Result)
        assert (good.call_position, good.text, good.is_error) == (first.position, "out", False)
        assert (bad.call_position, bad.is_error) == (second.position, True)
        assert bad.error_name == "AgentErrorEvent"
        written = [(text.text, text.reasoning) for text in log.of(AssistantText)]
        assert written == [("hm", True), ("go", False), ("so", True), ("bye", False)]
        assert log.of(StreamError)[0].shown == "overloaded"
        assert len(log.of(ToolCatalog)) == 1
        assert len(log.unreadable) == 1


# MCP


def request(number: object, method: str, **parameters: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})


def response(number: object, result: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": result})


ADD = {"name": "add", "inputSchema": {"type": "object"}}


def test_mcp_traffic(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            request(0, "initialize", protocolVersion="2025-06-18"),
            response(0, {"serverInfo": {"name": "srv"}}),
            request(1, "tools/list"),
            response(1, {"tools": [ADD], "nextCursor": "p2"}),
            request(2, "tools/list", cursor="p2"),
            response(2, {"tools": [{**ADD, "name": "sub"}]}),
            request(3, "tools/call", name="add", arguments={"x": 1.0}),
            request("3", "tools/call", name="sub"),
            response(3, {"content": [{"type": "text", "text": "2"}], "isError": False}),
            '{"jsonrpc":"2.0","id":"3","error":{"code":-32602,"message":"Invalid params"}}',
            '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}',
            '{"jsonrpc":"2.0","id":9}',
            request(4, "tools/call", arguments={}),
            '{"level":"info"}',
        )
    )
    assert log.reader == "mcp-jsonrpc"
    (catalog,) = log.of(ToolCatalog)
    assert [tool.name for tool in catalog.tools] == ["add", "sub"]
    first, second = log.of(Call)
    assert (first.arguments, first.call_id, second.call_id) == ('{"x":1.0}', "3", "3")
    good, bad = log.of(Result)
    assert (good.call_position, good.text) == (first.position, "2")
    assert (bad.call_position, bad.is_error, bad.error_code) == (second.position, True, "-32602")
    assert bad.text == "Invalid params"
    assert [fault.line for fault in log.unreadable] == [12, 13]


def test_mcp_messages_in_envelopes(write_log: WriteLog, read_log: ReadLog) -> None:
    def wrapped(message: str, session: str) -> str:
        row = {"timestamp": "2026-01-01T00:00:00Z", "session_id": session}
        return json.dumps({**row, "message": json.loads(message)})

    log = read_log(
        write_log(
            wrapped(request(1, "tools/call", name="add", arguments={}), "a"),
            wrapped(request(1, "tools/call", name="add", arguments={}), "b"),
            wrapped(response(1, {"content": [], "structuredContent": {"n": 1}}), "b"),
            wrapped(response(1, {"content": [], "isError": True}), "a"),
        )
    )
    one, two = log.of(Call)
    assert (one.session, two.session, one.time) == ("a", "b", "2026-01-01T00:00:00Z")
    answers = [(result.call_position, result.is_error) for result in log.of(Result)]
    assert answers == [(two.position, False), (one.position, True)]
    assert log.of(Result)[0].text == '{"n":1}'


# OTLP


def value(plain: object) -> Row:
    if isinstance(plain, list):
        return {"arrayValue": {"values": [value(item) for item in plain]}}
    if isinstance(plain, dict):
        pairs = [{"key": key, "value": value(item)} for key, item in plain.items()]
        return {"kvlistValue": {"values": pairs}}
    if isinstance(plain, int):
        return {"intValue": str(plain)}
    return {"stringValue": plain}


def span(began: int, attributes: Row, status: Row | None = None) -> Row:
    pairs = [{"key": key, "value": value(item)} for key, item in attributes.items()]
    moment = str(1_767_225_600_000_000_000 + began)
    found = {"traceId": "t1", "startTimeUnixNano": moment, "attributes": pairs}
    return {**found, "status": status} if status else found


def export(*spans: Row) -> str:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]})


PARTS = [
    {"type": "reasoning", "content": "hm"},
    {"type": "text", "content": "go"},
    {"type": "tool_call", "id": "c", "name": "add", "arguments": {"x": 1}},
]
CHAT: Row = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt",
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "gen_ai.tool.definitions": json.dumps([{"name": "add", "parameters": {}}]),
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": PARTS}]),
}
TOOL: Row = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "add",
    "gen_ai.tool.call.id": "c",
    "gen_ai.tool.call.arguments": '{"x": 1}',
    "gen_ai.tool.call.result": "2",
}


@pytest.mark.parametrize("structured", [False, True])
def test_spans_of_model_and_tool_tell_one_call(
    write_log: WriteLog, read_log: ReadLog, structured: bool
) -> None:
    chat = {**CHAT}
    if structured:
        chat["gen_ai.output.messages"] = json.loads(CHAT["gen_ai.output.messages"])
    spans = (span(5, TOOL), span(1, chat), span(0, {"http.method": "GET"}))
    for lines in ([export(*spans)], [export(spans[1]), export(spans[0])]):
        log = read_log(write_log(*lines))
        assert log.reader == "otlp-genai"
        (call,) = log.of(Call)
        assert (call.tool, call.arguments, call.call_id) == ("add", '{"x":1}', "c")
        assert (call.model, call.provider) == ("gpt", "openai")
        assert (call.finish_reason, call.session) == ("tool_calls", "t1")
        assert call.time == "2026-01-01T00:00:00.000Z"
        (result,) = log.of(Result)
        assert (result.call_position, result.text) == (call.position, "2")
        assert [text.text for text in log.of(AssistantText)] == ["hm", "go"]
        assert len(log.of(ToolCatalog)) == len(log.of(Session)) == 1


def test_a_tool_span_alone_is_a_call(write_log: WriteLog, read_log: ReadLog) -> None:
    failed = {key: TOOL[key] for key in TOOL if "result" not in key and "id" not in key}
    status = {"code": 2, "message": "boom"}
    log = read_log(write_log(export(span(0, {**failed, "error.type": "E"}, status))))
    (call,) = log.of(Call)
    assert (call.arguments, call.form, call.call_id) == ('{"x": 1}', ArgumentsForm.TEXT, None)
    (result,) = log.of(Result)
    assert (result.is_error, result.text, result.error_name) == (True, "boom", "E")
    assert result.call_position == call.position


def test_results_come_with_the_next_request(write_log: WriteLog, read_log: ReadLog) -> None:
    answer = {"type": "tool_call_response", "id": "c", "response": "2"}
    history = json.dumps([{"role": "tool", "parts": [answer]}])
    later = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": history}
    log = read_log(write_log(export(span(0, CHAT), span(1, later), span(2, later))))
    (result,) = log.of(Result)
    assert result.call_position == log.of(Call)[0].position
    assert log.ignored == {"chat": 1}


def test_a_failed_model_span_is_an_error(write_log: WriteLog, read_log: ReadLog) -> None:
    attributes = {"gen_ai.operation.name": "chat", "error.type": "RateLimit"}
    log = read_log(write_log(export(span(0, attributes, {"code": "STATUS_CODE_ERROR"}))))
    assert [(error.shown, error.code) for error in log.of(StreamError)] == [
        ("RateLimit", "RateLimit")
    ]


def test_numbered_attributes(write_log: WriteLog, read_log: ReadLog) -> None:
    llmetry: Row = {
        "gen_ai.system": "openai",
        "llm.request.functions.0.name": "add",
        "llm.request.functions.0.parameters": '{"type": "object"}',
        "gen_ai.completion.0.content": "go",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "c",
        "gen_ai.completion.0.tool_calls.0.name": "add",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"x": 1.0}',
    }
    after = {
        "gen_ai.prompt.1.role": "tool",
        "gen_ai.prompt.1.tool_call_id": "c",
        "gen_ai.prompt.1.content": "2",
    }
    call = "llm.output_messages.0.message.tool_calls.0.tool_call"
    inference: Row = {
        "llm.tools.0.tool.json_schema": json.dumps(TOOLS[0]),
        "llm.output_messages.0.message.content": "go",
        f"{call}.id": "c",
        f"{call}.function.name": "add",
        f"{call}.function.arguments": '{"x": 1.0}',
    }
    tool = {"tool.name": "add", "input.value": '{"x": 1}', "output.value": "2"}
    for first, second in ((llmetry, after), (inference, tool)):
        log = read_log(write_log(export(span(0, first), span(1, second))))
        (made,) = log.of(Call)
        assert (made.tool, made.arguments, made.call_id) == ("add", '{"x": 1.0}', "c")
        assert made.form is ArgumentsForm.TEXT
        assert log.of(Result)[0].call_position == made.position
        assert log.of(ToolCatalog)[0].tools[0].schema == '{"type":"object"}'
        assert log.of(AssistantText)[0].text == "go"
