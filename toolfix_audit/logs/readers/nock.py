"""HTTP traffic as Node's recorder `nock` keeps it: Cline's test fixtures, among others.

A list of `{scope, method, path, body?, status, response}`; the response is JSON, or the text of a
stream of events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.captures import Half, Origin, read_halves
from toolfix_audit.logs.documents import Item, iter_items
from toolfix_audit.logs.fields import integer_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Unit

_KEYS: Final = frozenset({"scope", "method", "path", "response"})


def _read(file: LogFile) -> Iterator[Unit]:
    return read_halves(file, _halves(iter_items(file)))


def _halves(items: Iterator[Item]) -> Iterator[Half]:
    for item in items:
        if item.cause is not None:
            yield Half(item.line, item.offset, cause=item.cause)
        elif not isinstance(item.value, dict) or not _is_exchange(item.value):
            yield Half(item.line, item.offset, ignored="other value")
        else:
            yield from _of_exchange(item, item.value)


def _of_exchange(item: Item, exchange: dict[str, Json]) -> Iterator[Half]:
    url = f"{text_at(exchange, 'scope') or ''}{text_at(exchange, 'path') or ''}"
    origin = Origin(url, integer_at(exchange, "status"))
    yield Half(item.line, item.offset, "request", exchange.get("body"), origin)
    yield Half(item.line, item.offset, "response", exchange["response"], origin)


def _is_exchange(value: Json) -> bool:
    return isinstance(value, dict) and value.keys() >= _KEYS


def _detect(head: Head) -> bool:
    return any(isinstance(value, list) and any(map(_is_exchange, value)) for value in head.values)


READER = Reader(
    name="nock",
    summary="HTTP fixtures of the recorder nock with requests to model APIs",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
