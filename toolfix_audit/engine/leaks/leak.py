"""What the detector is given and what it says: messages, leaks, and shapes that are none."""

from __future__ import annotations

from dataclasses import dataclass

from toolfix_audit.engine.leaks.words import Channel, Guard, Kind, Reason
from toolfix_audit.model.json import Json


@dataclass(frozen=True, slots=True)
class StructuredCall:
    """A call that the provider did recognise: its name and arguments, as text or value."""

    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Message:
    """One message of an assistant. Nothing that a user or a tool wrote may ever be one."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[StructuredCall, ...] = ()


@dataclass(frozen=True, slots=True)
class LeakedCall:
    """A call that leaked. `arguments` are typed by the schema where they were text, and None
    where they can't be read."""

    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Leak:
    """Calls that were written as text, or bits of their markup.

    `start` and `end` are the place in the text of the channel (0 and 0 in a structured call).
    Without a `reason` the calls can be made as they stand here. `strays` are tags without a
    partner that go with it, `stray_token` a word in place of a tag, `appended` what was added.
    `is_whole` says that nothing else is in the message.
    """

    kind: Kind
    syntax: str
    channel: Channel
    start: int
    end: int
    calls: tuple[LeakedCall, ...]
    reason: Reason | None = None
    strays: tuple[str, ...] = ()
    stray_token: str | None = None
    appended: str = ""
    is_whole: bool = False

    @property
    def is_repairable(self) -> bool:
        """Whether the calls are complete, known and valid."""
        return self.reason is None

    @property
    def name(self) -> str | None:
        """The tool of the first call."""
        return self.calls[0].name if self.calls else None

    @property
    def arguments(self) -> Json:
        """The arguments of the first call."""
        return self.calls[0].arguments if self.calls else None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that reads like a call and is none, by the first guard that says so."""

    guard: Guard
    syntax: str
    channel: Channel
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Detection:
    """All that was found in a message. `text` and `reasoning` are what remains of them without
    the leaks that can be repaired."""

    leaks: tuple[Leak, ...]
    refusals: tuple[Refusal, ...]
    text: str
    reasoning: str
