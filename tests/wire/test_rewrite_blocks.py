"""What a rewritten block looks like, what is refused and why, and that the rest stays in order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from toolfix_audit.wire.rewrite import Refusal, StreamRewriter, Tally, rewrite_body

from .made_streams import (
    PING,
    anthropic,
    block,
    call,
    chunk,
    delta,
    prose,
    responses,
    unwrapped,
)
from .official_clients import SeenCall, calls_seen
from .recorded_streams import Event, sse

WRAPPED, INNER = '{"w": {"a": 1}}', '{"a":1}'
LIMIT = 1 << 20


def rewritten(*events: Event | str, limit: int = LIMIT) -> tuple[bytes, Tally]:
    return rewritten_bytes(sse(*events), limit=limit)


def rewritten_bytes(stream: bytes, *, limit: int = LIMIT) -> tuple[bytes, Tally]:
    rewriter = StreamRewriter({}, unwrapped, limit=limit)
    out = rewriter.feed(stream) + rewriter.close()
    assert rewriter.held == 0
    tally = rewriter.tally
    assert tally.blocks == tally.changed + tally.unchanged + tally.refused.total()
    return out, tally


def test_a_changed_block_is_its_start_one_fragment_and_its_stop() -> None:
    out, tally = rewritten(*anthropic(prose(0, "Hi"), block(1, "", '{"w": ', '{"a": 1}}')))
    assert out == sse(*anthropic(prose(0, "Hi"), block(1, INNER)))
    assert (tally.blocks, tally.changed) == (1, 1)


def test_what_comes_between_fragments_stays_where_it_was() -> None:
    start, *fragments, stop = block(0, '{"w": ', '{"a": 1}', "}")
    unknown = {"type": "future_event", "index": 0, "w": 1}
    before = anthropic([start, PING, fragments[0], unknown, *fragments[1:], PING, stop, PING])
    out, _ = rewritten(*before)
    assert out == sse(*anthropic([start, PING, delta(0, INNER), unknown, PING, stop, PING]))


def test_comments_and_line_ends_of_a_rewritten_event_stay() -> None:
    first = sse(*anthropic(block(0))[:2])
    fragment = json.dumps(delta(0, WRAPPED))
    text = f": keep\r\nid: 7\r\nevent: content_block_delta\r\ndata:{fragment}\r\nretry: 5\r\n\r\n"
    rest = sse(*anthropic(block(0))[2:])
    out, tally = rewritten_bytes(first + text.encode() + rest)
    assert tally.changed == 1
    assert out == first + text.replace(json.dumps(WRAPPED), json.dumps(INNER)).encode() + rest


def test_data_over_several_lines_is_rewritten() -> None:
    start, _, stop = block(0, "")
    lines = json.dumps(delta(0, WRAPPED), indent=1).split("\n")
    event = "".join(f"data: {line}\n" for line in lines).encode() + b"\n"
    head, tail = sse(anthropic()[0], start), sse(stop, *anthropic()[1:])
    out, tally = rewritten_bytes(head + event + tail)
    assert tally.changed == 1
    assert out == head + event.replace(json.dumps(WRAPPED).encode(), b'"{\\"a\\":1}"') + tail


def test_an_opening_with_arguments_is_rewritten_in_its_place() -> None:
    given = anthropic(block(0, opening={"w": {"a": "ä\u2028"}}))
    out, tally = rewritten(*given)
    assert tally.changed == 1
    assert out.isascii()
    assert calls_seen(out, "anthropic") == [SeenCall("t0", "f", {"a": "ä\u2028"})]


def test_only_the_defective_one_of_interleaved_calls_changes() -> None:
    events: list[Event | str] = [
        chunk(call(0, ""), role="assistant", content=None),
        chunk(call(1, "")),
        chunk(call(0, '{"w": ', None)),
        chunk(call(1, '{"b"', None), call(0, '{"a": 1}}', None)),
        chunk(call(1, ": 2}", None)),
        chunk(finish="tool_calls"),
        "[DONE]",
    ]
    out, tally = rewritten(*events)
    assert (tally.changed, tally.unchanged) == (1, 1)
    assert calls_seen(out, "chat") == [SeenCall("t0", "f", {"a": 1}), SeenCall("t1", "f", {"b": 2})]
    assert out.count(b"data: ") == len(events)


def test_a_call_leaves_as_soon_as_the_next_begins() -> None:
    rewriter = StreamRewriter({}, unwrapped)
    assert rewriter.feed(sse(chunk(call(0, '{"w": {"a"')), chunk(call(0, ": 1}}", None)))) == b""
    out = rewriter.feed(sse(chunk(call(1, ""))))
    assert out == sse(chunk(call(0, INNER)))
    out = rewriter.feed(sse(chunk(call(1, "{}", None)), chunk(finish="tool_calls")))
    assert out == sse(chunk(call(1, "")), chunk(call(1, "{}", None)), chunk(finish="tool_calls"))


def test_what_a_chunk_holds_beside_a_fragment_is_kept() -> None:
    used = {**chunk(call(0, "}", None)), "usage": {"total_tokens": 5}}
    ending = chunk(call(0, "", None), finish="tool_calls")
    out, _ = rewritten(chunk(call(0, '{"w": ')), chunk(call(0, '{"a": 1}', None)), used, ending)
    blank = {**chunk(call(0, "", None)), "usage": {"total_tokens": 5}}
    assert out == sse(chunk(call(0, INNER)), blank, ending)


def test_the_older_single_function_call_is_rewritten() -> None:
    first = chunk(function_call={"name": "f", "arguments": '{"w": '})
    rest = chunk(function_call={"arguments": '{"a": 1}}'})
    out, tally = rewritten(first, rest, chunk(finish="function_call"), "[DONE]")
    assert tally.changed == 1
    blank = chunk(function_call={"arguments": ""})
    told = chunk(function_call={"name": "f", "arguments": INNER})
    assert out == sse(told, blank, chunk(finish="function_call"), "[DONE]")


def test_every_copy_of_a_response_tells_the_repaired_text() -> None:
    out, tally = rewritten(*responses(['{"w": ', '{"a": 1}}'], ['{"b": 2}']))
    assert (tally.changed, tally.unchanged) == (1, 1)
    assert b'\\"w\\"' not in out
    assert calls_seen(out, "responses") == [
        SeenCall("t0", "f", {"a": 1}),
        SeenCall("t1", "f", {"b": 2}),
    ]
    expected = [
        event
        for event in responses([INNER], ['{"b": 2}'])
        if isinstance(event, dict) and event["type"] != "response.function_call_arguments.delta"
    ]
    told = [json.loads(line[6:]) for line in out.decode().split("\n") if line.startswith("data: ")]
    assert [bare(event) for event in told if "delta" not in event] == [bare(e) for e in expected]


def bare(event: Event) -> Event:
    return {key: value for key, value in event.items() if key != "sequence_number"}


def test_arguments_that_stand_in_the_last_event_alone_are_rewritten() -> None:
    item = {"type": "function_call", "id": "i", "call_id": "t", "name": "f", "arguments": WRAPPED}
    ends: dict[str, Any] = {"type": "response.completed", "response": {"output": [item]}}
    out, tally = rewritten({"type": "response.created", "response": {"id": "r"}}, ends)
    assert tally.changed == 1
    ends["response"]["output"] = [{**item, "arguments": INNER}]
    assert out.endswith(sse(ends))


def test_what_the_provider_runs_itself_passes() -> None:
    kinds = ("server_tool_use", "mcp_tool_use", "tool_use")
    for kind in kinds:
        out, tally = rewritten(*anthropic(block(0, WRAPPED, kind=kind)))
        assert (tally.blocks, out == sse(*anthropic(block(0, WRAPPED, kind=kind)))) == (
            (1, False) if kind == "tool_use" else (0, True)
        )


def test_arguments_that_are_no_whole_object_wait_for_the_stop_reason() -> None:
    for stop, repaired in (("tool_use", True), ("max_tokens", False)):
        rewriter = StreamRewriter({}, lambda *_: INNER)
        head, tail = anthropic(block(0, "{'a': 1}"), stop=stop)[:-2], anthropic(stop=stop)[-2:]
        assert rewriter.feed(sse(*head)) == sse(*head[:2])
        out = sse(*head[:2]) + rewriter.feed(sse(*tail)) + rewriter.close()
        told = anthropic(block(0, INNER if repaired else "{'a': 1}"), stop=stop)
        assert out == sse(*told)
        assert dict(rewriter.tally.refused) == ({} if repaired else {Refusal.CUT: 1})


def start(index: int = 0, *fragments: str) -> list[Event | str]:
    """A message that has not gone further than these fragments."""
    return [*anthropic()[:1], *block(index, *fragments)[:-1]]


def opened(*events: Event | str) -> list[Event | str]:
    """A response with a call that is announced."""
    return [*responses([""])[:2], *events]


def piece(**more: Any) -> Event:
    at = {"item_id": "i0", "output_index": 0}
    return {"type": "response.function_call_arguments.delta", **at, **more}


def whole(text: Any) -> Event:
    return piece(type="response.function_call_arguments.done", arguments=text)


REFUSED: list[tuple[str, list[Event | str], Refusal]] = [
    ("the stream ends", start(0, WRAPPED), Refusal.CUT),
    ("the message ends", [*start(0, WRAPPED), *anthropic()[1:]], Refusal.CUT),
    ("another message", [*start(0, WRAPPED), *anthropic()[:1]], Refusal.CUT),
    ("an error", [*start(0, WRAPPED), {"type": "error", "error": {"message": "x"}}],
     Refusal.ERROR),
    ("no JSON", [*start(0, WRAPPED), "{", *block(0)[-1:]], Refusal.UNREADABLE),
    ("an open index", [*start(0, WRAPPED), *block(0, WRAPPED)], Refusal.OUT_OF_ORDER),
    ("a fragment of nothing", [*start(0, WRAPPED), delta(5, "x")], Refusal.OUT_OF_ORDER),
    ("a stop of nothing", [*start(0, WRAPPED), block(5)[-1]], Refusal.OUT_OF_ORDER),
    ("a fragment that is no text", [*start(0, WRAPPED), delta(0, 5)], Refusal.NO_TEXT),
    ("finish length", [chunk(call(0, WRAPPED)), chunk(finish="length")], Refusal.CUT),
    ("finish content_filter", [chunk(call(0, WRAPPED)), chunk(finish="content_filter")],
     Refusal.CUT),
    ("no finish", [chunk(call(0, WRAPPED))], Refusal.CUT),
    ("objects in fragments", [chunk(call(0, {"w": {}})), chunk(call(0, {"x": 1}, None)),
                              chunk(finish="stop")], Refusal.NO_TEXT),
    ("a number in a fragment", [chunk(call(0, WRAPPED)), chunk(call(0, 5, None))],
     Refusal.NO_TEXT),
    ("the response breaks off", opened(piece(delta=WRAPPED), responses(status="failed")[-1]),
     Refusal.CUT),
    ("the response is incomplete",
     opened(piece(delta=WRAPPED), responses(status="incomplete")[-1]), Refusal.CUT),
    ("another response", opened(piece(delta=WRAPPED), responses()[0]), Refusal.CUT),
    ("fragments and copy differ", opened(piece(delta=WRAPPED), whole('{"w": {"a": 2}}')),
     Refusal.COPIES_DIFFER),
    ("a copy that is no text", opened(piece(delta=WRAPPED), whole(5)), Refusal.NO_TEXT),
    ("an unknown item", opened(piece(delta=WRAPPED), piece(item_id="x", output_index=9, delta="")),
     Refusal.OUT_OF_ORDER),
]  # fmt: skip


@pytest.mark.parametrize(("events", "refusal"), [row[1:] for row in REFUSED],
                         ids=[row[0] for row in REFUSED])  # fmt: skip
def test_what_is_not_certain_passes_and_is_counted(
    events: list[Event | str], refusal: Refusal
) -> None:
    out, tally = rewritten(*events)
    assert out == sse(*events)
    assert tally.refused[refusal] == tally.refused.total() == 1


def test_a_place_that_cannot_be_told_is_refused() -> None:
    stream = sse(*anthropic(block(0, WRAPPED)))
    twice = stream.replace(b'"partial_json": ', b'"partial_json": "", "partial_json": ')
    out, tally = rewritten_bytes(twice)
    assert (out, dict(tally.refused)) == (twice, {Refusal.REPEATED_KEY: 1})


def test_a_call_without_any_place_is_refused() -> None:
    rewriter = StreamRewriter({}, lambda *_: '{"a":1}')
    stream = sse(*anthropic(block(0)))
    assert rewriter.feed(stream) + rewriter.close() == stream
    assert dict(rewriter.tally.refused) == {Refusal.NO_PLACE: 1}


def test_a_block_over_the_limit_passes_and_the_next_is_rewritten() -> None:
    large, small = block(0, '{"w": {"a": "', *["x" * 50] * 40, '"}}'), block(1, WRAPPED)
    out, tally = rewritten(*anthropic(large, small), limit=2000)
    assert out == sse(*anthropic(large, block(1, INNER)))
    assert (dict(tally.refused), tally.changed) == ({Refusal.TOO_LARGE: 1}, 1)


def test_an_event_over_the_limit_stops_the_rewriting() -> None:
    stream = sse(*anthropic(prose(0, "x" * 3000), block(1, WRAPPED)))
    out, tally = rewritten_bytes(stream, limit=2000)
    assert (out, tally.stopped) == (stream, Refusal.UNREADABLE)


def test_from_the_first_doubt_on_everything_passes() -> None:
    good = block(0, WRAPPED)
    out, tally = rewritten(*anthropic(good, [block(7)[-1]], block(1, WRAPPED)))
    assert out == sse(*anthropic(block(0, INNER), [block(7)[-1]], block(1, WRAPPED)))
    assert (tally.changed, tally.stopped) == (1, Refusal.OUT_OF_ORDER)


def test_arguments_that_go_on_after_their_block_left_stop_the_rewriting() -> None:
    early = [chunk(call(0, WRAPPED)), chunk(call(1, ""))]
    late: list[Event | str] = [chunk(call(0, "!", None)), chunk(finish="tool_calls"), "[DONE]"]
    out, tally = rewritten(*early, *late)
    assert out == sse(chunk(call(0, INNER)), chunk(call(1, "")), *late)
    assert tally.stopped is Refusal.LATE_FRAGMENT


def test_a_later_copy_of_other_arguments_stops_the_rewriting() -> None:
    other = responses(['{"w": {"b": 9}}'])[-2:]
    out, tally = rewritten(*opened(piece(delta=WRAPPED), whole(WRAPPED)), *other)
    assert out.endswith(sse(*other))
    assert (tally.changed, tally.stopped) == (1, Refusal.COPIES_DIFFER)


BODIES: Iterable[tuple[Any, Any]] = [
    ({"type": "message", "content": [{"type": "text", "text": WRAPPED},
      {"type": "tool_use", "id": "t", "name": "f", "input": {"w": {"a": "ä"}}},
      {"type": "server_tool_use", "id": "s", "name": "f", "input": {"w": {}}}]},
     ("content", 1, "input", {"a": "ä"})),
    ({"id": "c", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
        "role": "assistant", "tool_calls": [{"id": "t", "function": {
            "name": "f", "arguments": '{"w": {"a": "ä"}}'}}]}}]},
     ("choices", 0, "message", "tool_calls", 0, "function", "arguments", '{"a":"\\u00e4"}')),
    ({"choices": [{"finish_reason": "function_call", "message": {"function_call": {
        "name": "f", "arguments": '{"w": 1}'}}}]},
     ("choices", 0, "message", "function_call", "arguments", "1")),
    ({"object": "response", "status": "completed", "output": [
        {"type": "custom_tool_call", "name": "f", "input": WRAPPED},
        {"type": "function_call", "name": "f", "arguments": WRAPPED}]},
     ("output", 1, "arguments", INNER)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "place"), BODIES)
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_of_a_body_only_the_arguments_change(
    body: Any, place: tuple[Any, ...], indent: int | None, mark: bytes
) -> None:
    data = mark + json.dumps(body, indent=indent, ensure_ascii=False).encode() + b" \n"
    out, tally = rewrite_body(data, {}, unwrapped)
    assert (tally.blocks, tally.changed) == (1, 1)
    *path, new = place
    holder = json.loads(data.decode("utf-8-sig"))
    expected = holder
    for step in path[:-1]:
        holder = holder[step]
    old = holder[path[-1]]
    holder[path[-1]] = new
    assert json.loads(out.decode("utf-8-sig")) == expected
    if isinstance(old, str):
        was, now = (json.dumps(text, ensure_ascii=False).encode() for text in (old, new))
        assert out == now.join(data.rsplit(was, 1))


@pytest.mark.parametrize(
    "body",
    [
        {"type": "message", "stop_reason": "max_tokens",
         "content": [{"type": "tool_use", "name": "f", "input": {"w": {}}}]},
        {"choices": [{"finish_reason": "length", "message": {"tool_calls": [
            {"function": {"name": "f", "arguments": WRAPPED}}]}}]},
        {"object": "response", "status": "incomplete",
         "output": [{"type": "function_call", "name": "f", "arguments": WRAPPED}]},
    ],
)  # fmt: skip
def test_a_body_that_was_cut_is_left(body: Any) -> None:
    data = json.dumps(body).encode()
    out, tally = rewrite_body(data, {}, unwrapped)
    assert (out, dict(tally.refused)) == (data, {Refusal.CUT: 1})


@pytest.mark.parametrize("data", [b"", b"\xff", b"[1]", b"{", b'{"w": 1}', b"<html>"])
def test_what_is_no_answer_comes_back(data: bytes) -> None:
    assert rewrite_body(data, {}, unwrapped)[0] == data
