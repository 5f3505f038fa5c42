"""LiteLLM request logs: standard logging payloads, and rows of the proxy's spend logs.

Each tells one request and its response; a spend log may hold both as JSON text. Written from
LiteLLM's published types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.dialogues import (
    Conversation,
    Dialogue,
    Part,
    Row,
    Shape,
    read_dialogues,
)
from toolfix_audit.logs.exchanges import Exchange, Failure, exchange_records
from toolfix_audit.logs.fields import iso_time, list_at, object_at, text_at, word_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.records import Record, Unit

_WRAPPER: Final = "standard_logging_object"
_TEXT_FIELDS: Final = ("messages", "response", "proxy_server_request", "metadata")


def _split(document: Json) -> list[Part] | None:
    payload = _payload(document)
    return None if payload is None else [Part({}, [payload])]


def _open(_: Conversation, source: Source) -> Dialogue:
    def read(payload: Row) -> list[Record]:
        return exchange_records(source, _exchange(_decoded(payload)), "litellm")

    return Dialogue([], read)


def _exchange(payload: Row) -> Exchange:
    request = object_at(payload, "proxy_server_request")
    body = object_at(request, "body") or request
    turn = Turn(
        model=text_at(payload, "model"),
        provider=text_at(payload, "custom_llm_provider"),
        time=_time(payload.get("startTime")),
    )
    return Exchange(
        messages=list_at(payload, "messages") or list_at(body, "messages"),
        response=object_at(payload, "response"),
        tools=object_at(payload, "model_parameters").get("tools") or body.get("tools"),
        turn=turn,
        session=text_at(payload, "session_id") or None,
        failure=_failure(payload),
    )


def _failure(payload: Row) -> Failure | None:
    if payload.get("status") != "failure":
        return None
    metadata = object_at(payload, "metadata")
    told = object_at(payload, "error_information") or object_at(metadata, "error_information")
    shown = text_at(payload, "error_str") or text_at(told, "error_message", "error_class")
    return Failure(shown or "the request failed", word_at(told, "error_code"), told or None)


def _time(moment: Json) -> str | None:
    """Payloads count seconds, spend logs write a text."""
    is_number = isinstance(moment, int | float) and not isinstance(moment, bool)
    return iso_time(moment * 1000 if is_number and isinstance(moment, int | float) else moment)


def _decoded(payload: Row) -> Row:
    return {key: _parsed(value) if key in _TEXT_FIELDS else value for key, value in payload.items()}


def _parsed(value: Json) -> Json:
    try:
        return parse_json(value) if isinstance(value, str) else value
    except JsonError:
        return value


def _payload(document: Json) -> Row | None:
    """The payload that a value is, or that it holds as the arguments of a callback do."""
    if not isinstance(document, dict):
        return None
    inner = document.get(_WRAPPER, document)
    return inner if isinstance(inner, dict) and _is_ours(inner) else None


def _is_ours(payload: Row) -> bool:
    return (
        isinstance(payload.get("call_type"), str)
        and ("messages" in payload or "proxy_server_request" in payload)
        and "startTime" in payload
        and "response" in payload
    )


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(
        _payload(inner) is not None
        for value in head.values
        for inner in (value if isinstance(value, list) else [value])
    )


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="litellm",
    summary="LiteLLM standard logging payloads and spend logs",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
