"""Family I, streams: tails, order, chunks."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.wire.results.causes import Cause, CauseKind
from toolfix_audit.wire.results.causes.stream_cause import TAIL, CauseFinder, stream_cause
from toolfix_audit.wire.sse import SseDecoder

TEXT = 'data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\n\n'
ERROR = {"error": {"code": 503, "message": "high demand", "status": "UNAVAILABLE"}}
CHUNK = 'data: {"choices":[{"index":0,"delta":{"content":"par"}}]}\n\n'
DONE = "data: [DONE]\n\n"


@pytest.mark.parametrize(
    "tail",
    [
        json.dumps(ERROR),
        json.dumps(ERROR, indent=2),
        json.dumps(ERROR, indent=2) + "\n\n",
        json.dumps(ERROR, indent=2).replace("{\n", "{\n\n", 1),
        json.dumps([ERROR]),
        json.dumps(ERROR, indent=1).replace("\n", "\r\n"),
    ],
)
@pytest.mark.parametrize("head", [TEXT, TEXT.rstrip("\n") + "\n", ""])
def test_a_raw_tail_is_read(head: str, tail: str) -> None:
    cause = stream_cause((head + tail).encode())
    assert (cause.code, cause.message, cause.status) == (503, "high demand", "UNAVAILABLE")
    assert cause.place == TAIL
    assert cause.event is None


def test_the_last_of_json_lines_is_read() -> None:
    lines = '{"message":{"content":"a"}}\n{"error":"model runner has stopped"}\n'
    assert stream_cause(lines.encode()).message == "model runner has stopped"


@pytest.mark.parametrize(
    "stream",
    [
        "",
        TEXT,
        CHUNK + DONE,
        ": OPENROUTER PROCESSING\n\n" + CHUNK + DONE,
        CHUNK + "event: ping\ndata: {\"type\":\"ping\"}\n\n",
        CHUNK + "some words",
        CHUNK + "<html>error</html>",
        CHUNK + json.dumps(ERROR)[:-5],
        CHUNK + json.dumps(ERROR) + json.dumps(ERROR),
        CHUNK + 'data: {"error": {"code"',
        CHUNK + 'data: error\n\n',
        CHUNK + "error: overloaded\n\n",
        json.dumps(ERROR) + "\n\n" + CHUNK,
        "\ufeff" + CHUNK,
        'event: error\n\n' + CHUNK,
    ],
)  # fmt: skip
def test_a_stream_without_an_error_has_no_cause(stream: str) -> None:
    assert stream_cause(stream.encode()).kind is CauseKind.NONE


def test_an_end_mark_after_an_error_is_no_success() -> None:
    cause = stream_cause((CHUNK + f"data: {json.dumps(ERROR)}\n\n" + DONE).encode())
    assert (cause.message, cause.event) == ("high demand", 1)


def test_an_error_with_a_message_outranks_one_without_and_an_early_end() -> None:
    early = {
        "type": "response.incomplete",
        "response": {"incomplete_details": {"reason": "steered"}},
    }
    finder = CauseFinder()
    shown: list[Cause] = []
    for event in (early, {"type": "error", "code": "x"}, ERROR, {"error": "later"}):
        finder.take(json.loads(json.dumps(event)))
        shown.append(finder.cause())
    assert [cause.display for cause in shown] == ["steered", "x", *["503: high demand"] * 2]
    assert [cause.event for cause in shown] == [0, 1, 2, 2]


@given(
    st.lists(st.sampled_from([TEXT, CHUNK, DONE, ": c\n\n", f"data: {json.dumps(ERROR)}\n\n"])),
    st.sampled_from(["", json.dumps(ERROR, indent=2), "{", "\xff"]),
    st.data(),
)
def test_any_chunks_give_the_same_cause(events: list[str], tail: str, data: st.DataObject) -> None:
    stream = ("".join(events) + tail).encode("latin-1")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    decoder, finder = SseDecoder(), CauseFinder()
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        for event in decoder.feed(stream[start:end]):
            finder.take_sse(event)
    for event in decoder.close():
        finder.take_sse(event)
    assert finder.cause() == stream_cause(stream)


@given(st.binary(max_size=200))
def test_no_bytes_raise(stream: bytes) -> None:
    stream_cause(stream)
    stream_cause(b"data: " + stream + b"\n\n")
