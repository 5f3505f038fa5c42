"""Planters of A, B and C: the arguments, or a part of them, one layer too deep."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from toolfix_audit.audit.inject.subject import Planted, Subject, objects_of
from toolfix_audit.audit.misfix.shapes import ARGUMENTS, WRAPPERS, sole_layer, wrapped_object
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.pointer import Path, with_value

_DEPTHS: Final = (1, 1, 1, 2, 3, 5, 12, 38)
_ALIASES: Final = tuple(sorted(WRAPPERS - {ARGUMENTS}))
_ENVELOPE_WORDS: Final = ("valid", "object")


def plant_nested_wrapper(
    subject: Subject, value: dict[str, Json], rng: Random
) -> Iterator[Planted]:
    """A: one or many `arguments` layers around everything, the inner one perhaps as text."""
    ground = subject.ground
    nodes = ground.nodes(())
    is_fair = ground.declared_names(()) and not ground.declares((), ARGUMENTS)
    if not is_fair or sole_layer(value, nodes) is not None:
        return
    depth = rng.choice(_DEPTHS)
    wrapped: Json = value
    for _ in range(depth):
        wrapped = {ARGUMENTS: wrapped}
    hidden = not ground.required_names(()) and all(ground.declares((), key) for key in value)
    swallows = bool(value) and hidden and value == subject.value
    yield Planted("A", f"{depth} layers", (), wrapped, subject.tool, swallows)
    yield Planted("A", "text inside", (), {ARGUMENTS: dump_json(value)}, subject.tool)


def plant_wrapper_alias(subject: Subject, value: dict[str, Json], rng: Random) -> Iterator[Planted]:
    """B: a wrapper of another name, a mixed chain, or the empty envelope; also further down."""
    for path, inner in objects_of(value):
        nodes = subject.ground.nodes(path)
        if sole_layer(inner, nodes) is not None:
            continue
        free = [name for name in _ALIASES if not subject.ground.declares(path, name)]
        rng.shuffle(free)
        for name in free[:2]:
            yield _placed(subject, value, path, ("B", f"{name}", {name: inner}))
        if free and not subject.ground.declares(path, ARGUMENTS):
            chain: Json = {free[0]: {ARGUMENTS: inner}}
            yield _placed(subject, value, path, ("B", "mixed chain", chain))
        if free:
            yield _placed(subject, value, path, ("B", "text inside", {free[0]: dump_json(inner)}))
        if not any(subject.ground.declares(path, key) for key in ("type", "value")):
            envelope: Json = {"type": rng.choice(_ENVELOPE_WORDS), "value": inner}
            yield _placed(subject, value, path, ("B", "envelope", envelope))


def plant_wrapper_siblings(
    subject: Subject, value: dict[str, Json], rng: Random
) -> Iterator[Planted]:
    """C: some of the keys inside a wrapper, the others beside it."""
    for path, inner in objects_of(value):
        if not inner or _holds_wrapper(subject, path, inner):
            continue
        free = [name for name in sorted(WRAPPERS) if not subject.ground.declares(path, name)]
        free = [name for name in free if name not in inner]
        if not free:
            continue
        name = ARGUMENTS if ARGUMENTS in free and rng.random() < 0.5 else rng.choice(free)
        keys = list(inner)
        within = rng.sample(keys, rng.randrange(0, len(keys)))
        hidden: Json = {key: inner[key] for key in keys if key in within}
        beside = {key: inner[key] for key in keys if key not in within}
        outer: Json = {name: hidden, **beside} if rng.random() < 0.5 else {**beside, name: hidden}
        yield _placed(subject, value, path, ("C", f"{len(within)} keys in {name}", outer))
        if within:
            text: Json = {name: dump_json(hidden), **beside}
            yield _placed(subject, value, path, ("C", f"text in {name}", text))


def _holds_wrapper(subject: Subject, path: Path, inner: dict[str, Json]) -> bool:
    """Whether a key of the value itself could be taken for a wrapper."""
    nodes = subject.ground.nodes(path)
    return any(wrapped_object(inner, key, nodes) is not None for key in inner)


def _placed(subject: Subject, value: Json, path: Path, damage: tuple[str, str, Json]) -> Planted:
    family, variant, outer = damage
    return Planted(family, variant, path, with_value(value, path, outer), subject.tool)
