"""A history as calls and results in order, whatever protocol it is in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.fields import object_of, objects_of, text_of

_CALL_ITEMS: Final = ("function_call", "custom_tool_call")
_RESULT_ITEMS: Final = ("function_call_output", "custom_tool_call_output")


@dataclass(frozen=True, slots=True)
class Entry:
    """One message or item: the ids of its calls and of its results, None for one that
    has none. `pure` says that it holds results and nothing else; `moves_on`, that a call before
    it which has no result yet will be missed."""

    index: int
    calls: tuple[str | None, ...] = ()
    results: tuple[str | None, ...] = ()
    pure: bool = False
    moves_on: bool = True


@dataclass(frozen=True, slots=True)
class History:
    """The entries of a history. Where `adjacent`, results must follow their calls at once;
    `id_field` is what the protocol calls the id of a result."""

    entries: tuple[Entry, ...]
    adjacent: bool
    id_field: str


def read_history(body: Mapping[str, Json]) -> History | None:
    """The history in a request: `messages`, `contents` or `input`; None if there is none."""
    for key in ("messages", "contents"):
        if isinstance(messages := body.get(key), list):
            entries = tuple(_message(index, one) for index, one in enumerate(messages))
            return History(entries, adjacent=True, id_field=_id_field(messages))
    if isinstance(items := body.get("input"), list):
        entries = tuple(_item(index, one) for index, one in enumerate(items))
        return History(entries, adjacent=False, id_field="call_id")
    return None


def _message(index: int, message: Json) -> Entry:
    """A message of Chat Completions, Anthropic, Bedrock or Gemini, told by what it holds."""
    if not isinstance(message, dict):
        return Entry(index)
    if message.get("role") == "tool" and not isinstance(message.get("parts"), list):
        return Entry(index, results=(_id(message, "tool_call_id"),), pure=True)
    blocks = objects_of(message, "content", "parts")
    calls = [_id(call, "id") for call in objects_of(message, "tool_calls")]
    results: list[str | None] = []
    for block in blocks:
        calls += _block_calls(block)
        results += _block_results(block)
    pure = bool(results) and len(results) == len(blocks)
    return Entry(index, tuple(calls), tuple(results), pure=pure)


def _block_calls(block: dict[str, Json]) -> list[str | None]:
    if block.get("type") == "tool_use":
        return [_id(block, "id")]
    if call := object_of(block, "toolUse"):
        return [_id(call, "toolUseId")]
    call = object_of(block, "functionCall", "function_call")
    return [_id(call, "id", "name")] if call else []


def _block_results(block: dict[str, Json]) -> list[str | None]:
    if block.get("type") == "tool_result":
        return [_id(block, "tool_use_id")]
    if result := object_of(block, "toolResult"):
        return [_id(result, "toolUseId")]
    result = object_of(block, "functionResponse", "function_response")
    return [_id(result, "id", "name")] if result else []


def _item(index: int, item: Json) -> Entry:
    """An item of OpenAI Responses; what the model itself says does not end its turn."""
    if not isinstance(item, dict):
        return Entry(index, moves_on=False)
    kind = item.get("type")
    if kind in _CALL_ITEMS:
        return Entry(index, calls=(_id(item, "call_id"),), moves_on=False)
    if kind in _RESULT_ITEMS:
        return Entry(index, results=(_id(item, "call_id"),), pure=True)
    return Entry(index, moves_on=item.get("role") in ("user", "system", "developer"))


def _id(holder: dict[str, Json], *keys: str) -> str | None:
    return text_of(holder, *keys)


def _id_field(messages: list[Json]) -> str:
    """What results are paired by in these messages."""
    for message in messages:
        if not isinstance(message, dict):
            continue
        if message.get("role") == "tool" or "tool_calls" in message:
            return "tool_call_id"
        for block in objects_of(message, "content"):
            if "toolUse" in block or "toolResult" in block:
                return "toolUseId"
    return "tool_use_id"
