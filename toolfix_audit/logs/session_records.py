"""The records of one session while its log is read: numbered in the source, results paired."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from toolfix_audit.logs.fields import content_texts
from toolfix_audit.logs.finish_reasons import finish_word
from toolfix_audit.logs.pairing import OpenCalls
from toolfix_audit.logs.sources import LogFile, content_digest
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Result,
    StreamError,
    ToolCatalog,
)


class Source:
    """What the sessions of one file share: positions that rise, and a name for those without."""

    def __init__(self, file: LogFile) -> None:
        self.positions = count()
        self._file = file
        self._digest: str | None = None

    def name(self, ordinal: int | None = None) -> str:
        """A session name derived from the content, for a log that tells none."""
        if self._digest is None:
            self._digest = content_digest(self._file)[:16]
        return self._digest if ordinal is None else f"{self._digest}-{ordinal}"


@dataclass(frozen=True, slots=True)
class Turn:
    """What the records of one model message have in common."""

    model: str | None = None
    provider: str | None = None
    time: str | None = None
    finish_reason: str | None = None
    has_calls: bool = False
    inherited: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """What a log says of a failed call: its class and code, where it has them."""

    name: str | None = None
    code: str | None = None


class SessionRecords:
    """Makes the records of one session.

    A result answers the oldest waiting call of its id. One whose id no call has answers the
    oldest waiting call without an id (of the same tool, if both tell it). `numbered` counts the
    calls as events, for logs that repeat a session's history at every request.
    """

    def __init__(self, session: str, positions: Iterator[int], *, numbered: bool = False) -> None:
        self.session = session
        self._positions = positions
        self._calls = OpenCalls()
        self._nameless: list[tuple[int, str]] = []
        self._events = count() if numbered else None
        self._tools: str | None = None

    def catalog(self, tools: Json) -> list[ToolCatalog]:
        """The tools sent with a request; nothing if they are none, or in force already."""
        text = dump_json(tools)
        if not isinstance(tools, list) or not tools or text == self._tools:
            return []
        self._tools = text
        return [ToolCatalog(self.session, next(self._positions), tools_sent(tools))]

    def text(self, text: str | None, turn: Turn, *, reasoning: bool = False) -> list[AssistantText]:
        """What the model wrote; nothing for an empty text."""
        if not text:
            return []
        record = AssistantText(
            self.session,
            next(self._positions),
            text,
            reasoning=reasoning,
            finish_reason=finish_word(turn.finish_reason),
            model=turn.model,
            provider=turn.provider,
            has_calls=turn.has_calls,
            inherited=turn.inherited,
        )
        return [record]

    def call(
        self,
        tool: str,
        arguments: tuple[str, ArgumentsForm],
        turn: Turn,
        *,
        call_id: str | None = None,
        streamed: str | None = None,
        dispatched: bool = False,
    ) -> Call:
        """A call, which waits for its result from now on."""
        position = next(self._positions)
        if call_id is None:
            self._nameless.append((position, tool))
        else:
            self._calls.add(position, call_id)
        text, form = arguments
        return Call(
            self.session,
            position,
            call_id,
            tool,
            text,
            form,
            streamed=streamed,
            model=turn.model,
            provider=turn.provider,
            time=turn.time,
            finish_reason=finish_word(turn.finish_reason),
            event=None if self._events is None else next(self._events),
            inherited=turn.inherited,
            dispatched=dispatched,
        )

    def result(
        self,
        content: Json,
        call_id: str | None = None,
        *,
        tool: str | None = None,
        fault: Fault | None = None,
        inherited: bool = False,
    ) -> Result:
        """What the host answered; with a `fault` it is an error."""
        text, blocks = content_texts(content)
        return Result(
            self.session,
            next(self._positions),
            self._answered(call_id, tool),
            call_id,
            fault is not None,
            text,
            blocks,
            error_name=fault.name if fault else None,
            error_code=fault.code if fault else None,
            inherited=inherited,
        )

    def error(self, shown: str, *, code: str | None = None, raw: Json = None) -> StreamError:
        """A request or stream that failed, as it was shown, and the raw event."""
        raw_text = None if raw is None else dump_json(raw)
        return StreamError(self.session, next(self._positions), shown, code=code, raw=raw_text)

    def forget_nameless(self) -> None:
        """Calls without an id that nothing answered so far will get no answer."""
        self._nameless.clear()

    def _answered(self, call_id: str | None, tool: str | None) -> int | None:
        position = self._calls.take(call_id)
        if position is not None:
            return position
        for index, (position, name) in enumerate(self._nameless):
            if tool is None or tool == name:
                del self._nameless[index]
                return position
        return None
