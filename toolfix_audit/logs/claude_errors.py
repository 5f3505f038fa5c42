"""What Claude Code puts where a message of the model would stand: its own words, mostly errors."""

from __future__ import annotations

from typing import Final

from toolfix_audit.logs.fields import content_texts, text_at, word_at
from toolfix_audit.logs.session_records import SessionRecords
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import StreamError

_NO_MODEL: Final = "<synthetic>"
_CODE_KEYS: Final = ("error", "apiErrorStatus")


def is_from_harness(row: dict[str, Json], message: dict[str, Json]) -> bool:
    """Whether the harness wrote a message, and no model."""
    return message.get("model") == _NO_MODEL or row.get("isApiErrorMessage") is True


def harness_records(
    records: SessionRecords, row: dict[str, Json], message: dict[str, Json]
) -> tuple[StreamError, ...]:
    """The error that such a message tells of, if it tells one."""
    code = next((word for key in _CODE_KEYS if (word := word_at(row, key))), None)
    if row.get("isApiErrorMessage") is not True and code is None:
        return ()
    shown = content_texts(message.get("content"))[0] or "API error"
    return (records.error(shown, code=code, raw=message),)


def error_text(error: dict[str, Json]) -> str:
    """The innermost message of an error that wraps others."""
    shown = None
    inner: Json = error
    while isinstance(inner, dict):
        shown = text_at(inner, "message") or shown
        inner = inner.get("error", inner.get("cause"))
    return shown or text_at(error, "formatted") or "API error"
