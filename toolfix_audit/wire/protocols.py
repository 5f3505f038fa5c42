"""The protocols that are known: which one a body or an event is of, and who reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from typing import Protocol as Shape

from toolfix_audit.model.json import Json
from toolfix_audit.wire.anthropic import AnthropicAssembler, is_anthropic, read_anthropic
from toolfix_audit.wire.bedrock_agent import AgentAssembler, is_agent_trace
from toolfix_audit.wire.chat import ChatAssembler, is_chat, is_whole_chat, read_chat
from toolfix_audit.wire.converse import ConverseAssembler, is_converse, read_converse
from toolfix_audit.wire.gemini import GeminiAssembler, is_gemini, read_gemini
from toolfix_audit.wire.interactions import (
    InteractionAssembler,
    is_interaction,
    read_interaction,
)
from toolfix_audit.wire.parts import Answer
from toolfix_audit.wire.responses import ResponsesAssembler, is_responses, read_responses


class Assembler(Shape):
    """Puts the events of one answer together. It never raises, whatever an event holds."""

    def feed(self, event: dict[str, Json]) -> None:
        """Take one event."""
        ...

    def starts_anew(self, event: dict[str, Json], /) -> bool:
        """Whether an event belongs to another answer than those before."""
        ...

    def is_finished(self) -> bool:
        """Whether everything that makes an answer whole has come."""
        ...

    def answer(self) -> Answer:
        """The answer as it is now."""
        ...


@dataclass(frozen=True, slots=True)
class Protocol:
    """One protocol. `owns` recognises its bodies and events, `is_whole` tells a whole body from
    an event; `read` reads the one, and `assembler` makes what reads the others. `provider` is its
    maker, where it has but one. Where `ends_with_mark`, `[DONE]` makes a streamed answer
    whole; where `ends_at_once`, nothing belongs to an answer after its last event."""

    name: str
    owns: Callable[[dict[str, Json]], bool]
    is_whole: Callable[[dict[str, Json]], bool]
    read: Callable[[dict[str, Json]], Answer]
    assembler: Callable[[], Assembler]
    provider: str | None = None
    ends_with_mark: bool = False
    ends_at_once: bool = False


def _read_nothing(_: dict[str, Json]) -> Answer:
    return Answer(())


def _never(_: dict[str, Json]) -> bool:
    return False


PROTOCOLS: Final[tuple[Protocol, ...]] = (
    Protocol(
        "anthropic",
        is_anthropic,
        lambda body: body.get("type") == "message",
        read_anthropic,
        AnthropicAssembler,
        "anthropic",
    ),
    Protocol(
        "responses",
        is_responses,
        lambda body: not str(body.get("type")).startswith("response."),
        read_responses,
        ResponsesAssembler,
        ends_at_once=True,
    ),
    Protocol(
        "interactions",
        is_interaction,
        lambda body: "event_type" not in body,
        read_interaction,
        InteractionAssembler,
        "google",
        ends_at_once=True,
    ),
    Protocol(
        "converse",
        is_converse,
        lambda body: "output" in body,
        read_converse,
        ConverseAssembler,
        "bedrock",
    ),
    Protocol("bedrock-agent", is_agent_trace, _never, _read_nothing, AgentAssembler, "bedrock"),
    Protocol("gemini", is_gemini, _never, read_gemini, GeminiAssembler, "google"),
    Protocol("chat", is_chat, is_whole_chat, read_chat, ChatAssembler, ends_with_mark=True),
)
"""Every protocol, in the order in which they are asked."""


def protocol_of(body: Json) -> Protocol | None:
    """The protocol of a body or an event; None if none knows it."""
    if not isinstance(body, dict):
        return None
    return next((protocol for protocol in PROTOCOLS if protocol.owns(body)), None)
