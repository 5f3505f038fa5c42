"""Content blocks of messages that are whole, in the spelling of every provider.

A block is told by its own shape, so mixed and converted histories read alike.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.draft import MessageDraft
from toolfix_audit.wire.fields import object_of, objects_of, text_of
from toolfix_audit.wire.parts import WireResult

CALL_TYPES: Final = ("tool_use", "mcp_tool_use")
"""Anthropic blocks that call a tool with a schema; searches and the like are none."""

RESULT_TYPES: Final = ("tool_result", "mcp_tool_result")
"""Anthropic blocks that answer such a call."""

_TEXT_TYPES: Final = ("text", "output_text", "input_text")
_HOSTED: Final = "mcp_tool_use"


def add_content(draft: MessageDraft, content: Json) -> None:
    """Add the parts of a message's content: plain text, a block or a list of blocks."""
    if isinstance(content, str):
        draft.add_text(content)
    elif isinstance(content, dict):
        add_block(draft, content)
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, str):
                draft.add_text(block)
            elif isinstance(block, dict):
                add_block(draft, block)


def add_block(draft: MessageDraft, block: dict[str, Json]) -> None:
    """Add what one block holds; nothing for a block of an unknown kind."""
    kind = block.get("type")
    if kind in CALL_TYPES:
        hosted = kind == _HOSTED
        draft.add_call(
            text_of(block, "id"), text_of(block, "name"), block.get("input"), hosted=hosted
        )
    elif kind in RESULT_TYPES:
        draft.add_result(
            WireResult(
                text_of(block, "tool_use_id"),
                None,
                block.get("is_error") is True,
                block.get("content"),
            )
        )
    elif kind == "thinking":
        draft.add_text(block.get("thinking"), reasoning=True)
    elif kind in _TEXT_TYPES or (kind is None and "text" in block):
        draft.add_text(block.get("text"), reasoning=block.get("thought") is True)
    else:
        _add_member(draft, block)


def _add_member(draft: MessageDraft, block: dict[str, Json]) -> None:
    """Add a block whose kind is its key: those of Bedrock and Gemini."""
    call = object_of(block, "toolUse")
    result = object_of(block, "toolResult")
    if call:
        hosted = call.get("type") == "server_tool_use"
        draft.add_call(
            text_of(call, "toolUseId"), text_of(call, "name"), call.get("input"), hosted=hosted
        )
    elif result:
        failed = result.get("status") == "error"
        draft.add_result(
            WireResult(text_of(result, "toolUseId"), None, failed, bedrock_content(result))
        )
    elif "reasoningContent" in block:
        reasoning = object_of(object_of(block, "reasoningContent"), "reasoningText")
        draft.add_text(reasoning.get("text"), reasoning=True)
    elif "functionCall" in block or "function_call" in block:
        call = object_of(block, "functionCall", "function_call")
        draft.add_call(text_of(call, "id"), text_of(call, "name"), call.get("args"))
    elif "functionResponse" in block or "function_response" in block:
        answer = object_of(block, "functionResponse", "function_response")
        response = answer.get("response")
        failed = isinstance(response, dict) and list(response) == ["error"]
        draft.add_result(
            WireResult(text_of(answer, "id"), text_of(answer, "name"), failed, response)
        )


def bedrock_content(result: dict[str, Json]) -> Json:
    """The content of a Bedrock result; one that is all text becomes text blocks."""
    blocks = objects_of(result, "content")
    if blocks and all(list(block) == ["text"] for block in blocks):
        return [{"type": "text", "text": block["text"]} for block in blocks]
    if len(blocks) == 1 and list(blocks[0]) == ["json"]:
        return blocks[0]["json"]
    return result.get("content")
