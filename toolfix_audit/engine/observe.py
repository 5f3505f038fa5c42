"""What looks odd about valid arguments: reported, never changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from toolfix_audit.engine.families.d_key_alias import related_pairs
from toolfix_audit.engine.proposal import Place
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.wrappers import WRAPPERS, sole_wrapper, wrapped_object, wrappers_in
from toolfix_audit.model.json import Json, JsonError, parse_json, same_json
from toolfix_audit.model.words import LeftAlone, Suspicion

MAX_PLACES: Final = 20_000
"""Places of one value that are looked at."""

_SCALAR_WORD: Final = re.compile(
    r"(?i:true|false|null|none)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?"
)

_TELLING_STARTS: Final = frozenset("{[-0123456789tTfFnN")
"""What a container or a scalar word begins with."""

_LEAKED_MARKUP: Final = re.compile(
    r"</?(?:antml:)?(?:invoke|parameter|function_calls?|tool_calls?|arg_key|arg_value)\b[^<>]*>"
    r"|<\|[A-Za-z_]+\|>"
)
_JUNK_KEY: Final = re.compile(r"[\s?!,;\"'{}<>=]|^$")

_Spot: TypeAlias = tuple[str | int | None, Json, SchemaView]
"""A value with its key or index and the view of what holds it; for the root no key, and its own."""


class Observed(NamedTuple):
    """What looks broken in valid arguments and is legal, and what a host accepts although the
    model hardly meant it."""

    left_alone: frozenset[LeftAlone]
    suspicions: frozenset[Suspicion]


def observe(value: Json, view: SchemaView) -> Observed:
    """Look at every place of valid arguments, up to MAX_PLACES."""
    left: set[LeftAlone] = set()
    odd: set[Suspicion] = set()
    todo: list[_Spot] = [(None, value, view)]
    seen = 0
    while todo and seen < MAX_PLACES:
        spot = todo.pop()
        part, item, _ = spot
        seen += 1
        if isinstance(item, str):
            _observe_text(spot, item, left, odd)
        elif isinstance(item, dict):
            here = _view_of(spot)
            if not (here.declares_each(item.keys()) and WRAPPERS.isdisjoint(item)):
                place = Place(() if part is None else (part,), item, here, spelled_container)
                left.update(_object_look_alikes(place, item))
                odd.update(_odd_keys(place, item))
            todo += [(key, member, here) for key, member in item.items()]
        elif isinstance(item, list):
            here = _view_of(spot)
            todo += [(index, member, here) for index, member in enumerate(item)]
        elif isinstance(item, float) and _is_whole_float(item, spot):
            odd.add(Suspicion.INTEGER_AS_FLOAT)
    return Observed(frozenset(left), frozenset(odd))


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


def _view_of(spot: _Spot) -> SchemaView:
    part, _, above = spot
    return above if part is None else above.child(part)


def _observe_text(spot: _Spot, text: str, left: set[LeftAlone], odd: set[Suspicion]) -> None:
    if text.lstrip()[:1] in _TELLING_STARTS:
        alike = _look_alike(text)
        if alike is not None and _view_of(spot).admits("string"):
            left.add(alike)
    if "<" in text and (_LEAKED_MARKUP.search(text) or f"</{_key(spot)}>" in text):
        odd.add(Suspicion.MARKUP_IN_VALUE)


def _key(spot: _Spot) -> str | int:
    return "" if spot[0] is None else spot[0]


def _look_alike(text: str) -> LeftAlone | None:
    """What a string seems to be, where strings are legal."""
    if spelled_container(text) is not None:
        return LeftAlone.JSON_TEXT_IN_STRING
    return LeftAlone.LOOK_ALIKE_VALUE if _SCALAR_WORD.fullmatch(text.strip()) else None


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


def _is_whole_float(number: float, spot: _Spot) -> bool:
    if not number.is_integer():
        return False
    view = _view_of(spot)
    return view.admits("integer") and not view.admits("number")


def _keeps_wrapper(place: Place, value: dict[str, Json]) -> bool:
    if sole_wrapper(place, value) is not None:
        return True
    return len(value) > 1 and any(
        wrapped_object(place, value[key]) is not None for key in wrappers_in(place, value)
    )
