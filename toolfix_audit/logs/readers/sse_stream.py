"""Raw streams of model answers as the network carried them (`data: …`): an event is a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.blocks import Damage
from toolfix_audit.logs.captures import Half, read_halves
from toolfix_audit.logs.head import Head
from toolfix_audit.logs.reader import Reader, Tier
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.records import Unit
from toolfix_audit.wire.protocols import protocol_of
from toolfix_audit.wire.sse import SseDecoder, SseEvent
from toolfix_audit.wire.stream import DONE

_DATA_LINE: Final = re.compile(rb"(?m)^data:[ ]?(\{.*\})\s*$")


def _read(file: LogFile) -> Iterator[Unit]:
    return read_halves(file, _halves(file))


def _halves(file: LogFile) -> Iterator[Half]:
    decoder = SseDecoder()
    line, offset = 1, 0
    for event in _events(file, decoder):
        if isinstance(event, Damage):
            yield Half(line, offset, cause=event.cause)
            continue
        if event.raw.strip() or event.fault:
            yield _half(line, offset, event)
        line += len(event.raw.splitlines())
        offset += len(event.raw)


def _events(file: LogFile, decoder: SseDecoder) -> Iterator[SseEvent | Damage]:
    damage = None
    for block in file.blocks():
        if isinstance(block, Damage):
            damage = block
        else:
            yield from decoder.feed(block)
    yield from decoder.close()
    if damage is not None:
        yield damage


def _half(line: int, offset: int, event: SseEvent) -> Half:
    text = event.data if event.data is not None else event.stray
    if event.fault:
        return Half(line, offset, cause=event.fault)
    if text is None:
        return Half(line, offset, ignored="comment")
    if text.strip().startswith(DONE):
        return Half(line, offset, "end")
    try:
        return Half(line, offset, "event", _named(parse_json(text), event.name))
    except JsonError as error:
        cut = "the event is cut" if error.at_end else "not JSON"
        return Half(line, offset, cause=f"{cut}: {error}")


def _named(value: Json, name: str | None) -> Json:
    """The event with the type that only its SSE field tells, as some servers send errors."""
    if name and isinstance(value, dict) and "type" not in value and name == "error":
        return {"type": name, **value}
    return value


def _detect(head: Head) -> bool:
    for match in _DATA_LINE.finditer(head.first):
        try:
            if protocol_of(parse_json(match.group(1).decode())) is not None:
                return True
        except (JsonError, UnicodeDecodeError):
            continue
    return False


READER = Reader(
    name="sse-stream",
    summary="Raw server-sent events of model answers",
    tier=Tier.PROVEN,
    detect=_detect,
    read=_read,
)
