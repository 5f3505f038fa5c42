"""tau2-bench results: `simulations` of an agent and a user, both of whom may call tools.

`arguments` are parsed; the model's own text is in `raw_data`, with the finish reason. Written
from the benchmark's data models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from toolfix_audit.logs.fields import iso_time, list_at, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit

_AGENT: Final = "agent_info"
_USER: Final = "user_info"


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict) or not isinstance(document.get("simulations"), list):
        return None
    simulations = [run for run in list_at(document, "simulations") if isinstance(run, dict)]
    info = object_at(document, "info")
    return [
        Part({"info": info, "id": run.get("id")}, _flat(list_at(run, "messages")))
        for run in simulations
    ]


def _flat(messages: list[Json]) -> list[Json]:
    """The messages, with those that hold several results taken apart."""
    flat: list[Json] = []
    for message in messages:
        several = list_at(message, "tool_messages") if isinstance(message, dict) else []
        flat += several or [message]
    return flat


def _open(conversation: Conversation, source: Source) -> Dialogue:
    document = conversation.document
    info = object_at(document, "info")
    name = text_at(document, "id") or source.name(conversation.ordinal)
    records = SessionRecords(name, source.positions)

    def read(message: Row) -> list[Record] | str:
        speaker = _USER if message.get("role") == "user" else _AGENT
        if speaker == _USER and not list_at(message, "tool_calls"):
            return "user"
        raw = object_at(message, "raw_data")
        turn = Turn(
            model=text_at(raw, "model") or text_at(object_at(info, speaker), "llm"),
            time=iso_time(message.get("timestamp")),
            finish_reason=text_at(raw, "finish_reason"),
        )
        said = {**message, "role": "assistant"} if speaker == _USER else message
        return read_message(records, said, turn, _argument_texts(raw))

    return Dialogue([Session(name, harness="tau2-bench")], read)


def _argument_texts(raw: Row) -> Mapping[str, str]:
    """The argument texts of the model's own message, by call id."""
    texts: dict[str, str] = {}
    for call in list_at(object_at(raw, "message"), "tool_calls"):
        if isinstance(call, dict):
            call_id, text = text_at(call, "id"), text_at(object_at(call, "function"), "arguments")
            if call_id is not None and text is not None:
                texts[call_id] = text
    return texts


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(
        isinstance(value, dict)
        and any(
            isinstance(run, dict) and "messages" in run and ("task_id" in run or "trial" in run)
            for run in list_at(value, "simulations")
        )
        for value in head.values
    )


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="tau2-bench",
    summary="tau2-bench results with their simulations",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
