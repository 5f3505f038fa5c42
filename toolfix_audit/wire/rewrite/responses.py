"""Tool blocks of OpenAI Responses: items by id or output index, told again as complete copies.

A block is whole with its first complete copy. Later copies, in the item and in the whole
response, say what the block says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.fields import integer_of, object_of, text_of
from toolfix_audit.wire.rewrite.acts import Act, Begin, Doubt, End, Take
from toolfix_audit.wire.rewrite.block import Block, Fate, Role
from toolfix_audit.wire.rewrite.spans import Path
from toolfix_audit.wire.rewrite.tally import Refusal

CALL_TYPE: Final = "function_call"
"""Items whose arguments are JSON for a tool of the client."""

_FRAGMENT: Final = "response.function_call_arguments.delta"
_WHOLE: Final = "response.function_call_arguments.done"
_ADDED: Final = "response.output_item.added"
_ITEM: Final = "response.output_item.done"
_COMPLETED: Final = ("response.completed", "response.done")
_BROKEN: Final = ("response.failed", "response.incomplete")


class ResponsesLens:
    """The calls of one response."""

    __slots__ = ("_by_id", "_by_index", "_open")

    def __init__(self) -> None:
        self._by_id: dict[str, Block] = {}
        self._by_index: dict[int, Block] = {}
        self._open: dict[Block, None] = {}

    def look(self, event: dict[str, Json]) -> Iterator[Act]:
        """What an event does."""
        kind = event.get("type")
        index = integer_of(event, "output_index")
        if kind in (_ADDED, _ITEM):
            yield from self._item(object_of(event, "item"), ("item",), index, kind == _ITEM)
        elif kind in (_FRAGMENT, _WHOLE):
            yield from self._arguments(event, index, is_whole=kind == _WHOLE)
        elif kind in _COMPLETED or kind in _BROKEN:
            yield from self._response(object_of(event, "response"), is_broken=kind in _BROKEN)
        elif kind == "response.created":
            if self._open:
                yield Doubt(Refusal.CUT)
            self._clear()

    def done(self) -> Iterator[Act]:
        """Responses has no end mark; one that comes says nothing."""
        return iter(())

    def _arguments(
        self, event: dict[str, Json], index: int | None, *, is_whole: bool
    ) -> Iterator[Act]:
        block = self._by_id.get(text_of(event, "item_id") or "")
        if block is None and index is not None:
            block = self._by_index.get(index)
        key = "arguments" if is_whole else "delta"
        if block is None:
            yield Doubt(Refusal.OUT_OF_ORDER)
        elif not isinstance(event.get(key), str):
            yield Doubt(Refusal.NO_TEXT)
        elif is_whole:
            yield Take(block, Role.COPY, (key,), event[key])
            yield self._end(block)
        else:
            yield Take(block, Role.FRAGMENT, (key,), event[key], bare=True)

    def _item(
        self, item: dict[str, Json], path: Path, index: int | None, is_done: bool
    ) -> Iterator[Act]:
        if item.get("type") != CALL_TYPE:
            return
        block = self._known(item, index)
        if block is None:
            block = self._begin(item, index)
            yield Begin(block)
        text = item.get("arguments")
        is_cut = item.get("status") == "incomplete"
        if isinstance(text, str) and (text or (is_done and not is_cut)):
            yield Take(block, Role.COPY, (*path, "arguments"), text)
        if is_done and block.fate is Fate.OPEN:
            yield self._end(block, cut=is_cut)

    def _response(self, response: dict[str, Json], *, is_broken: bool) -> Iterator[Act]:
        items = response.get("output")
        for number, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict):
                path = ("response", "output", number)
                yield from self._item(item, path, number, not is_broken)
        for block in list(self._open):
            yield self._end(block, cut=True)
        self._clear()

    def _known(self, item: dict[str, Json], index: int | None) -> Block | None:
        for key in ("id", "call_id"):
            block = self._by_id.get(text_of(item, key) or "")
            if block is not None:
                return block
        block = self._by_index.get(index) if index is not None else None
        return None if block is None or block.call_id != item.get("call_id") else block

    def _begin(self, item: dict[str, Json], index: int | None) -> Block:
        block = Block(text_of(item, "name") or "", text_of(item, "call_id"))
        for key in ("id", "call_id"):
            name = text_of(item, key)
            if name:
                self._by_id[name] = block
        if index is not None:
            self._by_index[index] = block
        self._open[block] = None
        return block

    def _end(self, block: Block, *, cut: bool = False) -> End:
        self._open.pop(block, None)
        return End(block, cut)

    def _clear(self) -> None:
        self._by_id.clear()
        self._by_index.clear()
        self._open.clear()
