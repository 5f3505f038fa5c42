"""How many calls the body of a model's answer holds, told without anything of this project.

Whole bodies are JSON; streams are taken apart by httpx-sse, frames of AWS by botocore.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

CALL_ITEMS = ("function_call", "custom_tool_call", "mcp_call")
CALL_BLOCKS = ("tool_use", "mcp_tool_use")


def calls_in(body: bytes | str | dict[str, Any] | list[Any] | None) -> int:
    """The calls of a body; none if it is no answer of a model."""
    if isinstance(body, dict | list):
        return sum(_calls_in_value(value) for value in (body if isinstance(body, list) else [body]))
    if not body:
        return 0
    data = body.encode() if isinstance(body, str) else body
    if data[:1] == b"\0":
        return _calls_in_events(list(_frames(data)))
    text = data.decode("utf-8", "replace")
    if text.lstrip()[:1] in ("{", "["):
        try:
            return calls_in(json.loads(text))
        except ValueError:
            values = [json.loads(line) for line in text.splitlines() if line.strip()]
            return sum(map(_calls_in_value, values))
    return _calls_in_events(list(_events(text)))


def _events(text: str) -> Iterator[Any]:
    decoder = import_module("httpx_sse._decoders").SSEDecoder()
    for line in [*text.splitlines(), ""]:
        event = decoder.decode(line)
        if event is not None and event.data.startswith("{"):
            yield json.loads(event.data)


def _frames(data: bytes) -> Iterator[Any]:
    buffer = import_module("botocore.eventstream").EventStreamBuffer()
    buffer.add_data(data)
    for frame in buffer:
        kind = frame.headers.get(":event-type")
        payload = json.loads(frame.payload)
        if kind != "chunk":
            yield {kind: payload}
            continue
        try:
            yield json.loads(base64.b64decode(payload["bytes"]))
        except ValueError:  # text that an agent wrote
            continue


def _calls_in_value(value: Any) -> int:
    """The calls of an answer that is whole: of every API, each under its own key."""
    if not isinstance(value, dict):
        return 0
    found = sum(item.get("type") in CALL_ITEMS for item in _objects(value.get("output")))
    found += sum(block.get("type") in CALL_BLOCKS for block in _objects(value.get("content")))
    messages = [choice.get("message") for choice in _objects(value.get("choices"))]
    for message in _objects([*messages, value.get("message")]):
        found += len(message.get("tool_calls") or ())
        found += bool(message.get("function_call"))
    for candidate in _objects(value.get("candidates")):
        parts = _objects((candidate.get("content") or {}).get("parts"))
        found += sum("functionCall" in part or "function_call" in part for part in parts)
    output = value.get("output")
    if isinstance(output, dict):
        blocks = _objects((output.get("message") or {}).get("content"))
        found += sum("toolUse" in block for block in blocks)
    return found


def _calls_in_events(events: list[Any]) -> int:
    """The calls of a stream: each where it begins or, if that is told by number, once."""
    chunks: set[tuple[object, ...]] = set()
    found = 0
    for event in _objects(events):
        for choice in _objects(event.get("choices")):
            for call in _objects((choice.get("delta") or {}).get("tool_calls")):
                number = call.get("index", call.get("id"))
                chunks.add((event.get("id"), choice.get("index"), number))
        if event.get("type") == "response.output_item.done":
            found += event["item"].get("type") in CALL_ITEMS
        if event.get("type") == "content_block_start":
            found += event["content_block"].get("type") in CALL_BLOCKS
        found += "toolUse" in ((event.get("contentBlockStart") or {}).get("start") or {})
        found += _invocations(event)
        if "candidates" in event:
            found += _calls_in_value(event)
    return found + len(chunks)


def _invocations(event: Any) -> int:
    """The tools that a hosted agent of Bedrock ran, as its trace tells them."""
    trace = (event.get("trace") or {}).get("trace") or {}
    steps = [step for step in trace.values() if isinstance(step, dict)]
    return sum("invocationInput" in step for step in steps)


def _objects(values: Any) -> Iterator[dict[str, Any]]:
    found: Iterable[Any] = values if isinstance(values, list) else ()
    return (value for value in found if isinstance(value, dict))
