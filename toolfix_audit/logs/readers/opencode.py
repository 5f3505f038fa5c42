"""OpenCode: what `opencode export` writes, whole or cut where a pipe closed.

`{"info": {…}, "messages": [{"info": {…}, "parts": […]}]}`; a part holds a call and its result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.cut_documents import Member
from toolfix_audit.logs.document_logs import read_document
from toolfix_audit.logs.fields import RowError, iso_time, list_at, object_at, text_at, word_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.opencode_parts import check_part, part_records
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions
from toolfix_audit.logs.session_records import SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, StreamError, Unit

_ABORTED: Final = "MessageAbortedError"


class _Log:
    """The session of an export."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def read_member(self, member: Member) -> list[Record] | str:
        """The records of a member of the export, or the kind that it is ignored as.

        Raises:
            RowError: a message lacks what it must have.
        """
        value = member.value
        if member.key == "info" and isinstance(value, dict):
            self._sessions.begin(
                text_at(value, "id"),
                version=text_at(value, "version"),
                started=iso_time(object_at(value, "time").get("created")),
            )
            return []
        if member.key != "messages":
            return member.key or "other value"
        if not isinstance(value, dict) or not isinstance(value.get("info"), dict):
            raise RowError("a message without info")
        return self._message(object_at(value, "info"), list_at(value, "parts"))

    def _message(self, info: Row, parts: list[Json]) -> list[Record] | str:
        records = self._sessions.named(text_at(info, "sessionID"))
        role = text_at(info, "role") or "message"
        if role != "assistant":
            return role
        held = [part for part in parts if isinstance(part, dict)]
        for part in held:
            check_part(part)
        turn = Turn(
            model=text_at(info, "modelID"),
            provider=text_at(info, "providerID"),
            time=iso_time(object_at(info, "time").get("created")),
            finish_reason=text_at(info, "finish"),
            has_calls=any(part.get("type") == "tool" for part in held),
        )
        made = [record for part in held for record in part_records(records, part, turn)]
        return [*made, *_error(records, object_at(info, "error"))] or role


def _error(records: SessionRecords, error: Row) -> list[StreamError]:
    """The error that ended a message; what the user aborted is none."""
    name = text_at(error, "name")
    if not error or name == _ABORTED:
        return []
    data = object_at(error, "data")
    shown = text_at(data, "message") or text_at(error, "message") or name or "unknown error"
    return [records.error(shown, code=word_at(data, "statusCode") or name, raw=error)]


def _read(file: LogFile) -> Iterator[Unit]:
    return read_document(file, "opencode", lambda sessions: _Log(sessions).read_member)


def _detect(head: Head) -> bool:
    return any(_is_ours(value) for value in head.values if isinstance(value, dict))


def _is_ours(document: Row) -> bool:
    info = object_at(document, "info")
    if not isinstance(info.get("id"), str) or not isinstance(document.get("messages"), list):
        return False
    messages = [one for one in list_at(document, "messages") if isinstance(one, dict)]
    return "directory" in info or any({"info", "parts"} <= one.keys() for one in messages)


READER = Reader(
    name="opencode",
    summary="OpenCode exports (opencode export), cut ones included",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
