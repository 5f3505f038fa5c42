"""Tool blocks of Anthropic Messages: by index, from their start to their stop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.fields import integer_of, object_of, text_of
from toolfix_audit.wire.rewrite.acts import Act, Begin, Doubt, End, Take
from toolfix_audit.wire.rewrite.block import Block, Role
from toolfix_audit.wire.rewrite.tally import Refusal

CALL_TYPE: Final = "tool_use"
"""Blocks whose tool the client runs; what the provider runs by itself is past repair."""

_INPUT: Final = ("content_block", "input")
_FRAGMENT: Final = ("delta", "partial_json")


class AnthropicLens:
    """The open blocks of one message; None for those that call no tool of the client."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: dict[int | None, Block | None] = {}

    def look(self, event: dict[str, Json]) -> Iterator[Act]:
        """What an event does."""
        index = integer_of(event, "index")
        match event.get("type"):
            case "content_block_start" if index in self._open:
                yield Doubt(Refusal.OUT_OF_ORDER)
            case "content_block_start":
                yield from self._start(index, object_of(event, "content_block"))
            case "content_block_delta":
                yield from self._delta(index, object_of(event, "delta"))
            case "content_block_stop" if index not in self._open:
                yield Doubt(Refusal.OUT_OF_ORDER)
            case "content_block_stop":
                block = self._open.pop(index)
                if block is not None:
                    yield End(block)
            case "message_start" | "message_delta" | "message_stop" if any(self._open.values()):
                yield Doubt(Refusal.CUT)
            case "message_start":
                self._open.clear()

    def done(self) -> Iterator[Act]:
        """Anthropic has no end mark."""
        return iter(())

    def _start(self, index: int | None, content: dict[str, Json]) -> Iterator[Act]:
        if content.get("type") != CALL_TYPE:
            self._open[index] = None
            return
        block = self._open[index] = Block(text_of(content, "name") or "", text_of(content, "id"))
        yield Begin(block)
        given = content.get("input")
        if given:
            yield Take(block, Role.OPENING, _INPUT, given)
        else:
            block.arguments.start(given)

    def _delta(self, index: int | None, delta: dict[str, Json]) -> Iterator[Act]:
        if "partial_json" not in delta:
            return
        if index not in self._open:
            yield Doubt(Refusal.OUT_OF_ORDER)
            return
        block, fragment = self._open[index], delta["partial_json"]
        if block is None:
            return
        if isinstance(fragment, str):
            yield Take(block, Role.FRAGMENT, _FRAGMENT, fragment, bare=True)
        else:
            yield Doubt(Refusal.NO_TEXT)
