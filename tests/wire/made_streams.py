"""Small streams of all three protocols, and a repair that is simple enough to see through."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolfix_audit.model.json import Json

from .recorded_streams import Event

TOOL = "f"
END = {"type": "message_stop"}
PING: Event = {"type": "ping"}


def unwrapped(tool: str, text: str, _tools: Mapping[str, Json]) -> str | None:
    """Takes what is inside a sole `w`; leaves everything else."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    is_wrapper = isinstance(value, dict) and list(value) == ["w"] and tool == TOOL
    return json.dumps(value["w"], separators=(",", ":")) if is_wrapper else None


def anthropic(*blocks: Sequence[Event], stop: str = "tool_use") -> list[Event | str]:
    """A message of these blocks."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return [
        {"type": "message_start", "message": {**message, "usage": usage}},
        *(event for block in blocks for event in block),
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage},
        END,
    ]


def block(
    index: int, *fragments: str, opening: Any = None, kind: str = "tool_use", name: str = TOOL
) -> list[Event]:
    """A tool block."""
    head = {"type": kind, "id": f"t{index}", "name": name, "input": opening or {}}
    return [
        {"type": "content_block_start", "index": index, "content_block": head},
        *(delta(index, text) for text in fragments),
        {"type": "content_block_stop", "index": index},
    ]


def delta(index: int, text: Any) -> Event:
    """A fragment of a tool block."""
    inner = {"type": "input_json_delta", "partial_json": text}
    return {"type": "content_block_delta", "index": index, "delta": inner}


def prose(index: int, *texts: str) -> list[Event]:
    """A block of text."""
    head = {"type": "text", "text": ""}
    deltas = [{"type": "text_delta", "text": text} for text in texts]
    return [
        {"type": "content_block_start", "index": index, "content_block": head},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def chunk(*calls: Event, finish: str | None = None, index: int = 0, **more: Any) -> Event:
    """A chunk of Chat Completions."""
    inner = {**more, "tool_calls": list(calls)} if calls else more
    choice = {"index": index, "delta": inner, "finish_reason": finish}
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": [choice]}


def call(index: int, text: Any, name: str | None = TOOL) -> Event:
    """The first fragment of a call (with a name), or a later one (without)."""
    if name is None:
        return {"index": index, "function": {"arguments": text}}
    function = {"name": name, "arguments": text}
    return {"index": index, "id": f"t{index}", "type": "function", "function": function}


def responses(
    *calls: Sequence[str], status: str = "completed", name: str = TOOL
) -> list[Event | str]:
    """A response of these calls, each given by its fragments."""
    events: list[Event] = []
    items = []
    for index, fragments in enumerate(calls):
        item = {"type": "function_call", "id": f"i{index}", "call_id": f"t{index}", "name": name}
        at = {"item_id": f"i{index}", "output_index": index}
        text = "".join(fragments)
        done = {**item, "arguments": text, "status": "completed"}
        items.append(done)
        added = {**item, "arguments": "", "status": "in_progress"}
        events += [
            {"type": "response.output_item.added", "output_index": index, "item": added},
            *(
                {"type": "response.function_call_arguments.delta", **at, "delta": fragment}
                for fragment in fragments
            ),
            {"type": "response.function_call_arguments.done", **at, "arguments": text},
            {"type": "response.output_item.done", "output_index": index, "item": done},
        ]
    head = {"id": "r1", "object": "response", "created_at": 1, "model": "m", "tools": []}
    start = {**head, "status": "in_progress", "output": []}
    end = {**head, "status": status, "output": items}
    told = [
        {"type": "response.created", "response": start},
        *events,
        {"type": f"response.{status}", "response": end},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(told)]
