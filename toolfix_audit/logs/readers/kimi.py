"""Kimi CLI wire logs (`wire.jsonl`): typed events of one agent, with snapshots of its tools.

A step of the model is told in several events, and why it ended only in the last one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.chat_messages import read_message
from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    iso_time,
    object_at,
    required_text,
    text_at,
    word_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.split_messages import SplitMessages
from toolfix_audit.model.records import Record, Unit

_LOOP_EVENT: Final = "context.append_loop_event"
_TELLING_TYPES: Final = (_LOOP_EVENT, "llm.tools_snapshot", "context.append_message")


class _Log:
    def __init__(self, sessions: Sessions, steps: SplitMessages) -> None:
        self._sessions = sessions
        self._steps = steps
        self._model: str | None = None
        self._provider: str | None = None

    def read(self, row: Row) -> list[Record] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: a call names no tool.
        """
        kind = text_at(row, "type") or "row without a type"
        if kind == "metadata":
            started = iso_time(row.get("created_at"))
            self._sessions.begin(None, version=word_at(row, "protocol_version"), started=started)
            return []
        if kind == "llm.request":
            self._model = text_at(row, "model") or self._model
            self._provider = text_at(row, "provider") or self._provider
            return kind
        turn = Turn(self._model, self._provider, iso_time(row.get("time")))
        records = self._sessions.named()
        if kind == "llm.tools_snapshot":
            return [*records.catalog(row.get("tools"))] or kind
        if kind == "context.append_message":
            return _message(records, object_at(row, "message"), turn)
        return self._event(records, object_at(row, "event"), turn) if kind == _LOOP_EVENT else kind

    def _event(self, records: SessionRecords, event: Row, turn: Turn) -> list[Record] | str:
        made = _event(records, event, turn)
        step = text_at(event, "stepUuid", "uuid")
        if step is not None:
            told = () if isinstance(made, str) else made
            self._steps.add((records.session, step), told, text_at(event, "finishReason"))
        return made


def _event(records: SessionRecords, event: Row, turn: Turn) -> list[Record] | str:
    kind = text_at(event, "type") or "event without a type"
    call_id = text_at(event, "toolCallId")
    if kind == "tool.call":
        tool = required_text(event, "name", "a tool.call")
        return [records.call(tool, arguments_at(event, "args"), turn, call_id=call_id)]
    if kind == "tool.result":
        result = object_at(event, "result")
        fault = Fault() if result.get("isError") is True else None
        return [records.result(result.get("output"), call_id, fault=fault)]
    part = object_at(event, "part")
    if kind == "content.part" and part.get("type") == "think":
        return [*records.text(text_at(part, "think"), turn, reasoning=True)] or kind
    if kind == "content.part" and part.get("type") == "text":
        return [*records.text(text_at(part, "text"), turn)] or kind
    return kind


def _message(records: SessionRecords, message: Row, turn: Turn) -> list[Record] | str:
    """A whole message that was put into the context, its calls spelt the other way."""
    if not message:
        raise RowError("context.append_message without a message")
    spelt = {"tool_calls": message.get("toolCalls"), "tool_call_id": message.get("toolCallId")}
    return read_message(records, {**message, **spelt}, turn)


def _read(file: LogFile) -> Iterator[Unit]:
    steps = SplitMessages()
    return read_rows(file, "kimi", lambda sessions: _Log(sessions, steps).read, steps.settle)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    if row.get("type") == "metadata":
        return "protocol_version" in row and "created_at" in row
    return row.get("type") in _TELLING_TYPES and "time" in row


READER = Reader(
    name="kimi",
    summary="Kimi CLI wire logs (wire.jsonl)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
