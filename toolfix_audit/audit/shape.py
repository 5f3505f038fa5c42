"""The shape of arguments: keys and types, no values. Groups calls that fail alike."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

from toolfix_audit.model.json import Json, kind_of

MAX_DEPTH: Final = 60
MAX_KNOWN: Final = 1_000
"""Shapes of so many characters are remembered with their digests: nearly all calls share one."""

_SCALARS: Final = {kind: kind_of(kind()) for kind in (str, bool, int, float)}
"""The words of the plain scalars; a `None` is rare."""


def shape_digest(value: Json) -> str:
    """16 hex digits that are equal for equal shapes. It holds no text of the value."""
    text = _shape(value, 0)
    return _digest(text) if len(text) > MAX_KNOWN else _known_digest(text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


_known_digest: Final = lru_cache(maxsize=4096)(_digest)


def _shape(value: Json, depth: int) -> str:
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        words = _SCALARS if depth < MAX_DEPTH else {}
        members = [
            f"{key}:{words.get(type(member)) or _shape(member, depth + 1)}"  # type: ignore[arg-type]
            for key, member in sorted(value.items())
        ]
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + "|".join(sorted({_shape(item, depth + 1) for item in value})) + "]"
    return kind_of(value)


def nesting_of(schema: Json, depth: int = 0) -> int:
    """How many levels of objects and arrays a schema describes: 1 for one whose properties are
    all scalars. References are not followed."""
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return 0
    inside: list[Json] = [schema.get("items"), schema.get("additionalProperties")]
    for key in ("properties", "patternProperties"):
        part = schema.get(key)
        inside.extend(part.values() if isinstance(part, dict) else ())
    below = max((nesting_of(part, depth + 1) for part in inside), default=0)
    beside = max(
        (
            nesting_of(part, depth + 1)
            for key in ("anyOf", "oneOf", "allOf", "prefixItems")
            if isinstance(parts := schema.get(key), list)
            for part in parts
        ),
        default=0,
    )
    is_container = schema.get("type") in ("object", "array") or any(
        key in schema for key in ("properties", "items")
    )
    return max(below + is_container, beside)
