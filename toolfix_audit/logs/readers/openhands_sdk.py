"""OpenHands Software Agent SDK: completion logs (one request each), and conversation events.

For models without native calls a log holds the prompt as it was sent in `messages` and the
conversation behind it in `raw_messages`; the response has the calls that the SDK read in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from toolfix_audit.logs.copied_history import lasting_number
from toolfix_audit.logs.dialogues import (
    Conversation,
    Dialogue,
    Part,
    Row,
    Shape,
    read_dialogues,
)
from toolfix_audit.logs.exchanges import Exchange, exchange_records, holds_choices
from toolfix_audit.logs.fields import (
    arguments_at,
    content_texts,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.session_records import Fault, SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import ArgumentsForm, Record, Session, Unit

_HARNESS: Final = "openhands"
_EXPORT_KEYS: Final = ("events", "items")
_LOG_KEYS: Final = frozenset({"kwargs", "context_window", "latency_sec", "gateway_model"})

ReadEvent: TypeAlias = Callable[[SessionRecords, Row, Turn], list[Record]]


def _action(records: SessionRecords, event: Row, turn: Turn) -> list[Record]:
    call = object_at(event, "tool_call")
    function = object_at(call, "function") or call
    named = text_at(function, "name")
    tool = named or required_text(event, "tool_name", "an ActionEvent")
    arguments = arguments_at(function, "arguments") if call else ("", ArgumentsForm.ABSENT)
    call_id = text_at(event, "tool_call_id") or text_at(call, "id")
    number = lasting_number(text_at(event, "id"), call_id)
    return [
        *records.text(_reasoning(event), turn, reasoning=True),
        *records.text(content_texts(event.get("thought"))[0], turn),
        replace(records.call(tool, arguments, turn, call_id=call_id), event=number),
    ]


def _observation(records: SessionRecords, event: Row, _: Turn) -> list[Record]:
    observation = object_at(event, "observation")
    content = observation.get("content", observation.get("output", event.get("observation")))
    fault = Fault() if observation.get("is_error") is True else None
    return [records.result(content, text_at(event, "tool_call_id"), fault=fault)]


def _refusal(records: SessionRecords, event: Row, _: Turn) -> list[Record]:
    shown = text_at(event, "error", "rejection_reason")
    fault = Fault(text_at(event, "kind"))
    return [records.result(shown, text_at(event, "tool_call_id"), fault=fault)]


def _message(records: SessionRecords, event: Row, turn: Turn) -> list[Record]:
    message = object_at(event, "llm_message")
    if message.get("role") != "assistant":
        return []
    return [
        *records.text(_reasoning(message), turn, reasoning=True),
        *records.text(content_texts(message.get("content"))[0], turn),
    ]


def _reasoning(holder: Row) -> str | None:
    """The reasoning of a message: one text, or blocks as Anthropic gives them."""
    blocks = [block for block in list_at(holder, "thinking_blocks") if isinstance(block, dict)]
    texts = [text for block in blocks if (text := text_at(block, "thinking"))]
    return text_at(holder, "reasoning_content") or "\n".join(texts)


def _system(records: SessionRecords, event: Row, _: Turn) -> list[Record]:
    return [*records.catalog(event.get("tools"))]


def _failure(records: SessionRecords, event: Row, _: Turn) -> list[Record]:
    shown = text_at(event, "detail", "code") or "conversation error"
    return [records.error(shown, code=text_at(event, "code"), raw=event)]


_EVENTS: Final[Mapping[str, ReadEvent]] = {
    "ActionEvent": _action,
    "ObservationEvent": _observation,
    "AgentErrorEvent": _refusal,
    "UserRejectObservation": _refusal,
    "MessageEvent": _message,
    "SystemPromptEvent": _system,
    "ConversationErrorEvent": _failure,
}


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict):
        return None
    if _is_completion(document):
        return [Part({}, [document])]
    for key in _EXPORT_KEYS:
        if any(_is_event(event) for event in list_at(document, key)):
            return [Part(document, list_at(document, key))]
    return None


def _open(conversation: Conversation, source: Source) -> Dialogue:
    document = conversation.document
    events = SessionRecords(
        text_at(document, "id", "conversation_id") or source.name(conversation.ordinal),
        source.positions,
    )
    dialogue = Dialogue([], lambda _: [])

    def read(message: Row) -> list[Record] | str:
        if _is_completion(message):
            dialogue.opening = []
            return exchange_records(source, _exchange(message), _HARNESS)
        kind = text_at(message, "kind") or "event without a kind"
        turn = Turn(time=iso_time(message.get("timestamp")), has_calls="tool_call_id" in message)
        handler = _EVENTS.get(kind)
        return kind if handler is None else handler(events, message, turn) or kind

    dialogue.opening = [Session(events.session, harness=_HARNESS)]
    dialogue.read = read
    return dialogue


def _exchange(log: Row) -> Exchange:
    messages = list_at(log, "raw_messages") or list_at(log, "messages")
    response = object_at(log, "response") or object_at(log, "raw_response")
    settings = object_at(log, "kwargs")
    metadata = object_at(object_at(settings, "extra_body"), "metadata")
    seconds = log.get("timestamp")
    in_milliseconds = seconds * 1000 if isinstance(seconds, int | float) else seconds
    turn = Turn(model=text_at(log, "backing_model"), time=iso_time(in_milliseconds))
    tools = log.get("tools") or settings.get("tools")
    return Exchange(messages, response, tools, turn, text_at(metadata, "session_id"))


def _is_completion(document: Row) -> bool:
    return isinstance(document.get("messages"), list) and any(
        holds_choices(document.get(key)) for key in ("response", "raw_response")
    )


def _is_event(value: Json) -> bool:
    return isinstance(value, dict) and text_at(value, "kind") in _EVENTS and "source" in value


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, _SHAPE)


def _detect(head: Head) -> bool:
    values = [inner for value in head.values for inner in _unpacked(value)]
    return any(
        _is_event(value) or (isinstance(value, dict) and _is_ours(value)) for value in values
    )


def _unpacked(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _is_ours(document: Row) -> bool:
    if _is_completion(document):
        return bool(_LOG_KEYS & document.keys()) and "call_type" not in document
    return _split(document) is not None


_SHAPE: Final = Shape(_split, _open, _is_event)

READER = Reader(
    name="openhands-sdk",
    summary="OpenHands SDK: completion logs, and conversations (a folder of events is one)",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
