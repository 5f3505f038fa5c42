"""Which conversation a captured request belongs to, and what of its history is known already.

A request goes on with the conversation whose calls, results or texts it repeats (or whose answer
it names); else it begins one. What it repeats gives no second record.
"""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Iterator
from typing import Final, TypeAlias

from toolfix_audit.logs.session_records import SessionRecords, Source
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.records import Record, Session
from toolfix_audit.wire.parts import Answer, Part, Request, WireCall, WireResult

REMEMBERED: Final = 65_536
"""So many things are known again; a request that repeats older ones begins a conversation."""

Key: TypeAlias = tuple[str, ...]


class Thread:
    """One conversation: its records so far, and how often each thing in it was told."""

    def __init__(self, records: SessionRecords, opening: list[Record]) -> None:
        self.records = records
        self.tools: list[Json] | None = None
        self.model: str | None = None
        self._opening = opening
        self._told: Counter[Key] = Counter()

    def take_opening(self) -> list[Record]:
        """The records that begin the conversation; nothing after the first time."""
        opening, self._opening = self._opening, []
        return opening

    def is_told(self, part: Part, seen: Counter[Key]) -> bool:
        """Whether a part of a history is known; `seen` counts the parts of that history."""
        for key in _sought(part):
            if key in self._told:
                seen[key] += 1
                return seen[key] <= self._told[key]
        return False

    def tell(self, part: Part) -> None:
        """A part was told once more."""
        self._told.update(_names(part))


class Threads:
    """The conversations of one source."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._owners: OrderedDict[Key, Thread] = OrderedDict()
        self._count = 0

    def of(self, request: Request) -> Thread:
        """The conversation that a request goes on with, or a new one."""
        if request.previous:
            known = self._owners.get(("id", request.previous))
            if known is not None:
                return known
        for part in reversed(request.history):
            for key in _sought(part):
                known = self._owners.get(key)
                if known is not None:
                    return known
        return self.begin()

    def of_answer(self, answer: Answer) -> Thread:
        """The conversation that an answer without a request belongs to: that of its id, or a
        new one."""
        known = self._owners.get(("id", answer.identity)) if answer.identity else None
        return known or self.begin()

    def begin(self) -> Thread:
        """A new conversation."""
        self._count += 1
        session = self._source.name(self._count)
        records = SessionRecords(session, self._source.positions)
        return Thread(records, [Session(session)])

    def knows(self, identity: str | None) -> bool:
        """Whether an answer of that id was told before."""
        return identity is not None and ("id", identity) in self._owners

    def note(self, thread: Thread, part: Part) -> None:
        """A part belongs to a conversation, and was told in it."""
        thread.tell(part)
        for key in _names(part):
            self._own(key, thread)

    def note_identity(self, thread: Thread, identity: str | None) -> None:
        """An answer or conversation of that id belongs to a conversation."""
        if identity:
            self._own(("id", identity), thread)

    def _own(self, key: Key, thread: Thread) -> None:
        self._owners[key] = thread
        self._owners.move_to_end(key)
        if len(self._owners) > REMEMBERED:
            self._owners.popitem(last=False)


def _names(part: Part) -> Iterator[Key]:
    """What a part is known by once it is told."""
    if isinstance(part, WireCall):
        content = (part.tool, _digest(_canonical(part.arguments)))
        yield "call", *content
        yield ("call-id", part.call_id) if part.call_id else ("nameless", *content)
    elif isinstance(part, WireResult):
        content = (part.tool or "", _digest(dump_json(part.content, sort_keys=True)))
        yield ("result-id", part.call_id) if part.call_id else ("result", *content)
    else:
        yield "reasoning" if part.reasoning else "text", _digest(part.text.strip())


def _sought(part: Part) -> Iterator[Key]:
    """What a part of a history may be known by, the surest first. Programs give ids to calls
    that came without, and leave ids out."""
    names = list(_names(part))
    if isinstance(part, WireCall) and part.call_id:
        yield names[1]
        yield "nameless", *names[0][1:]
    else:
        yield names[0]


def _canonical(arguments: str) -> str:
    """One spelling for equal arguments, whatever recorded them."""
    try:
        return dump_json(parse_json(arguments), sort_keys=True) if arguments.strip() else "{}"
    except JsonError:
        return arguments


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
