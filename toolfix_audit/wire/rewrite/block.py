"""One tool call while its arguments come, and the events that hold them back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, TypeAlias

from toolfix_audit.model.json import Json, escape_surrogates
from toolfix_audit.wire.arguments import MERGED, ArgumentBuffer
from toolfix_audit.wire.rewrite.spans import Path, Span, Spans, literal_of, replaced
from toolfix_audit.wire.rewrite.tally import Refusal
from toolfix_audit.wire.sse import SseEvent, with_data

Repair: TypeAlias = Callable[[str, str, Mapping[str, Json]], str | None]
"""Takes the name of a tool, the argument text of one call and the tools of the request (name to
schema); gives the text to send instead, or None to leave it. Must be deterministic."""

_BLANK: Final = '""'


class Role(Enum):
    """What stands in a place: the arguments that a block opens with (they count if no fragment
    comes), a fragment of them, or a complete copy."""

    OPENING = auto()
    FRAGMENT = auto()
    COPY = auto()


class Fate(Enum):
    """What became of a block."""

    OPEN = auto()
    KEPT = auto()
    CHANGED = auto()


@dataclass(slots=True, eq=False)
class HeldEvent:
    """An event in the queue. It leaves as it came, unless edits wait for it.

    `waits` counts the blocks that may still edit it. A `bare` event is nothing but its
    `fragments`: once all of them are blank it is left out.
    """

    event: SseEvent
    waits: int = 0
    fragments: int = 0
    bare: bool = False
    edits: list[tuple[Span, str]] = field(default_factory=list)
    _spans: Spans | None = None

    def span_of(self, path: Path) -> Span | None:
        """Where the value at a path of the event's data stands, if it can be found."""
        if self._spans is None:
            self._spans = Spans(self.event.data or "")
        return self._spans.of(path)

    def out(self) -> bytes:
        """The bytes to send."""
        if not self.edits:
            return self.event.raw
        blanks = sum(literal == _BLANK for _, literal in self.edits)
        if self.bare and blanks == len(self.edits) == self.fragments:
            return b""
        return with_data(self.event, replaced(self.event.data or "", self.edits))


@dataclass(frozen=True, slots=True)
class Place:
    """Where arguments stand: a path in the data of an event, and the value found there."""

    held: HeldEvent
    role: Role
    path: Path
    value: Json

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the arguments stands here."""
        return not self.value

    def edit(self, text: str) -> tuple[HeldEvent, Span, str] | None:
        """The edit that writes argument text here; None if the place can't be found."""
        span = self.held.span_of(self.path)
        return None if span is None else (self.held, span, literal_of(text, self.value))


@dataclass(slots=True, eq=False)
class Block:
    """One call. Holds its text and its places until it is settled, and a digest after that."""

    tool: str
    call_id: str | None = None
    arguments: ArgumentBuffer = field(default_factory=ArgumentBuffer)
    fate: Fate = Fate.OPEN
    places: list[Place] = field(default_factory=list)
    digest: bytes = b""

    def take(self, place: Place) -> None:
        """One more place; its event waits for this block from now on."""
        self.places.append(place)
        place.held.waits += 1
        match place.role:
            case Role.OPENING:
                self.arguments.start(place.value)
            case Role.FRAGMENT:
                self.arguments.add(place.value)
            case Role.COPY:
                self.arguments.replace(place.value)

    def text(self) -> str:
        """The whole argument text."""
        return self.arguments.finish()[0]

    def doubt(self) -> Refusal | None:
        """Why the text is not certain, if it isn't."""
        copies = (place.value for place in self.places if place.role is Role.COPY)
        whole = [escape_surrogates(copy) for copy in copies if isinstance(copy, str) and copy]
        streamed = self.arguments.streamed()
        if whole and streamed is not None:
            whole.append(streamed)
        if any(copy != whole[0] for copy in whole):
            return Refusal.COPIES_DIFFER
        filled = [place.value for place in self._fragments() if not place.is_empty]
        mixed = len(filled) > 1 and any(isinstance(value, dict) for value in filled)
        return Refusal.NO_TEXT if mixed or MERGED in self.arguments.flags() else None

    def rewrite(self, text: str) -> Refusal | None:
        """Write another text into every place, or into none and say why."""
        edits = [place.edit(new) for place, new in self._new_texts(text)]
        if not edits:
            return Refusal.NO_PLACE
        if None in edits:
            return Refusal.REPEATED_KEY
        for held, span, literal in filter(None, edits):
            held.edits.append((span, literal))
        self.digest = digest_of(self.text())
        return None

    def settle(self, fate: Fate) -> None:
        """End it: let its events go, and keep nothing of its text."""
        self.fate = fate
        for place in self.places:
            place.held.waits -= 1
        self.places.clear()
        self.arguments = ArgumentBuffer()
        self.arguments.add({})  # what is settled was whole: a name after it begins another call

    def _fragments(self) -> Iterator[Place]:
        return (place for place in self.places if place.role is Role.FRAGMENT)

    def _new_texts(self, text: str) -> Iterator[tuple[Place, str]]:
        """What every place must say: copies all of it, the first place with arguments as well,
        other fragments nothing."""
        streams = [place for place in self.places if place.role is not Role.COPY]
        filled = [place for place in streams if not place.is_empty]
        filled.sort(key=lambda place: place.role is Role.OPENING)
        carrier = next(iter(filled or streams), None)
        for place in self.places:
            if place.role is Role.COPY or place is carrier:
                yield place, text
            elif place.role is Role.FRAGMENT and isinstance(place.value, str):
                yield place, ""


def digest_of(text: Json) -> bytes:
    """A short name for an argument text."""
    shown = escape_surrogates(text) if isinstance(text, str) else ""
    return hashlib.blake2b(shown.encode(), digest_size=16).digest()
