"""Antigravity CLI logs: numbered steps, the model's plan with its calls, then a step for each.

Nothing has an id: a step that ran answers the oldest call of the latest plan that still waits.
The log writes every argument value as JSON text (`"Path": "\\"/tmp\\""`); that is its encoding,
so the values are decoded here.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.logs.fields import RowError, iso_time, list_at, object_at, required_text, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import ReadRow, Row, Sessions, read_rows
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.records import ArgumentsForm, Record, Unit

_PLAN = "PLANNER_RESPONSE"
_FAILED = ("ERROR", "FAILED")


def _open(sessions: Sessions) -> ReadRow:
    def read(row: Row) -> list[Record] | str:
        kind = text_at(row, "type") or "row without a type"
        if row.get("source") != "MODEL":
            return kind
        if kind == _PLAN:
            return _plan(sessions.named(), row) or kind
        fault = Fault() if row.get("status") in _FAILED else None
        return [sessions.named().result(row.get("content"), fault=fault)]

    return read


def _plan(records: SessionRecords, row: Row) -> list[Record]:
    calls = _calls_in(row)
    records.forget_nameless()
    turn = Turn(time=iso_time(row.get("created_at")), has_calls=bool(calls))
    made: list[Record] = [*records.text(text_at(row, "thinking"), turn, reasoning=True)]
    made += records.text(text_at(row, "content"), turn)
    made += [records.call(tool, _decoded(call), turn) for tool, call in calls]
    return made


def _calls_in(row: Row) -> list[tuple[str, Row]]:
    """The calls of a plan, each with its tool.

    Raises:
        RowError: one is no object or names no tool.
    """
    calls: list[tuple[str, Row]] = []
    for call in list_at(row, "tool_calls"):
        if not isinstance(call, dict):
            raise RowError("a tool call that is no object")
        calls.append((required_text(call, "name", "a tool call"), call))
    return calls


def _decoded(call: Row) -> tuple[str, ArgumentsForm]:
    if "args" not in call:
        return "", ArgumentsForm.ABSENT
    if not isinstance(call["args"], dict):
        return dump_json(call["args"]), ArgumentsForm.VALUE
    values: Row = {key: _value(text) for key, text in object_at(call, "args").items()}
    return dump_json(values), ArgumentsForm.VALUE


def _value(written: Json) -> Json:
    """The value that was written as JSON text; anything else stands for itself."""
    try:
        return parse_json(written) if isinstance(written, str) else written
    except JsonError:
        return written


def _read(file: LogFile) -> Iterator[Unit]:
    return read_rows(file, "antigravity", _open)


def _detect(head: Head) -> bool:
    return any(isinstance(value, dict) and _is_ours(value) for value in head.values)


def _is_ours(row: Row) -> bool:
    return isinstance(row.get("step_index"), int) and all(
        isinstance(row.get(key), str) for key in ("source", "type", "status")
    )


READER = Reader(
    name="antigravity",
    summary="Antigravity CLI logs",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
