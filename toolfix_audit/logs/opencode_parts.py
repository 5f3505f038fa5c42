"""The parts of OpenCode messages: text, reasoning, and a tool's call and result in one.

OpenCode keeps parsed arguments, and rewrites what it could not parse. That is undone where the
part itself proves it: a call of the tool `invalid` names the tool that was meant and quotes the
text; a root that was no object was put under the key `value`, and the error says so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from toolfix_audit.logs.copied_history import lasting_number
from toolfix_audit.logs.fields import (
    arguments_at,
    iso_time,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.row_logs import Row
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.records import ArgumentsForm, Record

_REWRITTEN: Final = "invalid"
_QUOTED: Final = re.compile(
    r"Invalid input for tool (?P<tool>.+?): JSON parsing failed: Text: (?P<text>.*)"
    r"\.\nError message: ",
    re.DOTALL,
)
_NO_OBJECT: Final = re.compile(r"SchemaError\(Expected object, got .*\)\.\n", re.DOTALL)
_ANSWERED: Final = ("completed", "success", "error")


def check_part(part: Row) -> None:
    """Look whether a part has what it must have.

    Raises:
        RowError: a tool part names no tool.
    """
    if part.get("type") == "tool":
        required_text(part, "tool", "a tool part")


def part_records(records: SessionRecords, part: Row, turn: Turn) -> list[Record]:
    """The records of one part of a message of the model.

    Raises:
        RowError: a tool part names no tool.
    """
    kind = part.get("type")
    if kind == "text" and part.get("synthetic") is not True:
        return [*records.text(text_at(part, "text"), turn)]
    if kind == "reasoning":
        return [*records.text(text_at(part, "text"), turn, reasoning=True)]
    return _tool_records(records, part, turn) if kind == "tool" else []


def _tool_records(records: SessionRecords, part: Row, turn: Turn) -> list[Record]:
    tool = required_text(part, "tool", "a tool part")
    state = object_at(part, "state")
    call_id = text_at(part, "callID")
    given = object_at(state, "input")
    rewritten = tool == _REWRITTEN and {"tool", "error"} <= given.keys()
    if rewritten:
        tool = text_at(given, "tool") or tool
        arguments = _quoted_arguments(tool, text_at(given, "error") or "")
    else:
        arguments = _arguments(state)
    start = object_at(state, "time").get("start")
    time = iso_time(start) or turn.time
    call = records.call(
        tool,
        arguments,
        replace(turn, time=time),
        call_id=call_id,
    )
    told_by = text_at(part, "id") if start is None else dump_json(start)  # a fork has new ids
    made: list[Record] = [replace(call, event=lasting_number(told_by, call_id))]
    if state.get("status") in _ANSWERED:
        failed = rewritten or state.get("status") == "error"
        made.append(_result(records, state, call_id, fault=Fault() if failed else None))
    return made


def _result(
    records: SessionRecords, state: Row, call_id: str | None, *, fault: Fault | None
) -> Record:
    content: Json = state.get("output", state.get("error"))
    if state.get("status") == "error":
        content = state.get("error", content)
    return records.result(content, call_id, fault=fault)


def _quoted_arguments(tool: str, error: str) -> tuple[str, ArgumentsForm]:
    """The text that OpenCode could not parse. Of a call of an unknown tool it keeps nothing."""
    quoted = _QUOTED.match(error)
    if quoted is None or quoted.group("tool") != tool:
        return "", ArgumentsForm.ABSENT
    return quoted.group("text"), ArgumentsForm.TEXT


def _arguments(state: Row) -> tuple[str, ArgumentsForm]:
    given = state.get("input")
    if given == {} and "raw" in state:  # the stream ended before the arguments did
        raw = text_at(state, "raw")
        return (raw, ArgumentsForm.TEXT) if raw else ("", ArgumentsForm.ABSENT)
    error = text_at(state, "error") or ""
    if isinstance(given, dict) and list(given) == ["value"] and _NO_OBJECT.search(error):
        return dump_json(given["value"]), ArgumentsForm.VALUE
    return arguments_at(state, "input")
