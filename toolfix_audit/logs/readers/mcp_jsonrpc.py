"""MCP traffic as JSON-RPC messages, one a line: `tools/list`, `tools/call` and their responses.

A line is a message or an envelope that holds one (`message`, `payload`, `data`, `body`), with a
time beside it. Responses name their request by its id. Written from the MCP specification.
"""

from __future__ import annotations

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
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Unit

_ENVELOPES: Final = ("message", "payload", "data", "body")
_TIMES: Final = ("timestamp", "time", "ts")
_SESSIONS: Final = ("sessionId", "session_id", "mcp_session_id")
_CALL: Final = "tools/call"
_LIST: Final = "tools/list"


class _Log:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._waiting: dict[tuple[str, str | None], list[str]] = {}
        self._pages: dict[str, list[Json]] = {}

    def read(self, row: Row) -> list[Record] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: a call names no tool.
        """
        message = _message(row)
        if message is None:
            return text_at(row, "type", "event") or "other row"
        session = text_at(row, *_SESSIONS) or ""
        turn = Turn(time=next((iso_time(row[key]) for key in _TIMES if key in row), None))
        method = text_at(message, "method")
        if method is None:
            return self._response(session, message)
        if "id" in message:
            self._waiting.setdefault((session, word_at(message, "id")), []).append(method)
        if method != _CALL:
            return method
        parameters = object_at(message, "params")
        tool = required_text(parameters, "name", _CALL)
        arguments = arguments_at(parameters, "arguments")
        records = self._sessions.named(session or None)
        return [records.call(tool, arguments, turn, call_id=word_at(message, "id"))]

    def _response(self, session: str, message: Row) -> list[Record] | str:
        call_id = word_at(message, "id")
        waiting = self._waiting.get((session, call_id), [])
        method = waiting.pop(0) if waiting else None
        result = object_at(message, "result")
        if method == _LIST or (method is None and isinstance(result.get("tools"), list)):
            return self._tools(session, result)
        if method is not None and method != _CALL:
            return f"response to {method}"
        if "error" in message:
            error = object_at(message, "error")
            shown, fault = text_at(error, "message"), Fault(code=word_at(error, "code"))
            return [self._sessions.named(session or None).result(shown, call_id, fault=fault)]
        if "content" not in result and "structuredContent" not in result:
            return "response"
        content = result.get("content") or result.get("structuredContent")
        failed = Fault() if result.get("isError") is True else None
        return [self._sessions.named(session or None).result(content, call_id, fault=failed)]

    def _tools(self, session: str, result: Row) -> list[Record] | str:
        """The tools of a server; they come in pages, and count when the last one is there."""
        if not isinstance(result.get("tools"), list):
            return f"response to {_LIST}"
        pages = self._pages.setdefault(session, [])
        pages += list_at(result, "tools")
        if text_at(result, "nextCursor"):
            return f"page of {_LIST}"
        del self._pages[session]
        return [*self._sessions.named(session or None).catalog(pages)] or f"response to {_LIST}"


def _message(row: Row) -> Row | None:
    """The JSON-RPC message that a row is or holds.

    Raises:
        RowError: it says that it is one, and is neither request nor response.
    """
    for value in (row, *(row.get(key) for key in _ENVELOPES)):
        if isinstance(value, dict) and value.get("jsonrpc") == "2.0":
            if not {"method", "result", "error"} & value.keys():
                raise RowError("a JSON-RPC message that is neither request nor response")
            return value
    return None


def _open(sessions: Sessions) -> ReadRow:
    return _Log(sessions).read


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "mcp", _open)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    try:
        message = _message(row) or {}
    except RowError:
        return False
    if message.get("method") in (_CALL, _LIST):
        return True
    return message.get("method") == "initialize" and "protocolVersion" in object_at(
        message, "params"
    )


READER = Reader(
    name="mcp-jsonrpc",
    summary="MCP traffic as JSON-RPC messages, one a line",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
