"""VS Code Copilot Chat replay exports (`.chatreplay.json`): prompts with their log entries.

A `request` entry tells the tools that were sent, the model and what it wrote; a `toolCall` entry
holds a call and its result in one.
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
from toolfix_audit.logs.fields import (
    arguments_at,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit


class _Replay:
    """The log entries of an export."""

    def __init__(self, records: SessionRecords) -> None:
        self._records = records
        self._model: str | None = None

    def read(self, entry: Row) -> list[Record] | str:
        """The records of an entry, or the kind that it is ignored as.

        Raises:
            RowError: a call names no tool.
        """
        kind = text_at(entry, "kind") or "entry without a kind"
        if kind == "toolCall":
            return self._call(entry)
        return self._request(entry) or kind if kind == "request" else kind

    def _request(self, entry: Row) -> list[Record]:
        metadata = object_at(entry, "metadata")
        self._model = text_at(metadata, "model") or self._model
        turn = Turn(model=self._model, time=iso_time(metadata.get("startTime")))
        made: list[Record] = [*self._records.catalog(metadata.get("tools"))]
        response = object_at(entry, "response")
        if text_at(response, "type") in (None, "success"):
            return [*made, *self._records.text(_text(response.get("message")), turn)]
        shown = text_at(response, "reason", "type") or "the request failed"
        return [*made, self._records.error(shown, code=text_at(response, "type"), raw=response)]

    def _call(self, entry: Row) -> list[Record]:
        call_id = text_at(entry, "id")
        turn = Turn(model=self._model, time=iso_time(entry.get("time")), has_calls=True)
        tool = required_text(entry, "tool", "a toolCall entry")
        thinking = text_at(object_at(entry, "thinking"), "text")
        made: list[Record] = [*self._records.text(thinking, turn, reasoning=True)]
        made.append(self._records.call(tool, arguments_at(entry, "args"), turn, call_id=call_id))
        if "response" in entry:
            made.append(self._records.result(entry["response"], call_id))
        return made


def _text(message: Json) -> str:
    """What was written: a text, or its parts."""
    parts = message if isinstance(message, list) else [message]
    return "".join(text for part in parts if (text := text_at({"text": part}, "text")))


def _split(document: Json) -> list[Part] | None:
    prompts = _prompts(document)
    if not prompts:
        return None
    return [Part({}, [entry for prompt in prompts for entry in list_at(prompt, "logs")])]


def _prompts(document: Json) -> list[Row]:
    """The prompts of an export, or the one prompt that was exported alone."""
    if not isinstance(document, dict):
        return []
    found = list_at(document, "prompts") if "prompts" in document else [document]
    return [prompt for prompt in found if isinstance(prompt, dict) and _is_prompt(prompt)]


def _is_prompt(value: Row) -> bool:
    return isinstance(value.get("prompt"), str) and isinstance(value.get("logs"), list)


def _open(conversation: Conversation, source: Source) -> Dialogue:
    records = SessionRecords(source.name(conversation.ordinal), source.positions)
    session = Session(records.session, harness="vscode-copilot-chat")
    return Dialogue([session], _Replay(records).read)


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(_prompts(value) for value in head.values)


_SHAPE: Final = Shape(_split, _open)

READER = Reader(
    name="vscode-chatreplay",
    summary="VS Code Copilot Chat replay exports (.chatreplay.json)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
