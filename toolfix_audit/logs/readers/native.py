"""The native interchange format: one record a line, easy to write from any other log.

`session`, `tools`, `tool/call`, `tool/result`, `assistant/message` and `stream/error` lines, each
with its `session`. Beside the fields that every log has, a call may tell `provider`, `time`,
`finish_reason`, `streamed` (the text as it was streamed) and `dispatched`; a result `error_name`
and `error_code`; a message `reasoning` and `has_calls`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    content_texts,
    integer_at,
    iso_time,
    required_text,
    text_at,
    texts_at,
    word_at,
)
from toolfix_audit.logs.finish_reasons import finish_word
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.lines import read_json_lines
from toolfix_audit.logs.pairing import OpenCalls
from toolfix_audit.logs.reader import BalancedUnits, Reader, Tier
from toolfix_audit.logs.sources import Line, LogFile, content_digest
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.records import (
    AssistantText,
    Call,
    Record,
    Result,
    Session,
    StreamError,
    ToolCatalog,
    Unit,
)

Row: TypeAlias = dict[str, Json]


class _Log:
    """The sessions of one source that have been named so far."""

    def __init__(self, file: LogFile) -> None:
        self._file = file
        self._position = 0
        self._open: dict[str, OpenCalls] = {}
        self._fallback: str | None = None

    def read_row(self, row: Json) -> tuple[Record, ...] | str:
        """The records of a row, or the kind that it is ignored as.

        Raises:
            RowError: the row lacks what its kind must have.
        """
        if not isinstance(row, dict):
            raise RowError("not a JSON object")
        kind = required_text(row, "type", "a row")
        session = text_at(row, "session") or self._fallback_id()
        make = _MAKERS.get(kind)
        if make is None:
            return (self._begin(session, row),) if kind == "session" else kind
        calls = self._open.get(session)
        record = make(session, self._position, row, OpenCalls() if calls is None else calls)
        self._position += 1
        if calls is not None:
            return (record,)
        calls = self._open[session] = OpenCalls()
        if isinstance(record, Call):
            calls.add(record.position, record.call_id)
        return Session(session), record

    def _begin(self, session: str, row: Row) -> Session:
        self._open.setdefault(session, OpenCalls())
        return _session(session, row)

    def _fallback_id(self) -> str:
        """The session of rows that name none."""
        if self._fallback is None:
            self._fallback = content_digest(self._file)[:16]
        return self._fallback


def _session(session: str, row: Row) -> Session:
    return Session(
        session,
        harness=text_at(row, "harness"),
        version=word_at(row, "version"),
        started=iso_time(row.get("started")),
        parent=text_at(row, "parent"),
        seed_length=integer_at(row, "seed_length"),
    )


def _tools(session: str, position: int, row: Row, _: OpenCalls) -> ToolCatalog:
    if not isinstance(row.get("tools"), list):
        raise RowError("tools without a list 'tools'")
    return ToolCatalog(session, position, tools_sent(row["tools"]))


def _call(session: str, position: int, row: Row, calls: OpenCalls) -> Call:
    tool = required_text(row, "tool", "tool/call")
    arguments, form = arguments_at(row, "arguments")
    call_id, streamed, model, provider, finish_reason = texts_at(row, _CALL_TEXTS)
    calls.add(position, call_id)
    return Call(
        session,
        position,
        call_id,
        tool,
        arguments,
        form,
        streamed,
        model,
        provider,
        iso_time(row.get("time")),
        finish_word(finish_reason),
        dispatched=row.get("dispatched") is True,
    )


def _result(session: str, position: int, row: Row, calls: OpenCalls) -> Result:
    text, blocks = content_texts(row.get("content"))
    call_id, error_name, error_code = texts_at(row, _RESULT_TEXTS)
    return Result(
        session,
        position,
        calls.take(call_id),
        call_id,
        row.get("is_error") is True,
        text,
        blocks,
        error_name,
        error_code,
    )


def _message(session: str, position: int, row: Row, _: OpenCalls) -> AssistantText:
    return AssistantText(
        session,
        position,
        required_text(row, "text", "assistant/message"),
        reasoning=row.get("reasoning") is True,
        finish_reason=finish_word(text_at(row, "finish_reason")),
        model=text_at(row, "model"),
        provider=text_at(row, "provider"),
        has_calls=row.get("has_calls") is True,
    )


def _stream_error(session: str, position: int, row: Row, _: OpenCalls) -> StreamError:
    shown = required_text(row, "shown", "stream/error")
    raw = row.get("raw")
    return StreamError(
        session,
        position,
        shown,
        code=text_at(row, "code"),
        raw=None if raw is None else dump_json(raw),
    )


def _read(file: LogFile) -> Iterator[Unit]:
    log = _Log(file)

    def units(lines: Iterator[Line]) -> Iterator[Unit]:
        return read_json_lines(lines, log.read_row)

    return BalancedUnits.of_lines(file, units)


def _detect(head: Head) -> bool:
    return any(_is_native(value) for value in head.values if isinstance(value, dict))


def _is_native(row: Row) -> bool:
    """Whether a line is ours: a known type, its fields beside it, and no envelope."""
    kind = row.get("type")
    if kind == "session":
        return isinstance(row.get("session"), str)
    key = _TELLING_KEYS.get(kind) if isinstance(kind, str) else None
    return key is not None and key in row and "data" not in row


_MAKERS: Final[Mapping[str, Callable[[str, int, Row, OpenCalls], Record]]] = {
    "tools": _tools,
    "tool/call": _call,
    "tool/result": _result,
    "assistant/message": _message,
    "stream/error": _stream_error,
}
_CALL_TEXTS: Final = ("id", "streamed", "model", "provider", "finish_reason")
_RESULT_TEXTS: Final = ("id", "error_name", "error_code")
_TELLING_KEYS: Final[Mapping[str, str]] = {
    "tools": "tools",
    "tool/call": "tool",
    "tool/result": "id",
    "assistant/message": "text",
    "stream/error": "shown",
}

READER = Reader(
    name="native",
    summary="The native interchange format of this project, JSON Lines",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
