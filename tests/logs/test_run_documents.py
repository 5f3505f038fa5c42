"""Documents of one or many runs: OpenHands, SWE-agent, Inspect, chat replays, Hermes."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
import zstandard

from toolfix_audit.logs.detect import FileKind, detect, reader_named
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.zip_members import first_member, iter_members
from toolfix_audit.model.errors import ReadError
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

Document = dict[str, Any]


def chat_call(call_id: str, name: str, arguments: object) -> Document:
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def metadata(call_id: str, *calls: Document, response: str = "r", text: str = "go") -> Document:
    message = {"role": "assistant", "content": text, "tool_calls": list(calls)}
    choice = {"finish_reason": "tool_calls", "message": message}
    return {
        "function_name": "run",
        "tool_call_id": call_id,
        "model_response": {"id": response, "model": "m", "choices": [choice]},
    }


def openhands() -> Document:
    first, second = chat_call("a", "run", '{"c": 1.0}'), chat_call("b", "run", "{oops")
    called = {call_id: metadata(call_id, first, second) for call_id in "ab"}
    tools = [{"type": "function", "function": {"name": "run", "parameters": {}}}]
    system = {"tools": tools, "openhands_version": "0.35.0"}
    return {
        "instance_id": "i",
        "metadata": {"llm_config": {"model": "fallback"}},
        "history": [
            {"source": "agent", "action": "system", "args": system},
            {"source": "user", "action": "message", "args": {"content": "hi"}},
            {"source": "agent", "action": "run", "tool_call_metadata": called["a"]},
            {"source": "agent", "action": "run", "tool_call_metadata": called["b"]},
            {
                "source": "agent",
                "observation": "error",
                "content": "bad",
                "tool_call_metadata": called["b"],
            },
            {
                "source": "agent",
                "observation": "run",
                "content": "ok",
                "success": True,
                "tool_call_metadata": called["a"],
            },
            {"source": "agent", "action": "message", "args": {"content": "bye"}},
        ],
    }


def test_openhands_tells_calls_from_the_response(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(json.dumps(openhands()), json.dumps(openhands())))
    assert log.reader == "openhands"
    assert log.units == 14
    first, second = log.of(Call)[:2]
    assert (first.arguments, first.form, first.finish_reason) == (
        '{"c": 1.0}',
        ArgumentsForm.TEXT,
        "tool_calls",
    )
    assert second.arguments == "{oops"
    bad, good = log.of(Result)[:2]
    assert (bad.call_position, bad.is_error, bad.text) == (second.position, True, "bad")
    assert (good.call_position, good.is_error) == (first.position, False)
    texts = [(text.text, text.model, text.has_calls) for text in log.of(AssistantText)[:2]]
    assert texts == [("go", "m", True), ("bye", "fallback", False)]
    assert {session.version for session in log.of(Session)} == {"0.35.0"}
    assert len({session.session for session in log.of(Session)}) == 2


def test_openhands_trajectories_and_old_pairs(write_log: WriteLog, read_log: ReadLog) -> None:
    events = openhands()["history"]
    log = read_log(write_log(json.dumps(events, indent=1)))
    assert (log.reader, len(log.of(Call)), len(log.of(Result))) == ("openhands", 2, 2)
    pairs = {"history": [events[:2], events[2:4], [events[4], 5]]}
    log = read_log(write_log(json.dumps(pairs), name="pairs"))
    assert (len(log.of(Call)), len(log.of(Result)), len(log.unreadable)) == (2, 1, 1)
    old = {"history": [{"action": "run", "command": "ls"}, {"observation": "run", "content": ""}]}
    log = read_log(write_log(json.dumps(old), name="old"))
    assert log.ignored == {"observation run": 1}


def test_an_action_without_its_response_has_no_arguments(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    called = {"function_name": "run", "tool_call_id": "a", "model_response": None}
    events = [{"source": "agent", "action": "run", "args": {"x": 1}, "tool_call_metadata": called}]
    (call,) = read_log(write_log(json.dumps({"history": events}))).of(Call)
    assert (call.tool, call.form) == ("run", ArgumentsForm.ABSENT)
    del called["function_name"]
    log = read_log(write_log(json.dumps({"history": [events[0], *events]}), name="nameless"))
    assert {fault.cause for fault in log.unreadable} == {"an action without a text 'function_name'"}


def swe_agent() -> Document:
    settings = json.dumps({"agent": {"model": {"name": "gpt4"}}})
    return {
        "trajectory": [],
        "info": {"swe_agent_version": "1.1.0"},
        "replay_config": settings,
        "history": [
            {"role": "user", "content": "a demo", "is_demo": True},
            {"role": "assistant", "content": "shown", "is_demo": True},
            {"role": "assistant", "content": "go", "tool_calls": [chat_call("a", "bash", "{}")]},
            {"role": "tool", "content": "out", "tool_call_ids": ["a"]},
            {"role": "user", "content": "on"},
        ],
    }


def test_swe_agent_trajectories(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(json.dumps(swe_agent(), indent=2)))
    assert log.reader == "swe-agent"
    assert log.ignored == {"demonstration": 1, "user": 1}
    assert [text.text for text in log.of(AssistantText)] == ["go"]
    (call,) = log.of(Call)
    assert (call.tool, call.model, call.call_id) == ("bash", "gpt4", "a")
    assert log.of(Result)[0].call_position == call.position
    assert log.of(Session)[0].version == "1.1.0"
    odd: list[object] = ["{broken", None, [], {"agent": 3}]
    for settings in odd:
        path = write_log(json.dumps({**swe_agent(), "replay_config": settings}), name="other")
        assert read_log(path).of(Call)[0].model is None


def test_hermes_sessions(write_log: WriteLog, read_log: ReadLog) -> None:
    tool = {"name": "sh", "function": {"name": "sh"}, "input_schema": {"type": "object"}}
    document = {
        "session_id": "h1",
        "session_start": "2026-01-01T00:00:00Z",
        "platform": "cli",
        "model": "m",
        "tools": [tool],
        "messages": [
            {
                "role": "assistant",
                "content": "go",
                "reasoning": "hm",
                "tool_calls": [chat_call("a", "sh", "{}")],
            },
            {"role": "tool", "content": "no", "tool_call_id": "a", "finish_reason": "error"},
        ],
    }
    log = read_log(write_log(json.dumps(document, indent=1)))
    assert log.reader == "hermes"
    assert log.of(ToolCatalog)[0].tools[0].schema == '{"type":"object"}'
    assert log.of(Result)[0].is_error
    assert [text.reasoning for text in log.of(AssistantText)] == [True, False]


def test_chat_replays(write_log: WriteLog, read_log: ReadLog) -> None:
    request = {"kind": "request", "metadata": {"model": "m", "tools": [{"name": "read"}]}}
    call = {"kind": "toolCall", "id": "a", "tool": "read", "args": "{", "response": ["x", "y"]}
    failed = {"kind": "request", "response": {"type": "failed", "reason": "quota"}}
    prompt = {
        "prompt": "hi",
        "logs": [
            {**request, "response": {"type": "success", "message": ["a", "b"]}},
            {"kind": "element"},
            call,
            {"kind": "toolCall", "id": "b"},
            {"kind": "toolCall", "id": "c", "tool": "read", "args": "{}"},
            failed,
            7,
        ],
    }
    for document in ({"prompts": [prompt, {"prompt": "empty", "logs": []}]}, prompt):
        log = read_log(write_log(json.dumps(document, indent=1)))
        assert log.reader == "vscode-chatreplay"
        assert [call.arguments for call in log.of(Call)] == ["{", "{}"]
        (result,) = log.of(Result)
        assert (result.text, result.call_position) == ("x\ny", log.of(Call)[0].position)
        assert log.of(AssistantText)[0].text == "ab"
        assert log.of(StreamError)[0].shown == "quota"
        assert len(log.unreadable) == 2


# Inspect


def inspect_sample() -> Document:
    call = {"id": "a", "function": "add", "arguments": {"x": "1.0"}, "type": "function"}
    raw = {"choices": [{"message": {"tool_calls": [chat_call("a", "add", '{"x": "1.0" }')]}}]}
    responses = {"output": [{"type": "function_call", "call_id": "z", "arguments": "{}"}]}
    tools = [{"name": "add", "parameters": {"type": "object"}}]
    said = {"id": "m1", "role": "assistant", "content": "attachment://f", "tool_calls": [call]}
    choice = {"message": {"id": "m1"}, "stop_reason": "tool_calls"}
    event = {
        "event": "model",
        "timestamp": "2026-01-01T00:00:00Z",
        "tools": tools,
        "output": {"choices": [choice]},
    }
    return {
        "uuid": "u1",
        "attachments": {"f": "the long text"},
        "messages": [
            {"role": "user", "content": "hi"},
            said,
            {
                "role": "tool",
                "tool_call_id": "a",
                "function": "add",
                "content": "",
                "error": {"type": "parsing", "message": "x is no number"},
            },
        ],
        "events": [
            {**event, "call": {"response": raw}},
            {"event": "model", "error": "overloaded", "call": {"response": responses}},
        ],
    }


def inspect_log(*samples: Document) -> Document:
    evaluation = {"task": "t", "model": "openai/gpt", "packages": {"inspect_ai": "0.3"}}
    return {"version": 2, "status": "success", "eval": evaluation, "samples": list(samples)}


def archive(path: Path, members: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return path


def eval_members(*samples: Document) -> dict[str, bytes]:
    header = {key: value for key, value in inspect_log().items() if key != "samples"}
    return {
        "_journal/start.json": json.dumps(header).encode(),
        **{f"samples/{n}_epoch_1.json": json.dumps(s).encode() for n, s in enumerate(samples)},
        "header.json": json.dumps(header).encode(),
    }


def zstd_archive(path: Path, members: dict[str, bytes]) -> Path:
    """An archive whose members are packed as newer logs are (method 93), written by hand."""
    body, index = io.BytesIO(), io.BytesIO()
    for name, data in members.items():
        packed = zstandard.ZstdCompressor(write_content_size=False).compress(data)
        fields = (63, 0, 93, 0, 33, zlib.crc32(data), len(packed), len(data), len(name), 0)
        index.write(
            struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 63, *fields, 0, 0, 0, 0, body.tell())
        )
        index.write(name.encode())
        body.write(struct.pack("<4sHHHHHIIIHH", b"PK\3\4", *fields))
        body.write(name.encode() + packed)
    start, size = body.tell(), index.tell()
    body.write(index.getvalue())
    count = len(members)
    body.write(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, size, start, 0))
    path.write_bytes(body.getvalue())
    return path


@pytest.mark.parametrize("form", ["json", "deflated", "stored", "zstd"])
def test_inspect_logs_of_every_form(tmp_path: Path, read_log: ReadLog, form: str) -> None:
    path = tmp_path / "log"
    if form == "json":
        path.write_text(json.dumps(inspect_log(inspect_sample()), indent=1))
    elif form == "zstd":
        zstd_archive(path, eval_members(inspect_sample()))
    else:
        method = zipfile.ZIP_STORED if form == "stored" else zipfile.ZIP_DEFLATED
        archive(path, eval_members(inspect_sample()), method=method)
    log = read_log(path)
    assert log.reader == "inspect-ai"
    assert not log.unreadable
    (call,) = log.of(Call)
    assert (call.arguments, call.streamed) == ('{"x":"1.0"}', '{"x": "1.0" }')
    assert (call.model, call.provider, call.finish_reason) == ("openai/gpt", "openai", "tool_calls")
    assert call.time == "2026-01-01T00:00:00Z"
    (result,) = log.of(Result)
    assert (result.text, result.error_name) == ("x is no number", "parsing")
    assert result.call_position == call.position
    assert log.of(AssistantText)[0].text == "the long text"
    assert log.of(StreamError)[0].shown == "overloaded"
    assert [tool.name for tool in log.of(ToolCatalog)[0].tools] == ["add"]
    assert log.of(Session) == [Session("u1", harness="inspect-ai", version="0.3")]


def test_messages_without_ids_go_with_the_events_in_order(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    sample = inspect_sample()
    del sample["messages"][1]["id"]
    del sample["events"][0]["output"]["choices"][0]["message"]["id"]
    (call,) = read_log(write_log(json.dumps(inspect_log(sample)))).of(Call)
    assert (call.finish_reason, call.streamed) == ("tool_calls", '{"x": "1.0" }')
    sample["events"].append(sample["events"][0])
    log = read_log(write_log(json.dumps(inspect_log(sample)), name="unequal"))
    assert log.of(Call)[0].finish_reason is None
    assert len(log.of(ToolCatalog)) == 1


def test_a_log_without_samples_is_read(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(json.dumps(inspect_log())))
    assert log.ignored == {"empty conversation": 1}


def test_a_bad_sample_spoils_no_other(tmp_path: Path, read_log: ReadLog) -> None:
    members = eval_members(inspect_sample(), inspect_sample(), inspect_sample(), inspect_sample())
    members["samples/0_epoch_1.json"] = b'{"messages":['
    members["samples/1_epoch_1.json"] = b"PK\3\4 an archive in the archive"
    members["samples/2_epoch_1.json"] = b"\xff"
    log = read_log(archive(tmp_path / "log", members))
    causes = [fault.cause for fault in log.unreadable]
    assert [cause.partition(":")[0] for cause in causes] == list(members)[1:4]
    assert "not JSON" in causes[0]
    assert "an archive within the archive is not read" in causes[1]
    assert len(log.of(Call)) == 1
    offsets = [fault.offset for fault in log.unreadable]
    assert offsets == sorted(set(offsets))


def test_damaged_archives_say_so(tmp_path: Path, read_log: ReadLog) -> None:
    path = archive(tmp_path / "log", eval_members(inspect_sample()))
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    (fault,) = read_log(path).unreadable
    assert fault.cause.startswith("the zip archive is cut or damaged")
    middle = whole.index(b"samples/") + 60
    path.write_bytes(whole[:middle] + bytes(64) + whole[middle + 64 :])
    log = read_log(path)
    assert [fault.cause.split(": ")[1] for fault in log.unreadable] == ["damaged"]
    zstd_archive(path, eval_members(inspect_sample()))
    data = bytearray(path.read_bytes())
    data[data.index(b"samples/") + 60] ^= 0xFF
    path.write_bytes(data)
    assert len(read_log(path).unreadable) == 1


def test_other_archives_are_no_logs(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.eval", {"word/document.xml": b"<x/>", "samples.txt": b"no"})
    file = LogFile(path, "x", named=True)
    assert detect(file).kind is FileKind.ARCHIVE
    (unit,) = reader_named("inspect-ai").read(file)
    assert unit.unreadable is not None
    assert unit.unreadable.cause == "a zip archive without samples is no Inspect log"


def test_members_are_bounded(tmp_path: Path) -> None:
    members = {"samples/a": b"x" * 5000, "samples/b": b"y" * 50, "other": b"", "samples/c": b"z"}
    for path in (archive(tmp_path / "a", members), zstd_archive(tmp_path / "b", members)):
        found = list(iter_members(path, ("samples/",), limit=100, total=50))
        assert [(member.name, member.data) for member in found] == [
            ("samples/a", None),
            ("samples/b", b"y" * 50),
            ("samples/c", None),
        ]
        assert "more than the limit of" in str(found[0].cause)
    path = tmp_path / "liar"
    zstd_archive(path, {"samples/a": b"x" * 100_000})
    data = path.read_bytes()
    size, less = struct.pack("<I", 100_000), struct.pack("<I", 10)
    path.write_bytes(data.replace(size, less))
    (member,) = iter_members(path, ("samples/",), limit=1000)
    assert member.data is None
    assert "more than the limit of 1000 bytes" in str(member.cause)


def test_the_last_member_of_a_name_counts(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("samples/a", b"old")
        with pytest.warns(UserWarning, match="Duplicate name"):
            packed.writestr("samples/a", b"new")
    assert [member.data for member in iter_members(path, ("samples/",))] == [b"new"]


def test_what_begins_an_archive() -> None:
    assert first_member(b"{}") is None
    assert first_member(b"PK\3\4") is None
    assert first_member(b"PK\3\4" + b"\0" * 22 + b"\3\0\0\0abcdef") == "abc"


def test_a_missing_archive_is_a_read_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError):
        list(iter_members(tmp_path / "none", ("samples/",)))


@pytest.mark.parametrize("document", [openhands(), swe_agent(), inspect_log(inspect_sample())])
def test_a_document_that_is_cut_or_marked(
    write_log: WriteLog, read_log: ReadLog, document: Document
) -> None:
    text = json.dumps(document, indent=2)
    whole = read_log(write_log("\ufeff" + text.replace("\n", "\r\n")))
    assert whole.of(Call)
    assert not whole.unreadable
    cut = read_log(write_log(text[:-20], end="", name="cut"))
    assert cut.reader == whole.reader
    (fault,) = cut.unreadable
    assert fault.cause == "the document is cut: it ends inside a value"
