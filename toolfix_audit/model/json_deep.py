"""JSON deeper than the C parser goes, read with a stack of our own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # documented in the module
from typing import Any, cast

from toolfix_audit.model.json_errors import WORDS, json_error, skip_space

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Readers:
    """How numbers and objects are made from their texts and pairs."""

    read_float: Callable[[str], Any]
    read_int: Callable[[str], Any]
    read_pairs: Callable[[list[tuple[str, Any]]], Any]


class _Open:
    """A container that is being read: its finished members and, in an object, the open key."""

    __slots__ = ("items", "key", "pairs", "readers")

    def __init__(self, readers: Readers, *, is_object: bool) -> None:
        self.readers = readers
        self.pairs: list[tuple[str, Any]] | None = [] if is_object else None
        self.items: list[Any] = []
        self.key = ""

    def add(self, value: Any) -> None:
        if self.pairs is None:
            self.items.append(value)
        else:
            self.pairs.append((self.key, value))

    def close(self) -> Any:
        return self.items if self.pairs is None else self.readers.read_pairs(self.pairs)


def parse_deep_prefix(text: str, position: int, readers: Readers) -> tuple[Any, int]:
    """Read one value with a stack of our own, for texts deeper than the C parser goes."""
    stack: list[_Open] = []
    while True:
        position = skip_space(text, position)
        opener = text[position : position + 1]
        if opener in ("{", "["):
            frame = _Open(readers, is_object=opener == "{")
            position = skip_space(text, position + 1)
            if text[position : position + 1] != ("}" if opener == "{" else "]"):
                stack.append(frame)
                if opener == "{":
                    position = _read_key(text, position, frame)
                continue
            value, position = frame.close(), position + 1
        else:
            value, position = _read_scalar(text, position, readers)
        value, position, done = _close_frames(text, position, value, stack)
        if done:
            return value, position


def _close_frames(
    text: str, position: int, value: Any, stack: list[_Open]
) -> tuple[Any, int, bool]:
    """Hand a finished value to the open containers, closing those that end here."""
    while stack:
        frame = stack[-1]
        frame.add(value)
        position = skip_space(text, position)
        mark = text[position : position + 1]
        if mark == ",":
            position = skip_space(text, position + 1)
            if frame.pairs is not None:
                position = _read_key(text, position, frame)
            return value, position, False
        if mark != ("]" if frame.pairs is None else "}"):
            raise json_error(text, "Expecting ',' delimiter", position)
        position += 1
        value = stack.pop().close()
    return value, position, True


def _read_key(text: str, position: int, frame: _Open) -> int:
    if text[position : position + 1] != '"':
        raise json_error(text, "Expecting property name enclosed in double quotes", position)
    key, position = _read_scalar(text, position, frame.readers)
    frame.key = cast(str, key)
    position = skip_space(text, position)
    if text[position : position + 1] != ":":
        raise json_error(text, "Expecting ':' delimiter", position)
    return position + 1


def _read_scalar(text: str, position: int, readers: Readers) -> tuple[Any, int]:
    if text[position : position + 1] == '"':
        try:
            return cast("tuple[str, int]", scanstring(text, position + 1))
        except json.JSONDecodeError as error:
            raise json_error(text, error.msg, error.pos) from None
    for word, value in WORDS:
        if text.startswith(word, position):
            return value, position + len(word)
    match = _NUMBER.match(text, position)
    if match is None:
        raise json_error(text, "Expecting value", position)
    is_float = match.group(1) or match.group(2)
    read = readers.read_float if is_float else readers.read_int
    return read(match.group()), match.end()
