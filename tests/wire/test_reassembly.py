"""Answers put together from streams, by the rules that servers taught."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.audit.cases import Mark, run_file
from toolfix_audit.model.json import JsonError, parse_json
from toolfix_audit.model.records import ArgumentsForm
from toolfix_audit.wire.arguments import lost_prefix_candidate
from toolfix_audit.wire.parts import Answer, WireText
from toolfix_audit.wire.sse import SseDecoder
from toolfix_audit.wire.stream import StreamReader

Row = dict[str, Any]
TEXT, VALUE, ABSENT = ArgumentsForm.TEXT, ArgumentsForm.VALUE, ArgumentsForm.ABSENT


def streamed(*events: Row | str) -> list[Answer]:
    """What a stream of these events gives, as bytes of an SSE stream."""
    reader, decoder = StreamReader(), SseDecoder()
    answers: list[Answer] = []
    for event in events:
        text = event if isinstance(event, str) else json.dumps(event)
        for one in decoder.feed(f"data: {text}\n\n".encode()):
            answers += reader.take_sse(one)
    return answers + reader.close()


def one(*events: Row | str) -> Answer:
    (answer,) = streamed(*events)
    return answer


def calls(answer: Answer) -> list[tuple[str | None, str, str]]:
    return [(call.call_id, call.tool, call.arguments) for call in answer.calls]


def texts(answer: Answer) -> list[tuple[str, bool]]:
    parts = [part for message in answer.messages for part in message.parts]
    return [(part.text, part.reasoning) for part in parts if isinstance(part, WireText)]


def chunk(*entries: Row, finish: str | None = None, **delta: Any) -> Row:
    """A chunk of Chat Completions with these tool calls."""
    if entries:
        delta["tool_calls"] = list(entries)
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}


def piece(arguments: Any = None, name: str | None = None, **entry: Any) -> Row:
    function = {"name": name, "arguments": arguments}
    entry["function"] = {key: value for key, value in function.items() if value is not None}
    return entry


def block(index: int, *fragments: str, start: Any = None, **head: Any) -> list[Row]:
    """The events of one Anthropic tool block."""
    head = {
        "type": "tool_use",
        "id": "t",
        "name": "f",
        "input": {} if start is None else start,
    } | head
    deltas = [{"type": "input_json_delta", "partial_json": text} for text in fragments]
    return [
        {"type": "content_block_start", "index": index, "content_block": head},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def anthropic(*events: Row, stop: str = "tool_use") -> list[Row]:
    head = {"id": "msg_1", "model": "claude", "role": "assistant", "content": []}
    return [
        {"type": "message_start", "message": head},
        *events,
        {"type": "message_delta", "delta": {"stop_reason": stop}},
        {"type": "message_stop"},
    ]


END = chunk(finish="tool_calls")


def test_the_public_cases_are_right(shared: Path) -> None:
    path = shared / "cases" / "streams.jsonl"
    results = list(run_file(path, families=(), only={"S"}, opt_in=False))
    assert {case.mark for case in results} == {Mark.RIGHT}
    assert len(results) == 15


def test_fragments_may_come_interleaved_and_with_gaps_between_indexes() -> None:
    answer = one(
        chunk(piece("", "g", index=5, id="b"), piece("", "f", index=2, id="a")),
        chunk(piece('{"x"', index=2)),
        chunk(piece('{"y"', index=5), piece(":1}", index=2)),
        chunk(piece(":2}", index=5)),
        END,
    )
    assert calls(answer) == [("b", "g", '{"y":2}'), ("a", "f", '{"x":1}')]
    assert answer.complete


@pytest.mark.parametrize(
    ("fragments", "whole", "flags"),
    [
        (['{"a":', '{"a":1', '{"a":1}'], '{"a":1}', ("cumulative",)),
        (['{"a":', '{"a":1}', '{"a":1}'], '{"a":1}', ("cumulative", "repeated_full_arguments")),
        (['{"', '{":1}'], '{"{":1}', ()),
        (['{"a":"', "xx", "xx", '"}'], '{"a":"xxxx"}', ()),
        (["[1,", "[1,", "2]]"], "[1,[1,2]]", ()),
        (['{"a":1}', '{"a":1}x'], '{"a":1}x', ("cumulative",)),
        (['{"a":1}', ' {"a":1}'], '{"a":1} {"a":1}', ()),
        ([" ", "{}", ""], " {}", ()),
        (
            ['{"n":1234567890123', "45678901234567890.10}"],
            '{"n":123456789012345678901234567890.10}',
            (),
        ),
    ],
)
def test_repetition_is_told_from_text(
    fragments: Sequence[str], whole: str, flags: tuple[str, ...]
) -> None:
    answer = one(
        chunk(piece("", "f", index=0, id="a")), *(chunk(piece(t, index=0)) for t in fragments), END
    )
    assert [(call.arguments, call.flags) for call in answer.calls] == [(whole, flags)]
    answer = one(*anthropic(*block(0, *fragments)))
    assert answer.calls[0].arguments == whole


def test_a_name_after_a_whole_object_begins_a_call_and_strings_may_hold_braces() -> None:
    answer = one(
        chunk(piece('{"q":"}', "f", index=0)),
        chunk(piece('{"}', "f", index=0)),
        chunk(piece("{}", "f", index=0)),
        END,
    )
    assert calls(answer) == [(None, "f", '{"q":"}{"}'), (None, "f", "{}")]


def test_objects_in_the_place_of_text_are_merged() -> None:
    answer = one(
        chunk(piece({"a": 1}, "f", index=0, id="c")), chunk(piece({"b": 2.50}, index=0)), END
    )
    (call,) = answer.calls
    assert (call.arguments, call.form, call.flags) == (
        '{"a":1,"b":2.5}',
        VALUE,
        ("merged_objects",),
    )


def test_ids_names_and_arguments_count_when_they_first_come() -> None:
    answer = one(
        chunk(piece(index=0, id="")),
        chunk(piece("", "get_", index=0)),
        chunk(piece(None, "weather", index=0)),
        chunk(piece("{", "get_weather", index=0, id="late")),
        chunk(piece("}", "get_weather", index=0, id="late")),
        END,
    )
    assert calls(answer) == [("late", "get_weather", "{}")]


def test_no_text_and_no_arguments_are_told_apart() -> None:
    answer = one(chunk(piece("", "f", index=0, id="a"), piece(None, "g", index=1, id="b")), END)
    assert [(call.arguments, call.form) for call in answer.calls] == [("", TEXT), ("", ABSENT)]
    (call,) = one(*anthropic(*block(0, ""))).calls
    assert (call.arguments, call.form, call.streamed) == ("{}", VALUE, None)


def test_halves_of_a_character_are_joined_again() -> None:
    answer = one(*anthropic(*block(0, '{"q":"\ud83d', '\ude00"}')))
    assert answer.calls[0].arguments == '{"q":"😀"}'
    answer = one(*anthropic(*block(0, '{"q":"\ud83d"}')))
    assert answer.calls[0].arguments == '{"q":"\\ud83d"}'


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([chunk(piece('{"a":', "f", index=0, id="a"))], "no_finish_reason"),
        ([chunk(piece('{"a":', "f", index=0, id="a")), chunk(finish="length"), "[DONE]"], "length"),
        (anthropic(*block(0, '{"a":'), stop="max_tokens"), "max_tokens"),
        (anthropic(*block(0, "{}"))[:-1], "no_message_stop"),
        ([chunk(content="x"), {"error": {"code": 429, "message": "slow"}}, "[DONE]"], "error"),
        ([chunk(content="x"), "{broken"], "error"),
    ],
)
def test_an_answer_without_its_end_is_not_complete(events: list[Row | str], reason: str) -> None:
    answer = one(*events)
    assert (answer.complete, answer.reason) == (False, reason)


def test_the_end_mark_alone_makes_a_chat_answer_whole() -> None:
    assert one(chunk(content="x"), "[DONE]").complete
    assert not one(*anthropic()[:1], "[DONE]").complete


def test_several_answers_in_a_row_stay_apart() -> None:
    other = {**chunk(content="b", finish="stop"), "id": "d"}
    usage = {"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": {}}
    answers = streamed(chunk(content="a", finish="stop"), usage, other, *anthropic(), *anthropic())
    assert [answer.identity for answer in answers] == ["c", "d", "msg_1", "msg_1"]
    assert [texts(answer) for answer in answers[:2]] == [[("a", False)], [("b", False)]]


def test_texts_and_reasoning_keep_their_order() -> None:
    answer = one(
        chunk(reasoning_content="h"),
        chunk(reasoning_content="m"),
        chunk(content="a"),
        chunk(piece("{}", "f", index=0, id="i")),
        chunk(content="b"),
        chunk(finish="stop"),
    )
    assert texts(answer) == [("hm", True), ("a", False), ("b", False)]
    assert answer.messages[0].finish_reason == "stop"
    assert answer.model == "m"


def test_choices_are_messages_of_their_own() -> None:
    both = chunk(content="a", finish="stop")
    both["choices"].append({"index": 1, "delta": {"content": "b"}, "finish_reason": "length"})
    answer = one(both)
    assert [message.finish_reason for message in answer.messages] == ["stop", "length"]


def item(**more: Any) -> Row:
    return {
        "type": "function_call",
        "id": "fc",
        "call_id": "c",
        "name": "f",
        "arguments": "",
    } | more


def event(kind: str, **more: Any) -> Row:
    return {"type": f"response.{kind}", **more}


ADDED = event("output_item.added", output_index=0, item=item())
DELTA = event("function_call_arguments.delta", item_id="fc", output_index=0, delta='{"a":')


@pytest.mark.parametrize(
    "copy",
    [
        event("function_call_arguments.done", item_id="fc", output_index=0, arguments='{"a":1}'),
        event("output_item.done", output_index=0, item=item(arguments='{"a":1}')),
        event("completed", response={"output": [item(arguments='{"a":1}')], "status": "completed"}),
    ],
)
def test_copies_of_responses_replace(copy: Row) -> None:
    answer, *_ = streamed(ADDED, DELTA, copy, event("completed", response={}))
    assert calls(answer) == [("c", "f", '{"a":1}')]
    assert answer.calls[0].streamed == '{"a":'
    assert answer.complete


def test_an_empty_copy_takes_nothing_away() -> None:
    answer = one(
        ADDED,
        {**DELTA, "delta": '{"a":1}'},
        event("output_item.done", output_index=0, item=item()),
        event("completed", response={"status": "completed"}),
    )
    assert calls(answer) == [("c", "f", '{"a":1}')]


def test_responses_tell_why_they_ended() -> None:
    failed = {"status": "failed", "error": {"code": "server_error", "message": "down"}}
    answer = one(event("created", response={"id": "r"}), event("failed", response=failed))
    assert (answer.identity, answer.complete, answer.reason) == ("r", False, "error")
    assert answer.errors[0].shown == "server_error: down"
    details = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    answer = one(ADDED, DELTA, event("incomplete", response=details))
    assert (answer.complete, answer.reason) == (False, "max_output_tokens")
    assert not answer.errors
    assert one(ADDED, DELTA).reason == "no_terminal_event"


def test_free_text_and_hosted_calls_of_responses() -> None:
    custom = {
        "type": "custom_tool_call",
        "id": "ct",
        "call_id": "c1",
        "name": "patch",
        "input": "*** x",
    }
    hosted = {"type": "mcp_call", "id": "m", "name": "ask", "arguments": "{}", "output": "yes"}
    answer = one(
        {"object": "response", "id": "r", "status": "completed", "output": [custom, hosted]}
    )
    assert calls(answer) == [("c1", "patch", "*** x"), ("m", "ask", "{}")]
    assert [call.hosted for call in answer.calls] == [False, True]


def gemini(*parts: Row, finish: str | None = None) -> Row:
    candidate: Row = {"content": {"role": "model", "parts": list(parts)}}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], "responseId": "g", "modelVersion": "gemini"}


def partial(path: str, more: bool = True, **value: Any) -> Row:
    return {"functionCall": {"partialArgs": [{"jsonPath": path, **value}], "willContinue": more}}


def test_gemini_arguments_are_set_piece_by_piece() -> None:
    answer = one(
        gemini({"functionCall": {"name": "f", "willContinue": True}}),
        gemini(partial("$.items[1]['a b']", stringValue="on", willContinue=True)),
        gemini(partial("$.items[1]['a b']", stringValue="e")),
        gemini(partial("$.items[0].n", numberValue=0.5), partial("$.flag", boolValue=False)),
        gemini(partial("$.none", nullValue=None), partial("$..bad[999999999]", stringValue="x")),
        gemini({"functionCall": {}}),
        gemini({"functionCall": {"name": "g"}}, {"functionCall": {"name": "h", "args": {"x": 1}}}),
        gemini(finish="STOP"),
    )
    assert calls(answer) == [
        (None, "f", '{"items":[{"n":0.5},{"a b":"one"}],"flag":false,"none":null}'),
        (None, "g", ""),
        (None, "h", '{"x":1}'),
    ]
    assert answer.complete
    assert answer.model == "gemini"


def test_a_gemini_call_without_any_argument_is_an_empty_object() -> None:
    answer = one(
        gemini({"functionCall": {"name": "f", "willContinue": True}}),
        gemini({"functionCall": {}}, finish="STOP"),
    )
    assert calls(answer) == [(None, "f", "{}")]


def test_converse_streams_and_their_exceptions() -> None:
    def delta(index: int, **more: Any) -> Row:
        return {"contentBlockDelta": {"contentBlockIndex": index, "delta": more}}

    start = {"toolUse": {"toolUseId": "t", "name": "f"}}
    events: list[Row] = [
        {"messageStart": {"role": "assistant"}},
        delta(0, reasoningContent={"text": "hm"}),
        delta(1, text="so"),
        {"contentBlockStart": {"contentBlockIndex": 2, "start": start}},
        delta(2, toolUse={"input": '{"a":'}),
        delta(2, toolUse={"input": "1}"}),
    ]
    answer = one(*events, {"messageStop": {"stopReason": "tool_use"}})
    assert calls(answer) == [("t", "f", '{"a":1}')]
    assert texts(answer) == [("hm", True), ("so", False)]
    answer = one(*events, {"modelStreamErrorException": {"message": "", "originalMessage": "boom"}})
    assert answer.errors[0].shown == "modelStreamErrorException: boom"
    assert not answer.complete


@pytest.mark.parametrize(
    ("frame", "shown", "code"),
    [
        (
            {"type": "error", "error": {"type": "overloaded_error", "message": ""}},
            "overloaded_error",
            "overloaded_error",
        ),
        ({"type": "error", "code": "x", "message": "m", "param": None}, "x: m", "x"),
        ({"object": "error", "message": "m", "code": 400}, "400: m", "400"),
        ({"error": {"code": 502, "message": "m", "metadata": {"raw": "r"}}}, "502: m", "502"),
        ({"error_message": "m", "error_type": "t"}, "t: m", "t"),
        ({"error": "plain"}, "plain", None),
        ({"error": {"x": 1}}, "an error without a message", None),
    ],
)
def test_errors_are_told_in_every_shape(frame: Row, shown: str, code: str | None) -> None:
    (error,) = one(chunk(content="x"), frame).errors
    assert (error.shown, error.code) == (shown, code)


@pytest.mark.parametrize(
    ("text", "candidate"),
    [
        ('code": "up"}', {"code": "up"}),
        ('"code": "up"}', {"code": "up"}),
        ('{"a":1', None),
        ('"x"', None),
        ("ls -la", None),
        ("", None),
        ("[1", None),
    ],
)
def test_a_lost_beginning_has_one_candidate_or_none(text: str, candidate: Any) -> None:
    assert lost_prefix_candidate(text) == candidate


OBJECTS = st.dictionaries(
    st.text(max_size=6),
    st.recursive(st.text(max_size=6) | st.integers() | st.none(), st.lists, max_leaves=4),
    max_size=4,
)


@given(OBJECTS, st.lists(st.integers(1, 8), max_size=12), st.booleans())
def test_however_a_text_is_cut_it_comes_out_as_it_is(
    value: Row, sizes: list[int], ascii_: bool
) -> None:
    """The law of reassembly, for each of the three protocols."""
    text = json.dumps(value, ensure_ascii=ascii_)
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    pieces.append(text[at:])
    chat = one(
        chunk(piece("", "f", index=0, id="a")), *(chunk(piece(t, index=0)) for t in pieces), END
    )
    deltas = [{**DELTA, "delta": part} for part in pieces]
    responses = one(ADDED, *deltas, event("completed", response={}))
    for answer in (chat, one(*anthropic(*block(0, *pieces))), responses):
        assert answer.calls[0].arguments == text


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["index", "id", "name", "delta", "content", "type", "x"]), inner
        )
    ),
    max_leaves=6,
)
KEYS = (
    "choices",
    "delta",
    "tool_calls",
    "candidates",
    "content_block",
    "item",
    "response",
    "message",
)


@given(
    st.sampled_from(["message_start", "content_block_delta", "response.completed", "step.delta"]),
    st.dictionaries(
        st.sampled_from([*KEYS, "index", "contentBlockDelta", "outputs", "error"]), VALUES
    ),
)
def test_events_of_any_shape_are_read_without_an_exception(kind: str, more: Row) -> None:
    for head in ({"type": kind}, {"event_type": kind}, {}):
        streamed(chunk(), {**head, **more}, *anthropic(), {**head, **more}, ADDED, {**head, **more})


def test_deep_values_are_no_danger() -> None:
    deep = '{"a":' * 3000 + "1" + "}" * 3000
    text = '{"id":"c","choices":[{"message":{"role":"assistant","tool_calls":[{"id":"i","function":'
    answer = one(text + '{"name":"f","arguments":' + deep + '}}]},"finish_reason":"stop"}]}')
    assert answer.calls[0].arguments == deep
    with pytest.raises(JsonError):
        parse_json(deep[:-1])
