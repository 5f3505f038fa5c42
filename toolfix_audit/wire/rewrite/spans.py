"""Where a value stands in a JSON text, and the text with other values in such places."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from toolfix_audit.model.json import Json, parse_prefix
from toolfix_audit.model.json_errors import skip_space

Path: TypeAlias = tuple[str | int, ...]
Span: TypeAlias = tuple[int, int]

_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")


class Spans:
    """The places in one JSON text; each object and array on the way is walked once."""

    __slots__ = ("_elements", "_members", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._members: dict[int, dict[str, int | None]] = {}
        self._elements: dict[int, list[int]] = {}

    def of(self, path: Path) -> Span | None:
        """Where the value at a path stands; None if it is not there, or if a key on the way occurs
        twice.

        Raises:
            JsonError: the text is no JSON value.
        """
        start: int | None = skip_space(self._text, 0)
        for step in path:
            if start is None:
                return None
            start = self._inner(start, step)
        return None if start is None else (start, parse_prefix(self._text, start)[1])

    def _inner(self, start: int, step: str | int) -> int | None:
        """Where the member or element starts, of the value that starts there."""
        opening = self._text[start : start + 1]
        if opening == "{" and isinstance(step, str):
            if start not in self._members:
                self._members[start] = _members(self._text, start)
            return self._members[start].get(step)
        if opening == "[" and isinstance(step, int):
            if start not in self._elements:
                self._elements[start] = _elements(self._text, start)
            elements = self._elements[start]
            return elements[step] if step < len(elements) else None
        return None


def replaced(text: str, edits: Iterable[tuple[Span, str]]) -> str:
    """The text with each span, none of which overlap, replaced."""
    parts: list[str] = []
    position = 0
    for (start, end), literal in sorted(edits):
        parts += (text[position:start], literal)
        position = end
    return "".join((*parts, text[position:]))


def literal_of(text: str, before: Json) -> str:
    """How argument text is written in the place of `before`: as a string where that was one,
    else as the value that it spells. ASCII, so that no client can split lines inside it."""
    if isinstance(before, str):
        return json.dumps(text)
    return _NOT_ASCII.sub(lambda found: json.dumps(found.group())[1:-1], text)


def _members(text: str, start: int) -> dict[str, int | None]:
    """Where the value of each member starts, in the object that starts there; None for a key that
    occurs twice."""
    found: dict[str, int | None] = {}
    position = skip_space(text, start + 1)
    while text[position : position + 1] != "}":
        name, position = parse_prefix(text, position)
        position = skip_space(text, skip_space(text, position) + 1)
        key = str(name)
        found[key] = None if key in found else position
        position = _next(text, parse_prefix(text, position)[1])
    return found


def _elements(text: str, start: int) -> list[int]:
    """Where each element starts, in the array that starts there."""
    found: list[int] = []
    position = skip_space(text, start + 1)
    while text[position : position + 1] != "]":
        found.append(position)
        position = _next(text, parse_prefix(text, position)[1])
    return found


def _next(text: str, position: int) -> int:
    """Where the next member starts, or the container ends."""
    position = skip_space(text, position)
    return skip_space(text, position + 1) if text[position : position + 1] == "," else position
