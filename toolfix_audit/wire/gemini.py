"""Gemini: whole calls in parts, or calls whose arguments come piece by piece by JSONPath."""

from __future__ import annotations

import re
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.blocks import add_block
from toolfix_audit.wire.draft import CallDraft, MessageDraft
from toolfix_audit.wire.fields import integer_of, object_of, objects_of, text_of
from toolfix_audit.wire.parts import Answer

_VALUE_KEYS: Final = ("numberValue", "boolValue", "structValue", "listValue")
_STEP: Final = re.compile(r"""\.([^.\[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]""")
_MAX_INDEX: Final = 100_000


def is_gemini(body: dict[str, Json]) -> bool:
    """Whether a body or an event is of this protocol."""
    inner = _unwrapped(body)
    if isinstance(inner.get("candidates"), list):
        return True
    return "modelVersion" in inner and ("promptFeedback" in inner or "usageMetadata" in inner)


def read_gemini(body: dict[str, Json]) -> Answer:
    """The answer that a body holds whole."""
    assembler = GeminiAssembler()
    assembler.feed(body)
    return assembler.answer()


class GeminiAssembler:
    """Puts the chunks of one answer together."""

    def __init__(self) -> None:
        self._candidates: dict[int, _Candidate] = {}
        self._head: dict[str, Json] = {}

    def feed(self, event: dict[str, Json]) -> None:
        """Take one chunk."""
        event = _unwrapped(event)
        for key in ("responseId", "modelVersion", "createTime"):
            if event.get(key):
                self._head.setdefault(key, event[key])
        for position, candidate in enumerate(objects_of(event, "candidates")):
            number = integer_of(candidate, "index")
            number = position if number is None else number
            self._candidates.setdefault(number, _Candidate()).take(candidate)

    def starts_anew(self, event: dict[str, Json]) -> bool:
        """Whether a chunk belongs to another answer than those before."""
        event = _unwrapped(event)
        mine, other = self._head.get("responseId"), event.get("responseId")
        if mine or other:
            return bool(mine and other and mine != other)
        return self.is_finished() and bool(objects_of(event, "candidates"))

    def is_finished(self) -> bool:
        """Whether every candidate has its finish reason."""
        return bool(self._candidates) and all(
            candidate.draft.finish_reason for candidate in self._candidates.values()
        )

    def answer(self) -> Answer:
        """The answer as it is now."""
        finished = self.is_finished()
        return Answer(
            tuple(candidate.draft.message() for candidate in self._candidates.values()),
            text_of(self._head, "responseId"),
            text_of(self._head, "modelVersion"),
            self._head.get("createTime"),
            complete=finished,
            reason=None if finished else "no_finish_reason",
        )


class _Candidate:
    """One candidate: its message, and the call whose arguments are still coming."""

    def __init__(self) -> None:
        self.draft = MessageDraft()
        self._open: _PartialCall | None = None

    def take(self, candidate: dict[str, Json]) -> None:
        for part in objects_of(object_of(candidate, "content"), "parts"):
            if "functionCall" in part:
                self._take_call(object_of(part, "functionCall"), part)
            else:
                add_block(self.draft, part)
        reason = text_of(candidate, "finishReason")
        if reason:
            self.draft.finish_reason = reason

    def _take_call(self, call: dict[str, Json], part: dict[str, Json]) -> None:
        name = text_of(call, "name")
        if name and not (call.get("willContinue") or "partialArgs" in call):
            self._open = None
            add_block(self.draft, part)
            return
        if name or self._open is None:
            if not name and not objects_of(call, "partialArgs"):
                return
            self._open = _PartialCall(self.draft.open_call(text_of(call, "id"), name))
        for piece in objects_of(call, "partialArgs"):
            self._open.add(piece)
        if not call.get("willContinue"):
            self._open = None


class _PartialCall:
    """A call whose arguments are set piece by piece."""

    def __init__(self, draft: CallDraft) -> None:
        self._draft = draft
        self._arguments: dict[str, Json] = {}
        draft.arguments.add(self._arguments)

    def add(self, piece: dict[str, Json]) -> None:
        """Set or lengthen the value at the piece's path; a path of another kind is left out."""
        steps = _steps(text_of(piece, "jsonPath") or "")
        if not steps:
            return
        text = piece.get("stringValue")
        for key in _VALUE_KEYS:
            if key in piece:
                _set(self._arguments, steps, piece[key])
        if "nullValue" in piece:
            _set(self._arguments, steps, None)
        if isinstance(text, str):
            before = _get(self._arguments, steps)
            _set(self._arguments, steps, before + text if isinstance(before, str) else text)


def _unwrapped(body: dict[str, Json]) -> dict[str, Json]:
    """The answer itself, out of the envelope that some endpoints put around it."""
    inner = object_of(body, "response")
    return inner if isinstance(inner.get("candidates"), list) else body


def _steps(path: str) -> list[str | int]:
    """The steps of `$.a[0]['b c']`; none for a path of another kind."""
    steps: list[str | int] = []
    at = 1
    while path.startswith("$") and at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            return []
        name, index, single, double = match.groups()
        if index is not None and (len(index) > 6 or int(index) > _MAX_INDEX):
            return []
        steps.append(int(index) if index is not None else name or single or double or "")
        at = match.end()
    return steps


def _get(root: Json, steps: list[str | int]) -> Json:
    for step in steps:
        if isinstance(root, dict) and isinstance(step, str):
            root = root.get(step)
        elif isinstance(root, list) and isinstance(step, int) and step < len(root):
            root = root[step]
        else:
            return None
    return root


def _set(root: Json, steps: list[str | int], value: Json) -> None:
    """Set the value at a path, making the containers on the way that are not there."""
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        inner: Json = value
        if following is not None:
            inner = _get(root, [step])
            if not isinstance(inner, list if isinstance(following, int) else dict):
                inner = [] if isinstance(following, int) else {}
        if isinstance(root, dict) and isinstance(step, str):
            root[step] = inner
        elif isinstance(root, list) and isinstance(step, int):
            root.extend([None] * (step + 1 - len(root)))
            root[step] = inner
        else:
            return
        root = inner
