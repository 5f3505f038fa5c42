"""Gemini CLI: chat files (a document, newer ones a message a line) and stream-json output.

A chat has `messages[]{type: user|gemini, content, toolCalls[]{id, name, args, result, status}}`
with call and result in one; the stream has `init`, `message`, `tool_use` and `tool_result` lines.
The text of a streamed message is told with the first line that is no piece of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.logs.cut_documents import Member
from toolfix_audit.logs.document_logs import read_document
from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    content_texts,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.gemini_parts import (
    call_record,
    parts_of,
    reply_records,
    result_records,
    thoughts_text,
)
from toolfix_audit.logs.head import Head, read_head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Fault, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.split_messages import SplitMessages
from toolfix_audit.model.json import Json, escape_surrogates
from toolfix_audit.model.records import Record, Unit

_HARNESS: Final = "gemini-cli"
_REPLIES: Final = ("gemini", "model")
_ANSWERED: Final = ("success", "error", "cancelled")


class _Log:
    """The session of a source."""

    def __init__(self, sessions: Sessions, messages: SplitMessages) -> None:
        self._sessions = sessions
        self._messages = messages
        self._turn = Turn()
        self._pieces: list[str] = []
        self._reply = 0

    def read_member(self, member: Member) -> list[Record] | str:
        """The records of a member of a chat, or the kind that it is ignored as."""
        if member.key == "sessionId" and isinstance(member.value, str):
            self._sessions.begin(escape_surrogates(member.value))
            return []
        if member.key != "messages":
            return member.key or "other value"
        if not isinstance(member.value, dict):
            raise RowError("a message that is no object")
        return self._chat_message(member.value)

    def read_row(self, row: Row) -> list[Record] | str:
        """The records of a line, or the kind that it is ignored as.

        Raises:
            RowError: the line lacks what its kind must have.
        """
        kind = text_at(row, "type")
        if kind is None:
            return self._header(row)
        if kind == "init":
            self._turn = Turn(text_at(row, "model"))
            started = iso_time(row.get("timestamp"))
            self._sessions.begin(text_at(row, "session_id"), started=started)
            return []
        if kind == "message" and row.get("role") == "assistant":
            self._pieces.append(text_at(row, "content") or "")
            return "piece of a message"
        if kind == "tool_use":
            required_text(row, "tool_name", kind)
        flushed = self.flush()
        if kind in ("tool_use", "tool_result", "message", "result", "error") and "id" not in row:
            return [*flushed, *self._streamed(kind, row)] or kind
        return [*flushed, *_listed(self._chat_message(row))] or kind

    def flush(self) -> list[Record]:
        """The text that was streamed and not told yet."""
        text, self._pieces = "".join(self._pieces), []
        if not text:
            return []
        made: list[Record] = [*self._sessions.named().text(text, self._turn)]
        self._messages.add((str(self._reply),), made, None)
        return made

    def _header(self, row: Row) -> list[Record] | str:
        if "sessionId" not in row:
            return "update" if "$set" in row else "untyped"
        self._sessions.begin(text_at(row, "sessionId"), started=iso_time(row.get("startTime")))
        return []

    def _streamed(self, kind: str, row: Row) -> list[Record]:
        records = self._sessions.named()
        call_id = text_at(row, "tool_id")
        if kind == "tool_use":
            turn = replace(self._turn, time=iso_time(row.get("timestamp")))
            tool = required_text(row, "tool_name", kind)
            call = records.call(tool, arguments_at(row, "parameters"), turn, call_id=call_id)
            self._messages.add((str(self._reply),), [call], None)
            return [call]
        self._reply += 1
        if kind == "tool_result":
            error = object_at(row, "error")
            failed = row.get("status") == "error"
            content = row.get("output") or text_at(error, "message")
            error_type = text_at(error, "type")
            fault = Fault(error_type, error_type) if failed else None
            return [records.result(content, call_id, fault=fault)]
        error = object_at(row, "error") or (row if kind == "error" else {})
        shown = text_at(error, "message")
        return [records.error(shown, code=text_at(error, "type"), raw=row)] if shown else []

    def _chat_message(self, message: Row) -> list[Record] | str:
        kind = text_at(message, "type") or "message"
        if kind not in (*_REPLIES, "error"):
            return kind
        records = self._sessions.named()
        if kind == "error":
            shown = content_texts(message.get("content"))[0]
            return [records.error(shown or "unknown error", raw=message)]
        calls = [call for call in list_at(message, "toolCalls") if isinstance(call, dict)]
        turn = Turn(
            text_at(message, "model"),
            time=iso_time(message.get("timestamp")),
            has_calls=bool(calls),
        )
        message_id = text_at(message, "id")
        for call in calls:
            required_text(call, "name", "a call")
        parts = parts_of(message.get("content", message.get("parts")))
        made: list[Record] = [*records.text(thoughts_text(message), turn, reasoning=True)]
        made += reply_records(records, parts, turn, message_id)
        for call in calls:
            made.append(call_record(records, call, turn, message_id))
            if call.get("status") in _ANSWERED:
                made += result_records(
                    records,
                    call.get("result"),
                    text_at(call, "status"),
                    call_id=text_at(call, "id"),
                )
        return made or kind


def _listed(made: list[Record] | str) -> list[Record]:
    return [] if isinstance(made, str) else made


def _read(file: LogFile) -> Iterator[Unit]:
    messages = SplitMessages()
    if any(_is_chat(value) for value in read_head(file).values):
        return read_document(file, _HARNESS, lambda sessions: _Log(sessions, messages).read_member)
    return messages.settle(_read_lines(file, messages))


def _read_lines(file: LogFile, messages: SplitMessages) -> Iterator[Unit]:
    """The units of the lines; what was streamed to the end is told with the last of them."""
    logs: list[_Log] = []

    def open_log(sessions: Sessions) -> _Log:
        logs.append(_Log(sessions, messages))
        return logs[0]

    held: Unit | None = None
    for unit in read_rows(file, _HARNESS, lambda sessions: open_log(sessions).read_row):
        if held is not None:
            yield held
        held = unit
    if held is not None:
        rest = logs[0].flush() if held.unreadable is None else []
        yield Unit(records=(*held.records, *rest)) if rest else held


def _detect(head: Head) -> bool:
    return any(_is_chat(value) or _is_line(value) for value in head.values)


def _is_chat(value: Json) -> bool:
    if not isinstance(value, dict) or not {"sessionId", "messages"} <= value.keys():
        return False
    messages = [one for one in list_at(value, "messages") if isinstance(one, dict)]
    return "projectHash" in value or any(one.get("type") == "gemini" for one in messages)


def _is_line(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind is None:
        return {"sessionId", "projectHash", "startTime"} <= value.keys()
    if kind == "init":
        return {"session_id", "model"} <= value.keys() and "subtype" not in value
    if kind in ("tool_use", "tool_result"):
        return "tool_id" in value and ("parameters" in value or "status" in value)
    return kind == "gemini" and "content" in value


READER = Reader(
    name="gemini-cli",
    summary="Gemini CLI chats (~/.gemini/tmp) and stream-json output",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
