"""The dsh reader on small logs: retries, repeated ids, forks, damage and odd spellings."""

from __future__ import annotations

import json
from typing import Any

from toolfix_audit.model.json import kind_of, parse_json
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

HEADER = '{"type":"session","version":0,"id":"s1","createdAt":1796070617490}'


def row(kind: str, data: dict[str, Any], **more: Any) -> str:
    return json.dumps({"type": kind, **more, "data": data})


def call(call_id: str, arguments: Any = "{}", *, step: int = 1, **more: Any) -> str:
    data = {"turn": 1, "step": step, "callId": call_id, "name": "read", "arguments": arguments}
    return row("tool/call", data, **more)


def result(call_id: str, text: str, **more: Any) -> str:
    content = [{"type": "text", "text": text}]
    block = {"type": "tool-result", "toolCallId": call_id, "content": content, "isError": False}
    message = {"source": {"kind": "tool", "callId": call_id}, "content": [block]}
    return row("tool/result", {"turn": 1, "step": 1, "message": message}, **more)


def delta(index: int, call_id: str | None, text: str, *, step: int = 1) -> str:
    chunk = {"type": "tool-call-delta", "index": index, "id": call_id, "argumentsDelta": text}
    return chunk_row(chunk, step=step)


def chunk_row(chunk: dict[str, Any], *, step: int = 1) -> str:
    return row("assistant/chunk", {"turn": 1, "step": step, "chunk": chunk})


def failure(message: str) -> dict[str, Any]:
    return {"kind": "error", "failure": {"message": message, "code": "SERVER", "status": 500}}


def test_header_tells_session_and_time(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(HEADER))
    assert log.records == [
        Session("s1", harness="dsh", version="0", started="2026-11-30T20:30:17.490Z")
    ]


def test_repeated_ids_are_told_apart_by_event(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            HEADER,
            call("c", '{"n":1}', seq=1),
            call("c", '{"n":2}', seq=2),
            result("c", "second", sourceEventSeqs=[2]),
            result("c", "first", sourceEventSeqs=[1]),
            result("c", "nobody's", sourceEventSeqs=[1]),
        )
    )
    pairs = [(answer.text, answer.call_position) for answer in log.of(Result)]
    assert pairs == [("second", 1), ("first", 0), ("nobody's", None)]


def test_without_events_the_oldest_call_is_answered(write_log: WriteLog, read_log: ReadLog) -> None:
    lines = [call("c"), call("c"), result("c", "one", sourceEventSeqs=[7]), result("c", "two")]
    log = read_log(write_log(*lines))
    assert [answer.call_position for answer in log.of(Result)] == [0, 1]
    (session,) = log.of(Session)
    assert len(session.session) == 16


def test_streams_are_joined_per_call(write_log: WriteLog, read_log: ReadLog) -> None:
    packed = {"turn": 1, "step": 1, "index": 1, "id": "b", "name": "read", "args": ['{"b"', ":2}"]}
    log = read_log(
        write_log(
            delta(0, "a", '{"a"'),
            row("tool-call-chunks", packed),
            delta(0, None, ":1}"),
            delta(2, "b", '{"b":3}'),
            delta(3, "d", ""),
            call("a", '{"a": 1}'),
            call("b"),
            call("b"),
            call("d"),
            call("e"),
            call("a", step=2),
        )
    )
    streamed = [made.streamed for made in log.of(Call)]
    assert streamed == ['{"a":1}', '{"b":2}', '{"b":3}', "", None, None]


def test_a_character_cut_between_fragments_is_whole(write_log: WriteLog, read_log: ReadLog) -> None:
    packed = {"turn": 1, "step": 1, "index": 1, "id": "b", "args": ['"\ud83d', '\ude00"', "\ud83d"]}
    log = read_log(
        write_log(
            delta(0, "a", '"\ud83d'),
            delta(0, "a", '\ude00"'),
            row("tool-call-chunks", packed),
            call("a"),
            call("b"),
        )
    )
    assert [made.streamed for made in log.of(Call)] == ['"\U0001f600"', '"\U0001f600"\\ud83d']


def test_a_retried_step_starts_anew(write_log: WriteLog, read_log: ReadLog) -> None:
    retry = {"turn": 1, "step": 1, "failure": failure("boom")["failure"]}
    log = read_log(
        write_log(
            delta(0, "a", '{"half'),
            chunk_row({"type": "finish", "reason": failure("boom")}),
            row("llm/retry", retry),
            delta(0, "a", '{"whole":1}'),
            chunk_row({"type": "finish", "reason": {"kind": "tool-calls"}}),
            call("a"),
        )
    )
    (made,) = log.of(Call)
    assert (made.streamed, made.finish_reason) == ('{"whole":1}', "tool-calls")
    assert [(error.shown, error.code) for error in log.of(StreamError)] == [("boom", "SERVER")]


def test_a_block_that_starts_again_starts_anew(write_log: WriteLog, read_log: ReadLog) -> None:
    start = chunk_row({"type": "block-start", "index": 0, "blockType": "tool-call"})
    log = read_log(write_log(start, delta(0, "a", "half"), start, delta(0, "a", "{}"), call("a")))
    assert log.of(Call)[0].streamed == "{}"


def test_an_error_is_told_once_and_others_are_kept(write_log: WriteLog, read_log: ReadLog) -> None:
    def turn_end(message: str) -> str:
        error = {"message": message, "code": "SERVER"}
        return row("turn/end", {"turn": 1, "reason": {"kind": "error", "error": error}})

    log = read_log(
        write_log(
            chunk_row({"type": "finish", "reason": failure("a")}),
            turn_end("a"),
            turn_end("a"),
            chunk_row({"type": "finish", "reason": failure("b")}),
            turn_end("c"),
            row("turn/end", {"turn": 1, "reason": {"kind": "completed"}}),
        )
    )
    assert [error.shown for error in log.of(StreamError)] == ["a", "a", "b", "c"]
    assert json.loads(str(log.of(StreamError)[0].raw))["status"] == 500


def test_copies_of_the_parents_rows_are_marked(write_log: WriteLog, read_log: ReadLog) -> None:
    header = HEADER[:-1] + ',"parentSession":"p","seedLength":3}'
    own = [call("b", seq=3), result("b", "own", seq=4, sourceEventSeqs=[3])]
    copied = [call("a", seq=1), result("a", "copy", seq=2, sourceEventSeqs=[1])]
    log = read_log(write_log(header, *copied, *own))
    assert [made.inherited for made in log.of(Call)] == [True, False]
    assert [answer.inherited for answer in log.of(Result)] == [True, False]
    assert log.of(Session)[0].parent == "p"


def test_dispatched_calls_count_once(write_log: WriteLog, read_log: ReadLog) -> None:
    def dispatch(kind: str, number: int, **more: Any) -> str:
        data = {"subCallId": f"c:code:{number}", "name": "read", "arguments": {"n": number}}
        return row(kind, {**data, **more})

    answered = {"isError": True, "content": [{"type": "text", "text": "no"}]}
    log = read_log(
        write_log(
            call("c"),
            dispatch("tool/code-dispatch-start", 1),
            dispatch("tool/code-dispatch-start", 2),
            dispatch("tool/code-dispatch", 1, **answered),
            dispatch("tool/code-dispatch", 3, **answered),
        )
    )
    calls = log.of(Call)
    assert [made.dispatched for made in calls] == [False, True, True, True]
    assert calls[1].arguments == '{"n":1}'
    assert [answer.call_position for answer in log.of(Result)] == [1, 4]
    assert all(answer.is_error for answer in log.of(Result))


def test_arguments_are_kept_as_they_stand(write_log: WriteLog, read_log: ReadLog) -> None:
    deep = '{"a":' * 2500 + "1" + "}" * 2500
    rows = [
        call("1", '{ "a" : 1.0e2 ,}'),
        call("2", {"n": 18446744073709551616}),
        call("3", None),
        row("tool/call", {"name": "read"}),
        '{"type":"tool/call","data":{"name":"read","arguments":"{\\"a\\":\\"\\ud83d\\"}"}}',
        '{"type":"tool/call","data":{"name":"read","arguments":{"f":0.10,"g":1e400}}}',
        '{"type":"tool/call","data":{"name":"read","arguments":' + deep + "}}",
        call("8", deep),
    ]
    log = read_log(write_log(*rows))
    texts = [(made.form, made.arguments) for made in log.of(Call)]
    assert texts[0] == (ArgumentsForm.TEXT, '{ "a" : 1.0e2 ,}')
    assert texts[1] == (ArgumentsForm.VALUE, '{"n":18446744073709551616}')
    assert texts[2] == (ArgumentsForm.VALUE, "null")
    assert texts[3] == (ArgumentsForm.ABSENT, "")
    assert texts[4] == (ArgumentsForm.TEXT, '{"a":"\\ud83d"}')
    assert texts[5] == (ArgumentsForm.VALUE, '{"f":0.10,"g":1e400}')
    assert texts[6] == (ArgumentsForm.VALUE, deep)
    assert texts[7] == (ArgumentsForm.TEXT, deep)
    assert kind_of(parse_json(texts[6][1])) == "object"


def test_broken_lines_among_good_ones_are_told(write_log: WriteLog, read_log: ReadLog) -> None:
    path = write_log(
        "\ufeff" + HEADER,
        '{"type":"tool/call","data":{"na',
        call("a", "{}"),
        '{"type":"x","data":{"t":NaN}}',
        b"\xff\xfe{}",
        '["no object"]',
        '{"no":"type"}',
        row("tool/call", {"arguments": "{}"}),
        '{"type":"tool/result","data":"text"}',
        row("tool/result", {"message": {"content": []}}),
        "\0" * 40,
        result("a", "fine"),
        end="\r\n",
    )
    log = read_log(path)
    assert [(fault.line, fault.cause.split(":")[0]) for fault in log.unreadable] == [
        (2, "the line is cut"),
        (4, "not JSON"),
        (5, "not UTF-8"),
        (6, "not a JSON object"),
        (7, "a row without a type"),
        (8, "tool/call without a text 'name'"),
        (9, "tool/result without data"),
        (10, "tool/result without an answer"),
        (11, "not JSON"),
    ]
    content = path.read_bytes()
    assert all(content[fault.offset - 1 : fault.offset] == b"\n" for fault in log.unreadable)
    assert log.of(Result)[0].call_position == log.of(Call)[0].position
    assert log.units == 12


def test_fields_of_a_wrong_type_do_no_harm(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            '{"type":"session","version":[3],"id":"s","createdAt":1e99,"seedLength":"x"}',
            HEADER.replace("1796070617490", "-5"),
            row("request/header", {"header": {"config": [], "tools": [1, None, {}, "read"]}}),
            row("assistant/chunk", {"chunk": {"type": ["finish"], "index": True}}),
            row("tool-call-chunks", {"turn": "1", "args": ["a", 5]}),
            row("tool/call", {"name": "read", "callId": 7, "turn": {}, "arguments": "{}"}),
            row("tool/result", {"callId": 7, "content": {"a": 1}, "isError": "yes"}),
            row("assistant/message", {"message": {"content": [{"type": "text", "text": 5}, 6]}}),
        )
    )
    assert not log.unreadable
    assert [tool.name for tool in log.of(ToolCatalog)[0].tools] == ["read"]
    (answer,) = log.of(Result)
    assert (answer.is_error, answer.text, answer.blocks) == (False, '{"a":1}', '{"a":1}')


def test_texts_and_reasoning_are_kept_apart(write_log: WriteLog, read_log: ReadLog) -> None:
    def message(*blocks: dict[str, str]) -> str:
        source = {"provider": "p", "model": "m"}
        return row("assistant/message", {"message": {"content": list(blocks), "source": source}})

    log = read_log(
        write_log(
            message({"type": "reasoning", "text": "hm"}, {"type": "text", "text": "so"}),
            message({"type": "tool-call", "id": "a", "name": "read", "arguments": "{}"}),
            message({"type": "text", "text": "x"}, {"type": "tool-call"}),
        )
    )
    texts = log.of(AssistantText)
    assert [(text.text, text.reasoning, text.has_calls) for text in texts] == [
        ("hm", True, False),
        ("so", False, False),
        ("x", False, True),
    ]
    assert {(text.provider, text.model) for text in texts} == {("p", "m")}
    assert log.ignored == {"assistant/message": 1}
    assert not log.of(Call)


def test_notifications_hold_the_same_events(write_log: WriteLog, read_log: ReadLog) -> None:
    def wrapped(session: str, event: str) -> str:
        params = {"sessionId": session, "event": json.loads(event)}
        return json.dumps({"method": "session.event", "params": params})

    log = read_log(
        write_log(
            wrapped("one", call("c", seq=1)),
            wrapped("two", call("c", seq=1)),
            '{"method":"session.status","params":{"sessionId":"one","status":"running"}}',
            wrapped("two", result("c", "2", sourceEventSeqs=[1])),
            '{"type":"session_event","sessionId":"one","event":' + result("c", "1") + "}",
            '{"type":"result","sessionId":"one","output":"done"}',
        )
    )
    assert [session.session for session in log.of(Session)] == ["one", "two"]
    assert [(made.session, made.position) for made in log.of(Call)] == [("one", 0), ("two", 1)]
    assert [answer.call_position for answer in log.of(Result)] == [1, 0]
    assert log.ignored == {"session.status": 1, "result": 1}


def test_images_are_blocks_beside_the_text(write_log: WriteLog, read_log: ReadLog) -> None:
    image = {"type": "image", "attachment": {"attachmentId": "sha256:0"}}
    data = {"callId": "c", "content": [{"type": "text", "text": "see"}, image], "isError": False}
    log = read_log(write_log(call("c"), row("tool/result", data)))
    (answer,) = log.of(Result)
    assert answer.text == "see"
    assert json.loads(str(answer.blocks))[1] == image
