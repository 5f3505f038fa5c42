"""The guards: when a block that reads like a call is one. They only ever refuse."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from toolfix_audit.engine.families import SAFE
from toolfix_audit.engine.families.k_tool_name_drift import repair_name
from toolfix_audit.engine.leaks.code_spans import CodeSpans
from toolfix_audit.engine.leaks.shown import is_shown
from toolfix_audit.engine.leaks.syntax import Block, Syntax
from toolfix_audit.engine.leaks.typed import TypedCall, typed_call
from toolfix_audit.engine.leaks.words import Guard, Place, Reason
from toolfix_audit.model.json import Json

END_TOKENS: Final = re.compile(
    r"(?:\s|</s>|<\|im_end\|>|<\|eot_id\|>|<\|eom_id\|>|<\|end_of_text\|>|<\|endoftext\|>"
    r"|<[\uff5c|]end[\u2581_]of[\u2581_]sentence[\uff5c|]>)*+"
)
_PLACEHOLDER_NAME: Final = re.compile(
    r"(?:function|tool|method|command)[_-]?name|example[_-].*|(?:your|my)[_-](?:function|tool).*"
    r"|name",
    re.IGNORECASE,
)
_PLACEHOLDER_VALUE: Final = re.compile(r"\.\.\.|\u2026|<[A-Za-z][\w .-]{0,60}>|VALUE")
_TYPED_BY_SCHEMA: Final = frozenset("EF")
_AS_WRITTEN: Final = frozenset[str]()


@dataclass(frozen=True)
class Candidate:
    """A block of a syntax, in the text where it was found."""

    block: Block
    syntax: Syntax
    text: str
    tools: Mapping[str, Json]

    @cached_property
    def calls(self) -> tuple[TypedCall, ...]:
        """The calls with their tools' names and with arguments typed by their schemas. What may
        be repaired beyond that depends on how sure it is that this is a call."""
        families = SAFE
        if self.syntax.is_weak:
            untyped = any(call.untyped for call in self.block.calls)
            families = _TYPED_BY_SCHEMA if untyped else _AS_WRITTEN
        return tuple(
            typed_call(call, self.names[index], self.tools, families)
            for index, call in enumerate(self.block.calls)
        )

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        """The tools meant; exact names only where ordinary writing may look like a call."""
        written = (call.name for call in self.block.calls)
        if self.syntax.is_weak or self.syntax.needs_registry:
            return tuple(name if name in self.tools else None for name in written)
        return tuple(repair_name(name, self.tools) for name in written)

    @property
    def is_known(self) -> bool:
        """Whether it names any tool."""
        return any(name is not None for name in self.names)

    @cached_property
    def reason(self) -> Reason | None:
        """Why it can't be repaired."""
        if self.block.fault is not None:
            return self.block.fault
        if None in self.names:
            return Reason.UNKNOWN_NAME
        return next((call.reason for call in self.calls if call.reason), None)

    @cached_property
    def is_first_on_line(self) -> bool:
        """Whether only blanks stand before it on its line."""
        start = self.block.start
        return not self.text[self.text.rfind("\n", 0, start) + 1 : start].strip()

    @cached_property
    def is_last(self) -> bool:
        """Whether nothing stands after it."""
        return END_TOKENS.fullmatch(self.text, self.block.end) is not None


def refused_by(candidate: Candidate, code: CodeSpans) -> Guard | None:
    """The first guard that refuses the candidate, given what of its text is code; None for a
    leak."""
    if code.quotes(candidate.block.start, candidate.block.end):
        return Guard.QUOTED
    return next((guard for guard, refuses in GUARDS if refuses(candidate)), None)


def _is_open(candidate: Candidate) -> bool:
    """A block without an end is at best a call that was cut: it begins a line, is all that
    follows, and got as far as an argument."""
    if candidate.block.is_closed:
        return False
    return not (candidate.is_first_on_line and candidate.is_last) or candidate.syntax.is_weak


def _is_unknown(candidate: Candidate) -> bool:
    """None of the names is a tool's; where ordinary writing may look like it, any that is not."""
    missing = [name is None for name in candidate.names]
    return any(missing) if candidate.syntax.is_weak else all(missing)


def _is_invalid(candidate: Candidate) -> bool:
    return candidate.syntax.is_weak and candidate.reason is Reason.INVALID_ARGUMENTS


def _is_misplaced(candidate: Candidate) -> bool:
    """Not where a shape of its kind must stand."""
    is_first, is_last = candidate.is_first_on_line, candidate.is_last
    if candidate.block.place is Place.WHOLE:
        return not is_last or bool(candidate.text[: candidate.block.start].strip())
    if candidate.block.place is Place.TERMINAL:
        return not (is_first and is_last)
    return not is_first and bool(_rest_of_line(candidate).strip())


def _rest_of_line(candidate: Candidate) -> str:
    end = candidate.block.end
    stop = candidate.text.find("\n", end)
    return candidate.text[end : stop if stop >= 0 else len(candidate.text)]


def _is_placeholder(candidate: Candidate) -> bool:
    """An example or a declaration: the name, every value, or the shape of the arguments."""
    return any(
        _PLACEHOLDER_NAME.fullmatch(call.name) is not None
        or _is_declaration(call.arguments)
        or _holds_placeholders(call.arguments)
        for call in candidate.block.calls
    )


def _is_shown(candidate: Candidate) -> bool:
    """The words before it show or forbid it."""
    return is_shown(candidate.text, candidate.block.start)


def _is_declaration(arguments: Json) -> bool:
    return (
        isinstance(arguments, dict)
        and arguments.get("type") == "object"
        and isinstance(arguments.get("properties"), dict)
    )


def _holds_placeholders(arguments: Json) -> bool:
    values = list(arguments.values()) if isinstance(arguments, dict) else []
    return bool(values) and all(
        isinstance(value, str) and _PLACEHOLDER_VALUE.fullmatch(value.strip()) for value in values
    )


GUARDS: Final[tuple[tuple[Guard, Callable[[Candidate], bool]], ...]] = (
    (Guard.NOT_CLOSED, _is_open),
    (Guard.UNKNOWN_NAME, _is_unknown),
    (Guard.INVALID_ARGUMENTS, _is_invalid),
    (Guard.MISPLACED, _is_misplaced),
    (Guard.PLACEHOLDER, _is_placeholder),
    (Guard.SHOWN, _is_shown),
)
"""The guards after that against quotes, in their order."""
