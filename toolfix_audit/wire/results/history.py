"""A history as calls and results in order, whatever protocol it is in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from toolfix_audit.model.json import Json
from toolfix_audit.wire.fields import object_of, objects_of, text_of

_CALL_ITEMS: Final = ("function_call", "custom_tool_call")
_MEMBERS: Final = (
    (("toolUse",), ("toolUseId",), True),
    (("toolResult",), ("toolUseId",), False),
    (("functionCall", "function_call"), ("id", "name"), True),
    (("functionResponse", "function_response"), ("id", "name"), False),
)
"""The blocks of Bedrock and Gemini whose kind is their key, the keys of their ids (Gemini pairs by
name where it gives none), and whether they are calls."""

_RESULT_ITEMS: Final = ("function_call_output", "custom_tool_call_output")


class Act(NamedTuple):
    """A call, or a result, and its id; None for one that has none."""

    call_id: str | None
    is_call: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One message or item, with its calls and results in order. `pure` says that it holds results
    and nothing else; `moves_on`, that a call before it which has no result yet will be missed."""

    index: int
    acts: tuple[Act, ...] = ()
    pure: bool = False
    moves_on: bool = True

    @property
    def calls(self) -> tuple[str | None, ...]:
        """The ids of its calls."""
        return tuple(act.call_id for act in self.acts if act.is_call)


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
        return Entry(index, (Act(_id(message, "tool_call_id"), False),), pure=True)
    blocks = [act for block in objects_of(message, "content", "parts") for act in _acts(block)]
    calls = [Act(_id(call, "id"), True) for call in objects_of(message, "tool_calls")]
    results = [act for act in blocks if not act.is_call]
    whole = len(results) == len(objects_of(message, "content", "parts"))
    return Entry(index, (*calls, *blocks), pure=bool(results) and not calls and whole)


def _acts(block: dict[str, Json]) -> tuple[Act, ...]:
    """The call or the result that a block is; none for any other block."""
    if block.get("type") == "tool_use":
        return (Act(_id(block, "id"), True),)
    if block.get("type") == "tool_result":
        return (Act(_id(block, "tool_use_id"), False),)
    for keys, ids, is_call in _MEMBERS:
        if held := object_of(block, *keys):
            return (Act(_id(held, *ids), is_call),)
    return ()


def _item(index: int, item: Json) -> Entry:
    """An item of OpenAI Responses; what the model itself says does not end its turn."""
    if not isinstance(item, dict):
        return Entry(index, moves_on=False)
    kind = item.get("type")
    if kind in _CALL_ITEMS:
        return Entry(index, (Act(_id(item, "call_id"), True),), moves_on=False)
    if kind in _RESULT_ITEMS:
        return Entry(index, (Act(_id(item, "call_id"), False),), pure=True)
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
