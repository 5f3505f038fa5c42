"""Message lists in OpenAI's chat form: `{"messages": […]}`, tau-bench runs, bare arrays.

So are fine-tuning files (with the two answers of a preference) and Invariant traces.

Every document is a session of its own. `tools` beside the messages are the tools of the request.
Call ids repeat within and across runs; a result answers the oldest waiting call of its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.chat_messages import ROLES, read_message
from toolfix_audit.logs.dialogues import Conversation, Dialogue, Part, Shape, read_dialogues
from toolfix_audit.logs.fields import list_at, object_at, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit

_MESSAGE_LISTS: Final = ("messages", "traj")
_ANSWERS: Final = ("preferred_output", "non_preferred_output")

_FOREIGN_BLOCKS: Final = ("tool_use", "tool_result", "toolCall", "tool-call", "tool-result")
_FOREIGN_KEYS: Final = frozenset(
    {
        "response",
        "raw_response",
        "sessionId",
        "eval",
        "samples",
        "session_start",
        "suite_name",
        "call_type",
    }
)


def _open_chat(conversation: Conversation, source: Source) -> Dialogue:
    """Begin a conversation in OpenAI's form: its session, and the tools beside the messages."""
    document = conversation.document
    name = text_at(document, "session_id", "conversation_id", "id")
    records = SessionRecords(name or source.name(conversation.ordinal), source.positions)
    turn = Turn(model=text_at(document, "model"))
    opening: list[Record] = [Session(records.session)]
    opening += records.catalog(document.get("tools", document.get("functions")))
    return Dialogue(opening, lambda message: read_message(records, message, turn))


def _split_chat(document: Json) -> list[Part] | None:
    """The conversation of a document, or the two of a preference: with either answer."""
    if not isinstance(document, dict):
        return None
    messages = _messages_of(document)
    if messages is not None:
        kept = {key: document[key] for key in document if key not in _MESSAGE_LISTS}
        return [Part(kept, messages)]
    asked = object_at(document, "input")
    answers = [list_at(document, key) for key in _ANSWERS if key in document]
    if not answers or not isinstance(asked.get("messages"), list):
        return None
    kept = {"tools": asked.get("tools")}
    return [Part(kept, [*list_at(asked, "messages"), *answer]) for answer in answers]


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


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
    if _FOREIGN_KEYS & document.keys():
        return False
    messages = [message for part in _split_chat(document) or [] for message in part.messages]
    return any(_is_ours(message) for message in messages) and not any(
        _is_foreign(message) for message in messages
    )


def _messages_of(document: Json) -> list[Json] | None:
    """The messages of a document; None if it holds no such list."""
    if isinstance(document, dict):
        for key in _MESSAGE_LISTS:
            messages = document.get(key)
            if isinstance(messages, list):
                return messages
    return None


def _is_message(value: Json) -> bool:
    """Whether a value is one message of a conversation."""
    return isinstance(value, dict) and isinstance(value.get("role"), str)


def _is_ours(message: Json) -> bool:
    return (
        isinstance(message, dict)
        and _is_message(message)
        and message["role"] in ROLES
        and ("content" in message or "tool_calls" in message)
        and not _is_foreign(message)
    )


def _is_foreign(message: Json) -> bool:
    """Whether a message holds the blocks of another provider's form."""
    blocks = list_at(message, "content") if isinstance(message, dict) else []
    return any(isinstance(block, dict) and block.get("type") in _FOREIGN_BLOCKS for block in blocks)


_SHAPE: Final = Shape(_split_chat, _open_chat, _is_message)

READER = Reader(
    name="openai-messages",
    summary='OpenAI chat messages: {"messages": […]} documents, fine-tuning files, tau-bench runs',
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
