"""Which result answers which call, within one session."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _OpenCall:
    position: int
    call_id: str | None
    event: int | None


class OpenCalls:
    """The calls of a session that wait for their result. Ids may repeat."""

    __slots__ = ("_by_event", "_by_id")

    def __init__(self) -> None:
        self._by_id: dict[str, OrderedDict[int, _OpenCall]] = {}
        self._by_event: dict[int, _OpenCall] = {}

    def add(self, position: int, call_id: str | None, event: int | None = None) -> None:
        """A call was made; `event` is the log's own number of it."""
        call = _OpenCall(position, call_id, event)
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
            if call is not None and (call_id is None or call.call_id in (None, call_id)):
                return self._forget(call)
        waiting = self._by_id.get(call_id) if call_id is not None else None
        return self._forget(next(iter(waiting.values()))) if waiting else None

    def _forget(self, call: _OpenCall) -> int:
        if call.event is not None and self._by_event.get(call.event) is call:
            del self._by_event[call.event]
        if call.call_id is not None:
            waiting = self._by_id[call.call_id]
            del waiting[call.position]
            if not waiting:
                del self._by_id[call.call_id]
        return call.position
