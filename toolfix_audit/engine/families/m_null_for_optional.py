"""M null-for-optional: null, "" or {} where an optional key's schema rejects it."""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.engine.families.d_key_alias import is_path, related_pairs
from toolfix_audit.engine.proposal import (
    Candidate,
    Case,
    Edit,
    Family,
    Place,
    RecordedText,
    Rivalry,
    Standing,
)
from toolfix_audit.engine.wrappers import WRAPPERS
from toolfix_audit.model.json import Json, kind_of
from toolfix_audit.model.words import Safety


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Drop every empty value that its key rejects; read blank arguments as `{}`."""
    value = place.value
    if place.is_root and (value is None or _is_blank(value)):
        yield Candidate((Edit("M", "empty:object", lambda _blank: {}, fit=((),)),))
    if not isinstance(value, dict) or place.view.is_partial:
        return
    empty = [key for key, member in value.items() if is_empty(member)]
    related = {source for source, _ in related_pairs(place, value)} if empty else set()
    keys = [key for key in empty if key not in related and _may_go(place, key, value)]
    if keys:
        edits = tuple(_drop(key) for key in keys)
        yield Candidate(edits, Standing.EACH_NEEDED, followers=frozenset())


def is_empty(value: Json) -> bool:
    """Whether a value carries no information: null, "" or {}."""
    return value is None or (isinstance(value, str | dict) and not value)


def _is_blank(value: Json) -> bool:
    return isinstance(value, RecordedText) and not value.strip()


def _may_go(place: Place, key: str, value: dict[str, Json]) -> bool:
    if place.view.declares(key):
        is_optional = key not in place.view.required_names()
        return is_optional and _is_rejected(place, key, value[key])
    return not is_path(place, key) and (len(value) > 1 or key not in WRAPPERS)


def _is_rejected(place: Place, key: str, member: Json) -> bool:
    """Whether no branch takes the value: by its type, or by the judge's word on that very key."""
    return not place.view.child(key).admits(kind_of(member)) or place.is_violated(key)


def _drop(key: str) -> Edit:
    def apply(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {name: member for name, member in value.items() if name != key}

    return Edit("M", f"drop-null:{key}", apply, wrote=((key,),))


_FETCH: Json = {
    "type": "object",
    "properties": {
        "url": {"type": "string"},
        "country": {"type": "string", "minLength": 2},
        "wait": {"type": "integer"},
        "note": {"type": ["string", "null"]},
        "area": {"type": "object", "required": ["x"]},
    },
    "required": ["url"],
    "additionalProperties": False,
}

FAMILY = Family(
    code="M",
    name="null-for-optional",
    summary='null, "" or {} stands where an optional key should be absent.',
    rationale=(
        "The three values carry no information, the key is optional in every branch, and its "
        "schema rejects the value: it can only mean that the key is absent. Where the schema "
        "takes the value it is kept, since it may mean `clear this`."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("null", _FETCH, {"url": "u", "wait": None}, {"url": "u"}),
        Case("empty text", _FETCH, {"url": "u", "country": ""}, {"url": "u"}),
        Case("empty object", _FETCH, {"url": "u", "area": {}}, {"url": "u"}),
        Case("junk key in a closed object", _FETCH, {"url": "u", "in_file": ""}, {"url": "u"}),
        Case("null is legal", _FETCH, {"url": "u", "note": None}),
        Case("required key", _FETCH, {"url": None}),
        Case("legal empty text", _FETCH, {"url": "", "note": ""}),
        Case("key with a value", _FETCH, {"url": "u", "in_file": "x"}),
        Case("open object", {"properties": {"a": {}}}, {"b": None}),
        Case("path key whose head is declared", _FETCH, {"url": "u", "wait.x": None}),
        Case("empty list", _FETCH, {"url": "u", "area": []}),
        Case("false", _FETCH, {"url": "u", "wait": False}),
        Case("blank with required keys", _FETCH, " ", text=True),
        Case("null with required keys", _FETCH, "null", text=True),
    ),
)
