"""What protocols carry, whatever their spelling: calls, texts, results, errors; in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from toolfix_audit.model.json import Json
from toolfix_audit.model.records import ArgumentsForm

CUT_REASONS: Final = frozenset(
    {
        "length",
        "max_tokens",
        "max-tokens",
        "max_output_tokens",
        "max_messages",
        "model_context_window_exceeded",
        "model_length",
        "reason_max_len",
        "reason_max_context",
    }
)
"""The words, in lower case, that say an answer was cut by a limit of its length."""


@dataclass(frozen=True, slots=True)
class WireCall:
    """One tool call. `arguments` is the exact text, or the JSON text of the value that was sent
    (`form` tells which); `streamed` is the text joined from fragments, where there were any.

    `flags` name what was odd about its reassembly. `hosted` marks a call that the provider runs
    itself, whose tool the request need not declare with a schema.
    """

    call_id: str | None
    tool: str
    arguments: str
    form: ArgumentsForm
    streamed: str | None = None
    flags: tuple[str, ...] = ()
    hosted: bool = False


@dataclass(frozen=True, slots=True)
class WireText:
    """A run of text, or of reasoning, that the model wrote."""

    text: str
    reasoning: bool = False


@dataclass(frozen=True, slots=True)
class WireResult:
    """What was answered to a call, as it was sent. `tool` is its name where the protocol pairs
    by name."""

    call_id: str | None
    tool: str | None
    is_error: bool
    content: Json


@dataclass(frozen=True, slots=True)
class WireError:
    """An error that came instead of an answer, or inside one: the words to show, its code, and
    the event as it was."""

    shown: str
    code: str | None
    raw: Json


Part: TypeAlias = WireCall | WireText | WireResult


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the model (one choice, one candidate), or of a history."""

    parts: tuple[Part, ...]
    finish_reason: str | None = None

    @property
    def is_cut(self) -> bool:
        """Whether a limit of length ended it."""
        return (self.finish_reason or "").lower() in CUT_REASONS

    @property
    def has_calls(self) -> bool:
        """Whether it holds a call."""
        return any(isinstance(part, WireCall) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a model. `complete` is False if it ended without its protocol's end, with an
    error, or at a limit of its length; `reason` then says why, in one word. `tools` are those
    that the provider itself added, `provider` the maker of a protocol that has but one."""

    messages: tuple[Message, ...]
    identity: str | None = None
    model: str | None = None
    created: Json = None
    complete: bool = True
    reason: str | None = None
    errors: tuple[WireError, ...] = ()
    tools: tuple[Json, ...] = ()
    provider: str | None = None

    @property
    def calls(self) -> tuple[WireCall, ...]:
        """The calls of all messages, in order."""
        return tuple(
            part
            for message in self.messages
            for part in message.parts
            if isinstance(part, WireCall)
        )


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a model: the history that it repeats and its tools as they were sent (None
    if it tells none). `previous` is the id of the answer or conversation it goes on from."""

    messages: tuple[Message, ...]
    tools: Json = None
    model: str | None = None
    previous: str | None = None

    @property
    def history(self) -> tuple[Part, ...]:
        """The parts of all messages, in order."""
        return tuple(part for message in self.messages for part in message.parts)
