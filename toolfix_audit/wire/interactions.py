"""Gemini Interactions: steps by index."""

from __future__ import annotations

from toolfix_audit.model.json import Json
from toolfix_audit.wire.blocks import add_content
from toolfix_audit.wire.draft import CallDraft, MessageDraft, TextDraft
from toolfix_audit.wire.fields import integer_of, object_of, objects_of, text_of
from toolfix_audit.wire.parts import Answer, WireResult

_PREFIXES = ("interaction.", "step.", "content.")


def is_interaction(body: dict[str, Json]) -> bool:
    """Whether a body or an event is of this protocol."""
    kind = body.get("event_type")
    return body.get("object") == "interaction" or (
        isinstance(kind, str) and kind.startswith(_PREFIXES)
    )


def read_interaction(body: dict[str, Json]) -> Answer:
    """The answer that a body holds whole."""
    draft = MessageDraft()
    for step in objects_of(body, "steps", "outputs"):
        add_step(draft, step)
    draft.finish_reason = text_of(body, "status")
    return Answer((draft.message(),), text_of(body, "id"), text_of(body, "model"))


def add_step(draft: MessageDraft, step: dict[str, Json]) -> None:
    """Add what a step holds that is whole."""
    kind = step.get("type")
    if kind == "function_call":
        draft.add_call(text_of(step, "id"), text_of(step, "name"), step.get("arguments"))
    elif kind == "function_result":
        failed = step.get("is_error") is True
        call_id = text_of(step, "call_id")
        draft.add_result(WireResult(call_id, text_of(step, "name"), failed, step.get("result")))
    elif kind == "text":
        draft.add_text(step.get("text"))
    elif kind == "thought":
        for block in objects_of(step, "summary"):
            draft.add_text(block.get("text"), reasoning=True)
    elif kind == "model_output":
        add_content(draft, step.get("content"))


class InteractionAssembler:
    """Puts the events of one answer together."""

    def __init__(self) -> None:
        self._draft = MessageDraft()
        self._steps: dict[int, TextDraft | CallDraft] = {}
        self._head: dict[str, Json] = {}
        self._ended = False

    def feed(self, event: dict[str, Json]) -> None:
        """Take one event; unknown ones give nothing."""
        kind = text_of(event, "event_type") or ""
        if kind.startswith("interaction.") and isinstance(event.get("interaction"), dict):
            self._head = object_of(event, "interaction")
            if kind in ("interaction.completed", "interaction.complete"):
                self._ended = True
                self._draft.finish_reason = text_of(self._head, "status")
        elif kind in ("step.start", "content.start"):
            self._start(event, object_of(event, "step", "content"))
        elif kind in ("step.delta", "content.delta"):
            self._add(event, object_of(event, "delta"))

    def starts_anew(self, event: dict[str, Json]) -> bool:
        """Whether an event begins another answer."""
        created = event.get("event_type") == "interaction.created"
        return created and bool(self._head or self._steps)

    def is_finished(self) -> bool:
        """Whether the last event of an answer came."""
        return self._ended

    def answer(self) -> Answer:
        """The answer as it is now."""
        return Answer(
            (self._draft.message(),),
            text_of(self._head, "id"),
            text_of(self._head, "model"),
            complete=self._ended,
            reason=None if self._ended else "no_terminal_event",
        )

    def _start(self, event: dict[str, Json], step: dict[str, Json]) -> None:
        index = integer_of(event, "index")
        if step.get("type") == "function_call" and index is not None:
            call = self._draft.open_call(text_of(step, "id"), text_of(step, "name"))
            call.arguments.start(step.get("arguments"))
            self._steps[index] = call
        else:
            add_step(self._draft, step)

    def _add(self, event: dict[str, Json], delta: dict[str, Json]) -> None:
        index = integer_of(event, "index")
        step = self._steps.get(index) if index is not None else None
        if isinstance(step, CallDraft):
            step.arguments.add(delta.get("arguments"))
        elif delta.get("type") == "thought_summary":
            content = object_of(delta, "content")
            self._draft.add_text(content.get("text"), reasoning=True)
        else:
            self._draft.add_text(delta.get("text"))
