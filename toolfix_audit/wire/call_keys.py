"""Which call a fragment of Chat Completions belongs to.

It belongs to the call of its id; else to the last call of its index; else it goes on with the call
that is open. A new id on a used index is a new call. Without ids, a name that comes after a whole
object begins a new call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from toolfix_audit.model.json import Json
from toolfix_audit.wire.arguments import ArgumentBuffer


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a call: whatever of its id, index, name and arguments came with it."""

    call_id: str | None
    index: int | None
    tool: str | None
    arguments: Json


class KeyedCall(Protocol):
    """A call while it comes."""

    call_id: str | None
    tool: str
    arguments: ArgumentBuffer


Kept = TypeVar("Kept", bound=KeyedCall)


class CallKeys(Generic[Kept]):
    """The calls of one message by id and by index."""

    __slots__ = ("_by_id", "_by_index", "_open")

    def __init__(self) -> None:
        self._by_id: dict[str, Kept] = {}
        self._by_index: dict[int, Kept] = {}
        self._open: Kept | None = None

    def call_of(self, fragment: Fragment, begin: Callable[[], Kept]) -> Kept:
        """The call that a fragment belongs to, with the id and the name that it tells; what
        `begin` makes, if it begins one."""
        call = self._known(fragment)
        name = fragment.tool
        if call is None:
            call = begin()
        elif name and name != call.tool and call.arguments.is_empty:
            call.tool += name
        call.call_id = call.call_id or fragment.call_id
        if fragment.call_id:
            self._by_id[fragment.call_id] = call
        if fragment.index is not None:
            self._by_index[fragment.index] = call
        self._open = call
        return call

    def _known(self, fragment: Fragment) -> Kept | None:
        call_id, index, name = fragment.call_id, fragment.index, fragment.tool
        if call_id and call_id in self._by_id:
            return self._by_id[call_id]
        known = self._by_index.get(index) if index is not None else self._open
        if known is None and (call_id or name):
            return None
        call = known or self._open
        if call is None or (call_id and call.call_id):
            return None
        return None if name and call.tool and call.arguments.is_complete() else call
