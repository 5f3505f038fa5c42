"""Agents that log a row a line: what one small log of each gives, and broken lines."""

from __future__ import annotations

import json

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

GROK = (
    '{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"}',
    '{"type":"assistant","content":"on it","tool_calls":[{"id":"c","name":"read",'
    '"arguments":"{\\"n\\": 1.0}"}],"model_id":"grok"}',
    '{"type":"tool_result","tool_call_id":"c","content":"done"}',
)
DROID = (
    '{"type":"session_start","id":"s1","version":"0.81.0"}',
    '{"type":"message","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
    '"content":[{"type":"text","text":"on it"},{"type":"tool_use","id":"c","name":"read",'
    '"input":{"n":1.0}}]}}',
    '{"type":"message","message":{"role":"user","content":[{"type":"tool_result",'
    '"tool_use_id":"c","content":"done"}]}}',
)
DROID_STREAM = (
    '{"type":"system","sessionId":"s1","model":"m","tools":["read"]}',
    '{"type":"message","sessionId":"s1","role":"assistant","text":"on it"}',
    '{"type":"tool_call","sessionId":"s1","id":"c","toolName":"read","parameters":{"n":1.0}}',
    '{"type":"tool_result","sessionId":"s1","id":"c","value":"done"}',
    '{"type":"completion","sessionId":"s1","finalText":"on it"}',
    '{"type":"error","session_id":"s1","message":"no key"}',
)
CURSOR = (
    '{"role":"user","message":{"content":[{"type":"text","text":"go"}]}}',
    '{"role":"assistant","message":{"content":[{"type":"text","text":"on it"},'
    '{"type":"tool_use","name":"read","input":{"n":1.0}}]}}',
    '{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t9",'
    '"content":"done"}]}}',
)
COPILOT = (
    '{"type":"session.start","data":{"sessionId":"s1","copilotVersion":"1.0","selectedModel":"m",'
    '"startTime":"2026-01-01T00:00:00Z"}}',
    '{"type":"assistant.message","data":{"content":"on it","toolRequests":[{"toolCallId":"c",'
    '"name":"read","arguments":"{\\"n\\": 1.0}"}]}}',
    '{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"read",'
    '"arguments":{"n":1}}}',
    '{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,'
    '"result":{"content":"done"}}}',
    '{"type":"session.error","data":{"message":"no key","statusCode":401}}',
)
KIMI = (
    '{"type":"metadata","protocol_version":"1.4","created_at":1785615359837}',
    '{"type":"llm.tools_snapshot","time":1,"tools":[{"name":"read","parameters":{}}]}',
    '{"type":"llm.request","provider":"kimi","model":"k2","time":2}',
    '{"type":"context.append_loop_event","time":3,"event":{"type":"content.part","part":'
    '{"type":"text","text":"on it"}}}',
    '{"type":"context.append_loop_event","time":4,"event":{"type":"tool.call","toolCallId":"c",'
    '"name":"read","args":{"n":1.0}}}',
    '{"type":"context.append_loop_event","time":5,"event":{"type":"tool.result",'
    '"toolCallId":"c","result":{"output":"done"}}}',
)
ANTIGRAVITY = (
    '{"step_index":0,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","content":"on it",'
    '"created_at":"2026-01-01T00:00:00Z","tool_calls":[{"name":"read","args":{"n":"1.0"}}]}',
    '{"step_index":1,"source":"MODEL","type":"VIEW_FILE","status":"DONE","content":"done"}',
)
LOGS = {
    "grok": GROK,
    "droid": DROID,
    "droid-stream": DROID_STREAM,
    "cursor": CURSOR,
    "copilot-cli": COPILOT,
    "kimi": KIMI,
    "antigravity": ANTIGRAVITY,
}


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("marks", [("", "\n"), ("\ufeff", "\r\n")], ids=["plain", "marked"])
def test_every_agent_tells_the_same_story(
    write_log: WriteLog, read_log: ReadLog, name: str, marks: tuple[str, str]
) -> None:
    first, *others = LOGS[name]
    log = read_log(write_log(marks[0] + first, *others, end=marks[1]))
    assert log.reader == name.removesuffix("-stream")
    assert log.units == len(LOGS[name])
    assert not log.unreadable
    (call,) = log.of(Call)
    assert call.tool == "read"
    assert call.arguments in ('{"n": 1.0}', '{"n":1.0}')
    is_text = call.form is ArgumentsForm.TEXT
    assert is_text == (name in ("grok", "copilot-cli"))
    (result,) = log.of(Result)
    assert (result.call_position, result.text, result.is_error) == (call.position, "done", False)
    (text,) = [text for text in log.of(AssistantText) if not text.reasoning]
    assert text.text == "on it"
    (session,) = log.of(Session)
    assert session.harness == log.reader


@pytest.mark.parametrize("name", LOGS)
def test_broken_lines_are_told_and_the_rest_is_read(
    write_log: WriteLog, read_log: ReadLog, name: str
) -> None:
    lines = LOGS[name]
    log = read_log(write_log('{"type":', "[1]", b"\xff", *lines, lines[-1][:-3]))
    assert [fault.line for fault in log.unreadable] == [1, 2, 3, len(lines) + 4]
    assert log.unreadable[1].cause == "not a JSON object"
    assert log.unreadable[2].cause.startswith("not UTF-8")
    assert log.unreadable[3].cause.startswith("the line is cut")
    assert len(log.of(Call)) == len(log.of(Result)) == 1


@pytest.mark.parametrize("name", LOGS)
def test_repeated_ids_pair_in_order(write_log: WriteLog, read_log: ReadLog, name: str) -> None:
    log = read_log(write_log(*LOGS[name], *LOGS[name]))
    assert [call.call_id for call in log.of(Call)] in (["c", "c"], [None, None])
    positions = [call.position for call in log.of(Call)]
    assert [result.call_position for result in log.of(Result)] == positions


@pytest.mark.parametrize(
    "case",
    [
        ("grok", '{"type":"assistant","content":"","tool_calls":[{}]}', "a tool call without"),
        ("grok", '{"type":"assistant","content":"","tool_calls":[1]}', "a tool call that is no"),
        ("droid", '{"type":"tool_call","session_id":"s1"}', "a tool_call without a text"),
        (
            "cursor",
            '{"role":"assistant","message":{"content":[{"type":"tool_use"}]}}',
            "a tool_use block without a text 'name'",
        ),
        (
            "copilot-cli",
            '{"type":"assistant.message","data":{"toolRequests":[7]}}',
            "a tool request that is no object",
        ),
        (
            "kimi",
            '{"type":"context.append_loop_event","event":{"type":"tool.call"}}',
            "a tool.call without a text 'name'",
        ),
        (
            "antigravity",
            '{"step_index":3,"source":"MODEL","type":"PLANNER_RESPONSE","tool_calls":["x"]}',
            "a tool call that is no object",
        ),
    ],
)
def test_a_row_that_lacks_something_is_unreadable(
    write_log: WriteLog, read_log: ReadLog, case: tuple[str, str, str]
) -> None:
    name, line, cause = case
    log = read_log(write_log(*LOGS[name], line))
    (fault,) = log.unreadable
    assert fault.cause.startswith(cause)


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize(
    "line", ['{"type":{}}', '{"type":["x"],"data":[],"message":7}', "{}", '{"role":{},"event":1}']
)
def test_odd_types_of_fields_are_data(
    write_log: WriteLog, read_log: ReadLog, name: str, line: str
) -> None:
    log = read_log(write_log(*LOGS[name], line))
    assert log.units == len(LOGS[name]) + 1


def test_copilot_counts_a_call_in_either_place_once(write_log: WriteLog, read_log: ReadLog) -> None:
    start = '{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"a"}}'
    request = (
        '{"type":"assistant.message","data":{"content":"","toolRequests":'
        '[{"toolCallId":"c","name":"a","arguments":{}}]}}'
    )
    alone = start.replace('"c"', '"d"')
    log = read_log(write_log(COPILOT[0], start, request, request, start, alone))
    assert [call.call_id for call in log.of(Call)] == ["c", "c", "d"]
    assert [call.form for call in log.of(Call)] == [
        ArgumentsForm.ABSENT,
        ArgumentsForm.VALUE,
        ArgumentsForm.ABSENT,
    ]


def test_failed_calls_are_errors(write_log: WriteLog, read_log: ReadLog) -> None:
    failed = (
        '{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false,'
        '"error":{"message":"boom","code":"E"}}}'
    )
    (result,) = read_log(write_log(*COPILOT[:2], failed)).of(Result)
    assert (result.is_error, result.text, result.error_code) == (True, "boom", "E")
    failed = KIMI[-1].replace('"output":"done"', '"output":"boom","isError":true')
    (result,) = read_log(write_log(*KIMI[:-1], failed)).of(Result)
    assert (result.is_error, result.text) == (True, "boom")
    failed = ANTIGRAVITY[1].replace("DONE", "ERROR")
    (result,) = read_log(write_log(ANTIGRAVITY[0], failed)).of(Result)
    assert result.is_error


def test_errors_of_the_service_are_kept(write_log: WriteLog, read_log: ReadLog) -> None:
    for lines in (COPILOT, DROID_STREAM):
        (error,) = read_log(write_log(*lines)).of(StreamError)
        assert error.shown == "no key"
        assert "no key" in (error.raw or "")


def test_tools_of_the_request_are_in_force(write_log: WriteLog, read_log: ReadLog) -> None:
    (catalog,) = read_log(write_log(*KIMI, KIMI[1])).of(ToolCatalog)
    assert [(tool.name, tool.schema) for tool in catalog.tools] == [("read", "{}")]
    (call,) = read_log(write_log(*KIMI)).of(Call)
    assert (call.model, call.provider) == ("k2", "kimi")


def test_antigravity_values_are_decoded_and_kept_exactly(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    args = {
        "Path": '"/tmp/a b"',
        "Count": "3",
        "Big": "12345678901234567890.10",
        "Nested": '{"a":[1,"2"]}',
        "Text": '"{\\"still\\": \\"text\\"}"',
        "NotJson": "plain",
        "Number": 4,
    }
    plan = {
        "step_index": 1,
        "source": "MODEL",
        "type": "PLANNER_RESPONSE",
        "status": "DONE",
        "tool_calls": [{"name": "t", "args": args}, {"name": "u"}],
    }
    first, second = read_log(write_log(json.dumps(plan))).of(Call)
    assert first.arguments == (
        '{"Path":"/tmp/a b","Count":3,"Big":12345678901234567890.10,"Nested":{"a":[1,"2"]},'
        '"Text":"{\\"still\\": \\"text\\"}","NotJson":"plain","Number":4}'
    )
    assert second.form is ArgumentsForm.ABSENT


def test_a_step_answers_only_calls_of_the_latest_plan(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    plan = ANTIGRAVITY[0]
    log = read_log(write_log(plan, plan, ANTIGRAVITY[1], ANTIGRAVITY[1]))
    positions = [call.position for call in log.of(Call)]
    assert [result.call_position for result in log.of(Result)] == [positions[1], None]


def test_results_without_ids_answer_by_tool_in_order(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    calls = (
        '{"role":"assistant","message":{"content":[{"type":"tool_call","name":"a","input":{}},'
        '{"type":"tool_call","name":"b","input":{}},{"type":"tool_call","name":"a","input":{}}]}}'
    )
    answer = '{"role":"user","message":{"content":[{"type":"tool-result","name":"%s"}]}}'
    log = read_log(write_log(calls, *(answer % name for name in "bac")))
    first, second, _ = log.of(Call)
    positions = [result.call_position for result in log.of(Result)]
    assert positions == [second.position, first.position, None]
