"""HTTP archives (HAR 1.2) with model traffic: an entry is a request and its response."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.bodies import from_base64
from toolfix_audit.logs.captures import Half, Origin, read_halves
from toolfix_audit.logs.cut_documents import Member, iter_members
from toolfix_audit.logs.fields import integer_at, list_at, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Unit

_ENTRIES: Final = "log.entries"


def _read(file: LogFile) -> Iterator[Unit]:
    return read_halves(file, _halves(iter_members(file, inside="log")))


def _halves(members: Iterator[Member]) -> Iterator[Half]:
    for member in members:
        at = (member.line, member.offset)
        if member.cause is not None:
            yield Half(*at, cause=member.cause)
        elif member.key != _ENTRIES:
            yield Half(*at, ignored=member.key or "other value")
        elif isinstance(member.value, dict):
            yield from _of_entry(at, member.value)
        else:
            yield Half(*at, cause="an entry that is no object")


def _of_entry(at: tuple[int, int], entry: dict[str, Json]) -> Iterator[Half]:
    request, response = object_at(entry, "request"), object_at(entry, "response")
    origin = Origin(
        text_at(request, "url") or "",
        integer_at(response, "status"),
        text_at(entry, "startedDateTime"),
    )
    yield Half(*at, "request", object_at(request, "postData").get("text"), origin)
    yield Half(*at, "response", _content(object_at(response, "content")), origin)


def _content(content: dict[str, Json]) -> Json | bytes:
    text = content.get("text")
    if isinstance(text, str) and content.get("encoding") == "base64":
        return from_base64("".join(text.split()))
    return text


def _detect(head: Head) -> bool:
    return any(
        isinstance(entry, dict) and isinstance(entry.get("request"), dict)
        for value in head.values
        if isinstance(value, dict)
        for entry in list_at(object_at(value, "log"), "entries")
    )


READER = Reader(
    name="har",
    summary="HTTP archives (HAR 1.2) with model traffic",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
