"""One sample of an Inspect log: its messages, and what its model events know of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from toolfix_audit.logs.chat_messages import read_message
from toolfix_audit.logs.dialogues import Row
from toolfix_audit.logs.fields import iso_time, list_at, object_at, text_at
from toolfix_audit.logs.session_records import SessionRecords, Turn
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record

_ATTACHMENT: Final = "attachment://"


@dataclass(frozen=True, slots=True)
class _Generation:
    """What a model event tells of the message that it gave."""

    tools: Json = None
    finish_reason: str | None = None
    time: str | None = None
    argument_texts: Mapping[str, str] = field(default_factory=dict)


class InspectSample:
    """The messages of a sample are read one by one, those of the model with their generation.

    `arguments` in a log are parsed already; the text that the model sent is kept beside them
    where the event holds the provider's response.
    """

    def __init__(self, records: SessionRecords, sample: Row, messages: list[Json], model: str):
        self._records = records
        self._attachments = object_at(sample, "attachments")
        self._model = model
        self._generations = _by_message(sample, messages)

    def read(self, message: Row) -> list[Record] | str:
        """The records of a message, or its role if it gives none.

        Raises:
            RowError: the message has no role, or a call without a tool.
        """
        made: list[Record] = []
        generation = self._generations.get(id(message), _Generation())
        if message.get("role") == "assistant":
            made += self._records.catalog(generation.tools)
        turn = Turn(
            model=self._model or None,
            provider=self._model.partition("/")[0] if "/" in self._model else None,
            time=generation.time,
            finish_reason=generation.finish_reason,
        )
        whole = {key: self._resolved(value) for key, value in message.items()}
        read = read_message(self._records, whole, turn, generation.argument_texts)
        return [*made, *read] if not isinstance(read, str) else made or read

    def _resolved(self, value: Json) -> Json:
        """The value with every attachment in the place of its reference."""
        if not self._attachments:
            return value
        if isinstance(value, dict):
            return {key: self._resolved(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self._resolved(member) for member in value]
        if isinstance(value, str) and value.startswith(_ATTACHMENT):
            return self._attachments.get(value.removeprefix(_ATTACHMENT), value)
        return value


def failed_generations(records: SessionRecords, sample: Row) -> Iterator[Record]:
    """The model events of a sample that ended in an error."""
    for event in _model_events(sample):
        shown = text_at(event, "error")
        if shown:
            yield records.error(shown, raw=event.get("error"))


def _by_message(sample: Row, messages: list[Json]) -> dict[int, _Generation]:
    """The generation of each message of the model: by message id, or in order where the log has
    none and the two are equally many. Keys are those of the message objects themselves."""
    events = [event for event in _model_events(sample) if not event.get("error")]
    said = _of_model(messages)
    by_id = {
        message_id: _generation(event)
        for event in events
        if (message_id := text_at(object_at(_choice(event), "message"), "id"))
    }
    if not by_id and len(events) == len(said):
        return {
            id(message): _generation(event) for message, event in zip(said, events, strict=True)
        }
    tools: Json = next((event["tools"] for event in events if event.get("tools")), None)
    return {
        id(message): by_id.get(text_at(message, "id") or "") or _Generation(tools)
        for message in said
    }


def _of_model(messages: list[Json]) -> list[Row]:
    return [
        message
        for message in messages
        if isinstance(message, dict) and message.get("role") == "assistant"
    ]


def _model_events(sample: Row) -> Iterator[Row]:
    events = list_at(sample, "events") or list_at(object_at(sample, "transcript"), "events")
    for event in events:
        if isinstance(event, dict) and event.get("event") == "model":
            yield event


def _choice(event: Row) -> Row:
    choices = list_at(object_at(event, "output"), "choices")
    return choices[0] if choices and isinstance(choices[0], dict) else {}


def _generation(event: Row) -> _Generation:
    return _Generation(
        event.get("tools"),
        text_at(_choice(event), "stop_reason"),
        iso_time(event.get("timestamp")),
        dict(_argument_texts(object_at(object_at(event, "call"), "response"))),
    )


def _argument_texts(response: Row) -> Iterator[tuple[str, str]]:
    """The argument texts of a provider's response by call id, in OpenAI's two forms."""
    for choice in list_at(response, "choices"):
        message = object_at(choice, "message") if isinstance(choice, dict) else {}
        for call in list_at(message, "tool_calls"):
            if isinstance(call, dict):
                yield from _text_of(call, "id", object_at(call, "function"))
    for item in list_at(response, "output"):
        if isinstance(item, dict) and item.get("type") == "function_call":
            yield from _text_of(item, "call_id", item)


def _text_of(call: Row, id_key: str, function: Row) -> Iterator[tuple[str, str]]:
    call_id, arguments = text_at(call, id_key), text_at(function, "arguments")
    if call_id is not None and arguments is not None:
        yield call_id, arguments
