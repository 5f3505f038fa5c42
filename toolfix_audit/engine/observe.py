"""What looks odd about valid arguments: reported, never changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.families.d_key_alias import related_pairs
from toolfix_audit.engine.proposal import Place
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.wrappers import WRAPPERS, sole_wrapper, wrapped_object, wrappers_in
from toolfix_audit.model.json import Json, JsonError, parse_json, same_json
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.words import LeftAlone, Suspicion

MAX_PLACES: Final = 20_000
"""Places of one value that are looked at."""

_SCALAR_WORD: Final = re.compile(
    r"(?i:true|false|null|none)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?"
)

_LEAKED_MARKUP: Final = re.compile(
    r"</?(?:antml:)?(?:invoke|parameter|function_calls?|tool_calls?|arg_key|arg_value)\b[^<>]*>"
    r"|<\|[A-Za-z_]+\|>"
)
_JUNK_KEY: Final = re.compile(r"[\s?!,;\"'{}<>=]|^$")


def left_alone(value: Json, view: SchemaView) -> frozenset[LeftAlone]:
    """What looks broken in valid arguments, and is legal."""
    found: set[LeftAlone] = set()
    for place in _places(value, view):
        if isinstance(place.value, str):
            found.update(_text_look_alikes(place.value, place.view))
        elif isinstance(place.value, dict):
            found.update(_object_look_alikes(place, place.value))
    return frozenset(found)


def suspicions(value: Json, view: SchemaView) -> frozenset[Suspicion]:
    """What a host accepts although the model hardly meant it."""
    found: set[Suspicion] = set()
    for place in _places(value, view):
        if isinstance(place.value, dict):
            found.update(_odd_keys(place, place.value))
        elif isinstance(place.value, str):
            key = place.path[-1] if place.path else ""
            if _LEAKED_MARKUP.search(place.value) or f"</{key}>" in place.value:
                found.add(Suspicion.MARKUP_IN_VALUE)
        elif _is_whole_float(place):
            found.add(Suspicion.INTEGER_AS_FLOAT)
    return frozenset(found)


def differs(recorded: str, streamed: str) -> bool:
    """Whether the recorded arguments say something else than the streamed text (white space and
    the spelling of equal JSON aside; no text at all is `{}`)."""
    streamed = streamed if streamed.strip() else "{}"
    if recorded.strip() == streamed.strip():
        return False
    try:
        return not same_json(parse_json(recorded), parse_json(streamed))
    except JsonError:
        return True


def spelled_container(text: str) -> Json:
    """The object or array that a text spells as strict JSON; None for any other text."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        read = parse_json(text)
    except JsonError:
        return None
    return read if isinstance(read, dict | list) else None


def _places(value: Json, view: SchemaView) -> Iterator[Place]:
    todo: list[tuple[Path, Json, SchemaView]] = [((), value, view)]
    seen = 0
    while todo and seen < MAX_PLACES:
        path, item, here = todo.pop()
        seen += 1
        yield Place(path, item, here, spelled_container)
        if isinstance(item, dict):
            todo.extend(((*path, key), member, here.child(key)) for key, member in item.items())
        elif isinstance(item, list):
            todo.extend(
                ((*path, index), member, here.child(index)) for index, member in enumerate(item)
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


def _odd_keys(place: Place, value: dict[str, Json]) -> Iterator[Suspicion]:
    if place.is_root and _keeps_wrapper(place, value):
        yield Suspicion.WRAPPER_KEPT
    if related_pairs(place, value):
        yield Suspicion.IGNORED_KEY
    if not place.view.is_free_form() and any(
        _JUNK_KEY.search(key) and not place.view.declares(key) for key in value
    ):
        yield Suspicion.JUNK_KEY


def _is_whole_float(place: Place) -> bool:
    is_whole = isinstance(place.value, float) and place.value.is_integer()
    return is_whole and place.view.admits("integer") and not place.view.admits("number")


def _keeps_wrapper(place: Place, value: dict[str, Json]) -> bool:
    if sole_wrapper(place, value) is not None:
        return True
    return len(value) > 1 and any(
        wrapped_object(place, value[key]) is not None for key in wrappers_in(place, value)
    )
