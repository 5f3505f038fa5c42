"""Bedrock Converse: blocks by index; a stream's events are objects with one key."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.blocks import add_content
from toolfix_audit.wire.draft import CallDraft, MessageDraft, TextDraft
from toolfix_audit.wire.fields import integer_of, object_of, text_of
from toolfix_audit.wire.parts import Answer

_EVENTS: Final = (
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
)


def is_converse(body: dict[str, Json]) -> bool:
    """Whether a body or an event is of this protocol."""
    if any(isinstance(body.get(key), dict) for key in _EVENTS):
        return True
    message = object_of(object_of(body, "output"), "message")
    return isinstance(message.get("content"), list)


def read_converse(body: dict[str, Json]) -> Answer:
    """The answer that a body holds whole."""
    draft = MessageDraft()
    add_content(draft, object_of(object_of(body, "output"), "message").get("content"))
    draft.finish_reason = text_of(body, "stopReason")
    return Answer((draft.message(),))


class ConverseAssembler:
    """Puts the events of one answer together."""

    def __init__(self) -> None:
        self._draft = MessageDraft()
        self._blocks: dict[int, TextDraft | CallDraft] = {}
        self._started = False
        self._stopped = False

    def feed(self, event: dict[str, Json]) -> None:
        """Take one event; unknown ones give nothing."""
        if "contentBlockStart" in event:
            self._start(object_of(event, "contentBlockStart"))
        elif "contentBlockDelta" in event:
            self._add(object_of(event, "contentBlockDelta"))
        elif "messageStop" in event:
            self._stopped = True
            self._draft.finish_reason = text_of(object_of(event, "messageStop"), "stopReason")
        self._started = True

    def starts_anew(self, event: dict[str, Json]) -> bool:
        """Whether an event begins another answer."""
        return "messageStart" in event and self._started

    def is_finished(self) -> bool:
        """Whether the last event of an answer came."""
        return self._stopped

    def answer(self) -> Answer:
        """The answer as it is now."""
        return Answer(
            (self._draft.message(),),
            complete=self._stopped,
            reason=None if self._stopped else "no_message_stop",
        )

    def _start(self, event: dict[str, Json]) -> None:
        index = integer_of(event, "contentBlockIndex")
        call = object_of(object_of(event, "start"), "toolUse")
        if call and index is not None:
            self._blocks[index] = self._draft.open_call(
                text_of(call, "toolUseId"),
                text_of(call, "name"),
                hosted=call.get("type") == "server_tool_use",
            )

    def _add(self, event: dict[str, Json]) -> None:
        index = integer_of(event, "contentBlockIndex") or 0
        delta = object_of(event, "delta")
        block = self._blocks.get(index)
        if "toolUse" in delta:
            if isinstance(block, CallDraft):
                block.arguments.add(object_of(delta, "toolUse").get("input"))
            return
        reasoning = object_of(delta, "reasoningContent")
        if not isinstance(block, TextDraft):
            block = self._blocks[index] = self._draft.open_text(reasoning=bool(reasoning))
        block.add(reasoning.get("text") if reasoning else delta.get("text"))
