"""YAML documents of one mapping, read as they come: members, and lists element by element.

Scalars mean what they mean in JSON: `yes`, dates and `012` stay texts, a number keeps its digits.
Aliases are shared, and what they would expand to is bounded. No tag makes an object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import yaml

from toolfix_audit.logs.blocks import Damage
from toolfix_audit.logs.cut_documents import Member
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, dump_json, parse_json

MAX_VALUE_CHARACTERS: Final = 256 * 1024 * 1024
"""A larger element, aliases written out, is refused as unreadable."""

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS: Final[dict[str, Json]] = {"": None, "~": None, "null": None, "true": True, "false": False}
_BINARY: Final = "tag:yaml.org,2002:binary"
_TEXT: Final = "tag:yaml.org,2002:str"


class BinaryText(str):
    """The base64 text of a value that is bytes."""

    __slots__ = ()


@dataclass(slots=True)
class _Open:
    """A container that is being read, its anchor, and the size of the element before it."""

    value: dict[str, Json] | list[Json]
    anchor: str | None
    before: int
    key: str | None = None

    def add(self, value: Json) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.key is None:
            self.key = value if isinstance(value, str) else dump_json(value)
        else:
            self.value[self.key] = value
            self.key = None

    @property
    def awaits_key(self) -> bool:
        return isinstance(self.value, dict) and self.key is None


def iter_yaml_members(file: LogFile, *, limit: int = MAX_VALUE_CHARACTERS) -> Iterator[Member]:
    """Give the members of every mapping of a file in order, lists element by element.

    Broken or cut text gives what is whole before it, then one member with the cause.

    Raises:
        ReadError: the file can't be opened or read.
    """
    feed = _Feed(file)
    reading = _Reading(feed, limit)
    try:
        yield from reading.members()
    except (yaml.YAMLError, UnicodeError, ValueError) as error:
        line, offset = feed.place(reading.at)
        yield Member(line, offset, reading.document, "", None, feed.cause or _cause(error))
    else:
        if feed.cause:
            line, offset = feed.place(reading.at)
            yield Member(line, offset, reading.document, "", None, feed.cause)


class _Reading:
    """The events of a file turned into members. `at` is the place of the last element begun."""

    def __init__(self, feed: _Feed, limit: int) -> None:
        self.document = 0
        self.at = 0
        self._feed = feed
        self._limit = limit
        self._events: Iterator[yaml.Event] = yaml.parse(feed, Loader=_LOADER)
        self._anchors: dict[str, tuple[Json, int]] = {}
        self._size = 0

    def members(self) -> Iterator[Member]:
        for event in self._events:
            if isinstance(event, yaml.MappingStartEvent):
                yield from self._mapping()
                self._anchors.clear()
                self.document += 1
            elif isinstance(event, yaml.NodeEvent):
                yield self._member("", event)
                self.document += 1

    def _mapping(self) -> Iterator[Member]:
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = (
                event.value
                if isinstance(event, yaml.ScalarEvent)
                else dump_json(self._value(event))
            )
            event = next(self._events)
            if not isinstance(event, yaml.SequenceStartEvent):
                yield self._member(key, event)
                continue
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                yield self._member(key, event)

    def _member(self, key: str, event: yaml.Event) -> Member:
        self.at = event.start_mark.index if event.start_mark else self.at
        line, offset = self._feed.place(self.at)
        self._size = 0
        value = self._value(event)
        if self._size > self._limit:
            cause = f"a value has more than {self._limit} characters, aliases written out"
            return Member(line, offset, self.document, key, None, cause)
        return Member(line, offset, self.document, key, value)

    def _value(self, event: yaml.Event) -> Json:
        """The value that begins with an event; what is beyond the limit is left out."""
        stack: list[_Open] = []
        while True:
            value: Json = None
            if isinstance(event, yaml.ScalarEvent):
                value = self._scalar(event, as_key=bool(stack) and stack[-1].awaits_key)
            elif isinstance(event, yaml.AliasEvent):
                value = self._aliased(event.anchor or "")
            elif isinstance(event, yaml.MappingStartEvent):
                stack.append(_Open({}, event.anchor, self._size))
            elif isinstance(event, yaml.SequenceStartEvent):
                stack.append(_Open([], event.anchor, self._size))
            else:
                value = self._close(stack.pop())
            if not isinstance(event, yaml.CollectionStartEvent):
                if not stack:
                    return value
                self._put(stack[-1], value)
            event = next(self._events)

    def _aliased(self, anchor: str) -> Json:
        if anchor not in self._anchors:
            raise ValueError(f"undefined alias {anchor!r}")
        value, size = self._anchors[anchor]
        self._size += size
        return value

    def _close(self, closed: _Open) -> Json:
        if closed.anchor:
            self._anchors[closed.anchor] = (closed.value, self._size - closed.before)
        return closed.value

    def _put(self, holder: _Open, value: Json) -> None:
        if self._size <= self._limit or holder.awaits_key:
            holder.add(value)
        else:
            holder.key = None

    def _scalar(self, event: yaml.ScalarEvent, *, as_key: bool) -> Json:
        self._size += len(event.value) + 1
        value = event.value if as_key else _meaning(event)
        if event.anchor:
            self._anchors[event.anchor] = (value, len(event.value) + 1)
        return value


class _Feed:
    """The decompressed bytes of a file as a stream, and where in them a character stands."""

    def __init__(self, file: LogFile) -> None:
        self._blocks = file.blocks()
        self._rest = b""
        self._pieces: list[bytes] = []
        self._chars = 0
        self._bytes = 0
        self._line = 1
        self.cause: str | None = None

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most `size`; none at the end or where the data is damaged."""
        if not self._rest:
            block = next(self._blocks, None)
            if isinstance(block, Damage):
                self.cause = block.cause
            elif block is not None:
                self._rest = block
        wanted = len(self._rest) if size < 0 else size
        piece, self._rest = self._rest[:wanted], self._rest[wanted:]
        if piece:
            self._pieces.append(piece)
        return piece

    def place(self, index: int) -> tuple[int, int]:
        """The 1-based line and the byte offset of a character; indexes never fall."""
        while self._pieces:
            piece = self._pieces[0]
            count = _characters(piece)
            if self._chars + count > index:
                head = _head(piece, index - self._chars)
                return self._line + head.count(b"\n"), self._bytes + len(head)
            self._chars += count
            self._bytes += len(piece)
            self._line += piece.count(b"\n")
            del self._pieces[0]
        return self._line, self._bytes


def _characters(piece: bytes) -> int:
    """How many characters begin in a piece of UTF-8."""
    return len(piece) if piece.isascii() else sum(byte & 0xC0 != 0x80 for byte in piece)


def _head(piece: bytes, characters: int) -> bytes:
    """The bytes before the character of that number which begins in a piece."""
    if piece.isascii():
        return piece[:characters]
    begun = -1
    for position, byte in enumerate(piece):
        begun += byte & 0xC0 != 0x80
        if begun == characters:
            return piece[:position]
    return piece


def _meaning(event: yaml.ScalarEvent) -> Json:
    text: str = event.value
    if event.tag == _BINARY:
        return BinaryText("".join(text.split()))
    if event.tag == _TEXT or not (event.implicit[0] or event.tag):
        return text
    if event.tag is None and event.style not in (None, ""):
        return text
    if text in _WORDS:
        return _WORDS[text]
    return parse_json(text) if _NUMBER.fullmatch(text) else text


def _cause(error: Exception) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return f"not YAML: {problem}".split("\n", 1)[0]
