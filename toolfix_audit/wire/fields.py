"""Typed access to the members of a protocol object; a member of another type is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolfix_audit.model.json import Json

_EMPTY: Final[dict[str, Json]] = {}


def text_of(row: Mapping[str, Json], *keys: str) -> str | None:
    """The first text that is not empty under one of the keys."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def object_of(row: Mapping[str, Json], *keys: str) -> dict[str, Json]:
    """The first object under one of the keys; an empty one if there is none."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, dict):
            return value
    return _EMPTY


def objects_of(row: Mapping[str, Json], *keys: str) -> list[dict[str, Json]]:
    """The objects of the first array under one of the keys."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, list):
            return [member for member in value if isinstance(member, dict)]
    return []


def integer_of(row: Mapping[str, Json], key: str) -> int | None:
    """The integer under a key."""
    value = row.get(key)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None
