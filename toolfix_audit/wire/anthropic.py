"""Anthropic Messages: blocks by index, arguments from `input_json_delta`.

A call without any delta keeps the input of its start. A later copy of a call, as wrappers write
it, never takes the place of arguments that came before it unless those were empty.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.blocks import CALL_TYPES, add_block, add_content
from toolfix_audit.wire.draft import CallDraft, MessageDraft, TextDraft
from toolfix_audit.wire.fields import integer_of, object_of, objects_of, text_of
from toolfix_audit.wire.parts import Answer

_EVENTS: Final = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    }
)
_HOSTED: Final = "mcp_tool_use"


def is_anthropic(body: dict[str, Json]) -> bool:
    """Whether a body or an event is of this protocol."""
    kind = body.get("type")
    if kind == "message":
        return isinstance(body.get("content"), list) and "output" not in body
    return isinstance(kind, str) and kind in _EVENTS


def read_anthropic(body: dict[str, Json]) -> Answer:
    """The answer that a body holds whole."""
    draft = MessageDraft()
    add_content(draft, body.get("content"))
    draft.finish_reason = text_of(body, "stop_reason")
    return Answer((draft.message(),), text_of(body, "id"), text_of(body, "model"))


class AnthropicAssembler:
    """Puts the events of one answer together."""

    def __init__(self) -> None:
        self._draft = MessageDraft()
        self._blocks: dict[int, TextDraft | CallDraft] = {}
        self._calls: dict[str, CallDraft] = {}
        self._head: dict[str, Json] = {}
        self._stopped = False

    def feed(self, event: dict[str, Json]) -> None:
        """Take one event; unknown ones give nothing."""
        match event.get("type"):
            case "message_start":
                self._head = object_of(event, "message")
            case "content_block_start":
                self._start(event)
            case "content_block_delta":
                self._add(event)
            case "message_delta":
                reason = text_of(object_of(event, "delta"), "stop_reason")
                self._draft.finish_reason = reason or self._draft.finish_reason
            case "message_stop":
                self._stopped = True
            case "assistant":
                self._take_copies(object_of(event, "message"))

    def starts_anew(self, event: dict[str, Json]) -> bool:
        """Whether an event begins another answer."""
        return event.get("type") == "message_start" and bool(self._head or self._blocks)

    def is_finished(self) -> bool:
        """Whether the last event of an answer came."""
        return self._stopped

    def answer(self) -> Answer:
        """The answer as it is now."""
        return Answer(
            (self._draft.message(),),
            text_of(self._head, "id"),
            text_of(self._head, "model"),
            complete=self._stopped,
            reason=None if self._stopped else "no_message_stop",
        )

    def _start(self, event: dict[str, Json]) -> None:
        index = integer_of(event, "index")
        block = object_of(event, "content_block")
        kind = block.get("type")
        if kind in CALL_TYPES:
            call = self._draft.open_call(
                text_of(block, "id"), text_of(block, "name"), hosted=kind == _HOSTED
            )
            call.arguments.start(block.get("input"))
            if call.call_id:
                self._calls[call.call_id] = call
            if index is not None:
                self._blocks[index] = call
        elif kind in ("text", "thinking"):
            text = self._draft.open_text(reasoning=kind == "thinking")
            text.add(block.get("text", block.get("thinking")))
            if index is not None:
                self._blocks[index] = text
        else:
            add_block(self._draft, block)

    def _add(self, event: dict[str, Json]) -> None:
        index = integer_of(event, "index")
        delta = object_of(event, "delta")
        block = self._blocks.get(index) if index is not None else None
        if isinstance(block, CallDraft):
            block.arguments.add(delta.get("partial_json"))
            return
        reasoning = delta.get("type") == "thinking_delta"
        text = delta.get("text", delta.get("thinking"))
        if block is None and isinstance(text, str) and index is not None:
            block = self._blocks[index] = self._draft.open_text(reasoning=reasoning)
        if block is not None:
            block.add(text)

    def _take_copies(self, message: dict[str, Json]) -> None:
        for block in objects_of(message, "content"):
            call = self._calls.get(text_of(block, "id") or "")
            if call is None:
                add_block(self._draft, block)
            elif call.arguments.is_empty:
                call.arguments.replace(block.get("input"))
