"""Objects that keep their messages in a list: element by element, as far as a cut text goes.

Programs that write such a document through a pipe, or die while they write, leave a text that
ends inside an element. What is whole before the cut is read, and the rest is told as a fault.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from toolfix_audit.logs.blocks import Damage, read_blocks
from toolfix_audit.logs.documents import MAX_VALUE_CHARACTERS
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, JsonError, parse_prefix
from toolfix_audit.model.json_errors import skip_space

_CUT: Final = "the document is cut: it ends inside a value"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a document, or one element of a member that is a list.

    `document` counts the documents of the file from 0. With a `cause` there is no value, and
    nothing after it could be read. Of an element that is cut, `value` has the whole members
    and the whole elements of its own lists; the fault follows.
    """

    line: int
    offset: int
    document: int
    key: str
    value: Json
    cause: str | None = None


def iter_members(file: LogFile, *, limit: int = MAX_VALUE_CHARACTERS) -> Iterator[Member]:
    """Give the members of every object of a file in order, lists element by element.

    A top-level value that is no object is a member without a key.

    Raises:
        ReadError: the file can't be opened or read.
    """
    text, fault = _whole_text(file, limit)
    place = _Place(text)
    walk = _Walk(text, len(text) - len(text.removeprefix("\ufeff")))
    document = 0
    try:
        while walk.peek():
            for value in walk.members():
                yield Member(*place.of(walk.start), document, walk.key, value)
            document += 1
    except JsonError as error:
        whole, lost = walk.salvaged()
        if whole:
            yield Member(*place.of(walk.start), document, walk.key, whole)
        cause = fault or (_CUT if error.at_end else f"not JSON: {error}")
        yield Member(*place.of(lost), document, "", None, cause)
    else:
        if fault:
            yield Member(*place.of(len(text)), document, "", None, fault)


class _Walk:
    """The way through a text. `key` and `start` tell of the value that is being read, `in_list`
    whether it is an element of a list."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._position = start
        self.start = start
        self.key = ""
        self.in_list = False

    def peek(self) -> str:
        """The next character that is no space; the empty text at the end."""
        self._position = skip_space(self._text, self._position)
        return self._text[self._position : self._position + 1]

    def members(self) -> Iterator[Json]:
        """The members of the object that starts here, or the value if it is another."""
        self.key = ""
        if self.peek() != "{":
            yield self._value()
            return
        self._position += 1
        while self.peek() != "}":
            key = self._value()
            self._expect(":")
            self.key = key if isinstance(key, str) else ""
            if self.peek() == "[":
                yield from self._elements()
            else:
                yield self._value()
            if self.peek() != "}":
                self._expect(",")
        self._position += 1

    def salvaged(self) -> tuple[dict[str, Json], int]:
        """What is whole of the object in which reading ended: its members, and the elements of
        those that are lists; and where the rest starts."""
        whole: dict[str, Json] = {}
        if self._text[self.start : self.start + 1] != "{":
            return whole, self.start
        inner = _Walk(self._text, self.start)
        elements: dict[str, list[Json]] = {}
        try:
            for value in inner.members():
                if inner.in_list:
                    elements.setdefault(inner.key, []).append(value)
                else:
                    whole[inner.key] = value
        except JsonError:
            pass
        return {**whole, **elements}, inner.start

    def _elements(self) -> Iterator[Json]:
        self._expect("[")
        self.in_list = True
        while self.peek() != "]":
            yield self._value()
            if self.peek() != "]":
                self._expect(",")
        self._position += 1
        self.in_list = False

    def _value(self) -> Json:
        self.peek()
        self.start = self._position
        value, self._position = parse_prefix(self._text, self._position)
        if self._position == len(self._text) and isinstance(value, int | float):
            raise JsonError("A number may go on", self._position, at_end=True)
        return value

    def _expect(self, mark: str) -> None:
        found = self.peek()
        if found != mark:
            raise JsonError(f"Expecting {mark!r}", self._position, at_end=not found)
        self._position += 1


class _Place:
    """Line and byte offset of positions that rise."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._line = 1
        self._offset = 0

    def of(self, position: int) -> tuple[int, int]:
        passed = self._text[self._position : position]
        self._line += passed.count("\n")
        self._offset += len(passed.encode())
        self._position = max(self._position, position)
        return self._line, self._offset


def _whole_text(file: LogFile, limit: int) -> tuple[str, str | None]:
    """The text of a file as far as it can be read, and why no farther."""
    parts: list[str] = []
    size = 0
    decoder = getincrementaldecoder("utf-8")()
    for block in read_blocks(file.path):
        if isinstance(block, Damage):
            return "".join(parts), block.cause
        try:
            parts.append(decoder.decode(block))
        except UnicodeDecodeError as error:
            parts.append(error.object[: error.start].decode())
            return "".join(parts), f"not UTF-8: byte 0x{error.object[error.start]:02x}"
        size += len(parts[-1])
        if size > limit:
            return "", f"the file has more than {limit} characters"
    rest = len(decoder.getstate()[0])
    return "".join(parts), f"not UTF-8: the last {rest} bytes are no character" if rest else None
