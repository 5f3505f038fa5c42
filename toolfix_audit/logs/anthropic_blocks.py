"""Anthropic content blocks: the texts, calls and results of one message.

Claude Code, its SDK, Cline and others write them, some with a spelling of their own and without
ids. Blocks of unknown types give nothing, nor do searches and the like, which the provider runs
without a tool schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from toolfix_audit.logs.fields import arguments_at, content_texts, required_text, text_at
from toolfix_audit.logs.session_records import Fault, SessionRecords, Turn
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import AssistantText, Call, Record, Result
from toolfix_audit.wire import blocks as wire_blocks

Block: TypeAlias = dict[str, Json]
Numbering: TypeAlias = Callable[[str | None], int | None]

CALL_TYPES: Final = (*wire_blocks.CALL_TYPES, "tool_call")
_RESULT_TYPES: Final = (*wire_blocks.RESULT_TYPES, "tool-result")
_REFUSED: Final = "<tool_use_error>"


def blocks_of(content: Json) -> list[Block]:
    """The blocks of a message; plain text is one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict)]


def holds_calls(content: Json) -> bool:
    """Whether any block is a call."""
    return any(block.get("type") in CALL_TYPES for block in blocks_of(content))


def is_tool_block(block: Json) -> bool:
    """Whether a value is a call or a result in this form."""
    if not isinstance(block, dict):
        return False
    kind = block.get("type")
    if kind in CALL_TYPES:
        return "name" in block and "input" in block
    return kind == "tool_result" and "content" in block


def assistant_records(
    records: SessionRecords,
    content: Json,
    turn: Turn,
    number: Numbering = lambda _: None,
) -> list[Record]:
    """The records of a message of the model. `number` gives the lasting number of a call from
    its id.

    Raises:
        RowError: a call names no tool.
    """
    blocks = blocks_of(content)
    for block in blocks:
        if block.get("type") in CALL_TYPES:
            required_text(block, "name", f"a {block['type']} block")
    turn = replace(turn, has_calls=turn.has_calls or holds_calls(content))
    return list(_assistant(records, blocks, turn, number))


def result_records(
    records: SessionRecords, content: Json, *, inherited: bool = False
) -> list[Result]:
    """The results in a message of the user."""
    return [
        _result(records, block, inherited=inherited)
        for block in blocks_of(content)
        if block.get("type") in _RESULT_TYPES
    ]


def _assistant(
    records: SessionRecords, blocks: list[Block], turn: Turn, number: Numbering
) -> Iterator[Record]:
    for block in blocks:
        kind = block.get("type")
        if kind in CALL_TYPES:
            yield _call(records, block, turn, number)
        elif kind in ("text", "thinking"):
            yield from _text(records, block, turn)
        elif kind in _RESULT_TYPES:
            yield _result(records, block, inherited=turn.inherited)


def _call(records: SessionRecords, block: Block, turn: Turn, number: Numbering) -> Call:
    call_id = text_at(block, "id")
    tool = required_text(block, "name", f"a {block['type']} block")
    call = records.call(tool, arguments_at(block, "input"), turn, call_id=call_id)
    return replace(call, event=number(call_id))


def _text(records: SessionRecords, block: Block, turn: Turn) -> list[AssistantText]:
    reasoning = block.get("type") == "thinking"
    text = text_at(block, "thinking" if reasoning else "text")
    return records.text(text, turn, reasoning=reasoning)


def _result(records: SessionRecords, block: Block, *, inherited: bool) -> Result:
    """A result; a host that refused a call says so in the text at times, without the flag."""
    content = block.get("content")
    failed = block.get("is_error") is True or content_texts(content)[0].startswith(_REFUSED)
    return records.result(
        content,
        text_at(block, "tool_use_id"),
        tool=text_at(block, "name"),
        fault=Fault() if failed else None,
        inherited=inherited,
    )
