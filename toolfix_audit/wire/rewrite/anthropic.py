"""Tool blocks of Anthropic Messages: by index, from their start to their stop.

A block whose arguments are no whole object may have been cut at the limit of the message, which
only the stop reason tells: such a block waits for what comes after its stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.fields import integer_of, object_of, text_of
from toolfix_audit.wire.parts import CUT_REASONS
from toolfix_audit.wire.rewrite.acts import Act, Begin, Doubt, End, Take
from toolfix_audit.wire.rewrite.block import Block, Role
from toolfix_audit.wire.rewrite.tally import Refusal

CALL_TYPE: Final = "tool_use"
"""Blocks whose tool the client runs; what the provider runs by itself is past repair."""

_INPUT: Final = ("content_block", "input")
_FRAGMENT: Final = ("delta", "partial_json")


class AnthropicLens:
    """The open blocks of one message; None for those that call no tool of the client. `waiting`
    ones have stopped and are no whole object."""

    __slots__ = ("_open", "_waiting")

    def __init__(self) -> None:
        self._open: dict[int | None, Block | None] = {}
        self._waiting: list[Block] = []

    def look(self, event: dict[str, Json]) -> Iterator[Act]:
        """What an event does."""
        index = integer_of(event, "index")
        match event.get("type"):
            case "content_block_start" if index in self._open:
                yield Doubt(Refusal.OUT_OF_ORDER)
            case "content_block_start":
                yield from self._ends()
                yield from self._start(index, object_of(event, "content_block"))
            case "content_block_delta":
                yield from self._delta(index, object_of(event, "delta"))
            case "content_block_stop" if index not in self._open:
                yield Doubt(Refusal.OUT_OF_ORDER)
            case "content_block_stop":
                yield from self._stop(self._open.pop(index))
            case "message_start" | "message_delta" | "message_stop":
                yield from self._message(event)

    def done(self) -> Iterator[Act]:
        """Anthropic has no end mark."""
        return iter(())

    def _message(self, event: dict[str, Json]) -> Iterator[Act]:
        """What stands outside of blocks: none may be open."""
        if any(self._open.values()):
            yield Doubt(Refusal.CUT)
        reason = text_of(object_of(event, "delta"), "stop_reason")
        yield from self._ends(cut=reason in CUT_REASONS)
        if event.get("type") == "message_start":
            self._open.clear()

    def _stop(self, block: Block | None) -> Iterator[Act]:
        if block is None:
            return
        if block.arguments.fragments and not block.arguments.is_complete():
            self._waiting.append(block)
        else:
            yield End(block)

    def _ends(self, *, cut: bool = False) -> Iterator[Act]:
        """The end of the blocks that have waited."""
        ended, self._waiting = self._waiting, []
        for block in ended:
            yield End(block, cut)

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
