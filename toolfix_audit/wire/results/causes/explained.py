"""What a user was shown of a failure, beside its cause; or that the log has lost the cause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.causes import NONE, Cause, CauseKind, event_cause
from toolfix_audit.wire.results.causes.cause import cause_of_body, word
from toolfix_audit.wire.results.causes.embedded import embedded_event, whole_value
from toolfix_audit.wire.results.causes.own_words import hides_cause

SHOWN: Final = "shown"
LOST: Final = "lost"

_WRAPPED: Final = re.compile(
    r"\s*(?:error: ?)?stream disconnected before completion: ?(?P<reason>.+)",
    re.IGNORECASE | re.DOTALL,
)
_INNER: Final = ("data", "cause", "failure", "body", "responseBody", "response", "error", "message")
_LEVELS: Final = 5


@dataclass(frozen=True, slots=True)
class Explanation:
    """`lost` says that nothing at hand holds the cause: then the cause has no message, and none
    is guessed. `hidden` says that it is at hand, and what was shown does not tell it."""

    shown: str | None
    cause: Cause
    lost: bool = False

    @property
    def hidden(self) -> bool:
        """Whether the cause is known and was not shown."""
        if self.lost or self.cause.kind is CauseKind.NONE:
            return False
        told = [self.cause.message or str(self.cause.word or ""), self.cause.detail or ""]
        return not all(text in (self.shown or "") for text in told)


def explain_stream(cause: Cause, shown: str | None) -> Explanation:
    """Set the cause that a recorded stream tells beside what was shown of it; a stream that tells
    none leaves what the words themselves tell."""
    if cause.kind is not CauseKind.NONE or shown is None:
        return Explanation(shown, cause)
    return explain_row(shown)


def explain_row(shown: str, code: str | None = None, raw: Json = None) -> Explanation:
    """Explain an error row of a log: its words, its code, and the failure as it was recorded.

    The cause is what the recorded failure or the words hold of the provider's: a body, a reason
    behind a client's own words, or a message that is none of those. Never raises.
    """
    for cause in _told(raw, _LEVELS):
        if not _is_hollow(cause):
            return Explanation(shown, replace(cause, code=cause.code or code))
    text = word(shown)
    wrapped = _WRAPPED.fullmatch(text or "")
    reason = wrapped["reason"] if wrapped else text
    inner = embedded_event(reason or "")
    told = NONE if inner is None else _of_object(inner)
    if not _is_hollow(told):
        return Explanation(shown, replace(told, place=SHOWN))
    if reason is None or hides_cause(reason):
        return Explanation(shown, Cause(CauseKind.ERROR, LOST, code=code), lost=True)
    return Explanation(shown, Cause(CauseKind.ERROR, SHOWN, code=code, message=reason))


def _told(value: Json, levels: int, path: str = "") -> Iterator[Cause]:
    """The causes in a recorded failure, outermost first, bodies that were kept as text too."""
    if isinstance(value, str):
        value = embedded_event(value)
    if not isinstance(value, dict) or not levels:
        return
    cause = _of_object(value)
    if cause.kind is not CauseKind.NONE:
        yield replace(cause, pointer=path + cause.pointer)
    for key in _INNER:
        yield from _told(value.get(key), levels - 1, f"{path}/{key}")


def _of_object(value: dict[str, Json]) -> Cause:
    """The cause in an object that is known to be a failure, so that it may be flat."""
    cause = event_cause(value)
    if cause.kind is CauseKind.NONE:
        return cause_of_body("failure", (), value) or NONE
    return cause


def _is_hollow(cause: Cause) -> bool:
    """Whether a cause says nothing but that something failed, in a client's own words."""
    if cause.kind is CauseKind.INCOMPLETE:
        return False
    reason = cause.detail or cause.message
    return reason is None or hides_cause(reason)


def parsed_raw(raw: str | None) -> Json:
    """The recorded failure of an error row, kept as JSON text; the text itself if it is none."""
    if raw is None:
        return None
    value = whole_value(raw)
    return raw if value is None else value
