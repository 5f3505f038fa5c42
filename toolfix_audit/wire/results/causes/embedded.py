"""JSON objects inside a text, as clients print the bodies that they were sent."""

from __future__ import annotations

import json
from typing import Final

from toolfix_audit.model.json import Json, JsonError, parse_json

_MAX_TEXT: Final = 256 * 1024
"""An error that is longer than this is none that a person wrote; its head alone is read."""

_MAX_STARTS: Final = 8


def embedded_event(text: str) -> dict[str, Json] | None:
    """The first JSON object in a text; None if there is none, or only a cut one."""
    head = text[:_MAX_TEXT]
    start = head.find("{")
    for _ in range(_MAX_STARTS):
        if start < 0:
            return None
        value = _object_at(head, start)
        if value is not None:
            return value
        start = head.find("{", start + 1)
    return None


def inner_message(text: str) -> str | None:
    """The message in a body that a text holds as JSON."""
    if "{" not in text or (body := embedded_event(text)) is None:
        return None
    for holder in (body.get("error"), body):
        message = holder.get("message") if isinstance(holder, dict) else None
        if isinstance(message, str) and message.strip():
            return message
    return None


def whole_value(text: str) -> Json:
    """The JSON value that a text is; None for a text that is none, or one nested deeply."""
    try:
        json.loads(text)  # refuses great depth at once
        return parse_json(text)
    except (JsonError, ValueError, RecursionError):
        return None


def _object_at(text: str, start: int) -> dict[str, Json] | None:
    try:
        _, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    value = whole_value(text[start:end])
    return value if isinstance(value, dict) else None
