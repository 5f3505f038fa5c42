"""The cause of a failed stream: what the provider said, and where it said it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path, to_pointer
from toolfix_audit.wire.results.causes.embedded import inner_message

Event: TypeAlias = Mapping[str, Json]

NO_MESSAGE: Final = "an error without a message"


class CauseKind(StrEnum):
    """What became of a stream: it failed, it was ended early by a rule, or neither."""

    ERROR = "error"
    INCOMPLETE = "incomplete"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Cause:
    """What a provider said of a failure, member for member as it said it.

    `place` names the kind of place and `pointer` is the JSON Pointer to it in its event, whose
    ordinal in the stream is `event`. An empty message counts as none. `detail` is the innermost
    reason where the message is but a wrapper, `provider` who gave it.
    """

    kind: CauseKind
    place: str = ""
    pointer: str = ""
    code: str | int | None = None
    message: str | None = None
    type: str | None = None
    status: str | int | None = None
    detail: str | None = None
    provider: str | None = None
    event: int | None = None

    @property
    def word(self) -> str | int | None:
        """The shortest name of the failure: its code, else its type, else its status."""
        return next((one for one in (self.code, self.type, self.status) if one is not None), None)

    @property
    def display(self) -> str:
        """What a person should be shown: `code: message`, or the one of both that there is."""
        reason = self.message or self.detail
        if self.message and self.detail and self.detail not in self.message:
            reason = f"{self.message} ({self.detail})"
        if self.word is None:
            return reason or NO_MESSAGE
        return f"{self.word}: {reason}" if reason else str(self.word)


NONE: Final = Cause(CauseKind.NONE)
"""There is no failure."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place where providers put errors. `read` gives the cause if it is there; `name` is the
    name that the transport gave the event."""

    name: str
    read: Callable[[Event, str | None], Cause | None]


_MESSAGES: Final = ("message", "originalMessage", "Message", "msg", "error_message", "errorMessage")


def cause_of_body(place: str, path: Path, body: Event, *, code: str | None = None) -> Cause | None:
    """The cause that an error object tells; None if it tells neither a message nor a name."""
    kind = word(body.get("type"))
    original = word(body.get("originalMessage"))
    message = next((text for key in _MESSAGES if (text := word(body.get(key)))), None)
    cause = Cause(
        CauseKind.ERROR,
        place,
        to_pointer(path),
        code=word_or_number(body.get("code")) or code,
        message=message,
        type=None if kind == "error" else kind,
        status=word_or_number(body.get("status")) or word_or_number(body.get("originalStatusCode")),
        detail=inner_message(message or "") or (None if original == message else original),
    )
    return cause if cause.message is not None or cause.word is not None else None


def word(value: Json) -> str | None:
    """A text that is not blank."""
    return value if isinstance(value, str) and value.strip() else None


def word_or_number(value: Json) -> str | int | None:
    """A text that is not blank, or an integer that is not zero."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value or None
    return word(value)
