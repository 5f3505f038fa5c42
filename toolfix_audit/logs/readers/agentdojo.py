"""AgentDojo runs: one document a task, with calls `{function, args, id}` already parsed.

A result may lack the id, and then holds the whole call. Written from the package's types.
"""

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
from toolfix_audit.logs.fields import list_at, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict) or not _is_run(document):
        return None
    kept = {key: document[key] for key in document if key != "messages"}
    return [Part(kept, list_at(document, "messages"))]


def _open(conversation: Conversation, source: Source) -> Dialogue:
    document = conversation.document
    records = SessionRecords(source.name(conversation.ordinal), source.positions)
    turn = Turn(model=text_at(document, "pipeline_name"))
    version = text_at(document, "agentdojo_package_version", "benchmark_version")
    opening: list[Record] = [Session(records.session, "agentdojo", version)]
    opening += records.catalog(document.get("tools"))

    def read(message: Row) -> list[Record] | str:
        if message.get("role") == "tool":
            tool = text_at(object_at(message, "tool_call"), "function")
            message = {**message, "name": tool}
        return read_message(records, message, turn)

    return Dialogue(opening, read)


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_run(value) for value in head.values)


def _is_run(document: Row) -> bool:
    return isinstance(document.get("messages"), list) and all(
        key in document for key in ("suite_name", "user_task_id", "pipeline_name")
    )


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="agentdojo",
    summary="AgentDojo runs",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
