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


def span_of(text: str, path: Path) -> Span | None:
    """Where the value at a path stands in a JSON text; None if it is not there, or if a key on
    the way occurs twice.

    Raises:
        JsonError: the text is no JSON value.
    """
    start = skip_space(text, 0)
    for step in path:
        opening = text[start : start + 1]
        if opening == "{" and isinstance(step, str):
            found = _member(text, start, step)
        elif opening == "[" and isinstance(step, int):
            found = _element(text, start, step)
        else:
            return None
        if found is None:
            return None
        start = found
    return start, parse_prefix(text, start)[1]


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


def _member(text: str, start: int, key: str) -> int | None:
    """Where the value of the one member of that name starts, in the object that starts there."""
    found: list[int] = []
    position = skip_space(text, start + 1)
    while text[position : position + 1] != "}":
        name, position = parse_prefix(text, position)
        position = skip_space(text, skip_space(text, position) + 1)
        if name == key:
            found.append(position)
        position = _next(text, parse_prefix(text, position)[1])
    return found[0] if len(found) == 1 else None


def _element(text: str, start: int, index: int) -> int | None:
    """Where an element starts, in the array that starts there."""
    position = skip_space(text, start + 1)
    while text[position : position + 1] != "]":
        if not index:
            return position
        index -= 1
        position = _next(text, parse_prefix(text, position)[1])
    return None


def _next(text: str, position: int) -> int:
    """Where the next member starts, or the container ends."""
    position = skip_space(text, position)
    return skip_space(text, position + 1) if text[position : position + 1] == "," else position
