"""Which result answers which call, within one session."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import TypeAlias

_OpenCall: TypeAlias = tuple[int, str | None, int | None]
"""Its position, its id, and the log's own number of it."""


class OpenCalls:
    """The calls of a session that wait for their result. Ids may repeat."""

    __slots__ = ("_by_event", "_by_id")

    def __init__(self) -> None:
        self._by_id: dict[str, OrderedDict[int, _OpenCall]] = {}
        self._by_event: dict[int, _OpenCall] = {}

    def add(self, position: int, call_id: str | None, event: int | None = None) -> None:
        """A call was made; `event` is the log's own number of it."""
        call = (position, call_id, event)
        if call_id is not None:
            self._by_id.setdefault(call_id, OrderedDict())[position] = call
        if event is not None:
            self._by_event[event] = call

    def take(self, call_id: str | None, events: Iterable[int] = ()) -> int | None:
        """The position of the call that a result answers, which then waits no longer.

        That is the call with one of the event numbers (and the same id, if both tell one), else
        the oldest waiting call of that id; None if there is none.
        """
        for event in events:
            call = self._by_event.get(event)
            if call is not None and (call_id is None or call[1] in (None, call_id)):
                return self._forget(call)
        waiting = self._by_id.get(call_id) if call_id is not None else None
        return self._forget(next(iter(waiting.values()))) if waiting else None

    def _forget(self, call: _OpenCall) -> int:
        position, call_id, event = call
        if event is not None and self._by_event.get(event) is call:
            del self._by_event[event]
        if call_id is not None:
            waiting = self._by_id[call_id]
            del waiting[position]
            if not waiting:
                del self._by_id[call_id]
        return position
