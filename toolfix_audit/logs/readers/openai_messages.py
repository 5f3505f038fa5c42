"""Message lists in OpenAI's chat form: `{"messages": […]}`, tau-bench runs, bare arrays.

Every document is a session of its own. `tools` beside the messages are the tools of the request.
Call ids repeat within and across runs; a result answers the oldest waiting call of its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.conversations import (
    Conversation,
    Piece,
    is_message,
    iter_pieces,
    messages_of,
)
from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    content_texts,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.pairing import OpenCalls
from toolfix_audit.logs.reader import BalancedUnits, Reader, Tier
from toolfix_audit.logs.sources import LogFile, content_digest
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import (
    AssistantText,
    Call,
    Record,
    Result,
    Session,
    ToolCatalog,
    Unit,
    Unreadable,
)

_ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
_FOREIGN_BLOCKS: Final = ("tool_use", "tool_result", "toolCall", "tool-call", "tool-result")
_FOREIGN_KEYS: Final = frozenset({"response", "raw_response", "sessionId", "eval", "samples"})


class _Log:
    """The conversation of a source that is being read."""

    def __init__(self, file: LogFile) -> None:
        self._file = file
        self._digest: str | None = None
        self._position = 0
        self._current: Conversation | None = None
        self._opening: list[Record] = []
        self._session = ""
        self._model: str | None = None
        self._calls = OpenCalls()

    def read(self, pieces: Iterator[Piece]) -> Iterator[Unit]:
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
            self._open(conversation)
        message = piece.message
        if not isinstance(message, dict):
            return _unreadable(piece, "a message that is no object")
        try:
            role = required_text(message, "role", "a message")
            made = self._records(role, message)
        except RowError as error:
            return _unreadable(piece, str(error))
        records = (*self._opening, *made)
        self._opening = []
        return Unit(records=records) if records else Unit(ignored=role)

    def _open(self, conversation: Conversation) -> None:
        """Start the session of a conversation; its first readable message carries the record."""
        document = conversation.document
        if self._digest is None:
            self._digest = content_digest(self._file)[:16]
        name = text_at(document, "session_id", "conversation_id", "id")
        self._current = conversation
        self._session = name or f"{self._digest}-{conversation.ordinal}"
        self._model = text_at(document, "model")
        self._calls = OpenCalls()
        self._opening = [Session(self._session)]
        tools = document.get("tools", document.get("functions"))
        if isinstance(tools, list):
            self._opening.append(ToolCatalog(self._session, self._next(), tools_sent(tools)))

    def _records(self, role: str, message: dict[str, Json]) -> list[Record]:
        if role == "assistant":
            return self._assistant(message)
        if role in ("tool", "function"):
            return [self._result(message)]
        return []

    def _assistant(self, message: dict[str, Json]) -> list[Record]:
        made = _calls_in(message)
        model = text_at(message, "model") or self._model
        finish = text_at(message, "finish_reason")
        records: list[Record] = []
        for text, reasoning in (
            (text_at(message, "reasoning_content", "reasoning"), True),
            (content_texts(message.get("content"))[0], False),
        ):
            if text:
                records.append(
                    AssistantText(
                        self._session,
                        self._next(),
                        text,
                        reasoning=reasoning,
                        finish_reason=finish,
                        model=model,
                        has_calls=bool(made),
                    )
                )
        records.extend(self._call(call, model, finish) for call in made)
        return records

    def _call(self, call: dict[str, Json], model: str | None, finish: str | None) -> Call:
        function = object_at(call, "function") or call
        tool = text_at(call, "function") or required_text(function, "name", "a tool call")
        key = "arguments" if "arguments" in function else "args"
        arguments, form = arguments_at(function, key)
        call_id = text_at(call, "id")
        position = self._next()
        self._calls.add(position, call_id)
        return Call(
            self._session,
            position,
            call_id,
            tool,
            arguments,
            form,
            model=model,
            finish_reason=finish,
        )

    def _result(self, message: dict[str, Json]) -> Result:
        call_id = text_at(message, "tool_call_id", "id")
        text, blocks = content_texts(message.get("content"))
        return Result(
            self._session,
            self._next(),
            self._calls.take(call_id),
            call_id,
            message.get("is_error") is True or bool(message.get("error")),
            text,
            blocks,
        )

    def _next(self) -> int:
        self._position += 1
        return self._position - 1


def _calls_in(message: dict[str, Json]) -> list[dict[str, Json]]:
    """The calls of a message; the older single `function_call` is one without an id.

    Raises:
        RowError: an entry is no object or names no function.
    """
    entries = list_at(message, "tool_calls") or [message.get("function_call")]
    calls: list[dict[str, Json]] = []
    for entry in entries:
        if isinstance(entry, dict):
            function = object_at(entry, "function") or entry
            if text_at(entry, "function") is None:
                required_text(function, "name", "a tool call")
            calls.append(entry)
        elif entry is not None:
            raise RowError("a tool call that is no object")
    return calls


def _unreadable(piece: Piece, cause: str) -> Unit:
    return Unit(unreadable=Unreadable(piece.line, piece.offset, cause))


def _read(file: LogFile) -> Iterator[Unit]:
    return BalancedUnits(file, iter_pieces(file), _Log(file).read)


def _detect(head: Head) -> bool:
    values = [
        inner
        for value in head.values
        for inner in (value if isinstance(value, list) else [value])
        if isinstance(inner, dict)
    ]
    return any(_is_conversation(value) for value in values) or (
        any(isinstance(value, list) for value in head.values)
        and any(_is_ours(value) for value in values)
    )


def _is_conversation(document: dict[str, Json]) -> bool:
    messages = messages_of(document)
    return (
        messages is not None
        and not _FOREIGN_KEYS & document.keys()
        and any(_is_ours(message) for message in messages)
        and not any(_is_foreign(message) for message in messages)
    )


def _is_ours(message: Json) -> bool:
    return (
        isinstance(message, dict)
        and is_message(message)
        and message["role"] in _ROLES
        and ("content" in message or "tool_calls" in message)
        and not _is_foreign(message)
    )


def _is_foreign(message: Json) -> bool:
    """Whether a message holds the blocks of another provider's form."""
    blocks = list_at(message, "content") if isinstance(message, dict) else []
    return any(isinstance(block, dict) and block.get("type") in _FOREIGN_BLOCKS for block in blocks)


READER = Reader(
    name="openai-messages",
    summary='OpenAI chat messages: {"messages": […]} documents, tau-bench runs, arrays',
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
