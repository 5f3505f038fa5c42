"""What a log reader finds: sessions, tool catalogues, calls, results, texts, errors.

Texts hold no lone surrogates (they are escaped), so every record can be stored as UTF-8.
`position` is the ordinal of the record in its source: it rises, and orders everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def _record(cls: type[T]) -> type[T]:
    """A slotted dataclass that type checkers hold to be frozen.

    Freezing it at run time as well would make a record five times as slow to make, and reading a
    log is making records.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


@_record
class Session:
    """One conversation. `parent` and `seed_length` tell of a fork whose first `seed_length`
    events are copies of the parent's; `started` is ISO 8601 in UTC."""

    session: str
    harness: str | None = None
    version: str | None = None
    started: str | None = None
    parent: str | None = None
    seed_length: int | None = None


@_record
class ToolDefinition:
    """A tool as it was declared; `schema` is its JSON Schema as JSON text, None if only the
    name is known."""

    name: str
    schema: str | None


@_record
class ToolCatalog:
    """The tools sent with the requests of a session, in force until the session's next one."""

    session: str
    position: int
    tools: tuple[ToolDefinition, ...]


class ArgumentsForm(StrEnum):
    """How a log holds arguments: the model's own text, an already parsed value (then kept as
    compact JSON text of that value), or not at all."""

    TEXT = "text"
    VALUE = "value"
    ABSENT = "absent"


@_record
class Call:
    """One tool call as the model emitted it.

    `arguments` is the exact recorded text (form TEXT) or the JSON text of the recorded value.
    `streamed` is the text joined from the streamed fragments, where the log has them.
    `event` is the log's own sequence number, or below 0 a number that names the call in every
    file that tells of it; `inherited` says that the row is a copy of the parent session's
    history. `dispatched` marks a call made by code that another call ran.
    """

    session: str
    position: int
    call_id: str | None
    tool: str
    arguments: str
    form: ArgumentsForm
    streamed: str | None = None
    model: str | None = None
    provider: str | None = None
    time: str | None = None
    finish_reason: str | None = None
    event: int | None = None
    inherited: bool = False
    dispatched: bool = False


@_record
class Result:
    """What the host answered. `call_position` is the position of the call in the same source,
    as the format's own rule pairs them; None for an orphan. `text` joins the text blocks,
    `blocks` is the JSON text of the recorded content where it is no plain text."""

    session: str
    position: int
    call_position: int | None
    call_id: str | None
    is_error: bool
    text: str
    blocks: str | None = None
    error_name: str | None = None
    error_code: str | None = None
    inherited: bool = False


@_record
class AssistantText:
    """Text or reasoning that the model wrote in one message. `has_calls` says whether the same
    message held tool calls."""

    session: str
    position: int
    text: str
    reasoning: bool = False
    finish_reason: str | None = None
    model: str | None = None
    provider: str | None = None
    has_calls: bool = False
    inherited: bool = False


@_record
class StreamError:
    """A stream that failed: what the user was shown, and the raw event as JSON text."""

    session: str
    position: int
    shown: str
    code: str | None = None
    raw: str | None = None


Record: TypeAlias = Session | ToolCatalog | Call | Result | AssistantText | StreamError


@_record
class Unreadable:
    """A unit of a source that could not be read: 1-based line, byte offset of its start in the
    decompressed bytes, and the cause in one line."""

    line: int
    offset: int
    cause: str


@_record
class Unit:
    """One unit of a source: a line, or one message of a document.

    Exactly one of three: it gave `records`, or it was `ignored` (the kind of row, as a word), or
    it was `unreadable`. So units = read + ignored + unreadable, for every source.
    """

    records: tuple[Record, ...] = ()
    ignored: str | None = None
    unreadable: Unreadable | None = None
