"""Texts that are almost JSON and have one reading: read losslessly, never closed, never guessed.

Two dialects: `RELAXED` is JSON with raw control characters in strings and a trailing comma;
`PYTHON` is a literal of dict, list, str, bool, None and numbers of the JSON grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # documented in the module
from typing import Final, cast

from toolfix_audit.engine.judges.effort import spend
from toolfix_audit.model.json import (
    Json,
    JsonError,
    has_repeated_keys,
    parse_json,
    same_json,
)

MAX_ENCODINGS: Final = 8
"""How often a text may be encoded as a JSON string inside a JSON string."""

READ_AT_ONCE: Final = 10
"""Values that are read in about the time that a judge takes for one keyword."""

_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_AFTER_VALUE: Final = re.compile(r"[\s,:\]}\\]|$")
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_ESCAPED_SPACE: Final = re.compile(r"(?:[ \t\n\r]++|\\[nrt])*+")
_PYTHON_ESCAPES: Final = {
    "\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f",
    "a": "\a", "v": "\v", "0": "\0",
}  # fmt: skip
_HEX_ESCAPES: Final = {"x": 2, "u": 4, "U": 8}
_HEX: Final = re.compile(r"[0-9a-fA-F]+")
_PYTHON_PLAIN: Final = {quote: re.compile(rf"[^{quote}\\\n\r]*") for quote in "'\""}


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a text may hold beyond JSON."""

    name: str
    words: tuple[tuple[str, Json], ...]
    quotes: str
    space: re.Pattern[str]


_JSON_WORDS: Final = (("true", True), ("false", False), ("null", None))
_PYTHON_WORDS: Final = (("True", True), ("False", False), ("None", None))
RELAXED: Final = Dialect("relaxed", _JSON_WORDS, '"', _SPACE)
ESCAPED: Final = Dialect("escaped", _JSON_WORDS, '"', _ESCAPED_SPACE)
PYTHON: Final = Dialect("python", _PYTHON_WORDS, "\"'", _SPACE)


def read_relaxed(text: str, dialect: Dialect) -> Json:
    """Read the whole text in a dialect.

    Raises:
        JsonError: it is no such text, or a key occurs twice with different values.
    """
    value, end = read_relaxed_prefix(text, dialect)
    end = _skip(text, end, dialect)
    if end != len(text):
        raise JsonError("extra text", end)
    return value


def read_container(text: str) -> Json:
    """The object or array that a text spells, through at most MAX_ENCODINGS encodings; None if
    it spells none in exactly one way. What it may hold counts as effort."""
    for _ in range(MAX_ENCODINGS):
        spend(sum(map(text.count, "[{,")) // READ_AT_ONCE)
        value = _read_once(text)
        if isinstance(value, dict | list):
            return None if has_repeated_keys(value) else value
        if not isinstance(value, str):
            return None
        text = value
    return None


def _read_once(text: str) -> Json:
    for read in (parse_json, _read_relaxed_json, _read_python):
        try:
            return read(text)
        except JsonError:
            continue
    return None


def _read_relaxed_json(text: str) -> Json:
    return read_relaxed(text, RELAXED)


def _read_python(text: str) -> Json:
    return read_relaxed(text, PYTHON)


class _Open:
    """A container that is being read."""

    __slots__ = ("key", "value")

    def __init__(self, value: dict[str, Json] | list[Json]) -> None:
        self.value = value
        self.key = ""

    def add(self, member: Json) -> None:
        if isinstance(self.value, list):
            self.value.append(member)
            return
        if self.key in self.value and not same_json(self.value[self.key], member):
            raise JsonError(f"the key {self.key!r} occurs twice", 0)
        self.value[self.key] = member

    @property
    def closer(self) -> str:
        return "]" if isinstance(self.value, list) else "}"


def read_relaxed_prefix(text: str, dialect: Dialect, position: int = 0) -> tuple[Json, int]:
    """Read the value at the start of the text, and say where it ended.

    Raises:
        JsonError: no complete value of the dialect starts there.
    """
    stack: list[_Open] = []
    while True:
        position = _skip(text, position, dialect)
        mark = text[position : position + 1]
        if mark in ("{", "["):
            frame = _Open({} if mark == "{" else [])
            position = _skip(text, position + 1, dialect)
            if text[position : position + 1] != frame.closer:
                stack.append(frame)
                position = _open_member(text, position, dialect, frame)
                continue
            value: Json = frame.value
            position += 1
        else:
            value, position = _scalar(text, position, dialect)
        value, position, is_done = _close(text, position, dialect, (value, stack))
        if is_done:
            return value, position


def _close(
    text: str, position: int, dialect: Dialect, finished: tuple[Json, list[_Open]]
) -> tuple[Json, int, bool]:
    value, stack = finished
    while stack:
        frame = stack[-1]
        frame.add(value)
        position = _skip(text, position, dialect)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1, dialect)
            if text[position : position + 1] != frame.closer:
                return value, _open_member(text, position, dialect, frame), False
        if text[position : position + 1] != frame.closer:
            raise JsonError("no comma or end", position, at_end=position >= len(text))
        position += 1
        value = stack.pop().value
    return value, position, True


def _open_member(text: str, position: int, dialect: Dialect, frame: _Open) -> int:
    """Read the key and the colon of an object's member; an array's needs nothing."""
    if isinstance(frame.value, list):
        return position
    key, position = _string(text, position, dialect)
    frame.key = key
    position = _skip(text, position, dialect)
    if text[position : position + 1] != ":":
        raise JsonError("no colon", position, at_end=position >= len(text))
    return position + 1


def _scalar(text: str, position: int, dialect: Dialect) -> tuple[Json, int]:
    if text[position : position + 1] in tuple(dialect.quotes):
        return _string(text, position, dialect)
    for word, value in dialect.words:
        if text.startswith(word, position):
            return value, _end_of_value(text, position + len(word))
    match = _NUMBER.match(text, position)
    if match is None:
        raise JsonError("no value", position, at_end=position >= len(text))
    return parse_json(match.group()), _end_of_value(text, match.end())


def _end_of_value(text: str, position: int) -> int:
    if not _AFTER_VALUE.match(text, position):
        raise JsonError("text right after a value", position)
    return position


def _string(text: str, position: int, dialect: Dialect) -> tuple[str, int]:
    quote = text[position : position + 1]
    if not quote or quote not in dialect.quotes:
        raise JsonError("no string", position, at_end=position >= len(text))
    if dialect is not PYTHON:
        try:
            return cast("tuple[str, int]", scanstring(text, position + 1, False))
        except ValueError:
            raise JsonError("no string", position) from None
    value, end = _python_string(text, position + 1, quote)
    if text[end : end + 1] in ("'", '"'):
        raise JsonError("two strings in a row", end)
    return value, end


def _python_string(text: str, position: int, quote: str) -> tuple[str, int]:
    parts: list[str] = []
    while True:
        match = _PYTHON_PLAIN[quote].match(text, position)
        if match:
            parts.append(match.group())
            position = match.end()
        mark = text[position : position + 1]
        if mark == quote:
            return "".join(parts), position + 1
        if mark != "\\":
            raise JsonError("string without end", position, at_end=not mark)
        char, position = _python_escape(text, position + 1)
        parts.append(char)


def _python_escape(text: str, position: int) -> tuple[str, int]:
    mark = text[position : position + 1]
    if mark in _HEX_ESCAPES:
        digits = text[position + 1 : position + 1 + _HEX_ESCAPES[mark]]
        if len(digits) == _HEX_ESCAPES[mark] and _HEX.fullmatch(digits):
            code = int(digits, 16)
            if code <= 0x10FFFF:
                return chr(code), position + 1 + len(digits)
    plain = _PYTHON_ESCAPES.get(mark)
    if plain is None or (mark == "0" and text[position + 1 : position + 2].isdigit()):
        raise JsonError("unknown escape", position)
    return plain, position + 1


def _skip(text: str, position: int, dialect: Dialect) -> int:
    match = dialect.space.match(text, position)
    return match.end() if match else position
