"""Calls written as elements: an opening tag with the name, one element per argument, a closer.

Values are text. The first closer ends a value; where that leaves something over, or a value holds
a delimiter, the calls can't be told apart and are only counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from toolfix_audit.engine.leaks.syntax import Block, WrittenCall, skip_blank
from toolfix_audit.engine.leaks.words import Place, Reason
from toolfix_audit.model.json import Json, JsonError, parse_json

_NOISE: Final = re.compile(
    r"\s*+(</(?:\|DSML\|\s*+)?(?:[a-z]+:)?(?:function|function_invocation|function_calls?|tool_calls?"
    r"|invoke|parameter|arg_value)>)"
)


def _untold(_tag: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a syntax spells its tags.

    `opener` has the group `name`, `key` the group `key`; in `value_end` and `closers` the words
    `{key}` and `{name}` stand for those. `delimiters` are what no value may hold. With `trims` a
    line end at either side of a value is layout. `is_json` tells from a key's tag whether its
    value is JSON or exactly this text; None says that the tag does not tell.
    """

    opener: re.Pattern[str]
    key: re.Pattern[str]
    value_end: str
    closers: tuple[str, ...]
    delimiters: tuple[str, ...]
    trims: bool = False
    is_json: Callable[[str], bool | None] = _untold


@dataclass(frozen=True, slots=True)
class Texts:
    """A text as it is, and as its tags are looked for; equally long."""

    text: str
    plain: str


def read_series(
    texts: Texts, match: re.Match[str], dialect: Dialect, *, place: Place, wrapper: str = ""
) -> Block | None:
    """The run of elements that begins with the one opened by `match`, with the closing tags that
    follow; `wrapper` is the closing tag of an opening tag before it. None if it is no element."""
    calls: list[WrittenCall] = []
    position, following = match.end(), match
    while True:
        element = _Element(texts, following, dialect).read()
        if element is None:
            if not calls:
                return None
            break
        calls.append(element.call)
        position = element.end
        if element.fault:
            end, _ = _noise(texts.plain, position)
            return Block(match.start(), end, tuple(calls), place, element.fault)
        after = _noise(texts.plain, position)[0]
        found = dialect.opener.match(texts.plain, skip_blank(texts.plain, after))
        if found is None:
            break
        following = found
    end, noise = _noise(texts.plain, position)
    tags = [texts.plain[start:stop] for start, stop in noise]
    if wrapper in tags:
        del noise[tags.index(wrapper)]
    strays = tuple(texts.text[start:stop] for start, stop in noise)
    return Block(match.start(), end, tuple(calls), place, strays=strays)


def _noise(plain: str, position: int) -> tuple[int, list[tuple[int, int]]]:
    """Where the closing tags that follow an element end, and where each stands."""
    found = []
    while match := _NOISE.match(plain, position):
        found.append(match.span(1))
        position = match.end()
    return position, found


@dataclass(frozen=True, slots=True)
class Element:
    """One call, where it ends, and what is wrong with it."""

    call: WrittenCall
    end: int
    fault: Reason | None = None


class _Element:
    """Reads one element."""

    def __init__(self, texts: Texts, match: re.Match[str], dialect: Dialect) -> None:
        self.texts = texts
        self.dialect = dialect
        self.name = match.group("name").strip()
        self.position = match.end()
        self.values: dict[str, Json] = {}
        self.untyped: set[str] = set()
        self.closers = tuple(closer.replace("{name}", self.name) for closer in dialect.closers)

    def read(self) -> Element | None:
        """The element; None where what follows the opening tag is none."""
        plain = self.texts.plain
        while True:
            self.position = skip_blank(plain, self.position)
            for closer in self.closers:
                if plain.startswith(closer, self.position):
                    return self._done(self.position + len(closer))
            if self.position >= len(plain):
                return self._done(len(plain), Reason.UNTERMINATED) if self.values else None
            match = self.dialect.key.match(plain, self.position)
            if match is None:
                return self._broken()
            fault = self._take(match)
            if fault is not None:
                return fault

    def _take(self, match: re.Match[str]) -> Element | None:
        """Take the value whose opening tag was matched; the element, if it ends here."""
        key = match.group("key").strip()
        closer = self.dialect.value_end.replace("{key}", key)
        end = self.texts.plain.find(closer, match.end())
        if end < 0:
            return self._open_values(match)
        span = self.texts.plain[match.end() : end]
        if key in self.values or any(mark in span for mark in self._delimiters(key)):
            return self._fouled()
        self._add(match, self.texts.text[match.end() : end])
        self.position = end + len(closer)
        return None

    def _delimiters(self, key: str) -> tuple[str, ...]:
        return tuple(mark.replace("{key}", key) for mark in self.dialect.delimiters)

    def _add(self, match: re.Match[str], text: str) -> None:
        key = match.group("key").strip()
        is_json = self.dialect.is_json(match.group())
        if is_json is None:
            self.untyped.add(key)
        if self.dialect.trims:
            text = text.removeprefix("\n").removesuffix("\n")
        self.values[key] = text
        if is_json:
            with suppress(JsonError):
                self.values[key] = parse_json(text)

    def _done(self, end: int, fault: Reason | None = None) -> Element:
        return Element(WrittenCall(self.name, self.values, frozenset(self.untyped)), end, fault)

    def _broken(self) -> Element | None:
        """What follows a value is neither an argument nor the end: was the value longer?"""
        closers = [self.dialect.value_end.replace("{key}", key) for key in self.values]
        if any(self.texts.plain.startswith(closer, self.position) for closer in closers):
            return self._fouled()
        return None

    def _fouled(self) -> Element:
        ends = [(self.texts.plain.find(mark, self.position), mark) for mark in self.closers]
        found = [end + len(mark) for end, mark in ends if end >= 0]
        call = WrittenCall(self.name, None)
        if not found:
            return Element(call, self.position, Reason.UNTERMINATED)
        return Element(call, min(found), Reason.DELIMITER_IN_VALUE)

    def _open_values(self, match: re.Match[str]) -> Element:
        """The values from one without an end on: each ends, at best, where the next begins."""
        plain, text = self.texts.plain, self.texts.text
        ends = [found for mark in self.closers if (found := plain.find(mark, match.end())) >= 0]
        end = min(ends, default=len(plain))
        following: re.Match[str] | None = match
        while following is not None:
            current = following
            following = self.dialect.key.search(plain, current.end(), end)
            stop = following.start() if following else end
            self.values[current.group("key").strip()] = text[current.end() : stop].strip()
        closer = next((mark for mark in self.closers if plain.startswith(mark, end)), "")
        return self._done(end + len(closer), Reason.UNTERMINATED_WRITE)
