"""Streams as the official packages read them."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import Any

import anthropic
import httpx2
import openai


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A call as a client sees it."""

    call_id: str | None
    tool: str
    arguments: Any


def protocol_of_stream(stream: bytes) -> str | None:
    """The protocol of a recorded stream, by its first bytes."""
    head = stream[:4000]
    if b"message_start" in head:
        return "anthropic"
    if b'"response.' in head:
        return "responses"
    return "chat" if b'"choices"' in head else None


def calls_seen(stream: bytes, protocol: str) -> list[SeenCall]:
    """The calls that the official package returns for a stream.

    Raises whatever the package raises.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the packages warn of tools newer than their types
        return _READERS[protocol](_transport(stream))


def _transport(stream: bytes) -> httpx2.Client:
    head = {"content-type": "text/event-stream"}
    answer = httpx2.MockTransport(lambda _: httpx2.Response(200, headers=head, content=stream))
    return httpx2.Client(transport=answer)


def _anthropic(http: httpx2.Client) -> list[SeenCall]:
    client = anthropic.Anthropic(api_key="none", http_client=http, max_retries=0)
    question = {"role": "user", "content": "?"}
    asked: Any = {"model": "m", "max_tokens": 9, "messages": [question]}
    with client.messages.stream(**asked) as stream:
        message = stream.get_final_message()
    return [
        SeenCall(block.id, block.name, block.input)
        for block in message.content
        if block.type == "tool_use"
    ]


def _openai(http: httpx2.Client) -> openai.OpenAI:
    return openai.OpenAI(api_key="none", http_client=http, max_retries=0)


def _chat(http: httpx2.Client) -> list[SeenCall]:
    question: Any = {"role": "user", "content": "?"}
    with _openai(http).chat.completions.stream(model="m", messages=[question]) as stream:
        completion = stream.get_final_completion()
    return [
        SeenCall(call.id, call.function.name, json.loads(call.function.arguments))
        for choice in completion.choices
        for call in choice.message.tool_calls or ()
    ]


def _responses(http: httpx2.Client) -> list[SeenCall]:
    """The calls, each of which every copy in the stream must tell alike."""
    streamed: dict[str, str] = {}
    copies: list[tuple[str, str]] = []
    with _openai(http).responses.stream(model="m", input="?") as stream:
        for event in stream:
            if event.type == "response.function_call_arguments.delta":
                streamed[event.item_id] = streamed.get(event.item_id, "") + event.delta
            elif event.type == "response.function_call_arguments.done":
                copies.append((event.item_id, event.arguments))
            elif event.type == "response.output_item.done" and event.item.type == "function_call":
                copies.append((event.item.id or "", event.item.arguments))
        response = stream.get_final_response()
    calls = [item for item in response.output if item.type == "function_call"]
    copies += [(call.id or "", call.arguments) for call in calls]
    assert all(streamed.get(item_id, text) == text for item_id, text in copies)
    return [SeenCall(call.call_id, call.name, json.loads(call.arguments)) for call in calls]


_READERS = {"anthropic": _anthropic, "chat": _chat, "responses": _responses}
