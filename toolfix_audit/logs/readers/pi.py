"""pi and its relatives (oh-my-pi, OpenClaw): session trees, one entry a line.

The header is `{"type": "session", id, timestamp}`; an entry `{type, id, parentId, timestamp,
message}`. Branches that were left stand in the file like all others, and count. A session that
was branched off another starts with copies of its entries, which are older than the header.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.logs.copied_history import Owners, lasting_number
from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    content_texts,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
    word_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.lines import read_json_lines
from toolfix_audit.logs.reader import BalancedUnits, Reader, Tier
from toolfix_audit.logs.row_logs import Row
from toolfix_audit.logs.session_records import Fault, SessionRecords, Source, Turn
from toolfix_audit.logs.sources import Line, LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Call, Record, Session, Unit

_HARNESS: Final = "pi"
_PARENT_KEYS: Final = ("parentSession", "branchedFrom")
_OWN_ROLES: Final = ("toolResult", "bashExecution")
_FAILED: Final = "error"
_ABORTED: Final = "aborted"


class _Log:
    """The session of a source (or the sessions, where logs were put together)."""

    def __init__(self, file: LogFile) -> None:
        self._source = Source(file)
        self._records: SessionRecords | None = None
        self._branched: str | None = None
        self._model = Turn()
        self._entries = Owners()
        self._opening: list[Record] = []  # goes out with the first row that can be read

    def read_row(self, row: Json) -> tuple[Record, ...] | str:
        """The records of an entry, or the kind that it is ignored as.

        Raises:
            RowError: the entry lacks what its kind must have.
        """
        if not isinstance(row, dict):
            raise RowError("not a JSON object")
        kind = required_text(row, "type", "an entry")
        if kind == "session":
            self._begin(row)
            return self._with_opening([])
        if kind == "model_change":
            self._model = Turn(text_at(row, "modelId"), text_at(row, "provider"))
        if kind != "message":
            return kind
        message = row.get("message")
        if not isinstance(message, dict):
            raise RowError("message entry without a message")
        role = required_text(message, "role", "a message")
        records = self._records or self._begin({})
        return self._with_opening(self._message(records, role, row, message)) or role

    def _with_opening(self, made: list[Record]) -> tuple[Record, ...]:
        opening, self._opening = self._opening, []
        return (*opening, *made)

    def _begin(self, header: Row) -> SessionRecords:
        name = text_at(header, "id") or self._source.name()
        records = self._records = SessionRecords(name, self._source.positions)
        if header:
            self._model = Turn(text_at(header, "modelId"), text_at(header, "provider"))
        origin = text_at(header, *_PARENT_KEYS)
        started = iso_time(header.get("timestamp"))
        self._branched = started if origin else None
        parent = None if origin is None else _session_in(origin)
        version = word_at(header, "version")
        self._opening.append(Session(name, _HARNESS, version, started, parent))
        return records

    def _message(self, records: SessionRecords, role: str, row: Row, message: Row) -> list[Record]:
        repeated = self._entries.put(text_at(row, "id"), records.session)
        time = iso_time(row.get("timestamp"))
        inherited = repeated or bool(time and self._branched and time < self._branched)
        if role == "assistant":
            turn = replace(self._model, time=time, inherited=inherited)
            return _reply(records, row, message, turn)
        if role == "toolResult":
            content = message.get("content")
            fault = Fault() if message.get("isError") is True else None
            call_id = text_at(message, "toolCallId")
            tool = text_at(message, "toolName")
            return [records.result(content, call_id, tool=tool, fault=fault, inherited=inherited)]
        return []


def _reply(records: SessionRecords, row: Row, message: Row, turn: Turn) -> list[Record]:
    """The records of what the model wrote, the error last if the stream failed.

    Raises:
        RowError: a call names no tool.
    """
    blocks = _blocks(message)
    calls = [block for block in blocks if block.get("type") == "toolCall"]
    for call in calls:
        required_text(call, "name", "a toolCall block")
    turn = replace(
        turn,
        model=text_at(message, "model") or turn.model,
        provider=text_at(message, "provider") or turn.provider,
        finish_reason=text_at(message, "stopReason"),
        has_calls=bool(calls),
    )
    made: list[Record] = []
    for block in blocks:
        kind = block.get("type")
        if kind == "toolCall":
            made.append(_call(records, row, block, turn))
        elif kind == "thinking":
            made += records.text(text_at(block, "thinking"), turn, reasoning=True)
        elif kind == "text":
            made += records.text(text_at(block, "text"), turn)
    return [*made, *_error(records, message, turn)]


def _call(records: SessionRecords, row: Row, block: Row, turn: Turn) -> Call:
    """A call. Where the stream ended inside it, `arguments` is a guess that pi closed, and
    `partialJson` the text as far as it came."""
    call_id = text_at(block, "id")
    call = records.call(
        required_text(block, "name", "a toolCall block"),
        arguments_at(block, "arguments"),
        turn,
        call_id=call_id,
        streamed=text_at(block, "partialJson"),
    )
    return replace(call, event=lasting_number(word_at(row, "timestamp"), call_id))


def _error(records: SessionRecords, message: Row, turn: Turn) -> list[Record]:
    """The error of a stream; what the user aborted is none."""
    shown = text_at(message, "errorMessage")
    if turn.inherited or turn.finish_reason == _ABORTED:
        return []
    if shown is None and turn.finish_reason != _FAILED:
        return []
    raw: Json = {key: message[key] for key in ("stopReason", "errorMessage") if key in message}
    return [records.error(shown or "unknown error", raw=raw)]


def _blocks(message: Row) -> list[Row]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content_texts(content)[0]}]
    return [block for block in list_at(message, "content") if isinstance(block, dict)]


def _session_in(origin: str) -> str:
    """The session that a path ends in: `<time>_<id>.jsonl`; or the origin, if it is an id."""
    name = origin.replace("\\", "/").rsplit("/", 1)[-1]
    return name.removesuffix(".jsonl").rsplit("_", 1)[-1]


def _read(file: LogFile) -> Iterator[Unit]:
    log = _Log(file)

    def units(lines: Iterator[Line]) -> Iterator[Unit]:
        return read_json_lines(lines, log.read_row)

    return BalancedUnits.of_lines(file, units)


def _detect(head: Head) -> bool:
    return any(_is_ours(value) for value in head.values if isinstance(value, dict))


def _is_ours(row: Row) -> bool:
    kind = row.get("type")
    if kind == "session":
        return isinstance(row.get("timestamp"), str) and isinstance(row.get("cwd"), str)
    message = object_at(row, "message")
    if kind != "message" or not isinstance(message.get("role"), str):
        return False
    return message["role"] in _OWN_ROLES or "stopReason" in message


READER = Reader(
    name="pi",
    summary="Sessions of pi and its relatives oh-my-pi and OpenClaw",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
