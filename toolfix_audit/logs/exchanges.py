"""Requests that were logged with their response: one exchange with a model, in OpenAI's form.

Each repeats the conversation so far. The repeated calls and texts are `inherited`, and every call
is numbered within its conversation; so one that stands in many exchanges is one call, and a
result finds its call although it came with the next request.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from toolfix_audit.logs.chat_messages import calls_in, read_message, read_reply
from toolfix_audit.logs.fields import content_texts, list_at, object_at, text_at
from toolfix_audit.logs.session_records import SessionRecords, Source, Turn
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.records import Record, Session


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a request got no response."""

    shown: str
    code: str | None = None
    raw: Json = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what came of it. `session` is the log's own name of the conversation."""

    messages: list[Json]
    response: dict[str, Json]
    tools: Json
    turn: Turn
    session: str | None = None
    failure: Failure | None = None


def exchange_records(
    source: Source, exchange: Exchange, harness: str | None, version: str | None = None
) -> list[Record]:
    """The records of one exchange, its session first.

    Raises:
        RowError: a message has no role, or a call without a tool.
    """
    name = exchange.session or _conversation_name(exchange)
    records = SessionRecords(name, source.positions, numbered=True)
    turn = replace(exchange.turn, model=text_at(exchange.response, "model") or exchange.turn.model)
    made: list[Record] = [Session(name, harness, version), *records.catalog(exchange.tools)]
    for message in exchange.messages:
        if isinstance(message, dict):
            past = read_message(records, message, Turn(model=turn.model, inherited=True))
            made += [] if isinstance(past, str) else past
    for choice in _choices(exchange.response):
        answer = replace(turn, finish_reason=text_at(choice, "finish_reason"))
        made += read_reply(records, object_at(choice, "message"), answer)
    if exchange.failure:
        failure = exchange.failure
        made.append(records.error(failure.shown, code=failure.code, raw=failure.raw))
    return made


def holds_choices(response: Json) -> bool:
    """Whether a value is a chat completion."""
    return isinstance(response, dict) and isinstance(response.get("choices"), list)


def _choices(response: dict[str, Json]) -> list[dict[str, Json]]:
    return [choice for choice in list_at(response, "choices") if isinstance(choice, dict)]


def _conversation_name(exchange: Exchange) -> str:
    """The same name for every exchange of a conversation: its opening with the first answer."""
    opening: list[Json] = []
    replies: list[Json] = [choice.get("message") for choice in _choices(exchange.response)]
    for message in [*exchange.messages, *replies[:1]]:
        if not isinstance(message, dict):
            continue
        answers = message.get("role") == "assistant"
        opening.append(content_texts(message.get("content"))[0])
        if answers:
            opening += [text_at(call, "id") for call in calls_in(message)]
            break
    return hashlib.sha256(dump_json(opening).encode()).hexdigest()[:16]
