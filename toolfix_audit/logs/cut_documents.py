"""Objects that keep their messages in a list: element by element, as far as a cut text goes.

Programs that write such a document through a pipe, or die while they write, leave a text that
ends inside an element. What is whole before the cut is read, and the rest is told as a fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.text_window import MAX_VALUE_CHARACTERS, TextWindow
from toolfix_audit.model.json import Json, JsonError


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


def iter_members(
    file: LogFile, *, limit: int = MAX_VALUE_CHARACTERS, inside: str | None = None
) -> Iterator[Member]:
    """Give the members of every object of a file in order, lists element by element.

    A top-level value that is no object is a member without a key. Of an object under the key
    `inside` the members are given, as `inside.key`.

    Raises:
        ReadError: the file can't be opened or read.
    """
    window = TextWindow(file.blocks(), limit)
    walk = _Walk(window, inside)
    document = 0
    try:
        while window.peek():
            for value in walk.members():
                yield Member(*walk.place, document, walk.key, value)
            document += 1
    except JsonError as error:
        whole, lost = walk.salvaged()
        if whole:
            yield Member(*walk.place, document, walk.key, whole)
        yield Member(*lost, document, "", None, window.failure(error))
    else:
        if window.cause:
            yield Member(*window.place, document, "", None, window.cause)


class _Walk:
    """The way through a text. `key` and `place` tell of the value that was read last, or is being
    read; `in_list` says whether it is an element of a list."""

    def __init__(self, window: TextWindow, inside: str | None = None) -> None:
        self._window = window
        self._inside = inside
        self._in_value = False
        self.place = window.place
        self.key = ""
        self.in_list = False

    def members(self) -> Iterator[Json]:
        """The members of the object that starts here, or the value if it is another."""
        self.key = ""
        if self._window.peek() != "{":
            yield self._value()
            return
        yield from self._members_of("")

    def salvaged(self) -> tuple[dict[str, Json], tuple[int, int]]:
        """What is whole of the object in which reading ended: its members, and the elements of
        those that are lists; and where the rest starts."""
        whole: dict[str, Json] = {}
        window = self._window
        if not self._in_value:
            return whole, window.place
        if window.is_full or not window.text.startswith("{", window.position):
            return whole, self.place
        inner = _Walk(window.rest())
        elements: dict[str, list[Json]] = {}
        try:
            for value in inner.members():
                if inner.in_list:
                    elements.setdefault(inner.key, []).append(value)
                else:
                    whole[inner.key] = value
        except JsonError:
            pass
        return {**whole, **elements}, inner.place

    def _members_of(self, prefix: str) -> Iterator[Json]:
        window = self._window
        window.take_mark()
        while window.peek() != "}":
            key = self._value()
            window.expect(":")
            self.key = f"{prefix}{key}" if isinstance(key, str) else ""
            first = window.peek()
            if first == "[":
                yield from self._elements()
            elif first == "{" and key == self._inside and not prefix:
                yield from self._members_of(f"{key}.")
            else:
                yield self._value()
            if window.peek() != "}":
                window.expect(",")
        window.take_mark()

    def _elements(self) -> Iterator[Json]:
        window = self._window
        window.take_mark()
        self.in_list = True
        while window.peek() != "]":
            yield self._value()
            if window.peek() != "]":
                window.expect(",")
        window.take_mark()
        self.in_list = False

    def _value(self) -> Json:
        window = self._window
        window.peek()
        self.place = window.place
        self._in_value = True
        value = window.take_value()
        if isinstance(value, int | float) and not window.peek():
            raise JsonError("A number may go on", window.position, at_end=True)
        self._in_value = False
        return value
