"""Claude Agent SDK: the messages between an SDK and Claude Code, captured or as stream-json.

A capture is `{"messages": [{direction, message}]}`; `claude -p --output-format stream-json`
writes the same messages one a line. Hooks and permissions (`control_*`) tell every call again
and are not counted. `stream_event` messages give the argument text as it was streamed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.logs.anthropic_blocks import assistant_records, result_records
from toolfix_audit.logs.claude_errors import harness_records, is_from_harness
from toolfix_audit.logs.cut_documents import Member
from toolfix_audit.logs.document_logs import read_document
from toolfix_audit.logs.fields import (
    RowError,
    integer_at,
    iso_time,
    list_at,
    object_at,
    text_at,
)
from toolfix_audit.logs.fragments import StreamedArguments
from toolfix_audit.logs.head import Head, read_head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions, read_rows
from toolfix_audit.logs.session_records import SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.split_messages import SplitMessages
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Call, Record, Unit

_HARNESS: Final = "claude-code"
_MESSAGE_TYPES: Final = ("assistant", "user", "system", "result", "stream_event")
_DIRECTIONS: Final = ("send", "recv")
_UNSET_SESSION: Final = "default"
_STEP: Final = (None, None)


class _Log:
    """The sessions of one source."""

    def __init__(self, sessions: Sessions, messages: SplitMessages) -> None:
        self._sessions = sessions
        self._messages = messages
        self._streams: dict[str, StreamedArguments] = {}

    def read_member(self, member: Member) -> list[Record] | str:
        """The records of a member of a capture, or the kind that it is ignored as."""
        if member.key != "messages":
            return member.key or "other value"
        if not isinstance(member.value, dict):
            raise RowError("not a JSON object")
        return self.read_row(member.value)

    def read_row(self, row: Row) -> list[Record] | str:
        """The records of a message, or the kind that it is ignored as.

        Raises:
            RowError: the message lacks what its kind must have.
        """
        if row.get("direction") in _DIRECTIONS:
            row = object_at(row, "message")
        kind = text_at(row, "type")
        if kind is None:
            raise RowError("a message without a type")
        subtype = text_at(row, "subtype")
        ignored = kind if subtype is None else f"{kind}/{subtype}"
        session = text_at(row, "session_id")
        if kind not in _MESSAGE_TYPES or session == _UNSET_SESSION:
            return ignored
        records = self._sessions.begin(
            session or self._sessions.named().session,
            version=text_at(row, "claude_code_version"),
            started=iso_time(row.get("timestamp")),
        )
        return self._records(records, kind, row) or ignored

    def _records(self, records: SessionRecords, kind: str, row: Row) -> list[Record]:
        if kind == "stream_event":
            self._gather(records.session, object_at(row, "event"))
        elif kind == "system":
            return [*records.catalog(row.get("tools"))]
        elif kind in ("assistant", "user"):
            message = row.get("message")
            if not isinstance(message, dict):
                raise RowError(f"{kind} message without a message")
            if kind == "user":
                return [*result_records(records, message.get("content"))]
            if is_from_harness(row, message):
                return [*harness_records(records, row, message)]
            return self._reply(records, row, message)
        return []

    def _reply(self, records: SessionRecords, row: Row, message: Row) -> list[Record]:
        finish_reason = text_at(message, "stop_reason")
        turn = Turn(
            model=text_at(message, "model"),
            time=iso_time(row.get("timestamp")),
            finish_reason=finish_reason,
        )
        made = assistant_records(records, message.get("content"), turn)
        streams = self._streams.get(records.session)
        if streams is not None:
            made = [_with_stream(record, streams) for record in made]
        message_id = text_at(message, "id")
        if message_id is not None:
            self._messages.add((records.session, message_id), made, finish_reason)
        return made

    def _gather(self, session: str, event: Row) -> None:
        """Join the argument text of a block that is being streamed."""
        streams = self._streams.setdefault(session, StreamedArguments())
        index = integer_at(event, "index")
        block, delta = object_at(event, "content_block"), object_at(event, "delta")
        if block:
            streams.restart(_STEP, index)
        if block.get("type") == "tool_use":
            streams.add(_STEP, index, text_at(block, "id"), "")
        text = delta.get("partial_json")
        if isinstance(text, str):
            streams.add(_STEP, index, None, text)


def _with_stream(record: Record, streams: StreamedArguments) -> Record:
    if not isinstance(record, Call):
        return record
    return replace(record, streamed=streams.take(_STEP, record.call_id))


def _read(file: LogFile) -> Iterator[Unit]:
    messages = SplitMessages()
    if any(_is_capture(value) for value in read_head(file).values):
        return messages.settle(
            read_document(file, _HARNESS, lambda sessions: _Log(sessions, messages).read_member)
        )
    return messages.settle(
        read_rows(file, _HARNESS, lambda sessions: _Log(sessions, messages).read_row)
    )


def _detect(head: Head) -> bool:
    return any(_is_capture(value) or _is_message(value) for value in head.values)


def _is_capture(value: Json) -> bool:
    frames = list_at(value, "messages") if isinstance(value, dict) else []
    return any(_is_frame(frame) for frame in frames)


def _is_frame(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and value.get("direction") in _DIRECTIONS
        and isinstance(object_at(value, "message").get("type"), str)
    )


def _is_message(value: Json) -> bool:
    """Whether a line is a message as Claude Code prints it."""
    if not isinstance(value, dict):
        return False
    if _is_frame(value):
        return True
    if not isinstance(value.get("session_id"), str) or "sessionId" in value:
        return False
    return "uuid" in value and value.get("type") in _MESSAGE_TYPES


READER = Reader(
    name="claude-agent-sdk",
    summary="Claude Agent SDK captures, and Claude Code's stream-json output",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
