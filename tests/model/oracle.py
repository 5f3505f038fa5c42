"""A second reading of RFC 8259, one character at a time: is a text JSON, cut JSON, or wrong?"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

_SPACE = " \t\n\r"
_HEX = "0123456789abcdefABCDEF"
_DIGITS = "0123456789"


class Reading(Enum):
    """`CUT` means that some continuation makes the text JSON."""

    JSON = "json"
    CUT = "cut"
    WRONG = "wrong"


class _CutError(Exception):
    pass


class _WrongError(Exception):
    pass


def read(text: str) -> Reading:
    """Tell what a text is."""
    try:
        end = _space(text, _value(text, _space(text, 0)))
    except _CutError:
        return Reading.CUT
    except _WrongError:
        return Reading.WRONG
    return Reading.JSON if end == len(text) else Reading.WRONG


def prefixes(text: str) -> Iterator[str]:
    """Every proper beginning of a text, the empty one left out."""
    return (text[:end] for end in range(1, len(text)))


def _at(text: str, position: int) -> str:
    if position >= len(text):
        raise _CutError
    return text[position]


def _space(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE:
        position += 1
    return position


def _value(text: str, position: int) -> int:
    first = _at(text, position)
    if first == '"':
        return _string(text, position)
    if first in "{[":
        return _container(text, position, is_object=first == "{")
    for word in ("true", "false", "null"):
        if first == word[0]:
            return _word(text, position, word)
    return _number(text, position)


def _word(text: str, position: int, word: str) -> int:
    for offset, wanted in enumerate(word):
        if _at(text, position + offset) != wanted:
            raise _WrongError
    return position + len(word)


def _string(text: str, position: int) -> int:
    position += 1
    while (char := _at(text, position)) != '"':
        if char < " ":
            raise _WrongError
        position += 1
        if char == "\\":
            position = _escape(text, position)
    return position + 1


def _escape(text: str, position: int) -> int:
    kind = _at(text, position)
    if kind == "u":
        for offset in range(1, 5):
            if _at(text, position + offset) not in _HEX:
                raise _WrongError
        return position + 5
    if kind not in '"\\/bfnrt':
        raise _WrongError
    return position + 1


def _number(text: str, position: int) -> int:
    if _at(text, position) == "-":
        position += 1
    if _at(text, position) == "0":
        position += 1
    else:
        position = _digits(text, position)
    if text[position : position + 1] == ".":
        position = _digits(text, position + 1)
    if text[position : position + 1] in ("e", "E"):
        position += 1
        if _at(text, position) in "+-":
            position += 1
        position = _digits(text, position)
    return position


def _digits(text: str, position: int) -> int:
    if _at(text, position) not in _DIGITS:
        raise _WrongError
    while position < len(text) and text[position] in _DIGITS:
        position += 1
    return position


def _container(text: str, position: int, *, is_object: bool) -> int:
    closer = "}" if is_object else "]"
    position = _space(text, position + 1)
    if _at(text, position) == closer:
        return position + 1
    while True:
        if is_object:
            position = _key(text, position)
        position = _space(text, _value(text, _space(text, position)))
        mark = _at(text, position)
        position = _space(text, position + 1)
        if mark == closer:
            return _before_space(text, position)
        if mark != ",":
            raise _WrongError


def _before_space(text: str, position: int) -> int:
    while text[position - 1] in _SPACE:
        position -= 1
    return position


def _key(text: str, position: int) -> int:
    if _at(text, position) != '"':
        raise _WrongError
    position = _space(text, _string(text, position))
    if _at(text, position) != ":":
        raise _WrongError
    return position + 1
