"""Laws of the rewriter: no cut of a stream matters, doubt changes nothing, little is held."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolfix_audit.model.json import JsonError, dump_json, parse_json
from toolfix_audit.wire.parts import Answer, WireCall
from toolfix_audit.wire.rewrite import Refusal, StreamRewriter, Tally, rewrite_body
from toolfix_audit.wire.sse import SseDecoder
from toolfix_audit.wire.stream import StreamReader

from .made_streams import PING, TOOL, anthropic, block, call, chunk, prose, responses, unwrapped
from .recorded_streams import Event, cut_into, sse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
PLAIN = st.dictionaries(st.text(max_size=3), VALUES, max_size=3)
WRAPPED = PLAIN.map(lambda value: {"w": value})
SIZES = st.lists(st.integers(1, 60), min_size=1, max_size=20)
QUIET = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


@st.composite
def fragments(draw: st.DrawFn) -> list[str]:
    """The text of arguments, cut anywhere."""
    text = json.dumps(draw(PLAIN | WRAPPED), ensure_ascii=draw(st.booleans()))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
    edges = [0, *cuts, len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


@st.composite
def anthropic_events(draw: st.DrawFn) -> list[Event | str]:
    blocks: list[list[Event]] = []
    for index in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            made = block(index, *draw(fragments()))
        else:
            made = prose(index, *draw(st.lists(st.text(max_size=9), max_size=3)))
        for _ in range(draw(st.integers(0, 2))):
            made.insert(draw(st.integers(0, len(made))), PING)
        blocks.append(made)
    return anthropic(*blocks)


@st.composite
def chat_events(draw: st.DrawFn) -> list[Event | str]:
    """Calls one after the other, each begun by a chunk of its own or with its first fragment."""
    events: list[Event | str] = [chunk(role="assistant", content=draw(st.text(max_size=5)))]
    for index, texts in enumerate(draw(st.lists(fragments(), max_size=4))):
        head, *rest = texts if draw(st.booleans()) else ["", *texts]
        events.append(chunk(call(index, head)))
        events += [chunk(call(index, text, None)) for text in rest]
    return [*events, chunk(finish="tool_calls"), "[DONE]"]


RESPONSES = st.lists(fragments(), max_size=4).map(lambda calls: responses(*calls))
EVENTS = anthropic_events() | chat_events() | RESPONSES
LINE_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
STREAMS = st.builds(lambda events, end: sse(*events).replace(b"\n", end), EVENTS, LINE_ENDS)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A stream in which bytes or whole events are lost, doubled, swapped or replaced."""
    stream = draw(STREAMS)
    if draw(st.booleans()):
        events = stream.split(b"\n\n")
        for _ in range(draw(st.integers(1, 3))):
            here, there = (draw(st.integers(0, len(events) - 1)) for _ in range(2))
            way = draw(st.sampled_from(["double", "swap", "lose"]))
            if way == "double":
                events.insert(there, events[here])
            elif way == "swap":
                events[here], events[there] = events[there], events[here]
            elif len(events) > 1:
                del events[here]
        return b"\n\n".join(events)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(stream)))
        width = draw(st.integers(0, 5))
        stream = stream[:at] + draw(st.binary(max_size=3)) + stream[at + width :]
    return stream


def run(stream: bytes, sizes: list[int] | None = None) -> tuple[bytes, Tally]:
    rewriter = StreamRewriter({}, unwrapped)
    out = [rewriter.feed(piece) for piece in cut_into(stream, sizes or [1 << 30])]
    out.append(rewriter.close())
    assert rewriter.held == 0
    return b"".join(out), rewriter.tally


@QUIET
@given(STREAMS | damaged() | st.binary(max_size=300), SIZES)
def test_how_a_stream_is_cut_changes_nothing(stream: bytes, sizes: list[int]) -> None:
    assert run(stream, sizes) == run(stream)


@QUIET
@given(STREAMS | damaged() | st.binary(max_size=300))
def test_without_a_repair_every_byte_passes(stream: bytes) -> None:
    rewriter = StreamRewriter({}, lambda *_: None)
    assert rewriter.feed(stream) + rewriter.close() == stream


@QUIET
@given(STREAMS)
def test_every_wrapped_call_is_repaired_and_nothing_else(stream: bytes) -> None:
    out, tally = run(stream)
    before, after = calls_in(answers(stream)), calls_in(answers(out))
    assert [one.arguments for one in after] == [wanted(one) for one in before]
    assert tally.changed == sum(repaired(one) is not None for one in before)
    assert not tally.refused
    assert tally.stopped is None
    assert run(out) == (out, run(out)[1])


@QUIET
@given(STREAMS, st.data())
def test_of_a_cut_stream_what_is_held_leaves_as_it_came(stream: bytes, data: st.DataObject) -> None:
    cut = stream[: data.draw(st.integers(0, len(stream)))]
    rewriter = StreamRewriter({}, unwrapped)
    sent = rewriter.feed(cut)
    held = rewriter.held
    assert rewriter.close() == cut[len(cut) - held :]
    assert run(stream)[0].startswith(sent)


@QUIET
@given(damaged())
def test_a_damaged_stream_is_never_made_worse(stream: bytes) -> None:
    out, tally = run(stream)
    if not tally.changed:
        assert out == stream
    if tally.stopped is Refusal.LATE_FRAGMENT:  # the call was no JSON before, nor is it now
        return
    before, after = answers(stream), answers(out)
    assert [shape(answer) for answer in before] == [shape(answer) for answer in after]
    for was, now in zip(calls_in(before), calls_in(after), strict=True):
        assert now.arguments in (was.arguments, wanted(was))


@QUIET
@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), min_size=1, max_size=12), SIZES)
def test_no_more_is_held_than_the_largest_block(
    plan: list[tuple[int, bool]], sizes: list[int]
) -> None:
    for made in (_anthropic_plan(plan), _chat_plan(plan), _responses_plan(plan)):
        stream = b"".join(sse(*events) for events in made)
        largest = max(len(sse(*events)) for events in made)
        event = max(len(sse(one)) for events in made for one in events)
        rewriter = StreamRewriter({}, unwrapped)
        for piece in cut_into(stream, sizes):
            rewriter.feed(piece)
            assert rewriter.held <= largest + event
        rewriter.close()
        assert rewriter.tally.changed == sum(defective for _, defective in plan)


def _texts(count: int, defective: bool) -> list[str]:
    lead, tail = ('{"w": {"a": "', '"}}') if defective else ('{"a": "', '"}')
    return [lead, *["x" * 9] * count, tail]


def _anthropic_plan(plan: list[tuple[int, bool]]) -> list[list[Event | str]]:
    first, *last = anthropic()
    blocks: list[list[Event | str]] = [[*block(i, *_texts(*one))] for i, one in enumerate(plan)]
    return [[first], *blocks, [*last]]


def _chat_plan(plan: list[tuple[int, bool]]) -> list[list[Event | str]]:
    made: list[list[Event | str]] = []
    for index, one in enumerate(plan):
        rest: list[Event | str] = [chunk(call(index, text, None)) for text in _texts(*one)]
        made.append([chunk(call(index, "")), *rest])
    return [*made, [chunk(finish="tool_calls"), "[DONE]"]]


def _responses_plan(plan: list[tuple[int, bool]]) -> list[list[Event | str]]:
    first, *events, last = responses(*(_texts(*one) for one in plan))
    made: list[list[Event | str]] = [[first]]
    for event in events:
        assert isinstance(event, dict)
        if event["type"] == "response.output_item.added":
            made.append([])
        made[-1].append(event)
    return [*made, [last]]


BODIES = st.builds(
    lambda values, more: {
        **more,
        "type": "message",
        "content": [{"type": "tool_use", "name": TOOL, "input": value} for value in values],
    },
    st.lists(PLAIN | WRAPPED, max_size=3),
    st.dictionaries(st.text(max_size=4), VALUES, max_size=3).filter(
        lambda more: not {"stop_reason", "output"} & more.keys()
    ),
)


@QUIET
@given(BODIES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_a_body_tells_the_repaired_values(body: Any, indent: Any, ascii_only: bool) -> None:
    data = json.dumps(body, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "replace")
    out, tally = rewrite_body(data, {}, unwrapped)
    told = json.loads(out)
    for entry in (wanted_body := json.loads(data))["content"]:
        if list(entry["input"]) == ["w"]:
            entry["input"] = entry["input"]["w"]
            tally.changed -= 1
    assert told == wanted_body
    assert tally.changed == 0


def answers(stream: bytes) -> list[Answer]:
    """What the reader of whole streams makes of it."""
    decoder, reader = SseDecoder(), StreamReader()
    found: list[Answer] = []
    for event in (*decoder.feed(stream), *decoder.close()):
        found += reader.take_sse(event)
    return found + reader.close()


def calls_in(found: list[Answer]) -> list[WireCall]:
    return [one for answer in found for one in answer.calls]


def shape(answer: Answer) -> object:
    """All of an answer but the arguments of its calls."""
    parts = [
        (part.call_id, part.tool, part.hosted) if isinstance(part, WireCall) else part
        for message in answer.messages
        for part in message.parts
    ]
    return parts, [m.finish_reason for m in answer.messages], answer.complete, answer.reason


def repaired(one: WireCall) -> str | None:
    return None if one.hosted else unwrapped(one.tool, one.arguments, {})


def wanted(one: WireCall) -> str:
    """The arguments that must come out: exactly the repaired text, or what was there."""
    new = repaired(one)
    if new is None:
        return one.arguments
    try:
        return new if one.streamed is not None else dump_json(parse_json(new))
    except JsonError:
        return new
