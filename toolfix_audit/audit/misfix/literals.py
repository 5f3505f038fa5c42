"""A tolerant reader of one literal: JSON with small faults, or a Python literal."""

from __future__ import annotations

import re
from typing import Final

from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.model.json import Json, RepeatedKeys, parse_json

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|\\[nrt])*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w.])")
_JSON_STRING: Final = re.compile(r'"[^"\\]*(?:\\[^\x00-\x1f][^"\\]*)*"')
_PYTHON_STRING: Final = re.compile(
    r"\"([^\"\\\n]*(?:\\.[^\"\\\n]*)*)\"|'([^'\\\n]*(?:\\.[^'\\\n]*)*)'", re.DOTALL
)
_CONTROL: Final = re.compile("[\x00-\x1f]")
_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(.))", re.DOTALL
)
_SIMPLE: Final = {
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_JSON_WORDS: Final = (("true", True), ("false", False), ("null", None))
_PYTHON_WORDS: Final = (("True", True), ("False", False), ("None", None))


class LiteralError(ValueError):
    """No complete literal stands there."""


def read_literal(text: str, *, python: bool) -> tuple[Json, int]:
    """The literal at the start of a text, and where it ends.

    Raises:
        LiteralError: none is complete.
    """
    return _Reader(text, python=python).read()


class _Reader:
    """A stack of open containers over one text."""

    def __init__(self, text: str, *, python: bool) -> None:
        self.text = text
        self.python = python
        self.blank = re.compile(r"\s*") if python else _BLANK
        self.open: list[tuple[list[tuple[str, Json]] | None, list[Json]]] = []
        self.keys: list[str] = []

    def read(self) -> tuple[Json, int]:
        at = self._skip(0)
        while True:
            mark = self.text[at : at + 1]
            if mark and mark in "{[":
                at = self._enter(mark, at + 1)
                if at >= 0:
                    continue
                value, at = self._leave(), -at
            else:
                value, at = self._scalar(at)
            value, at, done = self._give(value, at)
            if done:
                return value, at

    def _skip(self, at: int) -> int:
        match = self.blank.match(self.text, at)
        return match.end() if match else at

    def _enter(self, mark: str, at: int) -> int:
        """Open a container; the place of its first value, or minus the end of an empty one."""
        self.open.append(([] if mark == "{" else None, []))
        at = self._skip(at)
        if self.text[at : at + 1] == ("}" if mark == "{" else "]"):
            return -(at + 1)
        return self._key(at) if mark == "{" else at

    def _key(self, at: int) -> int:
        key, at = self._scalar(at)
        at = self._skip(at)
        if not isinstance(key, str) or self.text[at : at + 1] != ":":
            raise LiteralError
        self.keys.append(key)
        return self._skip(at + 1)

    def _give(self, value: Json, at: int) -> tuple[Json, int, bool]:
        """Hand a finished value to what is open, closing what ends there."""
        while self.open:
            pairs, items = self.open[-1]
            if pairs is None:
                items.append(value)
            else:
                pairs.append((self.keys.pop(), value))
            at, is_closed = self._after_member("]" if pairs is None else "}", at)
            if not is_closed:
                return value, (at if pairs is None else self._key(at)), False
            value = self._leave()
        return value, at, True

    def _after_member(self, closer: str, at: int) -> tuple[int, bool]:
        at = self._skip(at)
        has_comma = self.text[at : at + 1] == ","
        if has_comma:
            at = self._skip(at + 1)
        if self.text[at : at + 1] == closer:
            return at + 1, True
        if not has_comma:
            raise LiteralError
        return at, False

    def _leave(self) -> Json:
        pairs, items = self.open.pop()
        return items if pairs is None else object_of(pairs)

    def _scalar(self, at: int) -> tuple[Json, int]:
        mark = self.text[at : at + 1]
        if mark == '"' or (self.python and mark == "'"):
            return self._string(at)
        for word, value in _PYTHON_WORDS if self.python else _JSON_WORDS:
            if self.text.startswith(word, at):
                return value, at + len(word)
        match = _NUMBER.match(self.text, at)
        if match is None:
            raise LiteralError
        return parse_json(match.group()), match.end()

    def _string(self, at: int) -> tuple[str, int]:
        pattern = _PYTHON_STRING if self.python else _JSON_STRING
        match = pattern.match(self.text, at)
        if match is None:
            raise LiteralError
        if self.python:
            return _python_text(match.group(1) or match.group(2) or ""), match.end()
        body = _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", match.group())
        try:
            value = parse_json(body)
        except ValueError:
            raise LiteralError from None
        return str(value), match.end()


def object_of(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object of these pairs; a key that occurs with different values keeps them all."""
    plain = dict(pairs)
    if len(plain) == len(pairs) or all(is_same(plain[key], value) for key, value in pairs):
        return plain
    repeated = RepeatedKeys(plain)
    repeated.pairs = tuple(pairs)
    return repeated


def _python_text(body: str) -> str:
    return _ESCAPE.sub(_unescaped, body) if "\\" in body else body


def _unescaped(match: re.Match[str]) -> str:
    for group, base in ((1, 16), (2, 16), (3, 16), (4, 8)):
        digits = match.group(group)
        if digits is not None:
            code = int(digits, base)
            if code > 0x10FFFF:
                raise LiteralError
            return chr(code)
    letter = match.group(5)
    return _SIMPLE.get(letter, match.group())
