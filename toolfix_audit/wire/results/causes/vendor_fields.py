"""Fields of single vendors beside an otherwise ordinary event, whose choices may be null."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.results.causes.cause import (
    Cause,
    CauseKind,
    Event,
    Place,
    word,
    word_or_number,
)

_NAME: Final = "vendor-fields"
_MESSAGES: Final = ("error_message", "errorMessage", "error_msg")
_TYPES: Final = ("error_type", "errorType")
_CODES: Final = ("error_code", "errorCode")


def _read(event: Event, _: str | None) -> Cause | None:
    key = next((key for key in _MESSAGES if word(event.get(key))), None)
    if key is None and list(event) == ["detail"] and word(event["detail"]):
        key = "detail"
    if key is None:
        return None
    return Cause(
        CauseKind.ERROR,
        _NAME,
        f"/{key}",
        code=next((code for name in _CODES if (code := word_or_number(event.get(name)))), None),
        message=word(event.get(key)),
        type=next((kind for name in _TYPES if (kind := word(event.get(name)))), None),
    )


PLACE: Final = Place(_NAME, _read)
