"""Cline: `session.messages.json` and the compacted history beside it.

`{version, agent, sessionId, messages, system_prompt}` with messages in Anthropic's form, each
with its own `modelInfo`. The compacted file tells some of the session's messages again.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.logs.anthropic_blocks import assistant_records, result_records
from toolfix_audit.logs.copied_history import lasting_number
from toolfix_audit.logs.cut_documents import Member
from toolfix_audit.logs.document_logs import read_document
from toolfix_audit.logs.fields import (
    RowError,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions
from toolfix_audit.logs.session_records import Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import escape_surrogates
from toolfix_audit.model.records import Record, Unit


class _Log:
    """The session of one document."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def read_member(self, member: Member) -> list[Record] | str:
        """The records of a member of the document, or the kind that it is ignored as.

        Raises:
            RowError: a message lacks what it must have.
        """
        if member.key == "sessionId" and isinstance(member.value, str):
            self._sessions.begin(escape_surrogates(member.value))
            return []
        if member.key != "messages":
            return member.key or "other value"
        if not isinstance(member.value, dict):
            raise RowError("a message that is no object")
        return self._message(member.value)

    def _message(self, message: Row) -> list[Record] | str:
        role = required_text(message, "role", "a message")
        records = self._sessions.named()
        content = message.get("content")
        if role == "user":
            return [*result_records(records, content)] or role
        if role != "assistant":
            return role
        model = object_at(message, "modelInfo")
        turn = Turn(
            model=text_at(model, "id"),
            provider=text_at(model, "provider"),
            time=iso_time(message.get("ts")),
            finish_reason=text_at(message, "stop_reason", "stopReason"),
        )
        message_id = text_at(message, "id")
        return (
            assistant_records(records, content, turn, lambda call: lasting_number(message_id, call))
            or role
        )


def _read(file: LogFile) -> Iterator[Unit]:
    return read_document(file, "cline", lambda sessions: _Log(sessions).read_member)


def _detect(head: Head) -> bool:
    return any(_is_ours(value) for value in head.values if isinstance(value, dict))


def _is_ours(document: Row) -> bool:
    if not isinstance(document.get("sessionId"), str) or "agent" not in document:
        return False
    messages = list_at(document, "messages")
    return any(isinstance(one, dict) and "role" in one and "content" in one for one in messages)


READER = Reader(
    name="cline",
    summary="Cline session files (session.messages.json)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
