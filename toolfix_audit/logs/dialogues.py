"""Documents that hold conversations: their messages one by one, each a unit of the source.

A format says how a document splits into conversations, and what one message gives. Everything
else is the same for all: lines or a document over many lines, broken or cut text, messages that
are no objects, and conversations without any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from toolfix_audit.logs.documents import Item, iter_items
from toolfix_audit.logs.fields import RowError
from toolfix_audit.logs.head import Layout, read_head
from toolfix_audit.logs.lines import json_cause
from toolfix_audit.logs.reader import BalancedUnits
from toolfix_audit.logs.session_records import Source
from toolfix_audit.logs.sources import LogFile, iter_lines
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.records import Record, Unit, Unreadable

Row: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One run: its 1-based ordinal in the source, and the document beside its messages."""

    ordinal: int
    document: Row


@dataclass(slots=True)
class Dialogue:
    """A conversation while it is read: the records that open it, and what makes the records of
    each message (or the kind that the message is ignored as)."""

    opening: list[Record]
    read: Callable[[Row], list[Record] | str]


@dataclass(frozen=True, slots=True)
class Part:
    """A conversation as a document holds it: what stands beside the messages, and these."""

    document: Row
    messages: list[Json]


@dataclass(frozen=True, slots=True)
class Shape:
    """How documents of one format look.

    `split` gives the conversations of a value, or None for a value that is none. `is_message`
    recognises the elements of a conversation that stands in the file without an object around
    it; `open` begins a conversation.
    """

    split: Callable[[Json], list[Part] | None]
    open: Callable[[Conversation, Source], Dialogue]
    is_message: Callable[[Json], bool] = lambda _: False


@dataclass(frozen=True, slots=True)
class Piece:
    """One message of a conversation; or something else: `ignored` is then its kind, or `cause`
    says why it could not be read."""

    line: int
    offset: int
    conversation: Conversation | None = None
    message: Json = None
    ignored: str | None = None
    cause: str | None = None


def read_dialogues(file: LogFile, shape: Shape) -> BalancedUnits[Piece]:
    """The units of a file whose documents have that shape.

    Raises:
        ReadError: the file can't be read.
    """
    return read_pieces(file, iter_pieces(items_of(file), shape), shape)


def read_pieces(file: LogFile, pieces: Iterable[Piece], shape: Shape) -> BalancedUnits[Piece]:
    """The units of pieces that were found in another way than as the items of a file."""
    return BalancedUnits(file, pieces, _Reading(Source(file), shape).units)


def items_of(file: LogFile) -> Iterator[Item]:
    """The values of a file: of its document, or of its lines, where an array on a line gives its
    elements. An unreadable line is an item with its cause."""
    return iter_items(file) if read_head(file).layout is Layout.DOCUMENT else _line_items(file)


def iter_pieces(items: Iterable[Item], shape: Shape) -> Iterator[Piece]:
    """The messages of every conversation in order, and one piece for whatever is none."""
    ordinal = 0
    array: int | None = None
    running: Conversation | None = None
    for item in items:
        if item.cause:
            yield Piece(item.line, item.offset, cause=item.cause)
        elif shape.is_message(item.value):
            if running is None or item.array != array:
                ordinal += 1
                running, array = Conversation(ordinal, {}), item.array
            yield Piece(item.line, item.offset, running, item.value)
        else:
            parts = shape.split(item.value)
            running = None if parts else running
            yield from _pieces_of(item, parts, ordinal)
            ordinal += len(parts or ())


def _pieces_of(item: Item, parts: list[Part] | None, before: int) -> Iterator[Piece]:
    if parts is None:
        yield Piece(item.line, item.offset, ignored="other value")
        return
    if not any(part.messages for part in parts):
        yield Piece(item.line, item.offset, ignored="empty conversation")
    for ordinal, part in enumerate(parts, before + 1):
        conversation = Conversation(ordinal, part.document)
        for message in part.messages:
            yield Piece(item.line, item.offset, conversation, message)


def _line_items(file: LogFile) -> Iterator[Item]:
    arrays = 0
    for line in iter_lines(file):
        item = Item(line.number, line.offset, None, None, line.cause)
        if line.data is not None:
            try:
                item = replace(item, value=parse_json(line.data.decode()))
            except JsonError as error:
                item = replace(item, cause=json_cause(error))
        if isinstance(item.value, list) and item.value:
            for element in item.value:
                yield replace(item, value=element, array=arrays)
            arrays += 1
        else:
            yield item


class _Reading:
    """Turns pieces into units, and opens a session whenever a conversation begins."""

    def __init__(self, source: Source, shape: Shape) -> None:
        self._source = source
        self._shape = shape
        self._current: Conversation | None = None
        self._dialogue = Dialogue([], lambda _: [])

    def units(self, pieces: Iterator[Piece]) -> Iterator[Unit]:
        """One unit for every piece."""
        for piece in pieces:
            if piece.cause is not None:
                yield _unreadable(piece, piece.cause)
            elif piece.conversation is None:
                yield Unit(ignored=piece.ignored or "other value")
            else:
                yield self._unit(piece, piece.conversation)

    def _unit(self, piece: Piece, conversation: Conversation) -> Unit:
        if conversation is not self._current:
            self._current = conversation
            self._dialogue = self._shape.open(conversation, self._source)
        if not isinstance(piece.message, dict):
            return _unreadable(piece, "a message that is no object")
        try:
            made = self._dialogue.read(piece.message)
        except RowError as error:
            return _unreadable(piece, str(error))
        kind = made if isinstance(made, str) else "nothing to record"
        records = (*self._dialogue.opening, *(() if isinstance(made, str) else made))
        self._dialogue.opening = []
        return Unit(records=records) if records else Unit(ignored=kind)


def _unreadable(piece: Piece, cause: str) -> Unit:
    return Unit(unreadable=Unreadable(piece.line, piece.offset, cause))
