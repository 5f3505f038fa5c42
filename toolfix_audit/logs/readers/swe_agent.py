"""SWE-agent trajectories (`.traj`): one document with its `history` of chat messages.

Runs with function calling hold native calls; others act by text, and give texts only. Messages
of a demonstration come from another run and are left out. The model is in the replay settings.
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
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.records import Record, Session, Unit


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict) or not isinstance(document.get("history"), list):
        return None
    kept: Row = {key: document.get(key) for key in ("info", "replay_config")}
    return [Part(kept, list_at(document, "history"))]


def _open(conversation: Conversation, source: Source) -> Dialogue:
    document = conversation.document
    records = SessionRecords(source.name(conversation.ordinal), source.positions)
    turn = Turn(model=_model(document.get("replay_config")))
    version = text_at(object_at(document, "info"), "swe_agent_version")

    def read(message: Row) -> list[Record] | str:
        if message.get("is_demo"):
            return "demonstration"
        return read_message(records, message, turn)

    return Dialogue([Session(records.session, harness="swe-agent", version=version)], read)


def _model(settings: Json) -> str | None:
    """The model that the settings of a run name; they are JSON text."""
    if isinstance(settings, str):
        try:
            settings = parse_json(settings)
        except JsonError:
            return None
    agent = object_at(settings, "agent") if isinstance(settings, dict) else {}
    return text_at(object_at(agent, "model"), "name")


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_trajectory(value) for value in head.values)


def _is_trajectory(document: Row) -> bool:
    history = list_at(document, "history")
    return any(isinstance(entry, dict) and "role" in entry for entry in history) and (
        "trajectory" in document or "environment" in document
    )


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="swe-agent",
    summary="SWE-agent trajectories (.traj)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
