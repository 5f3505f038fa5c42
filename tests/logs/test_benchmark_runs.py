"""Runs of benchmarks and training files: tau2, AgentDojo, BFCL, ToolBench, fine-tuning."""

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
    ToolCatalog,
)

from .conftest import ReadLog, WriteLog

Document = dict[str, Any]


def tau2() -> Document:
    call = {"id": "c", "name": "book", "arguments": {"n": 1.5}, "requestor": "assistant"}
    raw_call = {"id": "c", "function": {"name": "book", "arguments": '{"n": 1.50}'}}
    raw = {"finish_reason": "tool_calls", "message": {"tool_calls": [raw_call]}}
    result = {"role": "tool", "id": "c", "content": "no", "error": True, "requestor": "assistant"}
    again = {**call, "id": "d", "requestor": "user"}
    messages = [
        {"role": "assistant", "content": "go", "tool_calls": [call], "raw_data": raw},
        {"role": "tool", "tool_messages": [result]},
        {"role": "user", "content": "hm"},
        {"role": "user", "content": None, "tool_calls": [again]},
        {"role": "tool", "id": "d", "content": "ok", "error": False, "requestor": "user"},
    ]
    run = {"id": "s1", "task_id": "0", "trial": 0, "messages": messages}
    info = {"agent_info": {"llm": "agent-model"}, "user_info": {"llm": "user-model"}}
    return {"info": info, "tasks": [], "simulations": [run, {**run, "id": None}]}


def test_tau2_results(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(json.dumps(tau2(), indent=1)))
    assert log.reader == "tau2-bench"
    assert log.of(Session)[0].session == "s1"
    first, second = log.of(Call)[:2]
    assert (first.arguments, first.form, first.streamed) == (
        '{"n":1.5}',
        ArgumentsForm.VALUE,
        '{"n": 1.50}',
    )
    assert (first.model, first.finish_reason) == ("agent-model", "tool_calls")
    assert (second.call_id, second.model) == ("d", "user-model")
    bad, good = log.of(Result)[:2]
    assert (bad.call_position, bad.is_error, bad.text) == (first.position, True, "no")
    assert (good.call_position, good.is_error) == (second.position, False)
    assert [text.text for text in log.of(AssistantText)] == ["go", "go"]
    assert len(log.of(Call)) == 4


def agentdojo() -> Document:
    call = {"function": "send", "args": {"to": "x"}, "id": "c", "placeholder_args": None}
    nameless = {**call, "function": "read", "id": None}
    return {
        "suite_name": "banking",
        "pipeline_name": "gpt",
        "user_task_id": "user_task_0",
        "error": None,
        "messages": [
            {"role": "user", "content": [{"type": "text", "content": "hi"}]},
            {
                "role": "assistant",
                "content": [{"type": "text", "content": "go"}],
                "tool_calls": [call, nameless],
            },
            {
                "role": "tool",
                "tool_call_id": None,
                "tool_call": nameless,
                "content": [{"type": "text", "content": "mail"}],
                "error": None,
            },
            {
                "role": "tool",
                "tool_call_id": "c",
                "tool_call": call,
                "content": [{"type": "text", "content": ""}],
                "error": "ValidationError: x",
            },
        ],
    }


def test_agentdojo_runs(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(json.dumps(agentdojo(), indent=4)))
    assert log.reader == "agentdojo"
    send, read = log.of(Call)
    assert (send.tool, send.arguments, send.call_id, send.model) == (
        "send",
        '{"to":"x"}',
        "c",
        "gpt",
    )
    good, bad = log.of(Result)
    assert (good.call_position, good.text, good.is_error) == (read.position, "mail", False)
    assert (bad.call_position, bad.is_error) == (send.position, True)
    assert log.of(AssistantText)[0].text == "go"


BFCL = (
    '{"id":"simple_0","result":[{"math.add":"{\\"a\\": 1.0}"}],"latency":1.2}',
    '{"id":"parallel_1","result":[{"f":{"x":2.0}},{"f":"{oops"},{"g":"{}","h":"{}"}]}',
    '{"id":"prompt_2","result":"[add(a=1)]","latency":1.2}',
    '{"id":"multi_turn_3","result":[[[{"a":"{}"}],"text"],[]],"latency":[]}',
    '{"id":"simple_0","result":"Error during inference","traceback":"x"}',
    '{"id":"no_result"}',
    '{"id":"deep","result":[[[[{"a":"{}"}]]]]}',
)


def test_bfcl_results(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(*BFCL))
    assert log.reader == "bfcl"
    assert [(call.tool, call.arguments, call.form.value) for call in log.of(Call)] == [
        ("math.add", '{"a": 1.0}', "text"),
        ("f", '{"x":2.0}', "value"),
        ("f", "{oops", "text"),
        ("g", "{}", "text"),
        ("h", "{}", "text"),
        ("a", "{}", "text"),
    ]
    texts = [text.text for text in log.of(AssistantText)]
    assert texts == ["[add(a=1)]", "text", "Error during inference"]
    assert log.ignored == {"row without a result": 1}
    assert [fault.line for fault in log.unreadable] == [7]
    names = [session.session.partition("-")[2] for session in log.of(Session)]
    assert names[:3] == ["simple_0", "parallel_1", "prompt_2"]
    other = read_log(write_log(*BFCL, "{}", name="another model"))
    assert other.of(Session)[0].session != log.of(Session)[0].session


def node(kind: str, description: str, *children: Document, **more: object) -> Document:
    found = {"node_type": kind, "description": description, "depth": 1, **more}
    return {**found, "children": list(children)}


def toolbench() -> Document:
    failed = node("Action Input", "{'x': 1", observation='{"error": "bad", "response": ""}')
    ran = node("Action Input", "{}", observation='{"error": "", "response": "r"}')
    unknown = node("Action Input", "{}", observation="{}", observation_code=1)
    tree = node(
        "Action Input",
        "",
        node("Thought", "hm", node("Action", "one", failed)),
        node("Action", "two", ran),
        node("Action", "none", unknown),
        depth=0,
    )
    tools = [{"name": "one", "parameters": {"type": "object"}}]
    return {"win": True, "tree": {"tree": tree}, "answer_generation": {"function": tools}}


def test_toolbench_trees_and_chains(write_log: WriteLog, read_log: ReadLog) -> None:
    chain = [
        node("Action", "one"),
        node("Action Input", "{}", observation="r", observation_code=0),
        node("Action Input", "{}"),
    ]
    log = read_log(write_log(json.dumps(toolbench(), indent=1)))
    assert log.reader == "toolbench"
    calls = log.of(Call)
    assert [(call.tool, call.arguments) for call in calls] == [
        ("one", "{'x': 1"),
        ("two", "{}"),
        ("none", "{}"),
    ]
    assert [result.call_position for result in log.of(Result)] == [call.position for call in calls]
    assert [result.is_error for result in log.of(Result)] == [True, False, True]
    assert log.of(ToolCatalog)[0].tools[0].name == "one"
    chained = read_log(write_log(json.dumps({"trys": [{"chain": chain}]}), name="chain"))
    assert [call.tool for call in chained.of(Call)] == ["one"]
    (fault,) = chained.unreadable
    assert fault.cause == "an action input without an action"


@pytest.mark.parametrize(
    "case",
    [
        ("{'name': 't', 'arguments': '{\"a\": 1}', 'response': 'done'}", '{"a": 1}', "done"),
        ("{'name': 't', 'arguments': \"{'a'}\", 'response': \"it's\"}", "{'a'}", "it's"),
        ("{'name': 't', 'arguments': '{}', 'response': 'cut he", "{}", "'cut he"),
        ("{'name': 't', 'arguments': '{}'}", "{}", None),
        ("{'name': 't', 'arguments': '{\"a\": \"cut he", '{"a": "cut he', None),
        ("{'name': 't', 'arguments': '\\n{}'}", "\n{}", None),
    ],
)
def test_tooleval_messages(
    write_log: WriteLog, read_log: ReadLog, case: tuple[str, str, str | None]
) -> None:
    message, arguments, answer = case
    leaf = {"role": "tool", "message": message, "next": []}
    said = {"role": "assistant", "message": "go", "next": [leaf]}
    bad = {"role": "tool", "message": "nothing", "next": []}
    root = {"role": "system", "message": "", "next": [said, bad]}
    run = {"query": "q", "available_tools": [{"name": "t"}], "answer": {"answer_details": [root]}}
    log = read_log(write_log(json.dumps({"7": run, "8": run})))
    assert log.reader == "toolbench"
    assert [(call.tool, call.arguments) for call in log.of(Call)] == [("t", arguments)] * 2
    assert [result.text for result in log.of(Result)] == ([answer] * 2 if answer else [])
    assert len(log.unreadable) == 2
    assert len(log.of(Session)) == 2


def test_very_deep_trees_are_read(write_log: WriteLog, read_log: ReadLog) -> None:
    depth = 3000
    text = '{"role":"tool","message":"{\'name\': \'t\', \'arguments\': \'{}\'}","next":[' * depth
    document = '{"q":{"answer":{"answer_details":[' + text + "]}" * depth + "]}}}"
    log = read_log(write_log(document))
    assert len(log.of(Call)) == depth


def test_fine_tuning_files(write_log: WriteLog, read_log: ReadLog) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    asked = {"role": "user", "content": "hi"}
    answer = {"role": "assistant", "tool_calls": [call], "weight": 1}
    tools = [{"type": "function", "function": {"name": "add", "parameters": {}}}]
    example = {"messages": [asked, answer], "tools": tools, "parallel_tool_calls": False}
    preference = {
        "input": {"messages": [asked], "tools": tools, "parallel_tool_calls": True},
        "preferred_output": [answer],
        "non_preferred_output": [{"role": "assistant", "content": "no"}],
    }
    log = read_log(write_log(json.dumps(example), json.dumps(preference)))
    assert log.reader == "openai-messages"
    assert [call.tool for call in log.of(Call)] == ["add", "add"]
    assert [text.text for text in log.of(AssistantText)] == ["no"]
    assert len(log.of(Session)) == len(log.of(ToolCatalog)) == 3
    only = read_log(write_log(json.dumps(preference), name="preference"))
    assert only.reader == "openai-messages"
