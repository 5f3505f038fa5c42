"""JSON documents that span lines: their values one by one, or as far as a cut text goes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from toolfix_audit.logs.blocks import Damage
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, JsonError, parse_prefix

MAX_VALUE_CHARACTERS: Final = 64 * 1024 * 1024
"""A larger single value is refused as unreadable."""

_PARTIAL_DEPTH: Final = 6
_SPACE: Final = re.compile(r"[ \t\r\n]*")


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
    window = _Window(file, limit)
    arrays = 0
    try:
        while window.peek():
            if window.peek() == "[":
                yield from _elements(window, arrays)
                arrays += 1
            else:
                yield window.take_value(None)
    except JsonError as error:
        yield window.failure(error.args[0], at_end=error.at_end)
    else:
        if window.cause:
            yield window.failure(window.cause, at_end=True)


def read_partial(text: str) -> Json:
    """The object or array that a possibly cut text begins, with every member that is whole and
    the beginnings of those that are not; None if the text begins no such value or is broken."""
    start = _skip(text, 0)
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        return _partial(text, start, _PARTIAL_DEPTH)
    except JsonError:
        return None


def _elements(window: _Window, array: int) -> Iterator[Item]:
    window.take_mark()
    if window.peek() == "]":
        window.take_mark()
        return
    while True:
        yield window.take_value(array)
        mark = window.peek()
        if mark not in (",", "]"):
            raise JsonError("Expecting ',' delimiter", window.position, at_end=not mark)
        window.take_mark()
        if mark == "]":
            return


class _Window:
    """The text around the place where a document is being read."""

    def __init__(self, file: LogFile, limit: int) -> None:
        self._blocks = file.blocks()
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._limit = limit
        self._text = ""
        self._line = 1
        self._offset = 0
        self._ended = False
        self.cause: str | None = None
        self.position = 0
        if not self.peek():
            return
        if self._text.startswith("\ufeff"):
            self._consume(1)

    def peek(self) -> str:
        """The next character that is no space; the empty text at the end."""
        while True:
            end = _skip(self._text, self.position)
            if end < len(self._text) or self._ended:
                self._consume(end)
                return self._text[self.position : self.position + 1]
            self._grow(1)

    def take_mark(self) -> None:
        self._consume(self.position + 1)

    def take_value(self, array: int | None) -> Item:
        self.peek()
        line, offset = self._line, self._offset
        while True:
            try:
                value, end = parse_prefix(self._text, self.position)
            except JsonError as error:
                if self._ended or not error.at_end:
                    raise
                self._grow(len(self._text))
                continue
            if end == len(self._text) and not self._ended:
                self._grow(1)  # a number may go on
                continue
            self._consume(end)
            return Item(line, offset, value, array)

    def failure(self, message: str, *, at_end: bool) -> Item:
        """The item that ends a broken document, at the place that was reached."""
        if self.cause:
            cause = self.cause
        elif at_end:
            cause = "the document is cut: it ends inside a value"
        else:
            cause = f"not JSON: {message} of what follows"
        return Item(self._line, self._offset, None, None, cause)

    def _consume(self, end: int) -> None:
        gone = self._text[self.position : end]
        self._line += gone.count("\n")
        self._offset += len(gone.encode("utf-8"))
        self.position = end
        if end > len(self._text) // 2:
            self._text = self._text[end:]
            self.position = 0

    def _grow(self, wanted: int) -> None:
        """Read on until `wanted` more characters are there, or the end."""
        if len(self._text) > self._limit:
            self._stop(f"a value has more than {self._limit} characters")
            raise JsonError("Value too large", self.position)
        parts = [self._text]
        missing = wanted
        while missing > 0 and not self._ended:
            part = self._next_text()
            parts.append(part)
            missing -= len(part)
        self._text = "".join(parts)

    def _next_text(self) -> str:
        block = next(self._blocks, None)
        if isinstance(block, Damage):
            self._stop(block.cause)
            return ""
        try:
            if block is None:
                self._ended = True
                return self._decoder.decode(b"", final=True)
            return self._decoder.decode(block)
        except UnicodeDecodeError as error:
            self._stop(f"not UTF-8: byte 0x{error.object[error.start]:02x}")
            return error.object[: error.start].decode()

    def _stop(self, cause: str) -> None:
        self._ended = True
        self.cause = cause


def _partial(text: str, position: int, depth: int) -> Json:
    try:
        return parse_prefix(text, position)[0]
    except JsonError as error:
        if not error.at_end:
            raise
    position = _skip(text, position)
    mark = text[position : position + 1]
    if mark == "[" and depth:
        return _partial_array(text, position + 1, depth)
    return _partial_object(text, position + 1, depth) if mark == "{" and depth else None


def _partial_array(text: str, position: int, depth: int) -> Json:
    items: list[Json] = []
    while True:
        try:
            value, position = parse_prefix(text, position)
        except JsonError:
            cut = _partial(text, position, depth - 1)
            return items if cut is None else [*items, cut]
        items.append(value)
        position = _skip(text, position) + 1


def _partial_object(text: str, position: int, depth: int) -> Json:
    members: dict[str, Json] = {}
    while True:
        try:
            key, position = parse_prefix(text, position)
        except JsonError:
            return members
        position = _skip(text, position) + 1
        if not isinstance(key, str):
            return members
        try:
            members[key], position = parse_prefix(text, position)
        except JsonError:
            members[key] = _partial(text, position, depth - 1)
            return members
        position = _skip(text, position) + 1


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
