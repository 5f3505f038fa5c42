"""Other arguments in a recorded stream: the same events, ids, names and cuts between fragments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .recorded_streams import Event, events_of, sse

Key = Any
"""What names a call within one stream."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where arguments stand in an event: a fragment of the text, a copy of it, or the value."""

    call: Key
    holder: Event
    key: str
    kind: str = "fragment"


def calls_with_places(stream: bytes, protocol: str) -> int:
    """How many calls of a stream have a place for arguments."""
    events = [event for event in events_of(stream) if isinstance(event, dict)]
    return len({slot.call for slot in _SLOTS[protocol](events)})


def planted(stream: bytes, protocol: str, texts: Sequence[str]) -> bytes:
    """The stream with these argument texts for its calls, in order of their first appearance."""
    events = events_of(stream)
    slots = list(_SLOTS[protocol]([event for event in events if isinstance(event, dict)]))
    calls = list(dict.fromkeys(slot.call for slot in slots))
    assert len(calls) == len(texts)
    for call, text in zip(calls, texts, strict=True):
        mine = [slot for slot in slots if slot.call == call]
        _spread(text, [slot for slot in mine if slot.kind == "fragment"])
        for slot in mine:
            if slot.kind == "copy":
                slot.holder[slot.key] = text
            elif slot.kind == "value":
                slot.holder[slot.key] = json.loads(text)
    return sse(*events)


def _spread(text: str, slots: Sequence[Slot]) -> None:
    """Write a text over the fragments; those that were empty stay empty."""
    filled = [slot for slot in slots if slot.holder[slot.key]] or slots[-1:]
    for slot in slots:
        slot.holder[slot.key] = ""
    size = -(-len(text) // len(filled)) if filled else 0
    for number, slot in enumerate(filled):
        slot.holder[slot.key] = text[number * size : (number + 1) * size]


def _anthropic(events: Sequence[Event]) -> Iterator[Slot]:
    ours: dict[int, Key] = {}
    for event in events:
        kind, index = event.get("type"), event.get("index", -1)
        if kind == "content_block_start":
            block = event["content_block"]
            ours[index] = block["id"] if block["type"] == "tool_use" else None
            if ours[index] and block["input"]:
                yield Slot(ours[index], block, "input", "value")
        elif kind == "content_block_delta" and ours[index]:
            yield Slot(ours[index], event["delta"], "partial_json")


def _chat(events: Sequence[Event]) -> Iterator[Slot]:
    for choice in (choice for event in events for choice in event.get("choices", ())):
        for call in choice.get("delta", {}).get("tool_calls") or ():
            if isinstance(call.get("function", {}).get("arguments"), str):
                yield Slot((choice["index"], call["index"]), call["function"], "arguments")


def _responses(events: Sequence[Event]) -> Iterator[Slot]:
    for event in events:
        kind = event.get("type")
        items = list(event.get("response", {}).get("output") or ())
        if kind == "response.function_call_arguments.delta":
            yield Slot(event["item_id"], event, "delta")
        elif kind == "response.function_call_arguments.done":
            yield Slot(event["item_id"], event, "arguments", "copy")
        elif kind == "response.output_item.done":
            items = [event["item"]]
        for item in items:
            if item["type"] == "function_call":
                yield Slot(item["id"], item, "arguments", "copy")


_SLOTS = {"anthropic": _anthropic, "chat": _chat, "responses": _responses}
