"""Hermes agent sessions: one document with OpenAI messages and the tools that were offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.chat_messages import read_message
from toolfix_audit.logs.dialogues import (
    Conversation,
    Dialogue,
    Part,
    Row,
    Shape,
    read_dialogues,
)
from toolfix_audit.logs.fields import iso_time, list_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.tool_shapes import SCHEMA_KEYS
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict) or not _is_session(document):
        return None
    kept = {key: document[key] for key in document if key != "messages"}
    return [Part(kept, list_at(document, "messages"))]


def _open(conversation: Conversation, source: Source) -> Dialogue:
    document = conversation.document
    name = text_at(document, "session_id") or source.name(conversation.ordinal)
    records = SessionRecords(name, source.positions)
    turn = Turn(model=text_at(document, "model"))
    started = iso_time(document.get("session_start"))
    opening: list[Record] = [Session(records.session, harness="hermes", started=started)]
    opening += records.catalog([_outermost(tool) for tool in list_at(document, "tools")])

    def read(message: Row) -> list[Record] | str:
        if message.get("role") == "tool" and message.get("finish_reason") == "error":
            message = {**message, "is_error": True}
        return read_message(records, message, turn)

    return Dialogue(opening, read)


def _outermost(tool: Json) -> Json:
    """A tool whose schema stands beside a `function` that repeats the name only."""
    if isinstance(tool, dict) and any(key in tool for key in SCHEMA_KEYS):
        return {key: tool[key] for key in tool if key != "function"}
    return tool


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_session(value) for value in head.values)


def _is_session(document: Row) -> bool:
    return isinstance(document.get("messages"), list) and all(
        isinstance(document.get(key), str) for key in ("session_id", "session_start", "platform")
    )


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="hermes",
    summary="Hermes agent sessions",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
