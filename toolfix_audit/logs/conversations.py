"""Message lists inside documents: which conversations a file holds, message by message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from toolfix_audit.logs.documents import Item, iter_items
from toolfix_audit.logs.head import Layout, read_head
from toolfix_audit.logs.lines import json_cause
from toolfix_audit.logs.sources import LogFile, iter_lines
from toolfix_audit.model.json import Json, JsonError, parse_json

MESSAGE_LISTS: Final = ("messages", "traj")
"""The keys under which a document keeps its messages."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One run: its 1-based ordinal in the source, and the document beside its messages."""

    ordinal: int
    document: dict[str, Json]


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


def iter_pieces(file: LogFile) -> Iterator[Piece]:
    """Give the messages of every conversation of a file in order.

    A conversation is an object with a list of messages (alone, on a line, or in an array), or
    an array of messages. Whatever is neither gives one piece that says so.

    Raises:
        ReadError: the file can't be read.
    """
    head = read_head(file)
    items = iter_items(file) if head.layout is Layout.DOCUMENT else _line_items(file)
    return _pieces(items)


def messages_of(document: Json) -> list[Json] | None:
    """The messages of a document; None if it holds no such list."""
    if isinstance(document, dict):
        for key in MESSAGE_LISTS:
            messages = document.get(key)
            if isinstance(messages, list):
                return messages
    return None


def is_message(value: Json) -> bool:
    """Whether a value is one message of a conversation."""
    return isinstance(value, dict) and isinstance(value.get("role"), str)


def _line_items(file: LogFile) -> Iterator[Item]:
    """The values of the lines; an array on a line gives its elements. An unreadable line is an
    item with its cause."""
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


def _pieces(items: Iterable[Item]) -> Iterator[Piece]:
    ordinal = 0
    array: int | None = None
    running: Conversation | None = None
    for item in items:
        messages = None if item.cause else messages_of(item.value)
        if item.cause:
            yield Piece(item.line, item.offset, cause=item.cause)
        elif messages and isinstance(item.value, dict):
            ordinal += 1
            running = None
            document = {key: item.value[key] for key in item.value if key not in MESSAGE_LISTS}
            conversation = Conversation(ordinal, document)
            for message in messages:
                yield Piece(item.line, item.offset, conversation, message)
        elif is_message(item.value):
            if running is None or item.array != array:
                ordinal += 1
                running, array = Conversation(ordinal, {}), item.array
            yield Piece(item.line, item.offset, running, item.value)
        else:
            kind = "other value" if messages is None else "empty conversation"
            yield Piece(item.line, item.offset, ignored=kind)
