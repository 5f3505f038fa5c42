"""Recorded answers as bytes: whole bodies, streams, and streams made again from logged events."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from toolfix_audit.audit.replay.fragments import dsh_answers
from toolfix_audit.audit.replay.pieces import Captured, Piece, schemas_of, sse_piece
from toolfix_audit.logs.blocks import Damage
from toolfix_audit.logs.bodies import Body, open_body
from toolfix_audit.logs.captures import Half
from toolfix_audit.logs.detect import FileKind, detect
from toolfix_audit.logs.reader import BalancedUnits, Reader
from toolfix_audit.logs.readers import dsh, sse_stream
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.errors import NothingCheckedError, ReadError
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.wire.protocols import protocol_of
from toolfix_audit.wire.requests import is_request, read_request
from toolfix_audit.wire.stream import DONE

_DONE_PIECE: Final = Piece(f"data: {DONE}\n\n".encode())
_UNREADABLE_PIECE: Final = Piece(b"data: unreadable\n\n")
_EVENT_ROLES: Final = ("event", "end")


@dataclass(frozen=True, slots=True)
class Opened:
    """A file and the answers recorded in it; `format` is None for what is no log."""

    file: LogFile
    format: str | None
    answers: Iterator[Captured] = field(default_factory=lambda: iter(()))


def captured_answers(file: LogFile) -> Opened:
    """The answers that a file holds, in order.

    Raises:
        ReadError: it can't be read, or was named and is no log.
        NothingCheckedError: it was named and is empty.
    """
    found = detect(file)
    if found.reader is None:
        if file.named and found.kind is FileKind.EMPTY:
            raise NothingCheckedError(f"{file.shown}: empty file", hint="give a capture")
        if file.named:
            raise ReadError(f"{file.shown}: {found.kind}", hint="see `toolfix-audit formats`")
        return Opened(file, None)
    return Opened(file, found.reader.name, _answers(file, found.reader))


def _answers(file: LogFile, reader: Reader) -> Iterator[Captured]:
    if reader is sse_stream.READER:
        yield Captured(file.shown, _raw_pieces(file), is_stream=True)
    elif reader is dsh.READER:
        yield from dsh_answers(file)
    else:
        units = reader.read(file)
        if isinstance(units, BalancedUnits):
            halves = (item for item in units._source if isinstance(item, Half))
            yield from _of_halves(file, halves)


def _raw_pieces(file: LogFile) -> Iterator[Piece]:
    for block in file.blocks():
        if not isinstance(block, Damage):
            yield Piece(block)


def _of_halves(file: LogFile, halves: Iterable[Half]) -> Iterator[Captured]:
    """The answers of a capture. Tools are those of the request before, as far as it told them."""
    tools: dict[str, Json] = {}
    told = (half for half in halves if half.ignored is None)
    for is_event, group in itertools.groupby(told, _is_event):
        if is_event:
            yield from _of_events(file, group, tools)
            continue
        for half in group:
            body = open_body(half.body)
            if half.role == "request":
                tools = _tools_of(body)
            elif half.role == "response":
                yield from _of_body(file, half, body, tools)


def _is_event(half: Half) -> bool:
    """Whether a half is an event of a stream, or stands where one can't be read."""
    return half.role in _EVENT_ROLES or half.cause is not None


def _tools_of(body: Body) -> dict[str, Json]:
    if not isinstance(body.value, dict) or not is_request(body.value):
        return {}
    return schemas_of(tools_sent(read_request(body.value).tools))


def _of_body(
    file: LogFile, half: Half, body: Body, tools: Mapping[str, Json]
) -> Iterator[Captured]:
    place = f"{file.shown}:{half.line}"
    if isinstance(body.stream, str):
        data = body.stream.encode("utf-8", "surrogatepass")
        yield Captured(place, (Piece(data),), is_stream=True, tools=tools)
    elif isinstance(body.value, dict) and protocol_of(body.value) is not None:
        data = dump_json(body.value).encode()
        if isinstance(half.body, str):
            data = half.body.encode("utf-8", "surrogatepass")
        yield Captured(place, (Piece(data),), is_stream=False, tools=tools)


def _of_events(
    file: LogFile, halves: Iterable[Half], tools: Mapping[str, Json]
) -> Iterator[Captured]:
    """Whole bodies among events as they are; the other events as one stream."""
    pieces: list[Piece] = []
    line = 0
    for half in halves:
        protocol = protocol_of(half.body) if isinstance(half.body, dict) else None
        if half.cause is not None:
            pieces.append(_UNREADABLE_PIECE)
        elif half.role == "end":
            pieces.append(_DONE_PIECE)
        elif isinstance(half.body, dict) and protocol is not None and protocol.is_whole(half.body):
            data = dump_json(half.body).encode()
            yield Captured(
                f"{file.shown}:{half.line}", (Piece(data),), is_stream=False, tools=tools
            )
        elif isinstance(half.body, dict):
            line = line or half.line
            pieces.append(sse_piece(half.body))
    if line:
        yield Captured(f"{file.shown}:{line}", pieces, is_stream=True, tools=tools)
