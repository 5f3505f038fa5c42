"""OpenAI message lists: a real corpus, and small documents of every layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.logs.documents import Item, iter_items, read_partial
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Result,
    Session,
    ToolCatalog,
)

from .conftest import ReadLog, WriteLog

Message = dict[str, Any]


def assistant(*calls: tuple[str, str], content: str | None = None) -> Message:
    made = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for call_id, name in calls
    ]
    return {"role": "assistant", "content": content, "tool_calls": made}


def tool(call_id: str, content: str) -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


RUN: Message = {
    "messages": [
        {"role": "system", "content": "be good"},
        assistant(("c", "one"), ("c", "two")),
        tool("c", "1"),
        tool("c", "2"),
        tool("c", "nobody's"),
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
    ],
    "tools": [{"type": "function", "function": {"name": "one", "parameters": {}}}],
}


def test_tau_bench_is_paired_call_by_call(shared: Path, read_log: ReadLog) -> None:
    folder = shared / "corpora" / "tau-bench" / "tau-bench"
    path = folder / "historical_trajectories__gpt-4o-airline.json"
    log = read_log(path)
    assert log.reader == "openai-messages"
    assert log.units == 5308
    assert not log.unreadable
    assert len(log.of(Session)) == 200
    assert len({session.session for session in log.of(Session)}) == 200
    calls = {call.position: call for call in log.of(Call)}
    results = log.of(Result)
    assert len(calls) == len(results) == 1164
    assert len({call.call_id for call in calls.values()}) == 134
    assert {result.call_position for result in results} == set(calls)
    messages = [message for run in json.loads(path.read_text()) for message in run["traj"]]
    names = [message["name"] for message in messages if message["role"] == "tool"]
    for result, name in zip(results, names, strict=True):
        assert result.call_position is not None
        call = calls[result.call_position]
        assert (call.tool, call.call_id) == (name, result.call_id)
        assert call.session == result.session
    assert len([text for text in log.of(AssistantText) if not text.reasoning]) == 1380


@pytest.mark.parametrize("layout", ["line", "pretty", "array", "lines", "bare", "bare-pretty"])
def test_every_layout_gives_the_same_records(
    write_log: WriteLog, read_log: ReadLog, layout: str
) -> None:
    texts = {
        "line": json.dumps(RUN),
        "pretty": json.dumps(RUN, indent=2),
        "array": json.dumps([RUN], indent=1),
        "lines": json.dumps(RUN),
        "bare": json.dumps(RUN["messages"]),
        "bare-pretty": "\ufeff" + json.dumps(RUN["messages"], indent=4).replace("\n", "\r\n"),
    }
    log = read_log(write_log(texts[layout]))
    assert log.units == 6
    assert len(log.of(Session)) == 1
    assert [call.tool for call in log.of(Call)] == ["one", "two"]
    first = log.of(Call)[0].position
    positions = [result.call_position for result in log.of(Result)]
    assert positions == [first, first + 1, None]
    assert [text.text for text in log.of(AssistantText)] == ["done"]
    assert len(log.of(ToolCatalog)) == (0 if layout.startswith("bare") else 1)


def test_every_document_is_a_session_of_its_own(write_log: WriteLog, read_log: ReadLog) -> None:
    named = {**RUN, "id": "mine", "model": "gpt"}
    for path in (
        write_log(json.dumps(RUN), json.dumps(RUN["messages"]), json.dumps(named), name="a"),
        write_log(json.dumps([RUN, RUN, named], indent=1), name="b"),
    ):
        log = read_log(path)
        sessions = [session.session for session in log.of(Session)]
        assert len(set(sessions)) == 3
        assert sessions[2] == "mine"
        assert log.of(Call)[-1].model == "gpt"
        assert all(result.call_position is None for result in log.of(Result)[2::3])


def test_odd_spellings_of_calls(write_log: WriteLog, read_log: ReadLog) -> None:
    calls = [
        {"id": "1", "function": {"name": "a", "arguments": {"x": 1}}},
        {"id": "2", "name": "b", "arguments": "{}"},
        {"id": "3", "function": "c", "args": {"y": 2}},
        {"id": "4", "function": {"name": "d"}},
    ]
    old = {"role": "assistant", "content": None, "function_call": {"name": "e", "arguments": ""}}
    run = {"messages": [{"role": "assistant", "content": "x", "tool_calls": calls}, old]}
    log = read_log(write_log(json.dumps(run)))
    assert [(call.tool, call.arguments, call.form) for call in log.of(Call)] == [
        ("a", '{"x":1}', ArgumentsForm.VALUE),
        ("b", "{}", ArgumentsForm.TEXT),
        ("c", '{"y":2}', ArgumentsForm.VALUE),
        ("d", "", ArgumentsForm.ABSENT),
        ("e", "", ArgumentsForm.TEXT),
    ]


def test_broken_messages_and_lines_are_told(write_log: WriteLog, read_log: ReadLog) -> None:
    bad = {"messages": [7, {"content": "x"}, assistant(("c", "t")), {"role": "user"}]}
    nameless = {"role": "assistant", "tool_calls": [{"id": "1", "function": {}}]}
    log = read_log(
        write_log(json.dumps(RUN), '{"messages":[{"ro', json.dumps(bad), "5", '{"messages":[]}')
    )
    assert [fault.line for fault in log.unreadable] == [2, 3, 3]
    assert log.ignored["other value"] == 1
    assert log.ignored["empty conversation"] == 1
    assert len(log.of(Session)) == 2
    broken = read_log(write_log(json.dumps({"messages": [nameless, assistant(("c", "t"))]})))
    assert len(broken.unreadable) == 1
    assert len(broken.of(Session)) == 1


def test_a_cut_document_gives_every_whole_run(write_log: WriteLog, read_log: ReadLog) -> None:
    text = json.dumps([RUN, RUN, RUN], indent=1)
    log = read_log(write_log(text[:-200], end=""))
    assert len(log.of(Session)) == 2
    (fault,) = log.unreadable
    assert fault.cause == "the document is cut: it ends inside a value"
    assert text[fault.offset] == "{"
    assert fault.line == text.count("\n", 0, fault.offset) + 1


def items_of(path: Path, *, limit: int = 1 << 20) -> list[Item]:
    return list(iter_items(LogFile(path, "x", named=True), limit=limit))


def test_documents_are_read_value_by_value(write_log: WriteLog) -> None:
    path = write_log('\ufeff [1, {"é": 2}\n,"x"]', "{}", "[]", "[[3]]", "true", end="\n")
    items = items_of(path)
    assert [(item.value, item.array) for item in items] == [
        (1, 0),
        ({"é": 2}, 0),
        ("x", 0),
        ({}, None),
        ([3], 2),
        (True, None),
    ]
    raw = path.read_bytes()
    assert [raw[item.offset : item.offset + 1] for item in items] == [
        b"1",
        b"{",
        b'"',
        b"{",
        b"[",
        b"t",
    ]
    assert [item.line for item in items] == [1, 1, 2, 3, 5, 6]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("[1,", "the document is cut: it ends inside a value"),
        ("[1", "the document is cut: it ends inside a value"),
        ('{"a": [', "the document is cut: it ends inside a value"),
        ("[1 2]", "not JSON: Expecting ',' delimiter"),
        ("[1,,2]", "not JSON: Expecting value"),
        (b"[1,\xff]", "not UTF-8: byte 0xff"),
        ("[1," + "9" * 3_000_000, "a value has more than 1048576 characters"),
    ],
)
def test_broken_documents_end_with_their_cause(
    write_log: WriteLog, text: str | bytes, cause: str
) -> None:
    *_, last = items_of(write_log(text, end=""))
    assert last.value is None
    assert str(last.cause).startswith(cause)


def test_values_across_blocks_are_whole(write_log: WriteLog) -> None:
    values = [{"é": "x" * 700_000, "n": number} for number in range(6)]
    items = items_of(write_log(json.dumps(values, ensure_ascii=False)), limit=4 << 20)
    assert [item.value for item in items] == values


def test_cut_texts_are_read_as_far_as_they_go() -> None:
    text = json.dumps([{"messages": [{"role": "user", "content": "hi"}, {"role": "x"}]}])
    assert read_partial(text) == json.loads(text)
    for cut in range(1, len(text)):
        assert read_partial(text[:cut]) is not None
    cut = text.rindex('"role"')
    assert read_partial(text[:cut]) == [{"messages": [{"role": "user", "content": "hi"}, {}]}]
    assert read_partial("# no") is None
    assert read_partial('{"a":1,]') is None
