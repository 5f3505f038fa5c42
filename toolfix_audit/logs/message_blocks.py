"""Messages as lists of blocks, with or without ids: text, thinking, calls and results."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolfix_audit.logs.fields import arguments_at, required_text, text_at
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Result

CALL_TYPES: Final = ("tool_use", "tool_call")
RESULT_TYPES: Final = ("tool_result", "tool-result")


def read_reply_blocks(records: SessionRecords, content: Json, turn: Turn) -> list[Record]:
    """The records of what the model wrote.

    Raises:
        RowError: a call names no tool.
    """
    blocks = _blocks(content)
    calls = [block for block in blocks if block.get("type") in CALL_TYPES]
    for call in calls:
        required_text(call, "name", f"a {call['type']} block")
    turn = replace(turn, has_calls=bool(calls))
    made: list[Record] = []
    for block in blocks:
        kind = block.get("type")
        if kind == "thinking":
            made += records.text(text_at(block, "thinking"), turn, reasoning=True)
        elif kind == "text":
            made += records.text(text_at(block, "text"), turn)
        elif kind in CALL_TYPES:
            tool = required_text(block, "name", f"a {kind} block")
            arguments = arguments_at(block, "input")
            made.append(records.call(tool, arguments, turn, call_id=text_at(block, "id")))
    return made


def read_result_blocks(records: SessionRecords, content: Json) -> list[Result]:
    """The results in a message of the user."""
    return [
        records.result(
            block.get("content"),
            text_at(block, "tool_use_id"),
            tool=text_at(block, "name"),
            fault=Fault() if block.get("is_error") is True else None,
        )
        for block in _blocks(content)
        if block.get("type") in RESULT_TYPES
    ]


def _blocks(content: Json) -> list[dict[str, Json]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if isinstance(block, dict)]
