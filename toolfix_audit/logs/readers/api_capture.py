"""Requests and answers of model APIs as JSON: bodies alone, pairs of them, chunks of streams.

A document or a line is a body of a request or an answer, one chunk of a streamed answer, or an
object with `request` and `response`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.captures import Half, Origin, read_halves
from toolfix_audit.logs.documents import Item, iter_items
from toolfix_audit.logs.fields import integer_at, object_at, text_at
from toolfix_audit.logs.head import Head, Layout, read_head
from toolfix_audit.logs.lines import json_cause
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.sources import LogFile, iter_lines
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.records import Unit
from toolfix_audit.wire.errors import stream_error
from toolfix_audit.wire.protocols import protocol_of
from toolfix_audit.wire.requests import is_request

_BODY_KEYS: Final = ("body", "parsed_body", "json", "content", "text", "data")


def _read(file: LogFile) -> Iterator[Unit]:
    is_document = read_head(file).layout is Layout.DOCUMENT
    items = iter_items(file) if is_document else _line_items(file)
    return read_halves(file, _halves(items))


def _line_items(file: LogFile) -> Iterator[Item]:
    for line in iter_lines(file):
        if line.data is None:
            yield Item(line.number, line.offset, None, cause=line.cause)
            continue
        try:
            yield Item(line.number, line.offset, parse_json(line.data.decode()))
        except JsonError as error:
            yield Item(line.number, line.offset, None, cause=json_cause(error))


def _halves(items: Iterator[Item]) -> Iterator[Half]:
    for item in items:
        if item.cause is not None:
            yield Half(item.line, item.offset, cause=item.cause)
            continue
        for value in item.value if isinstance(item.value, list) else [item.value]:
            yield from _of_value(item, value)


def _of_value(item: Item, value: Json) -> Iterator[Half]:
    at = (item.line, item.offset)
    if not isinstance(value, dict):
        yield Half(*at, ignored="other value")
    elif _is_pair(value):
        origin = _origin(value)
        yield Half(*at, "request", _body(value["request"]), origin)
        yield Half(*at, "response", _body(value.get("response")), origin)
    elif protocol_of(value) is not None or stream_error(value) is not None:
        yield Half(*at, "event", value)
    elif is_request(value):
        yield Half(*at, "request", value)
    else:
        yield Half(*at, ignored=text_at(value, "type", "event_type") or "other value")


def _is_pair(value: dict[str, Json]) -> bool:
    return "request" in value and ("response" in value or is_request(_body(value["request"])))


def _body(message: Json) -> Json:
    """A body, out of the message that may surround it."""
    if not isinstance(message, dict) or is_request(message) or protocol_of(message) is not None:
        return message
    return next((message[key] for key in _BODY_KEYS if key in message), message)


def _origin(value: dict[str, Json]) -> Origin:
    request, response = object_at(value, "request"), object_at(value, "response")
    status = integer_at(response, "status")
    return Origin(
        text_at(request, "url", "uri") or text_at(value, "url", "uri") or "",
        integer_at(response, "status_code") if status is None else status,
        text_at(value, "timestamp", "time", "created_at"),
    )


def _detect(head: Head) -> bool:
    return any(
        _is_ours(value)
        for values in head.values
        for value in (values if isinstance(values, list) else [values])
        if isinstance(value, dict)
    )


def _is_ours(value: dict[str, Json]) -> bool:
    if _is_pair(value):
        request, response = _body(value["request"]), _body(value.get("response"))
        return is_request(request) or protocol_of(response) is not None
    return protocol_of(value) is not None


READER = Reader(
    name="api-capture",
    summary="Requests and answers of model APIs as JSON, pairs of them, and chunks of streams",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
