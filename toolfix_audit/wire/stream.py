"""A stream of events of any protocol, read as it comes: answers out, errors never swallowed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.wire.errors import stream_error
from toolfix_audit.wire.parts import Answer, WireError
from toolfix_audit.wire.protocols import Assembler, Protocol, protocol_of
from toolfix_audit.wire.sse import SseEvent

DONE: Final = "[DONE]"


class StreamReader:
    """Reads the events of one connection or file, which may hold several answers in a row.

    Every event tells its protocol itself. Every `take` gives the answers that are over with the
    event; `close` gives what is left.
    """

    def __init__(self) -> None:
        self.protocol: Protocol | None = None
        self._assembler: Assembler | None = None
        self._errors: list[WireError] = []

    def take_sse(self, event: SseEvent) -> list[Answer]:
        """Take an event of an SSE stream; what can't be read in it is an error of the answer."""
        text = event.data if event.data is not None else event.stray
        if event.fault:
            self._errors.append(WireError(event.fault, None, None))
        elif text and text.strip().startswith(DONE):
            return self.take_done()
        elif text and text.strip():
            try:
                return self.take(parse_json(text), event.name)
            except JsonError as error:
                if event.data is not None:
                    self._errors.append(WireError(f"an event is no JSON: {error}", None, text))
        return []

    def take(self, event: Json, name: str | None = None) -> list[Answer]:
        """Take an event that is parsed already, or a whole body."""
        if not isinstance(event, dict):
            return []
        error = stream_error(event, name)
        protocol = protocol_of(event)
        over: list[Answer] = []
        if self._is_over(protocol, event):
            over = self.close()
        if error is not None:
            self._errors.append(error)
        if protocol is None:
            if self._assembler is not None:
                self._assembler.feed(event)
            return over
        self.protocol = protocol
        if protocol.is_whole(event):
            answer = self._settled(protocol.read(event))
            self._errors = []
            return [*over, answer]
        if self._assembler is None:
            self._assembler = protocol.assembler()
        self._assembler.feed(event)
        if protocol.ends_at_once and self._assembler.is_finished():
            return [*over, *self.close()]
        return over

    def take_done(self) -> list[Answer]:
        """The end mark of Chat Completions came."""
        answers = self.close()
        if self.protocol is None or not self.protocol.ends_with_mark:
            return answers
        return [
            answer
            if answer.errors or _cut_at(answer)
            else replace(answer, complete=True, reason=None)
            for answer in answers
        ]

    def close(self) -> list[Answer]:
        """What is left at the end: an answer, whole or not, or errors alone."""
        answer = self.snapshot()
        self._assembler = None
        self._errors = []
        return [] if answer is None else [answer]

    @property
    def is_open(self) -> bool:
        """Whether something came that no answer was given for yet."""
        return self._assembler is not None or bool(self._errors)

    def snapshot(self) -> Answer | None:
        """The answer as it is now, without ending it."""
        if self._assembler is None:
            if not self._errors:
                return None
            return Answer((), complete=False, reason="error", errors=tuple(self._errors))
        return self._settled(self._assembler.answer())

    def _is_over(self, protocol: Protocol | None, event: dict[str, Json]) -> bool:
        """Whether an event begins another answer than the one that is open."""
        if protocol is None or self._assembler is None:
            return False
        return protocol is not self.protocol or self._assembler.starts_anew(event)

    def _settled(self, answer: Answer) -> Answer:
        """An answer with the errors that came with it; one with an error, or that was cut at a
        limit, is not complete."""
        if self.protocol is not None:
            answer = replace(answer, provider=self.protocol.provider)
        if self._errors:
            return replace(answer, complete=False, reason="error", errors=tuple(self._errors))
        if answer.complete and (cut := _cut_at(answer)):
            return replace(answer, complete=False, reason=cut)
        return answer


def _cut_at(answer: Answer) -> str | None:
    """The word for the limit that cut a message of an answer, if one was."""
    return next((message.finish_reason for message in answer.messages if message.is_cut), None)
