"""Errors inside streams and answers, in the shapes that providers and gateways give them."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.fields import object_of
from toolfix_audit.wire.parts import WireError

_EXCEPTION: Final = "Exception"
_CODES: Final = ("code", "type", "status", "error_type", "error_code")


def stream_error(event: Json, name: str | None = None) -> WireError | None:
    """The error that an event tells, or None.

    Looked for under `error`, under `response.error`, at the top level of an event of that type,
    in the fields of vendors, and in the exceptions of AWS event streams. The words are the
    message, else the code; an empty message counts as none.
    """
    if not isinstance(event, dict):
        return None
    body = _error_body(event, name)
    if body is None:
        return None
    message = _word(body, "message", "error_message", "originalMessage", "Message")
    code = next((word for key in _CODES if (word := _code(body.get(key)))), None)
    if message is None and isinstance(event.get("error"), str):
        message = _word(event, "error")
    shown = f"{code}: {message}" if code and message else message or code
    return WireError(shown or "an error without a message", code, event)


def _error_body(event: dict[str, Json], name: str | None) -> dict[str, Json] | None:
    error = event.get("error")
    if isinstance(error, dict) and error:
        return error
    inner = object_of(object_of(event, "response"), "error")
    if inner:
        return inner
    flat = event.get("type") == "error" or event.get("object") == "error" or name == "error"
    if flat or (isinstance(error, str) and error) or "error_message" in event:
        return {key: event[key] for key in event if event[key] != "error"}
    for key, value in event.items():
        if key.endswith(_EXCEPTION) and isinstance(value, dict):
            return {"code": key, **value}
    return None


def _word(body: dict[str, Json], *keys: str) -> str | None:
    for key in keys:
        value = body.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return None


def _code(value: Json) -> str | None:
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None
