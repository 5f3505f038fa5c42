"""OpenHands (V0): event histories, as evaluation output lines or saved trajectories.

An action and its observation both carry `tool_call_metadata` with the model's whole response;
the exact arguments are there, while the action's own `args` are what the harness made of them.
Older histories have no such metadata: they hold no native calls.
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
    content_texts,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import Fault, SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import ArgumentsForm, Record, Result, Session, Unit

_EVENT_KINDS: Final = ("action", "observation")


class _History:
    """The events of one run."""

    def __init__(self, records: SessionRecords, model: str | None) -> None:
        self._records = records
        self._model = model
        self._told: str | None = None

    def read(self, event: Row) -> list[Record] | str:
        """The records of an event, or the kind that it is ignored as.

        Raises:
            RowError: a call names no tool.
        """
        action = text_at(event, "action")
        called = object_at(event, "tool_call_metadata")
        if "observation" in event:
            kind = f"observation {text_at(event, 'observation')}"
            return [self._result(event, called)] if called else kind
        if called:
            return self._action(event, called)
        if action == "system":
            return [*self._records.catalog(object_at(event, "args").get("tools"))] or "system"
        if action == "message" and event.get("source") == "agent":
            said = text_at(object_at(event, "args"), "content")
            turn = Turn(model=self._model, time=iso_time(event.get("timestamp")))
            return [*self._records.text(said, turn)] or "message"
        return f"action {action}"

    def _action(self, event: Row, called: Row) -> list[Record]:
        """The call of an action; the first action of a response also tells what was written."""
        response = object_at(called, "model_response")
        call_id = text_at(called, "tool_call_id")
        choice, call = _call_in(response, call_id)
        turn = Turn(
            model=text_at(response, "model") or self._model,
            time=iso_time(event.get("timestamp")),
            finish_reason=text_at(choice, "finish_reason"),
            has_calls=True,
        )
        made: list[Record] = []
        response_id = text_at(response, "id")
        if response_id is None or response_id != self._told:
            message = object_at(choice, "message")
            made += self._records.text(text_at(message, "reasoning_content"), turn, reasoning=True)
            made += self._records.text(content_texts(message.get("content"))[0], turn)
            self._told = response_id
        function = object_at(call, "function")
        tool = text_at(function, "name") or required_text(called, "function_name", "an action")
        arguments = arguments_at(function, "arguments") if function else ("", ArgumentsForm.ABSENT)
        return [*made, self._records.call(tool, arguments, turn, call_id=call_id)]

    def _result(self, event: Row, called: Row) -> Result:
        failed = event.get("observation") == "error" or event.get("success") is False
        return self._records.result(
            event.get("content"),
            text_at(called, "tool_call_id"),
            fault=Fault(text_at(object_at(event, "extras"), "error_id")) if failed else None,
        )


def _call_in(response: Row, call_id: str | None) -> tuple[Row, Row]:
    """The choice of a response that holds the call of that id, and the call; else empty ones."""
    first: Row = {}
    for choice in list_at(response, "choices"):
        if isinstance(choice, dict):
            first = first or choice
            for call in list_at(object_at(choice, "message"), "tool_calls"):
                if isinstance(call, dict) and text_at(call, "id") == call_id:
                    return choice, call
    return first, {}


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict) or not isinstance(document.get("history"), list):
        return None
    events: list[Json] = []
    for entry in list_at(document, "history"):
        events += entry if isinstance(entry, list) else [entry]
    kept: Row = {"metadata": document.get("metadata")}
    for event in events:
        if isinstance(event, dict) and event.get("action") == "system":
            kept["version"] = object_at(event, "args").get("openhands_version")
    return [Part(kept, events)]


def _open(conversation: Conversation, source: Source) -> Dialogue:
    document = conversation.document
    records = SessionRecords(source.name(conversation.ordinal), source.positions)
    settings = object_at(object_at(document, "metadata"), "llm_config")
    session = Session(records.session, harness="openhands", version=text_at(document, "version"))
    return Dialogue([session], _History(records, text_at(settings, "model")).read)


def _is_event(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and any(isinstance(value.get(kind), str) for kind in _EVENT_KINDS)
        and isinstance(value.get("source"), str)
    )


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(
        any(_is_event(event) for event in value)
        if isinstance(value, list)
        else isinstance(value, dict) and _holds_history(value)
        for value in head.values
    )


def _holds_history(document: Row) -> bool:
    """Whether a document holds events; the oldest ones name neither source nor id."""
    parts = _split(document) or []
    events = [event for part in parts for event in part.messages if isinstance(event, dict)]
    return any(
        "role" not in event and any(isinstance(event.get(kind), str) for kind in _EVENT_KINDS)
        for event in events
    )


_SHAPE: Final = Shape(_split, _open, _is_event)

READER = Reader(
    name="openhands",
    summary="OpenHands (V0) event histories: evaluation output and saved trajectories",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
