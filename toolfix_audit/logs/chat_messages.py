"""Messages in OpenAI's chat form, with the spellings that harnesses gave it.

Calls are `{id, function: {name, arguments}}`, flat `{id, name, arguments}`, or `{id, function:
name, args}`; the old single `function_call` has no id. Results name their call in `tool_call_id`,
`id` or the list `tool_call_ids`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    content_texts,
    list_at,
    object_at,
    required_text,
    text_at,
    word_at,
)
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Call, Record, Result

ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
"""Who speaks in a chat message."""

_REASONING_KEYS: Final = ("reasoning_content", "reasoning")


def read_message(
    records: SessionRecords,
    message: dict[str, Json],
    turn: Turn,
    streamed: Mapping[str, str] | None = None,
) -> list[Record] | str:
    """The records of one message, or its role if it gives none; `turn` tells what the message
    itself does not. `streamed` has the model's own argument text by call id, where a log holds
    it apart from the parsed one.

    Raises:
        RowError: the message has no role, or a call without a tool.
    """
    role = required_text(message, "role", "a message")
    if role == "assistant":
        return read_reply(records, message, turn, streamed) or role
    if role in ("tool", "function"):
        return [*read_results(records, message, inherited=turn.inherited)]
    return role


def read_reply(
    records: SessionRecords,
    message: dict[str, Json],
    turn: Turn,
    streamed: Mapping[str, str] | None = None,
) -> list[Record]:
    """The reasoning, text and calls of a message of the model, whatever its role says.

    Raises:
        RowError: a call is no object or names no tool.
    """
    calls = calls_in(message)
    turn = replace(
        turn,
        model=text_at(message, "model") or turn.model,
        finish_reason=text_at(message, "finish_reason") or turn.finish_reason,
        has_calls=bool(calls),
    )
    reasoning, text = _written(message)
    return [
        *records.text(reasoning, turn, reasoning=True),
        *records.text(text, turn),
        *(_call(records, call, turn, streamed or {}) for call in calls),
    ]


def read_results(
    records: SessionRecords, message: dict[str, Json], *, inherited: bool = False
) -> list[Result]:
    """The result that a tool's message holds, once for every call that it answers."""
    ids = [text_at({"id": value}, "id") for value in list_at(message, "tool_call_ids")]
    content = message.get("content")
    error = message.get("error")
    fault = None
    if message.get("is_error") is True or error:
        fault = Fault(word_at(error, "type") if isinstance(error, dict) else None)
        content = content or _error_text(error)
    return [
        records.result(
            content, call_id, tool=text_at(message, "name"), fault=fault, inherited=inherited
        )
        for call_id in ids or [text_at(message, "tool_call_id", "id")]
    ]


def calls_in(message: dict[str, Json]) -> list[dict[str, Json]]:
    """The calls of a message, each of which names its tool.

    Raises:
        RowError: an entry is no object or names no function.
    """
    entries = list_at(message, "tool_calls") or [message.get("function_call")]
    calls: list[dict[str, Json]] = []
    for entry in entries:
        if isinstance(entry, dict):
            tool_of(entry)
            calls.append(entry)
        elif entry is not None:
            raise RowError("a tool call that is no object")
    return calls


def tool_of(call: dict[str, Json]) -> str:
    """The tool that a call names.

    Raises:
        RowError: it names none.
    """
    name = text_at(call, "function")
    return name or required_text(object_at(call, "function") or call, "name", "a tool call")


def _call(
    records: SessionRecords, call: dict[str, Json], turn: Turn, streamed: Mapping[str, str]
) -> Call:
    function = object_at(call, "function") or call
    key = "arguments" if "arguments" in function else "args"
    call_id = text_at(call, "id")
    return records.call(
        tool_of(call),
        arguments_at(function, key),
        turn,
        call_id=call_id,
        streamed=streamed.get(call_id) if call_id else None,
    )


def _written(message: dict[str, Json]) -> tuple[str | None, str]:
    """The reasoning and the text of a message; reasoning may stand in a block of the content."""
    content = message.get("content")
    reasoning = text_at(message, *_REASONING_KEYS)
    if isinstance(content, list) and reasoning is None:
        blocks = [block for block in content if isinstance(block, dict)]
        parts = [text for block in blocks if (text := text_at(block, *_REASONING_KEYS))]
        reasoning = "\n".join(parts) or None
    return reasoning, content_texts(content)[0]


def _error_text(error: Json) -> Json:
    if isinstance(error, dict):
        return text_at(error, "message") or error
    return error if isinstance(error, str) else None
