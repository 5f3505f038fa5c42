"""Parts of messages in Google's form, as Gemini CLI and Qwen Code write them down."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolfix_audit.logs.copied_history import lasting_number
from toolfix_audit.logs.fields import arguments_at, list_at, object_at, required_text, text_at
from toolfix_audit.logs.row_logs import Row
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Call, Record, Result

_FAILED: Final = ("error", "cancelled")


def parts_of(content: Json) -> list[Row]:
    """The parts of a message; plain text is one part."""
    if isinstance(content, str):
        return [{"text": content}]
    found = content if isinstance(content, list) else [content]
    return [part for part in found if isinstance(part, dict)]


def reply_records(
    records: SessionRecords, parts: list[Row], turn: Turn, message: str | None
) -> list[Record]:
    """The records of what the model wrote in the message of that id.

    Raises:
        RowError: a call names no tool.
    """
    calls = [object_at(part, "functionCall") for part in parts if "functionCall" in part]
    for call in calls:
        required_text(call, "name", "a functionCall")
    turn = replace(turn, has_calls=turn.has_calls or bool(calls))
    made: list[Record] = []
    for part in parts:
        if "functionCall" in part:
            made.append(call_record(records, object_at(part, "functionCall"), turn, message))
        else:
            text = text_at(part, "text")
            made += records.text(text, turn, reasoning=part.get("thought") is True)
    return made


def call_record(records: SessionRecords, call: Row, turn: Turn, message: str | None) -> Call:
    """One call, `{id?, name, args}`.

    Raises:
        RowError: it names no tool.
    """
    call_id = text_at(call, "id")
    tool = required_text(call, "name", "a call")
    made = records.call(tool, arguments_at(call, "args"), turn, call_id=call_id)
    return replace(made, event=lasting_number(message, call_id))


def result_records(
    records: SessionRecords,
    parts: Json,
    status: str | None,
    *,
    call_id: str | None = None,
    code: str | None = None,
) -> list[Result]:
    """The results in the parts that answer calls; `status` is the host's own word for them,
    `code` its error code, and `call_id` the call that they stand with, if they do."""
    answers = [object_at(part, "functionResponse") for part in parts_of(parts)]
    return [
        _result(records, answer, call_id or text_at(answer, "id"), (status, code))
        for answer in answers
        if answer
    ]


def _result(
    records: SessionRecords,
    answer: Row,
    call_id: str | None,
    outcome: tuple[str | None, str | None],
) -> Result:
    status, code = outcome
    response = object_at(answer, "response")
    error = response.get("error")
    content: Json = response.get("output", response if error is None else error)
    if isinstance(error, dict):
        content = text_at(error, "message") or error
    fault = Fault(text_at(error, "type") if isinstance(error, dict) else None, code)
    return records.result(
        content,
        call_id,
        tool=text_at(answer, "name"),
        fault=fault if error is not None or status in _FAILED else None,
    )


def thoughts_text(message: Row) -> str:
    """The thoughts of a message as one text."""
    lines = []
    for thought in list_at(message, "thoughts"):
        if isinstance(thought, dict):
            told = [text_at(thought, "subject"), text_at(thought, "description", "text")]
            lines.append(": ".join(one for one in told if one))
    return "\n".join(line for line in lines if line)
