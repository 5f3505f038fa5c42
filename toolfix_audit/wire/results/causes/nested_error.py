"""`error`: an object, or a text, in the event itself.

Anthropic, chunks of Chat Completions, Gemini, and proxies that wrap a Responses error so.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.causes.cause import (
    Cause,
    CauseKind,
    Event,
    Place,
    cause_of_body,
    word,
)

_NAME: Final = "nested-error"
_LEVELS: Final = 4


def _read(event: Event, _: str | None) -> Cause | None:
    """The innermost object that says something; gateways wrap one error in another."""
    value: Json = event.get("error")
    if (text := word(value)) is not None:
        return Cause(CauseKind.ERROR, _NAME, "/error", message=text, code=word(event.get("code")))
    path: tuple[str, ...] = ("error",)
    for _level in range(_LEVELS):
        if not isinstance(value, dict) or not value:
            return None
        cause = cause_of_body(_NAME, path, value)
        if cause is not None and (cause.message or not isinstance(value.get("error"), dict)):
            return cause
        value, path = value.get("error"), (*path, "error")
    return None


PLACE: Final = Place(_NAME, _read)
