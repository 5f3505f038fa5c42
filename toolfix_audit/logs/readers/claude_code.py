"""Claude Code: session files and those of subagents, one row a line.

A row is `{type, uuid, parentUuid, sessionId, message}` with the message in Anthropic's form; an
API message stands in several rows, one block each. Rows that a resumed or forked session copied
belong to the session they came from and are `inherited`; so is a row that stands there twice.
The variant without an envelope (`{role, content}` a line, with Anthropic blocks) is read as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.anthropic_blocks import (
    CALL_TYPES,
    assistant_records,
    blocks_of,
    is_tool_block,
    result_records,
)
from toolfix_audit.logs.claude_errors import error_text, harness_records, is_from_harness
from toolfix_audit.logs.copied_history import Owners, lasting_number
from toolfix_audit.logs.fields import (
    RowError,
    iso_time,
    list_at,
    object_at,
    text_at,
    word_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Row, Sessions, read_rows
from toolfix_audit.logs.session_records import SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.split_messages import SplitMessages
from toolfix_audit.model.records import Record, Unit

_ROLES: Final = ("assistant", "user")
_TELLING_KEYS: Final = {
    "summary": "leafUuid",
    "file-history-snapshot": "snapshot",
    "queue-operation": "operation",
    "ai-title": "aiTitle",
}


class _Log:
    """The sessions of one source."""

    def __init__(self, sessions: Sessions, messages: SplitMessages) -> None:
        self._sessions = sessions
        self._messages = messages
        self._owners = Owners()
        self._copied_sessions: set[str] = set()
        self._session = ""

    def read_row(self, row: Row) -> list[Record] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: the row lacks what its kind must have.
        """
        row = _in_envelope(row)
        kind = text_at(row, "type")
        if kind is None:
            raise RowError("a row without a type")
        if kind not in _ROLES:
            return self._other_row(kind, row)
        message = row.get("message")
        if not isinstance(message, dict):
            raise RowError(f"{kind} row without a message")
        owner, inherited = self._owner(kind, row, message)
        records = self._records_of(owner, row)
        if kind == "user":
            return [*result_records(records, message.get("content"), inherited=inherited)] or kind
        if is_from_harness(row, message):
            return [*harness_records(records, row, message)] or "synthetic message"
        return self._message(records, row, message, inherited=inherited) or kind

    def _other_row(self, kind: str, row: Row) -> list[Record] | str:
        owner, _ = self._owner(kind, row, {})
        subtype = text_at(row, "subtype")
        if kind == "system" and subtype == "api_error":
            error = object_at(row, "error")
            code = word_at(error, "status") or text_at(object_at(error, "cause"), "code")
            return [self._records_of(owner, row).error(error_text(error), code=code, raw=error)]
        return kind if subtype is None else f"{kind}/{subtype}"

    def _message(
        self, records: SessionRecords, row: Row, message: Row, *, inherited: bool
    ) -> list[Record]:
        message_id = text_at(message, "id")
        finish_reason = text_at(message, "stop_reason")
        turn = Turn(
            model=text_at(message, "model"),
            time=iso_time(row.get("timestamp")),
            finish_reason=finish_reason,
            inherited=inherited,
        )
        home = message_id or text_at(row, "uuid")
        made = assistant_records(
            records, message.get("content"), turn, lambda call: lasting_number(home, call)
        )
        if message_id is not None:
            self._messages.add((records.session, message_id), made, finish_reason)
        return made

    def _owner(self, kind: str, row: Row, message: Row) -> tuple[str, bool]:
        """The session that a row was written for first, and whether this is a copy of it."""
        own = self._own_session(row)
        forked_from = object_at(row, "forkedFrom")
        owner = own
        if forked_from:
            owner = _named(text_at(forked_from, "sessionId") or own, row)
        elif kind != "user":  # copies of these got the new session's id; their parents did not
            owner = self._owners.of(text_at(row, "parentUuid")) or own
        if owner != own:
            self._copied_sessions.add(owner)
        repeated = self._owners.put(text_at(row, "uuid"), owner)
        repeated = self._are_known_calls(message, owner) or repeated
        return owner, repeated or owner in self._copied_sessions

    def _own_session(self, row: Row) -> str:
        session = text_at(row, "sessionId")
        if session:
            self._session = _named(session, row)
        return self._session

    def _are_known_calls(self, message: Row, owner: str) -> bool:
        """Whether a message holds calls, and this source told of all of them before."""
        known = [
            self._owners.put(lasting_number(text_at(message, "id"), text_at(block, "id")), owner)
            for block in blocks_of(message.get("content"))
            if block.get("type") in CALL_TYPES
        ]
        return bool(known) and all(known)

    def _records_of(self, session: str, row: Row) -> SessionRecords:
        return self._sessions.begin(
            session or self._sessions.named().session,
            version=text_at(row, "version"),
            started=iso_time(row.get("timestamp")),
        )


def _in_envelope(row: Row) -> Row:
    """A row as Claude Code writes it, from the flat ones: a message, or a block of one."""
    kind = row.get("type")
    if "type" not in row and text_at(row, "role") in _ROLES:
        return {"type": row["role"], "timestamp": row.get("timestamp"), "message": row}
    if kind == "tool_use":
        return {**row, "type": "assistant", "message": {"content": [row]}}
    if kind == "tool_result":
        block = {**row, "content": row.get("content", row.get("output"))}
        return {**row, "type": "user", "message": {"content": [block]}}
    return row


def _named(session: str, row: Row) -> str:
    """A subagent has the session id of its parent; its own id tells it apart."""
    agent = text_at(row, "agentId")
    return f"{session}/{agent}" if agent else session


def _read(file: LogFile) -> Iterator[Unit]:
    messages = SplitMessages()
    return messages.settle(
        read_rows(file, "claude-code", lambda sessions: _Log(sessions, messages).read_row)
    )


def _detect(head: Head) -> bool:
    return any(_is_ours(value) for value in head.values if isinstance(value, dict))


def _is_ours(row: Row) -> bool:
    kind = row.get("type")
    if "type" not in row:
        return row.get("role") in _ROLES and any(
            is_tool_block(block) for block in list_at(row, "content")
        )
    if not isinstance(kind, str) or ("session_id" in row and "sessionId" not in row):
        return False
    if kind in _ROLES:
        return isinstance(object_at(row, "message").get("content"), str | list)
    key = _TELLING_KEYS.get(kind)
    return key is not None and key in row


READER = Reader(
    name="claude-code",
    summary="Claude Code session files (~/.claude/projects), subagents included",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
