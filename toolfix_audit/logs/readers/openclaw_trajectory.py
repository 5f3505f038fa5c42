"""OpenClaw trajectories: what a run told of itself, beside the session's own transcript.

A row is `{traceSchema: "openclaw-trajectory", type, ts, seq, sessionId, data}`. `context.compiled`
has the tools that were sent with their schemas; only runs of foreign harnesses have `tool.call`
and `tool.result` (of all others the transcript tells, which is read as `pi`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.logs.copied_history import lasting_number
from toolfix_audit.logs.fields import (
    arguments_at,
    content_texts,
    iso_time,
    list_at,
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
from toolfix_audit.model.records import Record, Unit

_SCHEMA: Final = "openclaw-trajectory"
_CONTENT_KEYS: Final = ("contentItems", "output", "result", "error")


class _Log:
    """The sessions of one source."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def read_row(self, row: Row) -> list[Record] | str:
        """The records of an event, or the kind that it is ignored as.

        Raises:
            RowError: the event lacks what its kind must have.
        """
        kind = required_text(row, "type", "an event")
        started = iso_time(row.get("ts"))
        records = self._sessions.begin(text_at(row, "sessionId", "traceId"), started=started)
        return _records(records, kind, row) or kind


def _records(records: SessionRecords, kind: str, row: Row) -> list[Record]:
    data = object_at(row, "data")
    turn = Turn(text_at(row, "modelId"), text_at(row, "provider"), iso_time(row.get("ts")))
    if kind == "context.compiled":
        return [*records.catalog(data.get("tools"))]
    if kind == "tool.call":
        call_id = text_at(data, "toolCallId")
        tool = required_text(data, "name", kind)
        call = records.call(tool, arguments_at(data, "arguments"), turn, call_id=call_id)
        return [replace(call, event=lasting_number(text_at(row, "ts"), call_id))]
    if kind == "tool.result":
        return [_result(records, data)]
    if kind == "model.completed":
        return _completed(records, data, turn)
    return []


def _result(records: SessionRecords, data: Row) -> Record:
    content = next((data[key] for key in _CONTENT_KEYS if data.get(key) is not None), None)
    failed = data.get("isError") is True or data.get("success") is False
    fault = Fault() if failed or data.get("error") else None
    call_id = text_at(data, "toolCallId")
    return records.result(content, call_id, tool=text_at(data, "name"), fault=fault)


def _completed(records: SessionRecords, data: Row, turn: Turn) -> list[Record]:
    given = [text for text in list_at(data, "assistantTexts") if isinstance(text, str)]
    texts = [content_texts(text)[0] for text in given]
    made: list[Record] = [one for text in texts for one in records.text(text, turn)]
    error = word_at(data, "promptError")
    return made if error is None else [*made, records.error(error, raw=data.get("promptError"))]


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "openclaw", lambda sessions: _Log(sessions).read_row)


def _detect(head: Head) -> bool:
    return any(
        isinstance(value, dict) and value.get("traceSchema") == _SCHEMA for value in head.values
    )


READER = Reader(
    name="openclaw-trajectory",
    summary="OpenClaw trajectory files (*.trajectory.jsonl)",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
