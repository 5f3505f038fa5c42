"""Captured traffic between a program and models: requests and answers turned into records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from toolfix_audit.logs.bodies import Body, is_error, open_body, read_answers
from toolfix_audit.logs.fields import RowError, iso_time
from toolfix_audit.logs.finish_reasons import CUT
from toolfix_audit.logs.reader import BalancedUnits
from toolfix_audit.logs.session_records import Fault, Source, Turn
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.threads import Key, Thread, Threads
from toolfix_audit.model.json import Json, escape_surrogates
from toolfix_audit.model.records import Record, Unit, Unreadable
from toolfix_audit.wire.parts import Answer, Message, Part, Request, WireCall, WireResult, WireText
from toolfix_audit.wire.requests import is_request, read_request
from toolfix_audit.wire.stream import StreamReader

_MODEL_IN_PATH: Final = re.compile(r"/models?/([^/:?]+)")
_HOST_NAMES: Final = (
    ("openai.azure.com", "azure"),
    ("openai.com", "openai"),
    ("anthropic.com", "anthropic"),
    ("googleapis.com", "google"),
    ("amazonaws.com", "bedrock"),
    ("openrouter.ai", "openrouter"),
    ("x.ai", "xai"),
    ("mistral.ai", "mistral"),
    ("groq.com", "groq"),
    ("cohere.com", "cohere"),
    ("deepseek.com", "deepseek"),
)
_SECONDS: Final = 100_000_000_000
_KINDS: Final = ("type", "event_type", "object")
_STREAMED: Final = ("event", "end", "sent")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a message of a capture went, and when, as far as it tells."""

    url: str = ""
    status: int | None = None
    time: str | None = None

    @property
    def provider(self) -> str | None:
        """The name of the provider at that address, or the host's own."""
        host = _split(self.url)[0]
        known = (name for end, name in _HOST_NAMES if host == end or host.endswith("." + end))
        return next(known, host or None)

    @property
    def model(self) -> str | None:
        """The model that the address names."""
        match = _MODEL_IN_PATH.search(_split(self.url)[1])
        return unquote(match.group(1)) if match else None


@dataclass(frozen=True, slots=True)
class Half:
    """One message of a capture. Its `role` is `request` or `response`, or for streams and sockets
    `event`, `end` (the end mark) or `sent` (an object like a request). With `cause` it could not
    be read, with `ignored` it is something else."""

    line: int
    offset: int
    role: str = ""
    body: Json | bytes = None
    origin: Origin = Origin()
    cause: str | None = None
    ignored: str | None = None


def read_halves(file: LogFile, halves: Iterable[Half]) -> BalancedUnits[Half]:
    """The units of a capture: one for every half."""
    return BalancedUnits(file, halves, lambda source: _Capture(file).units(source))


class _Capture:
    """A capture while it is read."""

    def __init__(self, file: LogFile) -> None:
        self._threads = Threads(Source(file))
        self._current: Thread | None = None
        self._stream = StreamReader()
        self._origin = Origin()
        self._sent: list[Request] = []

    def units(self, halves: Iterator[Half]) -> Iterator[Unit]:
        """One unit for every half. While a stream goes on its last event is held back, so that
        an answer without an end has a unit to stand in."""
        held: list[Unit] = []
        for half in halves:
            unit = self._unit(half)
            if unit.unreadable is None or not self._stream.is_open:
                yield from held
                held.clear()
            held.append(unit)
        yield from self._closed(held)

    def _closed(self, held: list[Unit]) -> Iterator[Unit]:
        rest = (*self._told(self._stream.close(), self._origin), *self._told_sent())
        for unit in held:
            if rest and unit.unreadable is None:
                yield Unit(records=(*unit.records, *rest))
                rest = ()
            else:
                yield unit

    def _unit(self, half: Half) -> Unit:
        if half.cause is not None:
            return Unit(unreadable=Unreadable(half.line, half.offset, half.cause))
        if half.ignored is not None:
            return Unit(ignored=half.ignored)
        try:
            if half.role in _STREAMED:
                records, kind = self._streamed(half)
            else:
                body = _opened(half)
                read = self._request if half.role == "request" else self._response
                records, kind = read(body, half.origin)
        except RowError as error:
            return Unit(unreadable=Unreadable(half.line, half.offset, str(error)))
        return Unit(records=records) if records else Unit(ignored=kind)

    def _streamed(self, half: Half) -> tuple[tuple[Record, ...], str]:
        """What a message of a stream or socket gives. What is sent while an answer still comes is
        told after it: a program answers a call before the answer that makes it has ended."""
        self._origin = half.origin
        value, kind = half.body, "end mark"
        answers: list[Answer] = []
        if half.role == "end":
            answers = self._stream.take_done()
        elif not isinstance(value, dict):
            raise RowError("an event that is no object")
        elif half.role == "sent":
            self._sent.append(read_request(value))
            kind = "sent message"
        else:
            answers = self._stream.take(value)
            kind = next(
                (word for key in _KINDS if isinstance(word := value.get(key), str)), "event"
            )
        records = self._told(answers, half.origin)
        return records if self._stream.is_open else (*records, *self._told_sent()), kind

    def _told_sent(self) -> tuple[Record, ...]:
        """What was sent and not told yet."""
        sent, self._sent = self._sent, []
        return tuple(
            record
            for request in sent
            for record in self._asked(request, self._origin, self._current)
        )

    def _request(self, body: Body, origin: Origin) -> tuple[tuple[Record, ...], str]:
        self._current = None
        if not is_request(body.value) or not isinstance(body.value, dict):
            return (), "other request"
        request = read_request(body.value)
        return self._asked(request, origin, None), "request without news"

    def _asked(self, request: Request, origin: Origin, thread: Thread | None) -> tuple[Record, ...]:
        """What a request tells; it goes on with `thread`, or with the one that it repeats."""
        thread = self._current = thread or self._threads.of(request)
        thread.model = request.model or origin.model or thread.model
        self._threads.note_identity(thread, request.previous)
        records = thread.take_opening()
        if isinstance(request.tools, list):
            thread.tools = request.tools
            records.extend(thread.records.catalog(request.tools))
        seen: Counter[Key] = Counter()
        for message in request.messages:
            turn = Turn(thread.model, origin.provider, has_calls=message.has_calls)
            records.extend(self._fresh(thread, message, turn, seen))
        return tuple(records)

    def _response(self, body: Body, origin: Origin) -> tuple[tuple[Record, ...], str]:
        answers = read_answers(body)
        failed = (origin.status or 0) >= 400 or is_error(body)
        if failed and not any(answer.messages for answer in answers):
            return (), "error response"
        records = self._told(answers, origin)
        self._current = None
        return records, "other response"

    def _told(self, answers: list[Answer], origin: Origin) -> tuple[Record, ...]:
        records: list[Record] = []
        for answer in answers:
            thread = self._current or self._threads.of_answer(answer)
            told = list(self._of_answer(thread, answer, origin))
            if told:
                records.extend((*thread.take_opening(), *told))
            self._threads.note_identity(thread, answer.identity)
        return tuple(records)

    def _of_answer(self, thread: Thread, answer: Answer, origin: Origin) -> Iterator[Record]:
        again = self._threads.knows(answer.identity)
        seen: Counter[Key] = Counter()
        yield from self._added_tools(thread, answer)
        for message in answer.messages:
            turn = Turn(
                model=answer.model or thread.model or origin.model,
                provider=origin.provider or answer.provider,
                time=_time(answer.created) or origin.time,
                finish_reason=_finish_reason(message, answer),
                has_calls=message.has_calls,
            )
            if again:
                yield from self._fresh(thread, message, turn, seen)
            else:
                yield from self._parts(thread, message.parts, turn)
        for error in answer.errors:
            shown = escape_surrogates(error.shown)
            yield thread.records.error(shown, code=error.code, raw=error.raw)

    def _added_tools(self, thread: Thread, answer: Answer) -> Iterator[Record]:
        """A catalogue with the tools that the provider added itself: those it listed, and those
        that it ran."""
        if thread.tools is None:
            return
        added: list[Json] = list(answer.tools)
        hosted = {call.tool: None for call in answer.calls if call.hosted}
        listed = {tool.get("name") for tool in (*thread.tools, *added) if isinstance(tool, dict)}
        added.extend(name for name in hosted if name not in listed)
        if added:
            thread.tools = [*thread.tools, *added]
            yield from thread.records.catalog(thread.tools)

    def _fresh(
        self, thread: Thread, message: Message, turn: Turn, seen: Counter[Key]
    ) -> Iterator[Record]:
        """The records of what a message of a history tells that is not known yet."""
        parts = [part for part in message.parts if not thread.is_told(part, seen)]
        yield from self._parts(thread, parts, turn)

    def _parts(self, thread: Thread, parts: Sequence[Part], turn: Turn) -> Iterator[Record]:
        for part in parts:
            self._threads.note(thread, part)
        for text in _joined(parts):
            shown = escape_surrogates(text.text)
            yield from thread.records.text(shown, turn, reasoning=text.reasoning)
        for part in parts:
            if isinstance(part, WireCall):
                yield thread.records.call(
                    escape_surrogates(part.tool),
                    (part.arguments, part.form),
                    turn,
                    call_id=_escaped(part.call_id),
                    streamed=part.streamed,
                )
            elif isinstance(part, WireResult):
                yield thread.records.result(
                    part.content,
                    _escaped(part.call_id),
                    tool=_escaped(part.tool),
                    fault=Fault() if part.is_error else None,
                )


def _opened(half: Half) -> Body:
    body = open_body(half.body)
    if body.cause:
        raise RowError(f"{half.role}: {body.cause}")
    return body


def _joined(parts: Iterable[Part]) -> Iterator[WireText]:
    """The reasoning and the text of a message, each in one piece."""
    texts = [part for part in parts if isinstance(part, WireText)]
    for reasoning in (True, False):
        runs = [part.text for part in texts if part.reasoning is reasoning]
        if runs:
            yield WireText("\n".join(runs), reasoning)


def _finish_reason(message: Message, answer: Answer) -> str | None:
    """The provider's own word, or that for cut messages if the stream had no end."""
    if message.finish_reason is None and not answer.complete:
        return CUT
    return _escaped(message.finish_reason)


def _time(created: Json) -> str | None:
    """ISO 8601 of a moment that an answer tells, in seconds or as text."""
    if isinstance(created, int | float) and not isinstance(created, bool) and created < _SECONDS:
        return iso_time(int(created) * 1000)
    return iso_time(created)


def _escaped(text: str | None) -> str | None:
    return None if text is None else escape_surrogates(text)


def _split(url: str) -> tuple[str, str]:
    """The host and the path of an address; empty texts if it is none."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").lower(), parts.path
    except ValueError:
        return "", ""
