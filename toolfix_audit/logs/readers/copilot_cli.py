"""GitHub Copilot CLI session events: `{type, data, id, timestamp, parentId}` a line.

A call stands in the `toolRequests` of a message and again in `tool.execution_start`; it counts
where it is told first, and either may be missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
    word_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import ReadRow, Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Fault, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Record, Unit

_REQUESTED: Final = "toolRequests"
_TELLING_TYPES: Final = ("assistant.message", "tool.execution_start", "tool.execution_complete")


class _Log:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._model: str | None = None
        self._told_once: Counter[tuple[str, str | None]] = Counter()

    def read(self, row: Row) -> list[Record] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: a call names no tool.
        """
        kind = text_at(row, "type") or "row without a type"
        data = object_at(row, "data")
        if kind == "session.start":
            self._model = text_at(data, "selectedModel")
            version = text_at(data, "copilotVersion")
            started = iso_time(data.get("startTime"))
            self._sessions.begin(text_at(data, "sessionId"), version=version, started=started)
            return []
        if kind == "session.model_change":
            self._model = text_at(data, "newModel") or self._model
            return kind
        return self._event(kind, row, data)

    def _event(self, kind: str, row: Row, data: Row) -> list[Record] | str:
        model = text_at(data, "model") or self._model
        turn = Turn(
            model=model, time=iso_time(row.get("timestamp")), has_calls=bool(data.get(_REQUESTED))
        )
        records = self._sessions.named()
        if kind == "assistant.message":
            return self._message(data, turn) or kind
        if kind == "assistant.reasoning":
            return [*records.text(text_at(data, "content"), turn, reasoning=True)] or kind
        if kind == "tool.execution_start":
            return self._call(kind, data, turn) or kind
        if kind == "tool.execution_complete":
            error = object_at(data, "error")
            content = object_at(data, "result").get("content", error.get("message"))
            fault = None if data.get("success") is True else Fault(code=word_at(error, "code"))
            return [records.result(content, text_at(data, "toolCallId"), fault=fault)]
        if kind == "session.error":
            shown = text_at(data, "message") or kind
            return [records.error(shown, code=word_at(data, "statusCode"), raw=data)]
        return kind

    def _message(self, data: Row, turn: Turn) -> list[Record]:
        records = self._sessions.named()
        requests = _requests_in(data)
        made: list[Record] = [*records.text(text_at(data, "reasoningText"), turn, reasoning=True)]
        made += records.text(text_at(data, "content"), turn)
        for request in requests:
            made += self._call(_REQUESTED, request, turn)
        return made

    def _call(self, place: str, request: Row, turn: Turn) -> list[Record]:
        """The call; nothing if the other place told it before."""
        tool = _tool_of(request)
        call_id = text_at(request, "toolCallId")
        other = "tool.execution_start" if place == _REQUESTED else _REQUESTED
        if self._told_once[other, call_id]:
            self._told_once[other, call_id] -= 1
            return []
        self._told_once[place, call_id] += 1
        arguments = arguments_at(request, "arguments")
        return [self._sessions.named().call(tool, arguments, turn, call_id=call_id)]


def _requests_in(data: Row) -> list[Row]:
    """The calls that a message asks for, each of which names its tool.

    Raises:
        RowError: one is no object or names no tool.
    """
    requests: list[Row] = []
    for request in list_at(data, _REQUESTED):
        if not isinstance(request, dict):
            raise RowError("a tool request that is no object")
        _tool_of(request)
        requests.append(request)
    return requests


def _tool_of(request: Row) -> str:
    named = "name" if "name" in request else "toolName"
    return required_text(request, named, "a tool request")


def _open(sessions: Sessions) -> ReadRow:
    return _Log(sessions).read


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "copilot-cli", _open)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    data = object_at(row, "data")
    if row.get("type") == "session.start":
        return "copilotVersion" in data or data.get("producer") == "copilot-agent"
    return row.get("type") in _TELLING_TYPES and bool(data)


READER = Reader(
    name="copilot-cli",
    summary="GitHub Copilot CLI session events",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
