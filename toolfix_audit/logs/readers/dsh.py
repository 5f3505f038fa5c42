"""DeepSeek Harness: session logs, and the same events as JSON-RPC or stream-json notifications.

A row is `{type, seq, time, data}`. Calls are counted where the harness dispatched them
(`tool/call`); messages and stream chunks only mirror them and give the streamed text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from toolfix_audit.logs.dsh_events import HANDLERS, DshSession, SourceClock
from toolfix_audit.logs.fields import RowError, integer_at, iso_time, text_at, word_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.lines import read_json_lines
from toolfix_audit.logs.reader import BalancedUnits, Reader, Tier
from toolfix_audit.logs.sources import Line, LogFile, content_digest
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit

_EVENT_TYPES: Final = (
    "tool/call",
    "tool/result",
    "turn/start",
    "step/start",
    "request/header",
    "assistant/message",
    "assistant/chunk",
    "tool-call-chunks",
    "tool/code-dispatch",
    "tool/code-dispatch-start",
    "turn/end",
)
_WRAPPERS: Final = ("session.event", "session_event", "session/event")


class _Log:
    """The sessions of one source, and what is common to them."""

    def __init__(self, file: LogFile) -> None:
        self._file = file
        self._clock = SourceClock()
        self._sessions: dict[str, DshSession] = {}
        self._digest: str | None = None
        self._current: DshSession | None = None
        self._opening: list[Session] = []  # goes out with the first row that can be read

    def read_row(self, row: Json) -> tuple[Record, ...] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: the row lacks what its kind must have.
        """
        if not isinstance(row, dict):
            raise RowError("not a JSON object")
        event, wrapper_session = _unwrap(row)
        if event is None:
            return text_at(row, "method", "type") or "untyped"
        kind = text_at(event, "type")
        if kind is None:
            raise RowError("a row without a type")
        if kind == "session" and "data" not in event:
            return (self._start_session(event),)
        state = self._session_of(wrapper_session)
        handler = HANDLERS.get(kind)
        records = () if handler is None else handler(state, event)
        opening, self._opening = self._opening, []
        return (*opening, *records) or kind

    def _start_session(self, header: dict[str, Json]) -> Session:
        session = self._name(text_at(header, "id"))
        seed_length = integer_at(header, "seedLength")
        state = DshSession(session, self._clock, seed_length)
        self._sessions[session] = self._current = state
        parent = text_at(header, "parentSession")
        return Session(
            session,
            harness="dsh",
            version=word_at(header, "version"),
            started=iso_time(header.get("createdAt")),
            parent=None if _is_placeholder(parent) else parent,
            seed_length=seed_length,
        )

    def _session_of(self, wrapped: str | None) -> DshSession:
        """The session of an event; opened if this is the first that is heard of it."""
        if wrapped is None and self._current is not None:
            return self._current
        session = self._name(wrapped)
        state = self._sessions.get(session)
        if state is None:
            state = self._sessions[session] = DshSession(session, self._clock, None)
            self._opening.append(Session(session, harness="dsh"))
            if wrapped is None:
                self._current = state
        return state

    def _name(self, session: str | None) -> str:
        """The session's own id; for a missing or masked one, a name derived from the content."""
        if session and not _is_placeholder(session):
            return session
        if self._digest is None:
            self._digest = content_digest(self._file)[:16]
        return f"{self._digest}-{session.strip('{}')}" if session else self._digest


def _read(file: LogFile) -> Iterator[Unit]:
    log = _Log(file)

    def units(lines: Iterator[Line]) -> Iterator[Unit]:
        return read_json_lines(lines, log.read_row)

    return BalancedUnits.of_lines(file, units)


def _detect(head: Head) -> bool:
    return any(_is_dsh(row) for row in _rows(head.values))


def _rows(values: Iterable[Json]) -> Iterator[dict[str, Json]]:
    return (value for value in values if isinstance(value, dict))


def _is_dsh(row: dict[str, Json]) -> bool:
    event, _ = _unwrap(row)
    if event is None:
        return False
    if event.get("type") == "session":
        return isinstance(event.get("createdAt"), int) and isinstance(event.get("id"), str)
    return event.get("type") in _EVENT_TYPES and isinstance(event.get("data"), dict)


def _unwrap(row: dict[str, Json]) -> tuple[dict[str, Json] | None, str | None]:
    """The event of a row and the session that its envelope names; no event in a notification
    of another kind."""
    envelope: Json = row.get("params", row if "event" in row and "data" not in row else None)
    if isinstance(envelope, dict) and isinstance(envelope.get("event"), dict):
        event = envelope["event"]
        return (event if isinstance(event, dict) else None), text_at(envelope, "sessionId")
    if "method" in row or row.get("type") in _WRAPPERS or "sessionId" in row:
        return None, None
    return row, None


def _is_placeholder(session: str | None) -> bool:
    """Whether an id was masked, as published snapshots do: `{{sessionId}}`."""
    return session is not None and session.startswith("{{") and session.endswith("}}")


READER = Reader(
    name="dsh",
    summary="DeepSeek Harness session logs (.jsonl, .jsonl.zstd) and event notifications",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
