"""Message lists in Anthropic's form without anything around them: bare arrays.

Cline, Roo Code and Kilo Code keep a task so (`api_conversation_history.json`), with the time of
each message in `ts`. Documents with a name of their own are for other readers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.anthropic_blocks import (
    assistant_records,
    blocks_of,
    is_tool_block,
    result_records,
)
from toolfix_audit.logs.copied_history import is_random, lasting_number
from toolfix_audit.logs.dialogues import (
    Conversation,
    Dialogue,
    Part,
    Row,
    Shape,
    read_dialogues,
)
from toolfix_audit.logs.fields import iso_time, required_text, text_at
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit

_ROLES: Final = ("user", "assistant")
_EDITOR: Final = "cline"  # and its relatives, whose tools have the same shapes


def _split(_: Json) -> list[Part] | None:
    return None


def _open(conversation: Conversation, source: Source) -> Dialogue:
    records = SessionRecords(source.name(conversation.ordinal), source.positions)
    dialogue = Dialogue([Session(records.session)], lambda _: [])

    def read(message: Row) -> list[Record] | str:
        if dialogue.opening and "ts" in message:
            dialogue.opening = [Session(records.session, harness=_EDITOR)]
        role = required_text(message, "role", "a message")
        content = message.get("content")
        if role == "user":
            return [*result_records(records, content)] or role
        turn = Turn(time=iso_time(message.get("ts")), finish_reason=text_at(message, "stop_reason"))
        return assistant_records(records, content, turn, _number) or role

    dialogue.read = read
    return dialogue


def _number(call_id: str | None) -> int | None:
    return lasting_number(call_id) if is_random(call_id) else None


def _is_message(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and value.get("role") in _ROLES
        and isinstance(value.get("content"), str | list)
    )


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    return any(
        isinstance(message, dict)
        and _is_message(message)
        and ("ts" in message or any(map(is_tool_block, blocks_of(message.get("content")))))
        for value in head.values
        if isinstance(value, list)
        for message in value
    )


_SHAPE: Final = Shape(_split, _open, _is_message)

READER = Reader(
    name="anthropic-messages",
    summary="Bare lists of Anthropic messages (Cline and Roo Code: api_conversation_history.json)",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
