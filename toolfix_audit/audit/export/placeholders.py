"""Values replaced by others of the same class; keys, punctuation, spacing and length stay.

A text that holds JSON is walked as text, so that every oddity of its spelling survives: `"True"`
stays `"True"`, JSON text stays JSON text, a cut text stays cut. Two spellings that differ in case
or punctuation alone differ in just that afterwards, so an enum and its misspelling stay a pair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final

KEPT_LENGTH: Final = 8
"""Numbers and literal words of at most so many characters stay."""

_WORDS: Final = frozenset(
    [
        "true",
        "false",
        "null",
        "none",
        "undefined",
        "nan",
        "infinity",
        "yes",
        "no",
        "on",
        "off",
        "json",
        "js",
        "python",
    ]
)
_NUMBER: Final = re.compile(r"[-+]?(?:\d[\d_,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.)*(?:"|\Z)'
    r"|'(?:[^'\\]|\\.)*'"
    r"|[-+]?\d[\w.+-]*"
    r"|[^\W\d]\w*"
    r"|[\s\S]",
    re.DOTALL,
)
_PIECE: Final = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|[\s\S]", re.DOTALL)
_TAG: Final = re.compile(r"(</?[A-Za-z_|][^<>\s]{0,40}>|<\|[^<>|]{0,40}\|>)")
_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_WIDE: Final = "字文数表图页行列"
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


@dataclass(frozen=True)
class Placeholders:
    """Replaces values. The same salt gives the same replacements; with `short` strings of at
    most KEPT_LENGTH characters stay as they are."""

    salt: str
    short: bool = False

    def text(self, text: str) -> str:
        """A JSON text, or what was meant to be one, with its values replaced."""
        tokens = _TOKEN.findall(text)
        return "".join(
            self._token(token, is_key=_is_key(tokens, place)) for place, token in enumerate(tokens)
        )

    def string(self, content: str) -> str:
        """The content of a string, replaced."""
        return self._content(content, content)

    def _token(self, token: str, *, is_key: bool) -> str:
        if is_key:
            return token
        if token[0] in "\"'" and len(token) > 1:
            return self._quoted(token)
        if token[0].isalpha() or token[0] == "_":
            return token if token.lower() in _WORDS else self._scrambled(token, token)
        if token[-1:].isalnum() and len(token) > KEPT_LENGTH:
            return self._long_number(token)
        return token

    def _quoted(self, token: str) -> str:
        quote = token[0]
        end = quote if token.endswith(quote) else ""
        raw = token[1 : len(token) - len(end)]
        return f"{quote}{self._content(raw, _decoded(raw))}{end}"

    def _content(self, raw: str, content: str) -> str:
        """The replacement of `content`, spelled as `raw` spells it."""
        bare = content.strip()
        if self.short and len(content) <= KEPT_LENGTH:
            return raw
        if bare.lower().strip("\"'") in _WORDS or not bare:
            return raw
        if _NUMBER.fullmatch(bare):
            return raw if len(bare) <= KEPT_LENGTH else self._long_number(raw)
        if bare[0] in '{["' or bare.startswith("```"):
            inner = self.text(content)
            return inner if raw == content else json.dumps(inner, ensure_ascii=raw.isascii())[1:-1]
        parts = _TAG.split(raw)
        if len(parts) > 1:
            return "".join(
                part if place % 2 else self._scrambled(part, _decoded(part))
                for place, part in enumerate(parts)
            )
        return self._scrambled(raw, content)

    def _scrambled(self, raw: str, content: str) -> str:
        letters = self._letters(_canonical(content))
        made = "".join(_replaced(piece, letters) for piece in _PIECE.findall(raw))
        return made if made.lower() not in _WORDS else made[::-1]

    def _letters(self, canonical: str) -> Iterator[int]:
        block = 0
        while True:
            yield from _digest(self.salt, canonical, block)
            block += 1

    def _long_number(self, token: str) -> str:
        """Digits for digits, zeros and the exponent as they are."""
        mantissa, mark, exponent = re.split(r"([eE]|\Z)", token, maxsplit=1)
        letters = self._letters(_canonical(token))
        made = "".join(_replaced(piece, letters) for piece in mantissa)
        return made + mark + exponent


@lru_cache(maxsize=4096)
def _digest(salt: str, canonical: str, block: int) -> bytes:
    text = f"{salt}\0{block}\0{canonical}"
    return blake2b(text.encode("utf-8", "surrogatepass")).digest()


def _is_key(tokens: list[str], place: int) -> bool:
    """Whether a colon follows, which makes it the name of a member."""
    if tokens[place][0] not in "\"'" and not tokens[place][0].isalpha():
        return False
    after = place + 1
    while after < len(tokens) and tokens[after].isspace():
        after += 1
    return after < len(tokens) and tokens[after] == ":"


def _canonical(content: str) -> str:
    return "".join(letter for letter in content.casefold() if letter.isalnum())


def _decoded(raw: str) -> str:
    if "\\" not in raw:
        return raw
    return "".join(_character(piece) for piece in _PIECE.findall(raw))


def _character(piece: str) -> str:
    if piece.startswith("\\u") and len(piece) == 6:
        return chr(int(piece.removeprefix("\\u"), 16))
    if piece.startswith("\\") and len(piece) == 2:
        return _ESCAPES.get(piece[1], piece[1])
    return piece


def _replaced(piece: str, letters: Iterator[int]) -> str:
    """One character for one of its class; an escape stays an escape."""
    character = _character(piece)
    if not character.isalnum():
        return piece
    made = _same_class(character, next(letters))
    return f"\\u{ord(made):04x}" if piece.startswith("\\u") else made


def _same_class(character: str, number: int) -> str:
    if character.isdigit() and character.isascii():
        return character if character == "0" else str(1 + number % 9)
    if character.isascii():
        letter = _LOWER[number % 26]
        return letter.upper() if character.isupper() else letter
    return _WIDE[number % len(_WIDE)]
