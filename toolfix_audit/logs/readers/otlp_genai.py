"""OTLP traces in JSON: the GenAI spans of a program, each span a unit.

A span of the model gives texts and calls, a span of a tool the call that it ran and its result.
Most programs record both: then the call counts where the model made it. Written from the
OpenTelemetry conventions for generative AI.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.chat_messages import calls_in, read_reply
from toolfix_audit.logs.dialogues import (
    Conversation,
    Dialogue,
    Part,
    Row,
    Shape,
    read_dialogues,
)
from toolfix_audit.logs.fields import arguments_at, iso_time, list_at, object_at, text_at, word_at
from toolfix_audit.logs.genai_messages import answers_in, results_in, tools_in
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.row_logs import Sessions
from toolfix_audit.logs.session_records import Fault, SessionRecords, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.span_attributes import attributes_of, spans_in
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Call, Record, Unit

_ERROR_CODES: Final = (2, "STATUS_CODE_ERROR")
_PREFIXES: Final = ("gen_ai.", "llm.", "tool.")
_ARGUMENTS: Final = ("gen_ai.tool.call.arguments", "tool.parameters", "input.value")
_RESULTS: Final = ("gen_ai.tool.call.result", "output.value")
_CONVERSATIONS: Final = ("gen_ai.conversation.id", "session.id")


class _Trace:
    """One session, and the calls of the model that no result was seen for."""

    def __init__(self, records: SessionRecords) -> None:
        self.records = records
        self._waiting: list[tuple[str | None, str]] = []

    def read_model(self, attributes: Row, turn: Turn) -> list[Record]:
        """The records of a span of the model.

        Raises:
            RowError: a call names no tool.
        """
        answers = answers_in(attributes)
        for answer in answers:
            calls_in(answer)
        made: list[Record] = [*self.records.catalog(tools_in(attributes))]
        for message in results_in(attributes):
            call_id = text_at(message, "tool_call_id")
            if self._take(call_id, None) is not None:
                made.append(self.records.result(message.get("content"), call_id))
        for answer in answers:
            made += read_reply(self.records, answer, turn)
        self._waiting += [(call.call_id, call.tool) for call in made if isinstance(call, Call)]
        return made

    def read_tool(
        self, tool: str, attributes: Row, turn: Turn, fault: Fault | None
    ) -> list[Record]:
        """The records of a span of a tool: its call, unless the model's span told it."""
        call_id = text_at(attributes, "gen_ai.tool.call.id", "tool_call.id", "tool.id")
        known = self._take(call_id, tool)
        made: list[Record] = []
        if known is None:
            key = next((key for key in _ARGUMENTS if key in attributes), _ARGUMENTS[0])
            arguments = arguments_at(attributes, key)
            made.append(self.records.call(tool, arguments, turn, call_id=call_id))
        found = [attributes[key] for key in _RESULTS if key in attributes]
        if found or fault:
            answered = known[0] if known else call_id
            answer = found[0] if found else None
            made.append(self.records.result(answer, answered, tool=tool, fault=fault))
        return made

    def _take(self, call_id: str | None, tool: str | None) -> tuple[str | None, str] | None:
        for call in self._waiting:
            if call[0] == call_id if call_id is not None else call[1] == tool:
                self._waiting.remove(call)
                return call
        return None


class _Spans:
    """The spans of one source."""

    def __init__(self, file: LogFile) -> None:
        self._sessions = Sessions(Source(file), "otlp-genai")
        self._traces: dict[str, _Trace] = {}

    def open(self, _: Conversation, __: Source) -> Dialogue:
        """Begin a batch; sessions go on from batch to batch."""
        return Dialogue([], self.read)

    def read(self, span: Row) -> list[Record] | str:
        """The records of a span, or the kind that it is ignored as.

        Raises:
            RowError: a call names no tool.
        """
        attributes = attributes_of(span)
        if not any(name.startswith(_PREFIXES) for name in attributes):
            return "span of another kind"
        name = text_at(attributes, *_CONVERSATIONS) or text_at(span, "traceId")
        records = self._sessions.named(name)
        trace = self._traces.setdefault(records.session, _Trace(records))
        made = _span_records(trace, span, attributes)
        return [*self._sessions.take_opening(), *made] if made else _operation(attributes)


def _span_records(trace: _Trace, span: Row, attributes: Row) -> list[Record]:
    failed = object_at(span, "status").get("code") in _ERROR_CODES
    shown = text_at(object_at(span, "status"), "message")
    turn = Turn(
        model=text_at(
            attributes, "gen_ai.response.model", "gen_ai.request.model", "llm.model_name"
        ),
        provider=text_at(attributes, "gen_ai.provider.name", "gen_ai.system", "llm.provider"),
        time=_began(span),
        finish_reason=_finish_reason(attributes),
    )
    tool = text_at(attributes, "gen_ai.tool.name", "tool.name")
    if tool is not None:
        fault = Fault(word_at(attributes, "error.type")) if failed else None
        told = {**attributes}
        if fault and not any(key in told for key in _RESULTS):
            told[_RESULTS[0]] = shown
        return trace.read_tool(tool, told, turn, fault)
    made = trace.read_model(attributes, turn)
    if failed:
        code = word_at(attributes, "error.type")
        made.append(trace.records.error(shown or code or "error", code=code))
    return made


def _finish_reason(attributes: Row) -> str | None:
    reasons = list_at(attributes, "gen_ai.response.finish_reasons")
    return text_at({"reason": reasons[0]}, "reason") if reasons else None


def _operation(attributes: Row) -> str:
    return text_at(attributes, "gen_ai.operation.name", "openinference.span.kind") or "span"


def _began(span: Row) -> str | None:
    nanoseconds = word_at(span, "startTimeUnixNano") or ""
    is_number = nanoseconds.isascii() and nanoseconds.isdigit() and len(nanoseconds) <= 20
    return iso_time(int(nanoseconds) // 1_000_000) if is_number else None


def _split(document: Json) -> list[Part] | None:
    if not isinstance(document, dict) or not isinstance(document.get("resourceSpans"), list):
        return None
    return [Part({}, [*spans_in(document)])]


def _read(file: LogFile) -> Iterator[Unit]:
    return read_dialogues(file, Shape(_split, _Spans(file).open))


def _detect(head: Head) -> bool:
    return any(
        isinstance(value, dict) and isinstance(value.get("resourceSpans"), list)
        for value in head.values
    )


READER = Reader(
    name="otlp-genai",
    summary="OTLP traces in JSON with GenAI spans",
    tier=Tier.DOCUMENTED,
    detect=_detect,
    read=_read,
)
