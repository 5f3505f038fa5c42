"""What looks odd about valid arguments: reported, never changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.families.d_key_alias import related_pairs
from toolfix_audit.engine.proposal import Place
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.wrappers import WRAPPERS, sole_wrapper, wrapped_object, wrappers_in
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.words import LeftAlone, Suspicion

MAX_PLACES: Final = 20_000
"""Places of one value that are looked at."""

_SCALAR_WORD: Final = re.compile(
    r"(?i:true|false|null|none)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?"
)


def left_alone(value: Json, schema: Json) -> frozenset[LeftAlone]:
    """What looks broken in valid arguments, and is legal."""
    found: set[LeftAlone] = set()
    for place in _places(value, schema):
        if isinstance(place.value, str):
            found.update(_text_look_alikes(place.value, place.view))
        elif isinstance(place.value, dict):
            found.update(_object_look_alikes(place, place.value))
    return frozenset(found)


def suspicions(value: Json, schema: Json) -> frozenset[Suspicion]:
    """What a host accepts although the model hardly meant it."""
    found: set[Suspicion] = set()
    for place in _places(value, schema):
        if not isinstance(place.value, dict):
            continue
        if place.is_root and _keeps_wrapper(place, place.value):
            found.add(Suspicion.WRAPPER_KEPT)
        if related_pairs(place, place.value):
            found.add(Suspicion.IGNORED_KEY)
    return frozenset(found)


def spelled_container(text: str) -> Json:
    """The object or array that a text spells as strict JSON; None for any other text."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        read = parse_json(text)
    except JsonError:
        return None
    return read if isinstance(read, dict | list) else None


def _places(value: Json, schema: Json) -> Iterator[Place]:
    todo: list[tuple[Path, Json, SchemaView]] = [((), value, SchemaView.of(schema))]
    seen = 0
    while todo and seen < MAX_PLACES:
        path, item, view = todo.pop()
        seen += 1
        yield Place(path, item, view, spelled_container)
        if isinstance(item, dict):
            todo.extend(((*path, key), member, view.child(key)) for key, member in item.items())
        elif isinstance(item, list):
            todo.extend(
                ((*path, index), member, view.child(index)) for index, member in enumerate(item)
            )


def _text_look_alikes(text: str, view: SchemaView) -> Iterator[LeftAlone]:
    if not view.admits("string"):
        return
    if spelled_container(text) is not None:
        yield LeftAlone.JSON_TEXT_IN_STRING
    elif _SCALAR_WORD.fullmatch(text.strip()):
        yield LeftAlone.LOOK_ALIKE_VALUE


def _object_look_alikes(place: Place, value: dict[str, Json]) -> Iterator[LeftAlone]:
    for key, member in value.items():
        if key not in WRAPPERS or wrapped_object(place, member) is None:
            continue
        if place.view.declares(key):
            yield LeftAlone.DECLARED_WRAPPER
        elif place.view.is_free_form():
            yield LeftAlone.FREE_FORM


def _keeps_wrapper(place: Place, value: dict[str, Json]) -> bool:
    if sole_wrapper(place, value) is not None:
        return True
    return len(value) > 1 and any(
        wrapped_object(place, value[key]) is not None for key in wrappers_in(place, value)
    )
