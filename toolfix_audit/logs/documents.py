"""JSON documents that span lines: their values one by one, or as far as a cut text goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.text_window import MAX_VALUE_CHARACTERS, TextWindow
from toolfix_audit.model.json import Json, JsonError, parse_prefix
from toolfix_audit.model.json_errors import skip_space

_PARTIAL_DEPTH: Final = 6


@dataclass(frozen=True, slots=True)
class Item:
    """A value of a document, with the 1-based line and byte offset of its start.

    `array` numbers the top-level array that holds it; None for a value outside arrays. With a
    `cause` there is no value, and nothing after it could be read.
    """

    line: int
    offset: int
    value: Json
    array: int | None = None
    cause: str | None = None


def iter_items(file: LogFile, *, limit: int = MAX_VALUE_CHARACTERS) -> Iterator[Item]:
    """Give the top-level values of a file, and the elements of top-level arrays one by one.

    Only one value is held at a time. Broken or cut text gives the values before it, then one
    item with the cause.

    Raises:
        ReadError: the file can't be opened or read.
    """
    window = TextWindow(file.blocks(), limit)
    arrays = 0
    try:
        while window.peek():
            if window.peek() == "[":
                yield from _elements(window, arrays)
                arrays += 1
            else:
                yield _item(window, None)
    except JsonError as error:
        yield Item(*window.place, None, None, window.failure(error))
    else:
        if window.cause:
            yield Item(*window.place, None, None, window.cause)


def read_partial(text: str, *, may_be_broken: bool = False) -> Json:
    """The object or array that a possibly cut text begins, with every member that is whole and
    the beginnings of those that are not; None if the text begins no such value or is broken. One
    that may be broken is read as if it were cut there."""
    start = skip_space(text, 0)
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        return _Partial(text, may_be_broken=may_be_broken).value(start, _PARTIAL_DEPTH)
    except JsonError:
        return None


def _elements(window: TextWindow, array: int) -> Iterator[Item]:
    window.take_mark()
    while window.peek() != "]":
        yield _item(window, array)
        if window.peek() != "]":
            window.expect(",")
    window.take_mark()


def _item(window: TextWindow, array: int | None) -> Item:
    window.peek()
    place = window.place
    return Item(*place, window.take_value(), array)


class _Partial:
    """A text that is read as far as it goes."""

    def __init__(self, text: str, *, may_be_broken: bool) -> None:
        self._text = text
        self._may_be_broken = may_be_broken

    def value(self, position: int, depth: int) -> Json:
        """The value that starts there, or its beginning.

        Raises:
            JsonError: it is broken, and may not be.
        """
        try:
            return parse_prefix(self._text, position)[0]
        except JsonError as error:
            if not (error.at_end or self._may_be_broken):
                raise
        position = skip_space(self._text, position)
        mark = self._text[position : position + 1]
        if mark == "[" and depth:
            return self._array(position + 1, depth)
        return self._object(position + 1, depth) if mark == "{" and depth else None

    def _array(self, position: int, depth: int) -> Json:
        items: list[Json] = []
        while True:
            try:
                value, position = parse_prefix(self._text, position)
            except JsonError:
                cut = self.value(position, depth - 1)
                return items if cut is None else [*items, cut]
            items.append(value)
            position = skip_space(self._text, position) + 1

    def _object(self, position: int, depth: int) -> Json:
        members: dict[str, Json] = {}
        while True:
            try:
                key, position = parse_prefix(self._text, position)
            except JsonError:
                return members
            position = skip_space(self._text, position) + 1
            if not isinstance(key, str):
                return members
            try:
                members[key], position = parse_prefix(self._text, position)
            except JsonError:
                members[key] = self.value(position, depth - 1)
                return members
            position = skip_space(self._text, position) + 1
