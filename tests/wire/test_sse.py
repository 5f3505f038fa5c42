"""Server-sent events: every byte is kept, every cut is harmless."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.wire.sse import SseDecoder, SseEvent


def decoded(data: bytes, sizes: list[int] | None = None, limit: int = 1 << 20) -> list[SseEvent]:
    """The events of a stream that comes in pieces of these sizes, the last one over and over."""
    decoder = SseDecoder(limit)
    events: list[SseEvent] = []
    at = 0
    for size in sizes or []:
        events += decoder.feed(data[at : at + size])
        at += size
    events += decoder.feed(data[at:])
    return [*events, *decoder.close()]


def told(events: list[SseEvent]) -> list[tuple[str | None, str | None]]:
    return [(event.name, event.data) for event in events if event.data is not None]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_may_end_in_three_ways(end: bytes) -> None:
    lines = [b"event: a", b"data: 1", b"", b"data:2", b"data:  3", b"", b""]
    events = decoded(end.join(lines))
    assert told(events) == [("a", "1"), (None, "2\n 3")]
    assert all(event.ended for event in events)


def test_what_is_no_data_is_kept_as_bytes() -> None:
    data = b"\xef\xbb\xbf: comment\n\nid: 7\nretry: 5\ndata\n\n: PROCESSING\ndata: x\n\n"
    events = decoded(data)
    assert [event.data for event in events] == [None, "", "x"]
    assert b"".join(event.raw for event in events) == data
    assert [event.stray for event in events] == [None] * 3


def test_a_byte_order_mark_counts_only_at_the_start() -> None:
    assert told(decoded(b"\xef\xbb\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n")) == [(None, "1")]


def test_a_bare_error_object_is_told_as_stray() -> None:
    events = decoded(b'data: {}\n\n{"error": {"code": 503,\n"message": "gone"}}')
    assert events[1].stray == '{"error": {"code": 503,\n"message": "gone"}}'
    assert not events[1].ended


def test_an_event_without_its_blank_line_comes_at_the_end() -> None:
    (event,) = decoded(b"data: 1")
    assert (event.data, event.ended) == ("1", False)


def test_text_that_is_no_utf8_is_a_fault_and_the_next_event_is_read() -> None:
    first, second = decoded(b"data: \xff\n\ndata: 2\n\n")
    assert first.fault == "not UTF-8: byte 0xff"
    assert first.data is None
    assert second.data == "2"


def test_an_event_over_the_limit_passes_in_pieces() -> None:
    data = b"data: " + b"x" * 500 + b"\n\ndata: 2\n\n"
    events = decoded(data, [50] * 9, limit=100)
    assert b"".join(event.raw for event in events) == data
    assert all(len(event.raw) <= 200 for event in events)
    assert told(events) == [(None, "2")]
    assert "more than 100 bytes" in str(events[0].fault)


STREAM = 'event: é\r\ndata: {"q":"北京😀"}\r\n\r\n: c\rdata: 1\rdata: 2\r\r\ndata: 3\n\n'.encode()


@given(st.lists(st.integers(1, 9), max_size=40))
def test_network_chunks_change_nothing(sizes: list[int]) -> None:
    events = decoded(STREAM, sizes)
    assert told(events) == [("é", '{"q":"北京😀"}'), (None, "1\n2"), (None, "3")]
    assert b"".join(event.raw for event in events) == STREAM


@given(st.binary(max_size=200), st.lists(st.integers(1, 7), max_size=20))
def test_any_bytes_come_out_as_they_went_in(data: bytes, sizes: list[int]) -> None:
    assert b"".join(event.raw for event in decoded(data, sizes)) == data
    assert told(decoded(data, sizes)) == told(decoded(data))
