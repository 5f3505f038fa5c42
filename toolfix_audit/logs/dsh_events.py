"""The events of a DeepSeek Harness session that tell of calls, results, texts and errors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final, TypeAlias

from toolfix_audit.logs.fields import (
    RowError,
    arguments_at,
    content_texts,
    integer_at,
    iso_time,
    list_at,
    object_at,
    required_text,
    text_at,
)
from toolfix_audit.logs.fragments import Step, StreamedArguments
from toolfix_audit.logs.pairing import OpenCalls
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.records import (
    AssistantText,
    Call,
    Record,
    Result,
    StreamError,
    ToolCatalog,
)

Row: TypeAlias = dict[str, Json]
_KEPT_STEPS: Final = 8


class SourceClock:
    """Numbers the records of a source as they come."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers = count()

    def tick(self) -> int:
        """The next position."""
        return next(self._numbers)


@dataclass(frozen=True, slots=True)
class _Model:
    provider: str | None = None
    model: str | None = None


@dataclass(slots=True)
class DshSession:
    """What must be remembered of a session while its rows go by."""

    session: str
    clock: SourceClock
    seed_length: int | None
    model: _Model = field(default_factory=_Model)
    calls: OpenCalls = field(default_factory=OpenCalls)
    dispatches: OpenCalls = field(default_factory=OpenCalls)
    fragments: StreamedArguments = field(default_factory=StreamedArguments)
    finishes: OrderedDict[Step, str] = field(default_factory=OrderedDict)
    failure: tuple[str, str | None] | None = None

    def is_inherited(self, row: Row) -> bool:
        """Whether the row is a copy of the parent's history."""
        event = integer_at(row, "seq")
        return self.seed_length is not None and event is not None and event < self.seed_length

    def set_finish(self, step: Step, reason: str | None) -> None:
        """Remember why the stream of a step ended; None forgets it."""
        self.finishes.pop(step, None)
        if reason is not None:
            self.finishes[step] = reason
        if len(self.finishes) > _KEPT_STEPS:
            self.finishes.popitem(last=False)


Handler: TypeAlias = Callable[[DshSession, Row], tuple[Record, ...]]


def _header(state: DshSession, row: Row) -> tuple[Record, ...]:
    header = object_at(_data(row), "header")
    config = object_at(header, "config")
    state.model = _Model(text_at(config, "provider"), text_at(config, "model"))
    tools = header.get("tools")
    if not isinstance(tools, list):
        return ()
    return (ToolCatalog(state.session, state.clock.tick(), tools_sent(tools)),)


def _call(state: DshSession, row: Row) -> tuple[Record, ...]:
    data = _data(row)
    step = _step(data)
    tool = required_text(data, "name", "tool/call")
    call_id = text_at(data, "callId")
    arguments, form = arguments_at(data, "arguments")
    event = integer_at(row, "seq")
    position = state.clock.tick()
    state.calls.add(position, call_id, event)
    call = Call(
        state.session,
        position,
        call_id,
        tool,
        arguments,
        form,
        streamed=state.fragments.take(step, call_id),
        model=state.model.model,
        provider=state.model.provider,
        time=iso_time(row.get("time")),
        finish_reason=state.finishes.get(step),
        event=event,
        inherited=state.is_inherited(row),
    )
    return (call,)


def _result(state: DshSession, row: Row) -> tuple[Record, ...]:
    data = _data(row)
    if "message" not in data:  # an older shape: the fields of the block stand in the data
        answers = [{**data, "toolCallId": data.get("callId")}]
    else:
        content = list_at(object_at(data, "message"), "content")
        answers = [
            block
            for block in content
            if isinstance(block, dict) and block.get("type") == "tool-result"
        ]
    if not answers:
        raise RowError("tool/result without an answer")
    source = object_at(object_at(data, "message"), "source")
    events = [event for event in list_at(row, "sourceEventSeqs") if isinstance(event, int)]
    error = object_at(data, "error")
    return tuple(
        _answer(
            state,
            text_at(answer, "toolCallId") or text_at(source, "callId"),
            answer,
            events=events,
            error=error,
            inherited=state.is_inherited(row),
        )
        for answer in answers
    )


def _answer(
    state: DshSession,
    call_id: str | None,
    answer: Row,
    *,
    events: list[int],
    error: Mapping[str, Json],
    inherited: bool,
) -> Result:
    text, blocks = content_texts(answer.get("content"))
    return Result(
        state.session,
        state.clock.tick(),
        state.calls.take(call_id, events),
        call_id,
        answer.get("isError") is True,
        text,
        blocks,
        error_name=text_at(error, "name"),
        error_code=text_at(error, "code"),
        inherited=inherited,
    )


def _dispatch_start(state: DshSession, row: Row) -> tuple[Record, ...]:
    return (_dispatched(state, row),)


def _dispatch(state: DshSession, row: Row) -> tuple[Record, ...]:
    data = _data(row)
    call_id = text_at(data, "subCallId")
    position = state.dispatches.take(call_id)
    made: tuple[Record, ...] = ()
    if position is None:
        call = _dispatched(state, row)
        made, position = (call,), state.dispatches.take(call_id) or call.position
    text, blocks = content_texts(data.get("content"))
    error = object_at(data, "error")
    result = Result(
        state.session,
        state.clock.tick(),
        position,
        call_id,
        data.get("isError") is True,
        text,
        blocks,
        error_name=text_at(error, "name"),
        error_code=text_at(error, "code"),
        inherited=state.is_inherited(row),
    )
    return (*made, result)


def _dispatched(state: DshSession, row: Row) -> Call:
    data = _data(row)
    tool = required_text(data, "name", "tool/code-dispatch")
    call_id = text_at(data, "subCallId")
    arguments, form = arguments_at(data, "arguments")
    position = state.clock.tick()
    state.dispatches.add(position, call_id)
    return Call(
        state.session,
        position,
        call_id,
        tool,
        arguments,
        form,
        model=state.model.model,
        provider=state.model.provider,
        time=iso_time(row.get("time")),
        event=integer_at(row, "seq"),
        inherited=state.is_inherited(row),
        dispatched=True,
    )


def _message(state: DshSession, row: Row) -> tuple[Record, ...]:
    data = _data(row)
    message = object_at(data, "message") or data  # an older shape has no message
    source = object_at(message, "source") or object_at(data, "provenance")
    if text_at(source, "model") is not None:
        state.model = _Model(text_at(source, "provider"), text_at(source, "model"))
    blocks = [block for block in list_at(message, "content") if isinstance(block, dict)]
    has_calls = any(block.get("type") == "tool-call" for block in blocks)
    records: list[Record] = []
    for kind in ("reasoning", "text"):
        texts = [text_at(block, "text") or "" for block in blocks if block.get("type") == kind]
        text = "\n".join(texts)
        if text:
            records.append(
                AssistantText(
                    state.session,
                    state.clock.tick(),
                    text,
                    reasoning=kind == "reasoning",
                    finish_reason=state.finishes.get(_step(data)),
                    model=state.model.model,
                    provider=state.model.provider,
                    has_calls=has_calls,
                    inherited=state.is_inherited(row),
                )
            )
    return tuple(records)


def _chunk(state: DshSession, row: Row) -> tuple[Record, ...]:
    data = _data(row)
    step = _step(data)
    chunk = object_at(data, "chunk")
    kind = chunk.get("type")
    index = integer_at(chunk, "index")
    if kind == "tool-call-delta":
        text = chunk.get("argumentsDelta")
        fragment = text if isinstance(text, str) else ""
        state.fragments.add(step, index, text_at(chunk, "id"), fragment)
    elif kind == "block-start" and chunk.get("blockType") == "tool-call" and index is not None:
        state.fragments.restart(step, index)
    elif kind == "finish":
        return _finish(state, row, step, object_at(chunk, "reason"))
    return ()


def _finish(state: DshSession, row: Row, step: Step, reason: Row) -> tuple[Record, ...]:
    state.set_finish(step, text_at(reason, "kind"))
    if reason.get("kind") != "error":
        return ()
    state.fragments.restart(step)
    return _stream_error(state, row, object_at(reason, "failure"), ends=False)


def _packed_calls(state: DshSession, row: Row) -> tuple[Record, ...]:
    data = _data(row)
    text = "".join(part for part in list_at(data, "args") if isinstance(part, str))
    state.fragments.add(_step(data), integer_at(data, "index"), text_at(data, "id"), text)
    return ()


def _retry(state: DshSession, row: Row) -> tuple[Record, ...]:
    data = _data(row)
    state.fragments.restart(_step(data))
    state.set_finish(_step(data), None)
    return _stream_error(state, row, object_at(data, "failure"), ends=True)


def _turn_end(state: DshSession, row: Row) -> tuple[Record, ...]:
    reason = object_at(_data(row), "reason")
    if reason.get("kind") != "error":
        state.failure = None
        return ()
    return _stream_error(state, row, object_at(reason, "error"), ends=True)


def _stream_error(state: DshSession, row: Row, failure: Row, *, ends: bool) -> tuple[Record, ...]:
    """The error of a stream, once: a retry or the end of the turn tells again what the stream's
    own finish told."""
    shown = text_at(failure, "message") or "unknown error"
    told = (shown, text_at(failure, "code"))
    mirrored = ends and state.failure == told
    state.failure = None if ends else told
    if mirrored or state.is_inherited(row):
        return ()
    raw = dump_json(failure)
    return (StreamError(state.session, state.clock.tick(), shown, told[1], raw),)


def _data(row: Row) -> Row:
    data = row.get("data")
    if not isinstance(data, dict):
        raise RowError(f"{text_at(row, 'type')} without data")
    return data


def _step(data: Row) -> Step:
    return integer_at(data, "turn"), integer_at(data, "step")


HANDLERS: Final[Mapping[str, Handler]] = {
    "request/header": _header,
    "tool/call": _call,
    "tool/result": _result,
    "tool/code-dispatch-start": _dispatch_start,
    "tool/code-dispatch": _dispatch,
    "assistant/message": _message,
    "assistant/chunk": _chunk,
    "tool-call-chunks": _packed_calls,
    "llm/retry": _retry,
    "turn/end": _turn_end,
}
"""What each type of event gives; all others give nothing."""
