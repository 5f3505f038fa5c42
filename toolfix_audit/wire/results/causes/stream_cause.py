"""The cause of a failed stream, from its events as they come, raw tails included."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.causes import NONE, Cause, CauseKind, event_cause
from toolfix_audit.wire.results.causes.embedded import whole_value
from toolfix_audit.wire.sse import SseDecoder, SseEvent

TAIL: Final = "trailing-bytes"
_MAX_TAIL: Final = 1024 * 1024
_RANK: Final = {CauseKind.NONE: 0, CauseKind.INCOMPLETE: 1, CauseKind.ERROR: 2}


class CauseFinder:
    """Watches the events of one answer; holds one cause and a bounded tail. It never raises.

    An error outranks an early end, one with a message outranks one without, and the first of
    equals stands. Bytes that are no event of the protocol count at the end of the stream only.
    """

    def __init__(self) -> None:
        self._found = NONE
        self._events = 0
        self._tail: list[str] = []
        self._tail_size = 0

    def take_sse(self, event: SseEvent) -> None:
        """Take an event of a server-sent stream."""
        if event.data is not None:
            self._drop_tail()
            self.take(whole_value(event.data), event.name)
        if event.stray is not None and self._tail_size < _MAX_TAIL:
            self._tail.append(event.stray)
            self._tail_size += len(event.stray)

    def take(self, event: Json, name: str | None = None) -> None:
        """Take an event that is parsed already."""
        self._weigh(replace(event_cause(event, name), event=self._events))
        self._events += 1

    def cause(self) -> Cause:
        """The cause of the stream as far as it came; of no event of its own if it stands in the
        tail."""
        text = "\n".join(self._tail)
        value = whole_value(text)
        if value is None:
            value = whole_value(text.rstrip().rpartition("\n")[2])
        told = event_cause(value)
        if told.kind is not CauseKind.NONE and _weight(told) > _weight(self._found):
            return replace(told, place=TAIL)
        return self._found

    def _drop_tail(self) -> None:
        self._tail.clear()
        self._tail_size = 0

    def _weigh(self, cause: Cause) -> None:
        if _weight(cause) > _weight(self._found):
            self._found = cause


def stream_cause(stream: bytes) -> Cause:
    """The cause that a whole recorded stream, or a body that is none, tells."""
    decoder, finder = SseDecoder(), CauseFinder()
    for event in (*decoder.feed(stream), *decoder.close()):
        finder.take_sse(event)
    return finder.cause()


def _weight(cause: Cause) -> tuple[int, bool]:
    return _RANK[cause.kind], cause.message is not None
