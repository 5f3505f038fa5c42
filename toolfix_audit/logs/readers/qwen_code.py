"""Qwen Code: chats with one row a line, messages in Google's form.

A row is `{uuid, parentUuid, sessionId, type, message: {role, parts}}`; a message of the model may
stand in several rows of one `uuid`. Branches that were left count like all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.fields import (
    RowError,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
    word_at,
)
from toolfix_audit.logs.gemini_parts import parts_of, reply_records, result_records
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions, read_rows
from toolfix_audit.logs.session_records import SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.split_messages import SplitMessages
from toolfix_audit.model.records import Record, Unit

_MESSAGES: Final = ("user", "assistant", "tool_result")


class _Log:
    """The sessions of one source."""

    def __init__(self, sessions: Sessions, messages: SplitMessages) -> None:
        self._sessions = sessions
        self._messages = messages

    def read_row(self, row: Row) -> list[Record] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: the row lacks what its kind must have.
        """
        kind = required_text(row, "type", "a row")
        records = self._sessions.begin(
            text_at(row, "sessionId"),
            version=text_at(row, "version"),
            started=iso_time(row.get("timestamp")),
        )
        subtype = text_at(row, "subtype")
        if kind not in _MESSAGES:
            return _api_error(records, row) or (kind if subtype is None else f"{kind}/{subtype}")
        message = row.get("message")
        if not isinstance(message, dict):
            raise RowError(f"{kind} row without a message")
        if kind == "assistant":
            return self._reply(records, row, message) or kind
        outcome = object_at(row, "toolCallResult")
        status, code = text_at(outcome, "status"), text_at(outcome, "errorType")
        return [*result_records(records, message.get("parts"), status, code=code)] or kind

    def _reply(self, records: SessionRecords, row: Row, message: Row) -> list[Record]:
        uuid = text_at(row, "uuid")
        turn = Turn(text_at(row, "model"), time=iso_time(row.get("timestamp")))
        made = reply_records(records, parts_of(message.get("parts")), turn, uuid)
        if uuid is not None:
            self._messages.add((records.session, uuid), made, None)
        return made


def _api_error(records: SessionRecords, row: Row) -> list[Record]:
    """The error of a request, which only the telemetry tells."""
    event = object_at(object_at(row, "systemPayload"), "uiEvent")
    shown = text_at(event, "error_message")
    if shown is None:
        return []
    code = word_at(event, "status_code") or text_at(event, "error_type")
    return [records.error(shown, code=code, raw=event)]


def _read(file: LogFile) -> Iterator[Unit]:
    messages = SplitMessages()
    return messages.settle(
        read_rows(file, "qwen-code", lambda sessions: _Log(sessions, messages).read_row)
    )


def _detect(head: Head) -> bool:
    return any(
        isinstance(value, dict)
        and value.get("type") in _MESSAGES
        and isinstance(value.get("sessionId"), str)
        and bool(list_at(object_at(value, "message"), "parts"))
        for value in head.values
    )


READER = Reader(
    name="qwen-code",
    summary="Qwen Code chats (~/.qwen/projects)",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
