"""The native interchange format."""

from __future__ import annotations

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


def test_every_kind_of_record_is_read(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            '{"type":"session","session":"s1","harness":"dsh","started":"2026-11-30T10:00:00Z"}',
            '{"type":"tools","session":"s1","tools":[{"name":"a","input_schema":{"x":1}},'
            '{"name":"b","parameters":{}},{"name":"c","inputSchema":true},'
            '{"type":"function","function":{"name":"d","parameters":{"y":0.10}}},"e",{"name":"f"}]}',
            '{"type":"tool/call","session":"s1","id":"c1","tool":"a","arguments":{"k":[1.0]},'
            '"model":"m","provider":"p","time":1796070617490,"finish_reason":"tool-calls"}',
            '{"type":"tool/call","session":"s1","id":"c2","tool":"b","arguments":"{oops",'
            '"streamed":"{oops","dispatched":true}',
            '{"type":"tool/call","session":"s1","id":"c3","tool":"c"}',
            '{"type":"tool/result","session":"s1","id":"c2","is_error":true,"content":"bad"}',
            '{"type":"tool/result","session":"s1","id":"c1","error_code":"E","error_name":"N",'
            '"content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}',
            '{"type":"assistant/message","session":"s1","text":"hi","finish_reason":"stop"}',
            '{"type":"stream/error","session":"s1","shown":"boom","raw":{"a":1}}',
            '{"type":"something/new","session":"s1"}',
        )
    )
    assert log.reader == "native"
    assert log.of(Session) == [
        Session("s1", harness="dsh", started="2026-11-30T10:00:00Z"),
    ]
    assert [(tool.name, tool.schema) for tool in log.of(ToolCatalog)[0].tools] == [
        ("a", '{"x":1}'),
        ("b", "{}"),
        ("c", "true"),
        ("d", '{"y":0.10}'),
        ("e", None),
        ("f", None),
    ]
    first, second, third = log.of(Call)
    assert first == Call(
        "s1",
        1,
        "c1",
        "a",
        '{"k":[1.0]}',
        ArgumentsForm.VALUE,
        model="m",
        provider="p",
        time="2026-11-30T20:30:17.490Z",
        finish_reason="tool-calls",
    )
    assert (second.arguments, second.form, second.streamed) == ("{oops", "text", "{oops")
    assert second.dispatched
    assert third.form is ArgumentsForm.ABSENT
    bad, good = log.of(Result)
    assert (bad.call_position, bad.is_error, bad.text) == (2, True, "bad")
    assert (good.call_position, good.text, good.blocks) == (1, "x\ny", None)
    assert (good.error_name, good.error_code) == ("N", "E")
    assert log.of(AssistantText)[0].finish_reason == "stop"
    assert log.of(StreamError)[0].raw == '{"a":1}'
    assert log.ignored == {"something/new": 1}


def test_results_answer_the_oldest_call_of_their_session(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    def line(kind: str, session: str) -> str:
        return f'{{"type":"tool/{kind}","session":"{session}","id":"c","tool":"t","content":""}}'

    sequence = [("call", "a"), ("call", "b"), ("call", "a"), ("result", "a"), ("result", "a")]
    sequence += [("result", "a"), ("result", "c"), ("result", "b")]
    log = read_log(write_log(*(line(kind, session) for kind, session in sequence)))
    assert [answer.call_position for answer in log.of(Result)] == [0, 2, None, None, 1]
    assert [session.session for session in log.of(Session)] == ["a", "b", "c"]


def test_a_missing_session_is_named_after_the_content(
    write_log: WriteLog, read_log: ReadLog
) -> None:
    path = write_log('{"type":"tool/call","tool":"t","id":"x"}', '{"type":"tool/result","id":"x"}')
    log = read_log(path)
    (session,) = log.of(Session)
    assert {record.session for record in log.records} == {session.session}
    assert log.of(Result)[0].call_position == 0
    assert read_log(path).records == log.records


def test_rows_that_lack_something_are_told(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(
        write_log(
            '{"type":"tool/call","session":"s","tool":"t"}',
            '{"type":"tool/call","session":"s"}',
            '{"type":"tools","session":"s","tools":{}}',
            '{"type":"assistant/message","session":"s","text":["x"]}',
            '{"type":"stream/error","session":"s"}',
            '{"type":7}',
            "[]",
            '{"type":"tool/call","session":"s","tool":"t","arguments":NaN}',
        )
    )
    assert [fault.line for fault in log.unreadable] == [2, 3, 4, 5, 6, 7, 8]
    assert log.unreadable[0].cause == "tool/call without a text 'tool'"
    assert len(log.of(Call)) == 1
