"""What is wrong with a text that is no JSON: gone wrong, or merely cut."""

from __future__ import annotations

import re
from typing import Final

WORDS: Final = (("true", True), ("false", False), ("null", None))

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER_TAIL = re.compile(r"[-+.eE0-9]+$")
_CUT_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][-+]?)")
_CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,4}$")


class JsonError(ValueError):
    """The text is not JSON (RFC 8259). `position` counts characters from 0; `at_end` says that
    the text stopped inside a value rather than going wrong."""

    def __init__(self, message: str, position: int, *, at_end: bool = False) -> None:
        super().__init__(f"{message} at character {position}")
        self.position = position
        self.at_end = at_end


def skip_space(text: str, position: int) -> int:
    """The position of the next character that is no JSON white space."""
    match = _SPACE.match(text, position)
    return match.end() if match else position


def json_error(text: str, message: str, position: int) -> JsonError:
    """The error of a parser that stopped at `position` with one of the messages of `json`."""
    return JsonError(message, position, at_end=_is_cut(text, message, position))


def _is_cut(text: str, message: str, position: int) -> bool:
    """Whether the text ended where more was expected, rather than went wrong."""
    if message.startswith("Unterminated string"):
        return True
    if message.startswith("Invalid "):
        return message.startswith("Invalid \\u") and _CUT_ESCAPE.search(text) is not None
    rest = text[skip_space(text, position) :]
    if not rest:
        return True
    if message.startswith("Expecting value"):
        return rest == "-" or any(word.startswith(rest) for word, _ in WORDS)
    if not message.startswith(("Expecting ',' delimiter", "Extra data")):
        return False
    tail = _NUMBER_TAIL.search(text)
    return (
        tail is not None
        and tail.start() < position
        and _CUT_NUMBER.fullmatch(tail.group()) is not None
    )
