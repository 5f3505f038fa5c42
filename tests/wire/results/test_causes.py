"""Family I, places: the eleven of the field reports, more like them, and what is no error."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results import causes
from toolfix_audit.wire.results.causes import NONE, PLACES, CauseKind, event_cause
from toolfix_audit.wire.results.causes.cause import Place
from toolfix_audit.wire.results.causes.nature import Nature, nature_of


class Told(NamedTuple):
    """What an event must be found to say."""

    display: str
    pointer: str
    nature: Nature
    place: str


FOUND: dict[str, tuple[str | None, Json, Told]] = {
    "responses-error": (
        "error",
        {"type": "error", "code": "rate_limit_exceeded", "message": "Slow down", "param": None},
        Told("rate_limit_exceeded: Slow down", "", Nature.RATE_LIMIT, "flat-error"),
    ),
    "responses-failed": (
        "response.failed",
        {
            "type": "response.failed",
            "response": {"status": "failed", "error": {"code": "server_error", "message": "fault"}},
        },
        Told("server_error: fault", "/response/error", Nature.SERVER, "response-error"),
    ),
    "responses-nested": (
        None,
        {"type": "error", "error": {"code": "context_length_exceeded", "message": "too long"}},
        Told(
            "context_length_exceeded: too long", "/error", Nature.CONTEXT_OVERFLOW, "nested-error"
        ),
    ),
    "responses-incomplete": (
        "response.incomplete",
        {
            "type": "response.incomplete",
            "response": {"incomplete_details": {"reason": "content_filter"}},
        },
        Told(
            "content_filter", "/response/incomplete_details/reason", Nature.FILTERED, "incomplete"
        ),
    ),
    "anthropic": (
        "error",
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        Told("overloaded_error: Overloaded", "/error", Nature.OVERLOADED, "nested-error"),
    ),
    "chat-chunk": (
        None,
        {"error": {"message": "queue full", "type": "rate_limit", "code": 429}},
        Told("429: queue full", "/error", Nature.RATE_LIMIT, "nested-error"),
    ),
    "chat-chunk-vendor": (
        None,
        {"choices": None, "error_type": "BadRequestError", "error_message": "400 input too long"},
        Told(
            "BadRequestError: 400 input too long",
            "/error_message",
            Nature.CONTEXT_OVERFLOW,
            "vendor-fields",
        ),
    ),
    "openrouter": (
        None,
        {
            "choices": [{"delta": {}, "finish_reason": "error"}],
            "error": {
                "code": 429,
                "message": "Provider returned error",
                "metadata": {"provider_name": "V", "raw": '{"error":{"message":"no capacity"}}'},
            },
        },
        Told(
            "429: Provider returned error (no capacity)",
            "/error",
            Nature.RATE_LIMIT,
            "routed-error",
        ),
    ),
    "gemini": (
        None,
        {"error": {"code": 503, "message": "high demand", "status": "UNAVAILABLE"}},
        Told("503: high demand", "/error", Nature.OVERLOADED, "nested-error"),
    ),
    "gemini-list": (
        None,
        [{"candidates": []}, {"error": {"code": 500, "message": "Internal", "status": "INTERNAL"}}],
        Told("500: Internal", "/1/error", Nature.SERVER, "nested-error"),
    ),
    "bedrock-member": (
        None,
        {
            "modelStreamErrorException": {
                "message": "wrapped",
                "originalStatusCode": 424,
                "originalMessage": "cause",
            }
        },
        Told(
            "modelStreamErrorException: wrapped (cause)",
            "/modelStreamErrorException",
            Nature.OTHER,
            "aws-exception",
        ),
    ),
    "bedrock-name": (
        "throttlingException",
        {"message": "Too many requests"},
        Told("throttlingException: Too many requests", "", Nature.RATE_LIMIT, "aws-exception"),
    ),
    "aws-json": (
        None,
        {"__type": "com.amazon#ValidationException", "message": "bad"},
        Told("ValidationException: bad", "", Nature.INVALID_REQUEST, "aws-exception"),
    ),
    "vllm-flat": (
        None,
        {"object": "error", "message": "oops", "type": "BadRequestError", "code": 400},
        Told("400: oops", "", Nature.INVALID_REQUEST, "flat-error"),
    ),
    "error-text": (
        None,
        {"error": "model not loaded"},
        Told("model not loaded", "/error", Nature.OTHER, "nested-error"),
    ),
    "choice": (
        None,
        {"choices": [{"error": {"code": 502, "message": "bad gateway"}}]},
        Told("502: bad gateway", "/choices/0/error", Nature.SERVER, "choice-error"),
    ),
    "wrapped-twice": (
        None,
        {"error": {"error": {"message": "deep", "type": "api_error"}}},
        Told("api_error: deep", "/error/error", Nature.SERVER, "nested-error"),
    ),
    "empty-message": (
        "error",
        {"type": "error", "code": "server_error", "message": "", "param": None},
        Told("server_error", "", Nature.SERVER, "flat-error"),
    ),
    "no-type": (
        "error",
        {"type": "error", "error": {"message": "upstream closed"}},
        Told("upstream closed", "/error", Nature.SERVER, "nested-error"),
    ),
    "body-in-the-message": (
        None,
        {"error": {"code": 400, "message": '400 {"error":{"message":"prompt is too long"}}'}},
        Told(
            '400: 400 {"error":{"message":"prompt is too long"}}',
            "/error",
            Nature.CONTEXT_OVERFLOW,
            "nested-error",
        ),
    ),
    "detail": (
        None,
        {"detail": "Not authenticated"},
        Told("Not authenticated", "/detail", Nature.AUTHENTICATION, "vendor-fields"),
    ),
}

NO_ERROR: dict[str, tuple[str | None, Json]] = {
    "ping": ("ping", {"type": "ping"}),
    "nothing": (None, None),
    "done": (None, "[DONE]"),
    "empty": (None, {}),
    "empty-list": (None, []),
    "number": (None, 5),
    "usage-chunk": (None, {"choices": [], "usage": {"total_tokens": 3}}),
    "null-choices": (None, {"id": "c1", "choices": None}),
    "azure-filter": (
        None,
        {"choices": [], "prompt_filter_results": [{"content_filter_results": {"error": None}}]},
    ),
    "null-error": (None, {"choices": [], "error": None}),
    "empty-error": (None, {"choices": [], "error": {}}),
    "blank-error": (None, {"choices": [], "error": ""}),
    "false-error": (None, {"error": False}),
    "null-message": (None, {"choices": [], "error_message": None, "error_type": None}),
    "blank-message": (None, {"choices": [], "error_message": " "}),
    "created": (None, {"type": "response.created", "response": {"error": None}}),
    "completed": (
        None,
        {
            "type": "response.completed",
            "response": {"status": "completed", "error": None, "incomplete_details": None},
        },
    ),
    "failed-item": (
        None,
        {"type": "response.output_item.done", "item": {"type": "mcp_call", "error": "tool failed"}},
    ),
    "tool-result": (
        None,
        {"type": "tool_result", "is_error": True, "content": "Error: no such file"},
    ),
    "history": (
        None,
        {"messages": [{"role": "user", "content": [{"type": "tool_result", "is_error": True}]}]},
    ),
    "text-delta": (
        "content_block_delta",
        {
            "type": "content_block_delta",
            "delta": {"type": "text_delta", "text": "error: overloaded"},
        },
    ),
    "arguments": (
        None,
        {
            "choices": [
                {"delta": {"tool_calls": [{"function": {"arguments": '{"error":{"code":1}}'}}]}}
            ]
        },
    ),
    "finish-stop": (None, {"choices": [{"delta": {}, "finish_reason": "stop"}]}),
    "finish-length": (None, {"choices": [{"delta": {}, "finish_reason": "length"}]}),
    "max-tokens": (
        "message_delta",
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
    ),
    "tool-use-error": (
        None,
        {"type": "tool_use", "name": "n", "input": {"error": {"code": 1}}},
    ),
    "structured-output": (None, {"output": [{"type": "message", "content": [{"error": "x"}]}]}),
    "status-ok": (None, {"status": "ok", "code": 0, "message": "fine"}),
    "message-only": (None, {"message": "hello"}),
    "detail-of-a-thing": (None, {"detail": "high", "image_url": "u"}),
    "exception-text": (None, {"lastException": "none"}),
    "exception-null": (None, {"throttlingException": None}),
    "gemini-chunk": (
        None,
        {"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}]},
    ),
    "function-response": (
        None,
        {
            "candidates": [
                {"content": {"parts": [{"functionResponse": {"response": {"error": "x"}}}]}}
            ]
        },
    ),
    "metrics": (None, {"type": "metrics", "errors": 3, "error_count": 3}),
    "bare-flag": ("error", {}),
    "bedrock-metadata": (None, {"metadata": {"usage": {}, "metrics": {"latencyMs": 1}}}),
    "bedrock-stop": (None, {"messageStop": {"stopReason": "tool_use"}}),
    "comment-row": (None, {"type": "keepalive"}),
    "logprobs": (None, {"choices": [{"delta": {"content": "x"}, "logprobs": {"error": None}}]}),
    "moderation": (None, {"results": [{"flagged": False, "error": {"code": 1}}]}),
    "refusal": (None, {"type": "response.refusal.delta", "delta": "error"}),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_cause_is_found_where_it_is(name: str) -> None:
    transport, event, told = FOUND[name]
    cause = event_cause(event, transport)
    incomplete = told.place == "incomplete"
    assert cause.kind is (CauseKind.INCOMPLETE if incomplete else CauseKind.ERROR)
    assert (cause.display, cause.pointer, cause.place) == (told.display, told.pointer, told.place)
    assert nature_of(cause) is told.nature


@pytest.mark.parametrize("name", NO_ERROR)
def test_what_is_no_error_gives_none(name: str) -> None:
    transport, event = NO_ERROR[name]
    assert event_cause(event, transport) is NONE
    assert nature_of(NONE) is None


def test_twice_as_many_are_no_errors() -> None:
    assert len(NO_ERROR) >= 2 * len(FOUND)


def test_members_are_told_as_they_are() -> None:
    cause = event_cause(FOUND["openrouter"][1])
    assert (cause.code, cause.provider, cause.detail) == (429, "V", "no capacity")
    cause = event_cause(FOUND["bedrock-member"][1])
    assert (cause.status, cause.detail) == (424, "cause")
    cause = event_cause(FOUND["gemini"][1])
    assert (cause.code, cause.status, cause.type) == (503, "UNAVAILABLE", None)
    cause = event_cause(FOUND["body-in-the-message"][1])
    assert cause.detail == "prompt is too long"


def test_every_place_file_is_in_the_registry() -> None:
    names = [module.name for module in pkgutil.iter_modules(causes.__path__)]
    modules = [importlib.import_module(f"{causes.__name__}.{name}") for name in names]
    places = [module.PLACE for module in modules if hasattr(module, "PLACE")]
    assert all(isinstance(place, Place) for place in places)
    assert {place.name for place in places} == {place.name for place in PLACES}
    assert len(places) == len(PLACES)
    assert {told.place for _, _, told in FOUND.values()} == {place.name for place in PLACES}


KEYS = st.sampled_from(
    [
        "error",
        "response",
        "choices",
        "type",
        "code",
        "message",
        "metadata",
        "raw",
        "detail",
        "incomplete_details",
        "reason",
        "error_message",
        "xException",
        "finish_reason",
        "__type",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.just("error")
EVENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4)
)


@given(EVENTS, st.none() | st.sampled_from(["error", "xException", ""]))
def test_no_event_raises(event: Any, name: str | None) -> None:
    cause = event_cause(event, name)
    assert isinstance(cause.display, str)
    assert (nature_of(cause) is None) is (cause.kind is CauseKind.NONE)
