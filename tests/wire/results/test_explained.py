"""Family I, what was shown beside the cause: hidden, told, or lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.logs.detect import detect
from toolfix_audit.logs.sources import find_logs
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import StreamError
from toolfix_audit.wire.results.causes import NONE, event_cause
from toolfix_audit.wire.results.causes.explained import (
    LOST,
    explain_row,
    explain_stream,
    parsed_raw,
)
from toolfix_audit.wire.results.causes.own_words import hides_cause

OWN_WORDS = [
    "OpenAI Responses stream error",
    "OpenAI Responses response failed",
    "Anthropic Messages stream error",
    "stream emitted error event",
    "Responses API error: Unknown error",
    "Failed to generate a response. Please try again.",
    "Error: [object Object]",
    "[object Object]",
    "Provider returned an empty stream with no finish_reason",
    "Provider returned error",
    "Upstream stream terminated unexpectedly before completion",
    "invalid stream payload",
    "Stream decode error",
    "An error occurred during streaming",
    "stream disconnected before completion: stream closed before completion",
    "SSE stream ended without [DONE]",
    "Stream ended without finish_reason",
    "DeepSeek API stream from http://127.0.0.1:1/v1 failed",
    "terminated",
    "API error",
    "unknown error",
    "",
    "  ",
]

TELLING = [
    "Rate limit reached (mock)",
    "Internal server error (mock)",
    "simulated provider error (HTTP 401)",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "OpenAI Responses stream error: context_length_exceeded",
    "stream disconnected before completion: rate limit reached for gpt-5",
    "Provider returned error: no endpoints found",
    "Anthropic Messages stream error (overloaded_error)",
    "model runner has terminated",
    "unknown error code 17 from the tokenizer",
    "Your credit balance is too low",
    "Failed to generate a response: image exceeds 5 MB",
    "upstream connect error or disconnect/reset before headers",
    "The stream was terminated by the content filter",
    "no API key for this provider",
    "x" * 5000,
]


@pytest.mark.parametrize("shown", OWN_WORDS)
def test_the_words_of_a_client_lose_the_cause(shown: str) -> None:
    told = explain_row(shown, "STREAM_CLOSED")
    assert told.lost
    assert not told.hidden
    assert (told.cause.message, told.cause.place, told.cause.code) == (None, LOST, "STREAM_CLOSED")


@pytest.mark.parametrize("shown", TELLING)
def test_the_words_of_a_provider_are_the_cause(shown: str) -> None:
    told = explain_row(shown)
    assert not told.lost
    assert not told.hidden
    assert told.cause.message is not None
    assert told.cause.message in shown


def test_some_words_are_judged_by_the_whole_text_only() -> None:
    assert hides_cause("Provider returned error.")
    assert not hides_cause("Provider returned error. The key is wrong.")


@pytest.mark.parametrize(
    ("shown", "raw", "display", "pointer"),
    [
        (
            "OpenAI Responses response failed",
            {"response": {"error": {"code": "server_error", "message": "fault"}}},
            "server_error: fault",
            "/response/error",
        ),
        (
            "Provider returned error",
            {"name": "APIError", "data": {"statusCode": 400, "message": "Provider returned error",
             "responseBody": '{"error":{"message":"too many images","code":400}}'}},
            "400: too many images",
            "/data/responseBody/error",
        ),
        (
            "terminated",
            {"message": "terminated", "cause": {"message": "other side went away mid-answer"}},
            "other side went away mid-answer",
            "/cause",
        ),
        (
            "API error",
            {"message": "API error", "error": {"error": {"type": "overloaded_error",
             "message": "Overloaded"}}},
            "overloaded_error: Overloaded",
            "/error/error",
        ),
        (
            'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}',
            None,
            "overloaded_error: Busy",
            "/error",
        ),
        (
            "stream disconnected before completion: 400 bad image",
            None,
            "400 bad image",
            "",
        ),
    ],
)  # fmt: skip
def test_the_cause_is_found_behind_the_words(
    shown: str, raw: Json, display: str, pointer: str
) -> None:
    told = explain_row(shown, None, raw)
    assert (told.cause.display, told.cause.pointer, told.lost) == (display, pointer, False)
    assert told.hidden is (str(told.cause.message) not in shown)


def test_a_row_keeps_the_code_of_its_host() -> None:
    raw = parsed_raw('{"message":"Rate limit reached","code":"RATE_LIMIT","status":429}')
    told = explain_row("Rate limit reached", "RATE_LIMIT", raw)
    assert told.cause.display == "RATE_LIMIT: Rate limit reached"
    assert (told.cause.status, told.lost, told.hidden) == (429, False, False)
    assert explain_row("no room left", "X").cause.display == "X: no room left"


def test_a_cause_that_was_not_shown_is_hidden() -> None:
    cause = event_cause({"error": {"message": "queue full", "code": 429}})
    assert explain_stream(cause, "Something went wrong").hidden
    assert not explain_stream(cause, "429: queue full").hidden
    assert explain_stream(cause, None).hidden
    routed = event_cause({"error": {"code": 1, "message": "m", "metadata": {"raw": "why"}}})
    assert explain_stream(routed, "1: m").hidden


def test_a_stream_without_failure_explains_nothing() -> None:
    told = explain_stream(NONE, None)
    assert (told.cause, told.lost, told.hidden) == (NONE, False, False)


def test_the_log_that_lost_it_is_not_made_to_guess() -> None:
    told = explain_stream(NONE, "Error: [object Object]")
    assert told.lost
    assert told.cause.message is None


@pytest.mark.parametrize("raw", [None, "", "no json", '{"cut":', "[" * 9000, "5", '"text"'])
def test_raw_text_of_any_kind_is_read(raw: str | None) -> None:
    assert explain_row("terminated", None, parsed_raw(raw)).lost


@given(st.text(max_size=60), st.none() | st.text(max_size=5), st.text(max_size=60))
def test_no_row_raises(shown: str, code: str | None, raw: str) -> None:
    explain_row(shown, code, parsed_raw(raw))
    explain_row('Error {"message":' + json.dumps(shown) + "}", code, raw)


def test_the_dsh_sessions_tell_the_cause_or_that_it_is_lost(shared: Path) -> None:
    """Six sessions of the real harness against a scripted server: two answered with a status and
    a body (HTTP 500 and 429), the others were cut or closed without an end."""
    folder = shared / "corpora" / "dsh-host" / "sessions"
    rows = [
        record
        for file in find_logs([str(folder)])
        if (reader := detect(file).reader) is not None
        for unit in reader.read(file)
        for record in unit.records
        if isinstance(record, StreamError)
    ]
    told = {(row.code, row.shown.split(" from ")[0]): explain_row(
        row.shown, row.code, parsed_raw(row.raw)) for row in rows}  # fmt: skip
    assert {key: one.lost for key, one in told.items()} == {
        ("SERVER", "Internal server error (mock)"): False,
        ("RATE_LIMIT", "Rate limit reached (mock)"): False,
        ("STREAM_CLOSED", "SSE stream ended without [DONE]"): True,
        ("TRANSPORT", "DeepSeek API stream"): True,
        ("TRANSPORT", "terminated"): True,
        ("TRANSPORT", "Stream ended without finish_reason"): True,
    }
