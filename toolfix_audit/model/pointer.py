"""Places inside a JSON value: paths, JSON Pointers (RFC 6901), and copies with one change."""

from __future__ import annotations

from typing import TypeAlias

from toolfix_audit.model.json import Json, RepeatedKeys

Path: TypeAlias = tuple[str | int, ...]


def to_pointer(path: Path) -> str:
    """Write a path as a JSON Pointer; the root is the empty text."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def value_at(value: Json, path: Path) -> Json:
    """The value at a path.

    Raises:
        KeyError: nothing is there.
    """
    for part in path:
        value = _member(value, part)
    return value


def has_place(value: Json, path: Path) -> bool:
    """Whether something is at that path."""
    try:
        value_at(value, path)
    except KeyError:
        return False
    return True


def with_value(value: Json, path: Path, new: Json) -> Json:
    """A copy in which `path` holds `new`; everything off the path is shared, never copied.

    Raises:
        KeyError: the parent of the path does not exist.
    """
    parents: list[Json] = [value]
    for part in path[:-1]:
        parents.append(value_at(parents[-1], (part,)))
    for parent, part in zip(reversed(parents), reversed(path), strict=False):
        new = _copy_with(parent, part, new)
    return new


def starts_with(path: Path, prefix: Path) -> bool:
    """Whether `path` is `prefix` itself or lies below it."""
    return path[: len(prefix)] == prefix


def _member(value: Json, part: str | int) -> Json:
    if isinstance(value, dict) and isinstance(part, str):
        return value[part]
    if isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value):
        return value[part]
    raise KeyError(part)


def _copy_with(parent: Json, part: str | int, new: Json) -> Json:
    if isinstance(parent, dict) and isinstance(part, str):
        if isinstance(parent, RepeatedKeys):
            raise KeyError(part)
        return {**parent, part: new}
    if isinstance(parent, list) and isinstance(part, int) and 0 <= part < len(parent):
        return [*parent[:part], new, *parent[part + 1 :]]
    raise KeyError(to_pointer((part,)))
