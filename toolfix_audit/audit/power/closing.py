"""Closes cut JSON text, as no sound engine may: the guess that broken engines share."""

from __future__ import annotations

from toolfix_audit.model.json import Json, JsonError, parse_json

_PAIRS = {"{": "}", "[": "]"}


def closed(text: str) -> Json:
    """The container that a cut text becomes when its open strings and brackets are closed; None
    where that gives none, or where nothing is open."""
    stack: list[str] = []
    in_string = escaped = False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in _PAIRS:
            stack.append(_PAIRS[char])
        elif char in "}]" and stack:
            stack.pop()
    if not stack:
        return None
    head = text + ('"' if in_string else "")
    tail = "".join(reversed(stack))
    for middle in ("", ":null", "null"):
        try:
            value = parse_json(head.rstrip().removesuffix(",") + middle + tail)
        except JsonError:
            continue
        return value if isinstance(value, dict | list) else None
    return None
