"""OpenCode exports of the real program with the truth known for each, whole and cut."""

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
)
from toolfix_audit.model.words import HostVerdict
from toolfix_audit.wire.host_verdict import host_verdict

from .conftest import Reading, ReadLog, WriteLog

Truth = dict[str, Any]
REFUSED = ("The arguments provided to the tool are invalid", "The read tool was called with")


@pytest.fixture(scope="session")
def truth(shared: Path) -> list[Truth]:
    text = (shared / "corpora" / "opencode-host" / "truth.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="session")
def exports(shared: Path, read_log: ReadLog) -> dict[str, Reading]:
    folder = shared / "corpora" / "opencode-host"
    return {path.name: read_log(path) for path in sorted(folder.glob("*.json"))}


def test_every_call_is_what_the_model_emitted(
    exports: dict[str, Reading], truth: list[Truth]
) -> None:
    """Also where OpenCode rewrote it: text that is no JSON, roots that are no objects."""
    emitted = [line for line in truth if line["status"] != "no_tool_part"]
    assert len(emitted) == 89
    for line in emitted:
        log = exports[line["file"]]
        (call,) = [one for one in log.of(Call) if one.call_id == line["call_id"]]
        assert (call.session, call.tool) == (line["session"], line["emitted_name"])
        assert (call.model, call.provider) == ("mock-large", "mockgw")
        if line["family"] == "stream_error":
            assert call.form is ArgumentsForm.ABSENT, "the stream was cut inside the arguments"
        elif call.form is ArgumentsForm.TEXT:
            assert call.arguments == line["emitted_args"]
        elif line["emitted_args"]:
            assert json.loads(call.arguments) == json.loads(line["emitted_args"])
        else:
            assert call.arguments == "{}", "what OpenCode made of an empty text"
    broken = [line for line in emitted if line["recorded_tool"] == "invalid"]
    texts = [one for log in exports.values() for one in log.of(Call) if one.form == "text"]
    assert len(texts) == len(broken) == 6


def test_the_host_said_what_the_truth_says(exports: dict[str, Reading], truth: list[Truth]) -> None:
    for line in truth:
        log = exports[line["file"]]
        calls = [one for one in log.of(Call) if one.call_id == line["call_id"]]
        if not calls or line["family"] == "stream_error":
            continue
        (result,) = [one for one in log.of(Result) if one.call_position == calls[0].position]
        verdict = host_verdict("opencode", True, result.is_error, result.text, result.error_code)
        words = line["error"] or line["output"]
        assert result.text == words
        refused = line["recorded_tool"] == "invalid" or " tool was called with invalid" in words
        assert (verdict is HostVerdict.REJECTED_ARGUMENTS) == refused, line


def test_an_export_is_a_session(exports: dict[str, Reading]) -> None:
    for log in exports.values():
        assert log.reader == "opencode"
        (session,) = log.of(Session)
        assert (session.harness, session.version) == ("opencode", "1.18.33")
        assert session.started is not None
    reasons = [call.finish_reason for log in exports.values() for call in log.of(Call)]
    assert set(reasons) == {"tool-calls"}


def test_a_leaked_call_stays_in_the_text(exports: dict[str, Reading], truth: list[Truth]) -> None:
    (leak,) = [line for line in truth if line["family"] == "G"]
    texts = [one for one in exports[leak["file"]].of(AssistantText) if "<tool_call>" in one.text]
    assert len(texts) == 1
    assert json.dumps(leak["intended"]) in texts[0].text
    assert not texts[0].has_calls


def test_a_cut_export_is_read_up_to_the_cut(exports: dict[str, Reading], shared: Path) -> None:
    whole, cut = exports["ocE.json"], exports["cut-ocE.json"]
    assert len(whole.of(Call)) == 29
    assert cut.of(Call) == whole.of(Call)[: len(cut.of(Call))]
    path = shared / "corpora" / "opencode-host" / "cut-ocE.json"
    told = path.read_text("utf-8").count('"type": "tool",')
    assert len(cut.of(Call)) == len(cut.of(Result)) == told == 23
    (fault,) = cut.unreadable
    assert fault.cause == "the document is cut: it ends inside a value"
    assert path.read_bytes()[fault.offset : fault.offset + 1] == b"{"
    assert fault.line == path.read_text("utf-8").count("\n", 0, fault.offset) + 1


def part(**state: Any) -> dict[str, Any]:
    tool = state.pop("tool", "read")
    state = {"status": "completed", "input": {}, "output": "ok", **state}
    return {"type": "tool", "tool": tool, "callID": "c1", "id": "p1", "state": state}


def export(*parts: dict[str, Any], **info: Any) -> dict[str, Any]:
    message = {"id": "m1", "role": "assistant", "sessionID": "s", "modelID": "m", **info}
    return {
        "info": {"id": "s", "directory": "/w", "version": "1.0"},
        "messages": [
            {"info": {"id": "m0", "role": "user", "sessionID": "s"}, "parts": []},
            {"info": message, "parts": list(parts)},
        ],
    }


def test_an_unknown_tool_keeps_its_name_and_has_no_arguments(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    error = "Model tried to call unavailable tool 'read_file'. Available tools: read."
    given = {"tool": "read_file", "error": error}
    words = f"The arguments provided to the tool are invalid: {error}"
    log = read_log(write_log(json.dumps(export(part(tool="invalid", input=given, output=words)))))
    (call,) = log.of(Call)
    assert (call.tool, call.form) == ("read_file", ArgumentsForm.ABSENT)
    (result,) = log.of(Result)
    verdict = host_verdict("opencode", True, result.is_error, result.text, None, tool=call.tool)
    assert verdict is HostVerdict.REJECTED_NAME


@pytest.mark.parametrize(
    "state",
    [
        {"input": {"value": "x"}},
        {"input": {"value": 1}, "status": "error", "error": "SchemaError(Expected object, got 2"},
        {"input": {"value": 1, "b": 2}, "status": "error", "error": "SchemaError(Expected x, got"},
        {"input": {"tool": "read", "error": "mine"}},
    ],
)
def test_what_only_looks_rewritten_stays(
    write_log: WriteLog, read_log: ReadLog, state: dict[str, Any]
) -> None:
    log = read_log(write_log(json.dumps(export(part(**state)))))
    (call,) = log.of(Call)
    assert json.loads(call.arguments) == state["input"]
    assert call.tool == "read"


def test_errors_of_messages(write_log: WriteLog, read_log: ReadLog) -> None:
    error = {"name": "APIError", "data": {"message": "Overloaded", "statusCode": 529}}
    log = read_log(write_log(json.dumps(export(error=error)), name="a"))
    assert [(one.shown, one.code) for one in log.of(StreamError)] == [("Overloaded", "529")]
    aborted = {"name": "MessageAbortedError", "data": {"message": "aborted"}}
    log = read_log(write_log(json.dumps(export(part(status="running"), error=aborted)), name="b"))
    assert not log.of(StreamError)
    assert (len(log.of(Call)), len(log.of(Result))) == (1, 0)


def test_broken_messages_are_told(write_log: WriteLog, read_log: ReadLog) -> None:
    document = export(part())
    document["messages"] += [7, {"parts": []}, {"info": {"role": "assistant"}, "parts": [part()]}]
    document["messages"][1]["parts"].append({"type": "tool", "callID": "c2"})
    log = read_log(write_log("\ufeff" + json.dumps(document, indent=1), end="\r\n"))
    assert [fault.cause for fault in log.unreadable] == [
        "a tool part without a text 'tool'",
        "a message without info",
        "a message without info",
    ]
    assert [call.session for call in log.of(Call)] == ["s"]
