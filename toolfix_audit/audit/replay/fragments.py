"""Streams made again from the fragments that DeepSeek Harness logs, with their times.

The harness logs what it understood, not bytes; so every step becomes a stream of Anthropic's
form, whose blocks begin, go on and end as the logged ones did.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.audit.replay.pieces import Captured, Piece, schemas_of, sse_piece
from toolfix_audit.logs.fields import integer_at, list_at, object_at, text_at
from toolfix_audit.logs.sources import LogFile, iter_lines
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.json import Json, JsonError
from toolfix_audit.model.json_fast import parse_row

_Row = dict[str, Json]
_STOP_WORDS: Final = {"length": "max_tokens", "max-tokens": "max_tokens", "stop": "end_turn"}


def dsh_answers(file: LogFile) -> Iterator[Captured]:
    """A stream for every step of a session that called a tool in fragments."""
    sessions: dict[str | None, _Steps] = {}
    for line in iter_lines(file):
        row = _row_of(line.data)
        event, name = _unwrapped(row)
        steps = sessions.setdefault(name, _Steps(file.shown))
        yield from steps.take(event, line.number)
    for steps in sessions.values():
        yield from steps.close()


class _Steps:
    """The steps of one session, one after the other."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._tools: dict[str, Json] = {}
        self._step: _Step | None = None

    def take(self, row: _Row, line: int) -> Iterator[Captured]:
        """Take one row; give the stream that is over with it."""
        data = object_at(row, "data")
        match row.get("type"):
            case "request/header":
                definitions = tools_sent(object_at(data, "header").get("tools"))
                self._tools = schemas_of(definitions)
            case "step/start" | "llm/retry" | "turn/end":
                yield from self.close()
            case "tool-call-chunks":
                self._current(line).packed(data, integer_at(row, "time0"))
            case "assistant/chunk":
                chunk = object_at(data, "chunk")
                self._current(line).chunk(chunk, integer_at(row, "time"))
                if chunk.get("type") == "finish":
                    yield from self.close()

    def close(self) -> Iterator[Captured]:
        """The stream of the step that is open."""
        step, self._step = self._step, None
        if step is not None and step.has_calls:
            yield Captured(
                f"{self._shown}:{step.line}", step.pieces, is_stream=True, tools=self._tools
            )

    def _current(self, line: int) -> _Step:
        if self._step is None:
            self._step = _Step(line)
        return self._step


class _Step:
    """The events of one step so far."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.has_calls = False
        start: _Row = {"type": "message_start", "message": {"role": "assistant", "content": []}}
        self.pieces: list[Piece] = [sse_piece(start)]
        self._open: set[int] = set()

    def chunk(self, chunk: _Row, time: int | None) -> None:
        """One event of the stream."""
        index = integer_at(chunk, "index")
        match chunk.get("type"):
            case "tool-call-delta" if index is not None:
                self._fragment(chunk, index, chunk.get("argumentsDelta"), time)
            case "block-end" if index in self._open:
                self._open.discard(index)
                self._add({"type": "content_block_stop", "index": index}, time)
            case "finish":
                self._finish(object_at(chunk, "reason"), time)

    def packed(self, data: _Row, time: int | None) -> None:
        """Fragments that the log keeps in one row, each so long after the one before."""
        index, waits = integer_at(data, "index"), list_at(data, "dt")
        if index is None:
            return
        clock = time or 0
        for number, text in enumerate(list_at(data, "args")):
            wait = waits[number] if number < len(waits) else 0
            clock += wait if isinstance(wait, int) else 0
            self._fragment(data, index, text, None if time is None else clock)

    def _fragment(self, head: _Row, index: int, text: Json, time: int | None) -> None:
        if index not in self._open:
            self._open.add(index)
            self.has_calls = True
            call: _Row = {"type": "tool_use", "id": head.get("id"), "name": text_at(head, "name")}
            block: _Row = {**call, "input": {}}
            self._add({"type": "content_block_start", "index": index, "content_block": block}, time)
        delta: _Row = {"type": "input_json_delta", "partial_json": text}
        self._add({"type": "content_block_delta", "index": index, "delta": delta}, time)

    def _finish(self, reason: _Row, time: int | None) -> None:
        kind = text_at(reason, "kind") or ""
        if kind == "error":
            self._add({"type": "error", "error": object_at(reason, "failure")}, time)
            return
        word = _STOP_WORDS.get(kind, "tool_use")
        self._add({"type": "message_delta", "delta": {"stop_reason": word}}, time)
        self._add({"type": "message_stop"}, time)

    def _add(self, event: _Row, time: int | None) -> None:
        self.pieces.append(sse_piece(event, time))


def _row_of(data: bytes | None) -> _Row:
    try:
        row = parse_row(data) if data else None
    except JsonError:
        row = None
    return row if isinstance(row, dict) else {}


def _unwrapped(row: _Row) -> tuple[_Row, str | None]:
    """The event of a row, and the session that a notification around it names."""
    envelope = object_at(row, "params") or row
    event = object_at(envelope, "event")
    return (event, text_at(envelope, "sessionId")) if event else (row, None)
