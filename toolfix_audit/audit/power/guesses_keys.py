"""Broken engines of A, B, C, D, M and P: guesses about keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from toolfix_audit.audit.inject.ground import Ground
from toolfix_audit.audit.inject.subject import Subject, objects_of
from toolfix_audit.audit.misfix.names import are_related
from toolfix_audit.audit.misfix.shapes import ARGUMENTS, WRAPPERS
from toolfix_audit.audit.power.broken import Broken, Guess
from toolfix_audit.model.json import Json, kind_of, same_json
from toolfix_audit.model.words import MisfixKind

_SELECTORS: Final = ("old", "new", "start", "end", "source", "target", "parent", "from", "to")
_DEFAULTS: Final[tuple[Json, ...]] = ("", 0, False, [], {})
_INDEXED: Final = re.compile(r"(.+)\[(\d+)\](.*)")


def _unwrap_sole_key(value: Json, _ground: Ground) -> Iterator[Guess]:
    if isinstance(value, dict):
        for path, holder in objects_of(value):
            for key, inner in holder.items() if len(holder) == 1 else ():
                if isinstance(inner, dict):
                    yield Guess(path, f"unwrap:{key}", inner)


def _lure_unknown_wrapper(subject: Subject, _rng: Random) -> Iterator[Json]:
    for name in ("payload", "data", "call"):
        if not subject.ground.declares((), name):
            yield {name: subject.value}


def _take_first_of_list(value: Json, ground: Ground) -> Iterator[Guess]:
    if isinstance(value, dict) and len(value) == 1:
        ((key, items),) = value.items()
        is_list = isinstance(items, list) and items and isinstance(items[0], dict)
        if key in WRAPPERS and not ground.declares((), key) and is_list:
            yield Guess((), f"unwrap:{key}", items[0] if isinstance(items, list) else None)


def _lure_two_calls(subject: Subject, _rng: Random) -> Iterator[Json]:
    for other in _other_objects(subject.value):
        yield {ARGUMENTS: [subject.value, other]}


def _unwrap_envelope(value: Json, ground: Ground) -> Iterator[Guess]:
    if isinstance(value, dict) and set(value) == {"type", "value"}:
        inner = value["value"]
        if isinstance(inner, dict) and not ground.declares((), "value"):
            yield Guess((), "unwrap:value", inner)


def _lure_envelope(subject: Subject, rng: Random) -> Iterator[Json]:
    if not any(subject.ground.declares((), key) for key in ("type", "value")):
        yield {"type": rng.choice(("file", "draft", "error")), "value": subject.value}


def _unwrap_unknown_name(value: Json, ground: Ground) -> Iterator[Guess]:
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        if isinstance(inner, dict) and not ground.declares((), key):
            yield Guess((), f"unwrap:{key}", inner)


def _merge_over(value: Json, ground: Ground) -> Iterator[Guess]:
    if not isinstance(value, dict) or len(value) < 2:
        return
    for key, inner in value.items():
        if key in WRAPPERS and isinstance(inner, dict) and not ground.declares((), key):
            rest = {name: member for name, member in value.items() if name != key}
            yield Guess((), f"merge:{key}", {**rest, **inner})


def _lure_collision(subject: Subject, _rng: Random) -> Iterator[Json]:
    if not subject.ground.declares((), ARGUMENTS):
        for other in _other_objects(subject.value):
            yield {**subject.value, ARGUMENTS: other}


def _rename_blindly(value: Json, ground: Ground) -> Iterator[Guess]:
    if not isinstance(value, dict):
        return
    for path, holder in objects_of(value):
        absent = [name for name in ground.declared_names(path) if name not in holder]
        for key, member in holder.items():
            if ground.declares(path, key):
                continue
            for name in absent:
                if not ground.excludes((*path, name), kind_of(member)):
                    yield Guess(path, f"rename:{key}→{name}", _renamed(holder, key, name))


def _lure_strange_key(subject: Subject, _rng: Random) -> Iterator[Json]:
    for alias in ("zeta", "blob", "quux"):
        for key in subject.value:
            if not _is_known(subject, alias) and subject.ground.declares((), key):
                yield _renamed(subject.value, key, alias)


def _rename_across_selectors(value: Json, ground: Ground) -> Iterator[Guess]:
    if not isinstance(value, dict):
        return
    for path, holder in objects_of(value):
        absent = [name for name in ground.declared_names(path) if name not in holder]
        for key in holder:
            if ground.declares(path, key):
                continue
            for name in absent:
                if _without_selectors(key) == _without_selectors(name):
                    yield Guess(path, f"rename:{key}→{name}", _renamed(holder, key, name))


def _lure_selector(subject: Subject, _rng: Random) -> Iterator[Json]:
    for key in subject.value:
        for word in _SELECTORS:
            alias = f"{word}_{key}"
            is_free = alias not in subject.value and not subject.ground.declares((), alias)
            if is_free and not are_related(alias, key):
                yield _renamed(subject.value, key, alias)
                break


def _swap_values(value: Json, _ground: Ground) -> Iterator[Guess]:
    if not isinstance(value, dict):
        return
    for path, holder in objects_of(value):
        pairs = list(holder.items())
        for at, (key, member) in enumerate(pairs):
            for name, other in pairs[at + 1 :]:
                is_alike = kind_of(member) == kind_of(other) and not same_json(member, other)
                if is_alike and not isinstance(member, dict | list):
                    yield Guess(path, f"swap:{key}", {**holder, key: other, name: member})


def _lure_nothing(subject: Subject, _rng: Random) -> Iterator[Json]:
    """The valid call itself: a reckless guess needs no defect."""
    yield subject.value


def _drop_extra(value: Json, ground: Ground) -> Iterator[Guess]:
    if isinstance(value, dict):
        for path, holder in objects_of(value):
            for key in holder:
                if not ground.declares(path, key):
                    yield Guess(path, f"drop-null:{key}", _without(holder, key))


def _lure_extra(subject: Subject, _rng: Random) -> Iterator[Json]:
    for key in ("zeta", "blob"):
        if not _is_known(subject, key):
            yield {**subject.value, key: "keep this"}


def _strip_empties(value: Json, _ground: Ground) -> Iterator[Guess]:
    if isinstance(value, dict):
        for path, holder in objects_of(value):
            for key, member in holder.items():
                if member is None or member in ("", {}):
                    yield Guess(path, f"drop-null:{key}", _without(holder, key))


def _lure_empty(subject: Subject, _rng: Random) -> Iterator[Json]:
    required = subject.ground.required_names(())
    for key in subject.ground.declared_names(()):
        if not subject.ground.excludes((key,), "string"):
            yield {**subject.value, key: ""}
        elif key in required:
            yield {**subject.value, key: None}


def _fill_in(value: Json, ground: Ground) -> Iterator[Guess]:
    if isinstance(value, dict):
        for path, holder in objects_of(value):
            for name in sorted(ground.required_names(path) - set(holder)):
                for default in _DEFAULTS:
                    yield Guess(path, f"default:{name}", {**holder, name: default})


def _lure_missing(subject: Subject, _rng: Random) -> Iterator[Json]:
    for path, holder in objects_of(subject.value):
        for key in holder:
            if not path and key in subject.ground.required_names(()):
                yield _without(holder, key)


def _unflatten_all(value: Json, _ground: Ground) -> Iterator[Guess]:
    if not isinstance(value, dict):
        return
    for path, holder in objects_of(value):
        for key, member in holder.items():
            head, dot, tail = key.partition(".")
            if head and dot and tail and head not in holder:
                yield Guess(path, "unflatten", {**_without(holder, key), head: {tail: member}})


def _lure_dotted(subject: Subject, _rng: Random) -> Iterator[Json]:
    for key in ("zeta.one", "blob.name"):
        if not _is_known(subject, key.partition(".")[0]):
            yield {**subject.value, key: "x"}


def _close_gap(value: Json, ground: Ground) -> Iterator[Guess]:
    if not isinstance(value, dict):
        return
    groups: dict[str, dict[int, Json]] = {}
    for key, member in value.items():
        match = _INDEXED.fullmatch(key)
        if match and not match.group(3):
            groups.setdefault(match.group(1), {})[int(match.group(2))] = member
    for head, items in groups.items():
        if head not in value and ground.declares((), head):
            rest = {key: other for key, other in value.items() if not key.startswith(f"{head}[")}
            listed = [items[index] for index in sorted(items)]
            yield Guess((), "unflatten", {**rest, head: listed})


def _lure_gap(subject: Subject, _rng: Random) -> Iterator[Json]:
    for key, member in subject.value.items():
        if isinstance(member, list) and member:
            flat = {f"{key}[{2 * index + 1}]": item for index, item in enumerate(member)}
            yield {**_without(subject.value, key), **flat}


def _other_objects(value: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """Objects that hold one key of a value with another scalar."""
    for key, member in value.items():
        if isinstance(member, str):
            yield {key: f"{member}~"}
        elif isinstance(member, bool):
            yield {key: not member}
        elif isinstance(member, int):
            yield {key: member + 1}


def _is_known(subject: Subject, alias: str) -> bool:
    """Whether a strange key would mean something after all."""
    names = (*subject.ground.declared_names(()), *subject.value)
    return subject.ground.declares((), alias) or any(are_related(alias, name) for name in names)


def _renamed(holder: dict[str, Json], key: str, name: str) -> dict[str, Json]:
    return {name if one == key else one: member for one, member in holder.items()}


def _without(holder: dict[str, Json], key: str) -> dict[str, Json]:
    return {one: member for one, member in holder.items() if one != key}


def _without_selectors(name: str) -> tuple[str, ...]:
    return tuple(word for word in name.lower().split("_") if word not in _SELECTORS)


BROKEN: Final[tuple[Broken, ...]] = (
    Broken(
        "unwrap a declared or free-form key",
        "A",
        MisfixKind.ALTERNATE_SCHEMA,
        _unwrap_sole_key,
        _lure_unknown_wrapper,
        obeys=False,
    ),
    Broken(
        "take the first of two wrapped objects",
        "A",
        MisfixKind.VALUE_LOST,
        _take_first_of_list,
        _lure_two_calls,
        obeys=True,
    ),
    Broken(
        "unwrap an envelope whose type says something",
        "B",
        MisfixKind.VALUE_LOST,
        _unwrap_envelope,
        _lure_envelope,
        obeys=True,
    ),
    Broken(
        "unwrap a key of any name",
        "B",
        MisfixKind.MISPLACED,
        _unwrap_unknown_name,
        _lure_unknown_wrapper,
        obeys=True,
    ),
    Broken(
        "merge over what is there",
        "C",
        MisfixKind.VALUE_LOST,
        _merge_over,
        _lure_collision,
        obeys=False,
    ),
    Broken(
        "rename to any absent key of the type",
        "D",
        MisfixKind.KEY_UNRELATED,
        _rename_blindly,
        _lure_strange_key,
        obeys=True,
    ),
    Broken(
        "rename across old, new and the like",
        "D",
        MisfixKind.KEY_UNRELATED,
        _rename_across_selectors,
        _lure_selector,
        obeys=True,
    ),
    Broken("swap two values", "D", MisfixKind.MISPLACED, _swap_values, _lure_nothing, obeys=False),
    Broken("drop the extra key", "M", MisfixKind.VALUE_LOST, _drop_extra, _lure_extra, obeys=False),
    Broken(
        "strip empty values everywhere",
        "M",
        MisfixKind.ALTERNATE_SCHEMA,
        _strip_empties,
        _lure_empty,
        obeys=False,
    ),
    Broken(
        "default for a missing key",
        "M",
        MisfixKind.VALUE_INVENTED,
        _fill_in,
        _lure_missing,
        obeys=True,
    ),
    Broken(
        "unflatten any dotted key",
        "P",
        MisfixKind.ALTERNATE_SCHEMA,
        _unflatten_all,
        _lure_dotted,
        obeys=False,
    ),
    Broken(
        "close the gaps of indexed keys",
        "P",
        MisfixKind.MISPLACED,
        _close_gap,
        _lure_gap,
        obeys=True,
    ),
)
"""Broken engines that guess about keys."""
