"""A message while it is being put together: its parts in the order of first appearance."""

from __future__ import annotations

from toolfix_audit.model.json import Json
from toolfix_audit.wire.arguments import ArgumentBuffer
from toolfix_audit.wire.parts import Message, Part, WireCall, WireResult, WireText


class TextDraft:
    """A run of text or reasoning."""

    __slots__ = ("_parts", "reasoning")

    def __init__(self, *, reasoning: bool = False) -> None:
        self.reasoning = reasoning
        self._parts: list[str] = []

    def add(self, fragment: Json) -> None:
        """One more fragment; anything but text is none."""
        if isinstance(fragment, str):
            self._parts.append(fragment)

    def replace(self, whole: Json) -> None:
        """A complete copy, which counts from now on unless it is empty."""
        if isinstance(whole, str) and whole:
            self._parts = [whole]

    def part(self) -> WireText:
        """The text as it is now."""
        return WireText("".join(self._parts), self.reasoning)


class CallDraft:
    """A call: each field counts as soon as it first comes."""

    __slots__ = ("arguments", "call_id", "hosted", "tool")

    def __init__(
        self, call_id: str | None = None, tool: str | None = None, *, hosted: bool = False
    ) -> None:
        self.call_id = call_id
        self.tool = tool or ""
        self.hosted = hosted
        self.arguments = ArgumentBuffer()

    def part(self) -> WireCall:
        """The call as it is now."""
        text, form = self.arguments.finish()
        return WireCall(
            self.call_id,
            self.tool,
            text,
            form,
            self.arguments.streamed(),
            self.arguments.flags(),
            self.hosted,
        )


class MessageDraft:
    """One message. Texts that follow each other without another part between are one."""

    __slots__ = ("_drafts", "finish_reason")

    def __init__(self) -> None:
        self._drafts: list[TextDraft | CallDraft | WireResult] = []
        self.finish_reason: str | None = None

    def add_text(self, text: Json, *, reasoning: bool = False) -> None:
        """One more fragment of text or reasoning."""
        if not isinstance(text, str) or not text:
            return
        last = self._drafts[-1] if self._drafts else None
        if not isinstance(last, TextDraft) or last.reasoning is not reasoning:
            last = self.open_text(reasoning=reasoning)
        last.add(text)

    def open_text(self, *, reasoning: bool = False) -> TextDraft:
        """Begin a run of text of its own."""
        draft = TextDraft(reasoning=reasoning)
        self._drafts.append(draft)
        return draft

    def open_call(
        self, call_id: str | None = None, tool: str | None = None, *, hosted: bool = False
    ) -> CallDraft:
        """Begin a call."""
        draft = CallDraft(call_id, tool, hosted=hosted)
        self._drafts.append(draft)
        return draft

    def add_call(
        self, call_id: str | None, tool: str | None, arguments: Json, *, hosted: bool = False
    ) -> None:
        """A call that came whole."""
        self.open_call(call_id, tool, hosted=hosted).arguments.replace(arguments)

    def add_result(self, result: WireResult) -> None:
        """A result that stands in the message itself."""
        self._drafts.append(result)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said or called."""
        return not self.parts() and self.finish_reason is None

    def parts(self) -> tuple[Part, ...]:
        """The parts as they are now; empty texts are none."""
        parts = [draft if isinstance(draft, WireResult) else draft.part() for draft in self._drafts]
        return tuple(part for part in parts if not isinstance(part, WireText) or part.text)

    def message(self) -> Message:
        """The message as it is now."""
        return Message(self.parts(), self.finish_reason)
