"""Codex rollouts: items of every kind, tools that a client added, older shapes."""

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
from toolfix_audit.model.words import HostVerdict
from toolfix_audit.wire.host_verdict import host_verdict

from .conftest import ReadLog, WriteLog


def row(kind: str, **payload: object) -> str:
    return json.dumps({"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload})


def item(kind: str, **payload: object) -> str:
    return row("response_item", type=kind, **payload)


def call(call_id: str = "c1", arguments: str = "{}", name: str = "shell", **more: object) -> str:
    return item("function_call", name=name, arguments=arguments, call_id=call_id, **more)


def output(call_id: str, value: object) -> str:
    return item("function_call_output", call_id=call_id, output=value)


def said(words: str, role: str = "assistant") -> str:
    return item("message", role=role, content=[{"type": "output_text", "text": words}])


META: dict[str, Any] = {
    "id": "s1",
    "cli_version": "0.144.5",
    "model_provider": "openai",
    "timestamp": "2026-01-01T00:00:00.000Z",
}


def test_a_rollout_is_read_whole(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            row("session_meta", **META),
            row("turn_context", model="gpt-5", approval_policy="never"),
            said("do it", role="user"),
            item("reasoning", summary=[{"type": "summary_text", "text": "hm"}]),
            said("I will look."),
            call("c1", '{"command": ["ls"] ,"x":1.50}'),
            row("event_msg", type="exec_command_end", call_id="c1"),
            output("c1", "Exit code: 0\nOutput:\nx"),
            said("Done."),
            row("event_msg", type="agent_message", message="Done."),
            row("event_msg", type="stream_error", message="stream disconnected"),
        )
    )
    assert log.reader == "codex"
    (session,) = log.of(Session)
    assert (session.session, session.version) == ("s1", "0.144.5")
    (made,) = log.of(Call)
    assert (made.arguments, made.form) == ('{"command": ["ls"] ,"x":1.50}', ArgumentsForm.TEXT)
    assert (made.model, made.provider) == ("gpt-5", "openai")
    texts = [(one.text, one.has_calls) for one in log.of(AssistantText)]
    assert texts == [("hm", True), ("I will look.", True), ("Done.", False)]
    assert [one.shown for one in log.of(StreamError)] == ["stream disconnected"]
    assert log.of(Result)[0].call_position == made.position


def test_free_text_of_a_custom_tool_is_a_value(write_log: WriteLog, read_log: ReadLog) -> None:
    """A patch is no broken JSON."""
    patch = "*** Begin Patch\n*** End Patch {"
    log = read_log(
        write_log(
            item("custom_tool_call", name="apply_patch", input=patch, call_id="c1"),
            item("custom_tool_call_output", call_id="c1", output="Success."),
        )
    )
    (made,) = log.of(Call)
    assert (made.tool, made.form) == ("apply_patch", ArgumentsForm.VALUE)
    assert json.loads(made.arguments) == {"input": patch}
    assert log.of(Result)[0].call_position == made.position


def test_built_in_calls_have_the_name_of_their_kind(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            item("local_shell_call", call_id="c1", action={"type": "exec", "command": ["ls"]}),
            item("web_search_call", id="ws_1", action={"type": "search", "query": "x"}),
            item("tool_search_call", call_id="c3", arguments={"query": "y"}),
            output("c1", "ok"),
        )
    )
    assert [made.tool for made in log.of(Call)] == ["local_shell", "web_search", "tool_search"]
    assert json.loads(log.of(Call)[1].arguments)["query"] == "x"
    assert log.of(Result)[0].call_position == log.of(Call)[0].position


SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
FLAT = [{"name": "say", "description": "", "inputSchema": SCHEMA}]
SPACE = [{"type": "namespace", "name": "n", "tools": [{"type": "function", **FLAT[0]}]}]


@pytest.mark.parametrize("tools", [FLAT, SPACE, SPACE[0]])
def test_added_tools_are_known_and_no_other_is_unknown(
    write_log: WriteLog, read_log: ReadLog, tools: object
) -> None:
    """The list is not whole: a tool of Codex itself must not count as one that does not exist."""
    log = read_log(
        write_log(
            row("session_meta", **META, dynamic_tools=tools),
            call("c1", name="say"),
            call("c2", name="shell"),
            call("c3", name="shell"),
        )
    )
    first, second = log.of(ToolCatalog)
    assert [(tool.name, json.loads(tool.schema or "")) for tool in first.tools] == [("say", SCHEMA)]
    assert [(tool.name, tool.schema is None) for tool in second.tools] == [
        ("say", False),
        ("shell", True),
    ]
    assert second.position == log.of(Call)[1].position - 1


def test_without_added_tools_there_is_no_catalogue(write_log: WriteLog, read_log: ReadLog) -> None:
    assert not read_log(write_log(row("session_meta", **META), call())).of(ToolCatalog)


IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,AA=="}


@pytest.mark.parametrize(
    ("value", "text", "verdict"),
    [
        ("Exit code: 0\nWall time: 1\nOutput:\nx", "Exit code: 0", HostVerdict.ACCEPTED),
        ("Exit code: 2\nOutput:\nx", "Exit code: 2", HostVerdict.FAILED),
        ("Process exited with code 1\n", "Process", HostVerdict.FAILED),
        ('{"output":"hi","metadata":{"exit_code":0}}', "hi", HostVerdict.ACCEPTED),
        ('{"output":"no","metadata":{"exit_code":1}}', "no", HostVerdict.FAILED),
        ('{"output":"no","meta', '{"output"', HostVerdict.ACCEPTED),
        ({"content": "no", "success": False}, "no", HostVerdict.FAILED),
        ({"content": "yes", "success": True}, "yes", HostVerdict.ACCEPTED),
        ([{"type": "input_text", "text": "seen"}, IMAGE], "seen", HostVerdict.ACCEPTED),
        (
            "failed to parse function arguments: missing field `command`",
            "failed to parse",
            HostVerdict.REJECTED_ARGUMENTS,
        ),
        ("unsupported call: shel", "unsupported call", HostVerdict.REJECTED_NAME),
        ("aborted by user after 2.0s", "aborted", HostVerdict.FAILED),
    ],
)
def test_outputs_tell_what_became_of_a_call(
    *, write_log: WriteLog, read_log: ReadLog, value: object, text: str, verdict: HostVerdict
) -> None:
    log = read_log(write_log(call("c1"), output("c1", value)))
    (result,) = log.of(Result)
    assert result.text.startswith(text)
    assert ("input_image" in (result.blocks or "")) == isinstance(value, list)
    found = host_verdict("codex", True, result.is_error, result.text, result.error_code)
    assert found is verdict


def test_the_header_of_a_copied_history_begins_no_session(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    parent = {**META, "id": "s0"}
    log = read_log(
        write_log(
            row("session_meta", **META, forked_from_id="s0"),
            row("session_meta", **parent),
            call("c1", id="fc1"),
            output("c1", "x"),
            call("c1", id="fc1"),
            output("c1", "x"),
        )
    )
    assert [session.session for session in log.of(Session)] == ["s1"]
    assert [made.inherited for made in log.of(Call)] == [False, True]
    assert len({made.event for made in log.of(Call)}) == 1
    assert [one.inherited for one in log.of(Result)] == [False, True]


def test_bare_items_of_old_versions(write_log: WriteLog, read_log: ReadLog) -> None:
    rows = [
        {"id": "s9", "timestamp": "2025-06-01T00:00:00.000Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "x"},
        {"type": "tool_call", "function": {"name": "git"}, "arguments": "status"},
        {"type": "tool_result", "name": "git", "result": "clean"},
    ]
    log = read_log(write_log(*map(json.dumps, rows)))
    assert log.reader == "codex"
    assert log.of(Session)[0].session == "s9"
    assert [made.tool for made in log.of(Call)] == ["shell", "git"]
    positions = [made.position for made in log.of(Call)]
    assert [one.call_position for one in log.of(Result)] == positions
    assert [one.has_calls for one in log.of(AssistantText)] == [True]
    assert log.ignored == {"state": 1}


def test_broken_rows_are_told(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            "\ufeff" + row("session_meta", **META),
            row("response_item", type="function_call", call_id="c1", arguments="{}"),
            '{"type":"response_item"}',
            call()[:-9],
            b'{"type":"event_msg","payload":{"\xff',
            call("c2"),
            end="\r\n",
        )
    )
    assert [fault.line for fault in log.unreadable] == [2, 3, 4, 5]
    assert log.unreadable[0].cause == "function_call without a text 'name'"
    assert log.unreadable[2].cause.startswith("the line is cut")
    assert len(log.of(Call)) == 1
