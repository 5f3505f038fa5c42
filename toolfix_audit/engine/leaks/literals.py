"""Values in the notations of models that write no JSON: brace objects and call arguments.

Brace objects (`{key:value}`) have bare keys and a token for quotes; call arguments
(`name=value`) are literals of Python. Both are read losslessly or not at all.
"""

from __future__ import annotations

import re
from typing import Final

from toolfix_audit.engine.leaks.syntax import skip_blank
from toolfix_audit.engine.relaxed import PYTHON, RELAXED, read_relaxed_prefix
from toolfix_audit.model.json import Json, JsonError, parse_json

MAX_DEPTH: Final = 50
_KEY: Final = re.compile(r"\s*+(?P<key>[A-Za-z_][\w.-]*)\s*+:\s*+")
_BARE: Final = re.compile(r"[^,{}\[\]<>\"'\s]{1,400}")
_KEYWORD: Final = re.compile(r"\s*+(?P<key>[A-Za-z_]\w*)\s*+=(?!=)\s*+")
_WORD: Final = re.compile(
    r"(?P<word>True|False|None|true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
    r"(?=\s*+[,)])"
)
_PYTHON_WORDS: Final = {"True": "true", "False": "false", "None": "null"}
_AFTER: Final = re.compile(r"\s*+(?P<mark>[,)])")


class LiteralError(ValueError):
    """The text is no such value; `is_cut` says that it ended inside one."""

    def __init__(self, *, is_cut: bool = False) -> None:
        super().__init__("no value")
        self.is_cut = is_cut


def read_braces(text: str, position: int, quote: str) -> tuple[dict[str, Json], int]:
    """The brace object at a position, and where it ends.

    Raises:
        LiteralError: there is none.
    """
    return _Braces(text, quote).object_at(position, 0)


def read_keywords(text: str, position: int) -> tuple[dict[str, Json], int]:
    """The keyword arguments from behind a `(` on, and where its `)` ends.

    Raises:
        LiteralError: they are no literals, a name occurs twice, or they do not end.
    """
    values: dict[str, Json] = {}
    position = skip_blank(text, position)
    if text.startswith(")", position):
        return values, position + 1
    while True:
        match = _KEYWORD.match(text, position)
        if match is None or match.group("key") in values:
            raise LiteralError(is_cut=position >= len(text))
        values[match.group("key")], position = _python_value(text, match.end())
        after = _AFTER.match(text, position)
        if after is None:
            raise LiteralError(is_cut=skip_blank(text, position) >= len(text))
        position = skip_blank(text, after.end())
        if after.group("mark") == ")":
            return values, after.end()
        if text.startswith(")", position):
            return values, position + 1


def _python_value(text: str, position: int) -> tuple[Json, int]:
    word = _WORD.match(text, position)
    if word is not None:
        return parse_json(_PYTHON_WORDS.get(word.group(), word.group())), word.end()
    error = JsonError("no value", position)
    for dialect in (PYTHON, RELAXED):
        try:
            value, end = read_relaxed_prefix(text, dialect, position)
        except JsonError as found:
            error = error if error.at_end else found
            continue
        if _AFTER.match(text, end):
            return value, end
    raise LiteralError(is_cut=error.at_end)


class _Braces:
    """Reads brace objects."""

    def __init__(self, text: str, quote: str) -> None:
        self.text = text
        self.quote = quote

    def object_at(self, position: int, depth: int) -> tuple[dict[str, Json], int]:
        position = self._expect(position, "{", depth)
        values: dict[str, Json] = {}
        while not self.text.startswith("}", position):
            match = _KEY.match(self.text, position)
            if match is None or match.group("key") in values:
                raise LiteralError(is_cut=position >= len(self.text))
            values[match.group("key")], position = self._value(match.end(), depth + 1)
            position = self._next(position, "}")
        return values, position + 1

    def _array_at(self, position: int, depth: int) -> tuple[list[Json], int]:
        position = self._expect(position, "[", depth)
        values: list[Json] = []
        while not self.text.startswith("]", position):
            value, position = self._value(position, depth + 1)
            values.append(value)
            position = self._next(position, "]")
        return values, position + 1

    def _expect(self, position: int, mark: str, depth: int) -> int:
        if depth > MAX_DEPTH or not self.text.startswith(mark, position):
            raise LiteralError(is_cut=position >= len(self.text))
        return skip_blank(self.text, position + 1)

    def _next(self, position: int, closer: str) -> int:
        """Behind the comma, or at the closer."""
        position = skip_blank(self.text, position)
        if self.text.startswith(closer, position):
            return position
        if not self.text.startswith(",", position):
            raise LiteralError(is_cut=position >= len(self.text))
        return skip_blank(self.text, position + 1)

    def _value(self, position: int, depth: int) -> tuple[Json, int]:
        if self.text.startswith("{", position):
            return self.object_at(position, depth)
        if self.text.startswith("[", position):
            return self._array_at(position, depth)
        if self.text.startswith(self.quote, position):
            start = position + len(self.quote)
            end = self.text.find(self.quote, start)
            if end < 0:
                raise LiteralError(is_cut=True)
            return self.text[start:end], end + len(self.quote)
        return self._bare(position)

    def _bare(self, position: int) -> tuple[Json, int]:
        match = _BARE.match(self.text, position)
        if match is None:
            raise LiteralError(is_cut=position >= len(self.text))
        try:
            return parse_json(match.group()), match.end()
        except JsonError:
            raise LiteralError(is_cut=match.end() >= len(self.text)) from None
