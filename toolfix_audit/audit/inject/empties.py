"""Planters of M and P: an empty value where a key should be absent, and flattened keys."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from toolfix_audit.audit.inject.subject import Planted, Subject, objects_of
from toolfix_audit.audit.misfix.flattened import path_parts
from toolfix_audit.audit.misfix.names import are_related
from toolfix_audit.audit.misfix.shapes import WRAPPERS
from toolfix_audit.model.json import Json, dump_json, kind_of
from toolfix_audit.model.pointer import Path, with_value

_EMPTY: Final[tuple[Json, ...]] = (None, None, "", {})
_STRANGERS: Final = ("in_file", "_meta", "reasoning")


def plant_empty_value(subject: Subject, value: dict[str, Json], rng: Random) -> Iterator[Planted]:
    """M: null, "" or {} for an optional key whose type excludes it, or for an undeclared key."""
    ground = subject.ground
    for path, holder in objects_of(value):
        declared = ground.declared_names(path)
        required = ground.required_names(path)
        for name in declared:
            empty = rng.choice(_EMPTY)
            is_optional = name not in holder and name not in required
            if is_optional and ground.excludes((*path, name), kind_of(empty)):
                yield _with_key(subject, value, (path, holder), (name, empty))
        for name in _STRANGERS:
            is_strange = not any(are_related(name, other) for other in (*declared, *holder))
            if is_strange and not ground.declares(path, name) and name not in WRAPPERS:
                yield _with_key(subject, value, (path, holder), (name, rng.choice(_EMPTY)))


def plant_flattened(subject: Subject, value: dict[str, Json], _rng: Random) -> Iterator[Planted]:
    """P: a declared container as path keys, all of them undeclared."""
    for path, holder in objects_of(value):
        nodes = subject.ground.nodes(path)
        if any(path_parts(key, nodes) is not None for key in holder):
            continue
        for head, member in holder.items():
            pairs = list(_flattened(head, member))
            spelled = [path_parts(key, nodes) for key, _ in pairs]
            if any(parts is None or parts[0] != head for parts in spelled):
                continue
            rest = {key: other for key, other in holder.items() if key != head}
            damaged = with_value(value, path, {**rest, **dict(pairs)})
            yield Planted("P", f"{head} flattened", path, damaged, subject.tool)


def _with_key(
    subject: Subject,
    value: Json,
    spot: tuple[Path, dict[str, Json]],
    added: tuple[str, Json],
) -> Planted:
    path, holder = spot
    name, empty = added
    damaged = with_value(value, path, {**holder, name: empty})
    return Planted("M", f"{name} as {dump_json(empty)}", path, damaged, subject.tool)


def _flattened(head: str, member: Json) -> Iterator[tuple[str, Json]]:
    """The path keys of a container with their values; a container that is empty is a value."""
    if isinstance(member, dict) and member:
        for key, inner in member.items():
            is_plain = key and not set(".[]") & set(key)
            yield from _flattened(f"{head}.{key}" if is_plain else ".", inner)
    elif isinstance(member, list) and member:
        for index, inner in enumerate(member):
            yield from _flattened(f"{head}[{index}]", inner)
    else:
        yield head, member
