"""Factory Droid: session files with Anthropic blocks, and the events of `--output stream-json`."""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.logs.anthropic_blocks import assistant_records, result_records
from toolfix_audit.logs.fields import (
    arguments_at,
    iso_time,
    object_at,
    required_text,
    text_at,
    word_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import ReadRow, Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Record, Unit


class _Log:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._model: str | None = None
        self._last_text: str | None = None

    def read(self, row: Row) -> list[Record] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: a call names no tool.
        """
        kind = text_at(row, "type") or "row without a type"
        if kind == "session_start":
            self._sessions.begin(text_at(row, "id"), version=word_at(row, "version"))
            return []
        records = self._sessions.named(text_at(row, "session_id", "sessionId"))
        turn = Turn(model=self._model, time=iso_time(row.get("timestamp")))
        if kind == "message":
            return self._message(records, row, turn) or kind
        return self._event(kind, records, row, turn)

    def _message(self, records: SessionRecords, row: Row, turn: Turn) -> list[Record]:
        message = object_at(row, "message")
        if message.get("role") == "assistant":
            return assistant_records(records, message.get("content"), turn)
        if message:
            return [*result_records(records, message.get("content"))]
        if row.get("role") != "assistant":
            return []
        self._last_text = text_at(row, "text")
        return [*records.text(self._last_text, turn)]

    def _event(
        self, kind: str, records: SessionRecords, row: Row, turn: Turn
    ) -> list[Record] | str:
        """An event of the stream. The final text may repeat the last message."""
        call_id = text_at(row, "toolCallId", "id")
        if kind == "tool_call":
            tool = required_text(row, "toolName", "a tool_call")
            return [records.call(tool, arguments_at(row, "parameters"), turn, call_id=call_id)]
        if kind == "tool_result":
            fault = Fault() if row.get("isError") is True else None
            return [records.result(row.get("value"), call_id, fault=fault)]
        if kind == "system":
            self._model = text_at(row, "model") or self._model
            return [*records.catalog(row.get("tools"))]
        if kind == "error":
            return [records.error(text_at(row, "message") or "error", raw=row)]
        final = text_at(row, "finalText") if kind == "completion" else None
        return [*records.text(None if final == self._last_text else final, turn)] or kind


def _open(sessions: Sessions) -> ReadRow:
    return _Log(sessions).read


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "droid", _open)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    kind = row.get("type")
    if kind == "session_start":
        return isinstance(row.get("id"), str)
    if "session_id" not in row and "sessionId" not in row:
        return False
    return (kind == "tool_call" and "toolName" in row) or (
        kind == "completion" and "finalText" in row
    )


READER = Reader(
    name="droid",
    summary="Factory Droid sessions and stream-json events",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
