"""Where two values differ: the outermost places that changed or went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.leaves import content_of
from toolfix_audit.audit.misfix.readings import read_container, read_scalar
from toolfix_audit.audit.misfix.shapes import (
    WRAPPERS,
)
from toolfix_audit.model.json import Json, RepeatedKeys
from toolfix_audit.model.pointer import Path

MAX_DEPTH: Final = 200
NEAR: Final = 16
"""Packing that is deeper inside is told by its missing key alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the original that changed, or (`went`) is there no more; `sent` stood there."""

    path: Path
    sent: Json
    went: bool


def outermost(original: Json, result: Json) -> tuple[Place, ...]:
    """The outermost places of the original that changed or went, in document order."""
    found: list[Place] = []
    todo: list[tuple[Json, Json, Path]] = [(original, result, ())]
    while todo:
        old, new, path = todo.pop()
        if not _is_walked(old, new, path):
            if not is_same(old, new):
                found.append(Place(path, old, went=False))
        elif isinstance(old, dict) and isinstance(new, dict):
            is_near = len(path) < NEAR
            gone = {key for key in old if key not in new or (is_near and is_gone(old, new, key))}
            found.extend(
                Place((*path, key), member, went=True) for key, member in old.items() if key in gone
            )
            shared = [key for key in old if key not in gone]
            todo.extend((old[key], new[key], (*path, key)) for key in reversed(shared))
        elif isinstance(old, list) and isinstance(new, list):
            pairs = reversed(list(enumerate(zip(old, new, strict=True))))
            todo.extend((one, other, (*path, index)) for index, (one, other) in pairs)
    return tuple(found)


def is_gone(old: dict[str, Json], new: dict[str, Json], key: str) -> bool:
    """Whether a key of the original is no more; one that packs a key of the same name may have
    been taken off, so that the name stays with what was inside."""
    if key not in new:
        return True
    if key not in WRAPPERS and key != "value":
        return False
    inner, layers = old[key], _depth(old[key], key) - _depth(new[key], key)
    if layers <= 0:
        return False
    for _ in range(layers):
        inner = inner[key] if isinstance(inner, dict) else None
    return is_same(inner, new[key])


def _depth(value: Json, key: str) -> int:
    """How often a key holds an object with that key."""
    depth = 0
    while isinstance(value, dict) and key in value:
        value, depth = value[key], depth + 1
    return depth


def has_same_content(old: Json, new: Json) -> bool:
    """Whether two values say the same, one perhaps as text."""
    if is_same(old, new):
        return True
    if isinstance(old, str):
        read = read_container(old)
        if read is not None:
            return is_same(read, new)
        spelled, value = read_scalar(old)
        return (
            spelled
            and not isinstance(new, dict | list | str)
            and (content_of(value) == content_of(new))
        )
    if isinstance(old, dict | list) or isinstance(new, dict | list):
        return False
    return content_of(old) == content_of(new)


def _is_walked(old: Json, new: Json, path: Path) -> bool:
    """Whether the difference is looked for inside the two values."""
    if len(path) >= MAX_DEPTH or isinstance(old, RepeatedKeys) or isinstance(new, RepeatedKeys):
        return False
    if isinstance(old, dict):
        return isinstance(new, dict)
    return isinstance(old, list) and isinstance(new, list) and len(old) == len(new)
