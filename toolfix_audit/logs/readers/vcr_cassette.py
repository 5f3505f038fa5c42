"""VCR cassettes: recorded HTTP exchanges with models, of Python, Go and Ruby recorders.

YAML or JSON with a list of interactions. Also read are samples of gRPC calls (`request_sample`,
`response_sample`) and messages of a socket (`direction`, `data`), as test suites record them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from toolfix_audit.logs.bodies import from_base64
from toolfix_audit.logs.captures import Half, Origin, read_halves
from toolfix_audit.logs.cut_documents import Member, iter_members
from toolfix_audit.logs.fields import integer_at, object_at, text_at
from toolfix_audit.logs.head import Head, read_head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.yaml_members import BinaryText, iter_yaml_members
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Unit

_LISTS: Final = ("interactions", "http_interactions")
_YAML: Final = re.compile(rb"(?m)^(?:http_)?interactions:[ \t]*(?:#.*)?\r?$")
_EMPTY: Final = re.compile(rb"(?m)^(?:http_)?interactions:[ \t]*\[\][ \t]*\r?$")
_TELLING: Final = re.compile(rb"(?m)^[ -]*(?:request|direction)(?:_\w+)?:")
_STREAMED: Final = "chunks_json"


def _read(file: LogFile) -> Iterator[Unit]:
    members = iter_yaml_members(file) if _is_yaml(read_head(file)) else iter_members(file)
    return read_halves(file, _halves(members))


def _halves(members: Iterable[Member]) -> Iterator[Half]:
    for member in members:
        if member.cause is not None:
            yield Half(member.line, member.offset, cause=member.cause)
        elif member.key not in _LISTS:
            yield Half(member.line, member.offset, ignored=member.key or "other value")
        elif isinstance(member.value, dict):
            yield from _of_interaction(member, member.value)
        else:
            cause = "an interaction that is no object"
            yield Half(member.line, member.offset, cause=cause)


def _of_interaction(member: Member, interaction: dict[str, Json]) -> Iterator[Half]:
    at = (member.line, member.offset)
    if "direction" in interaction:
        yield _of_socket(at, interaction)
        return
    found = False
    for role in ("request", "response"):
        for key in (role, f"{role}_sample", f"{role}_stream"):
            if isinstance(interaction.get(key), dict):
                found = True
                message = object_at(interaction, key)
                origin = _origin(interaction)
                yield Half(*at, role, _body(message), origin)
    if not found:
        yield Half(*at, ignored="other interaction")


def _of_socket(at: tuple[int, int], interaction: dict[str, Json]) -> Half:
    """A message of a socket: received ones are events; sent ones add items or set the tools."""
    data = object_at(interaction, "data")
    if interaction.get("direction") == "received":
        return Half(*at, "event", data)
    item, session = object_at(data, "item"), object_at(data, "session")
    if not item and not session:
        return Half(*at, ignored=text_at(data, "type") or "sent message")
    return Half(*at, "sent", {"input": [item], "tools": session.get("tools")})


def _origin(interaction: dict[str, Json]) -> Origin:
    request, response = object_at(interaction, "request"), object_at(interaction, "response")
    status = integer_at(object_at(response, "status"), "code")
    return Origin(
        text_at(request, "uri", "url") or "",
        integer_at(response, "code") if status is None else status,
        text_at(interaction, "recorded_at"),
    )


def _body(message: dict[str, Json]) -> Json | bytes:
    """The body of a message, wherever its recorder keeps it."""
    for key in ("parsed_body", "body", "json", _STREAMED):
        if key not in message:
            continue
        body = message[key]
        if key == "body" and isinstance(body, dict):
            coded = body.get("base64_string")
            if isinstance(coded, str):
                return from_base64("".join(coded.split()))
            body = body.get("string", body)
        if key == _STREAMED and isinstance(body, list):
            return [object_at(chunk, "chunk") or chunk for chunk in body if isinstance(chunk, dict)]
        return from_base64(body) if isinstance(body, BinaryText) else body
    return None


def _detect(head: Head) -> bool:
    return _is_yaml(head) or any(
        isinstance(entry, dict) and ("request" in entry or "request_sample" in entry)
        for value in head.values
        if isinstance(value, dict)
        for key in _LISTS
        for entry in _list(value.get(key))
    )


def _is_yaml(head: Head) -> bool:
    first = head.first
    return bool(_EMPTY.search(first) or (_YAML.search(first) and _TELLING.search(first)))


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


READER = Reader(
    name="vcr-cassette",
    summary="VCR cassettes with model traffic (YAML or JSON; vcrpy, go-vcr, Ruby VCR)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
