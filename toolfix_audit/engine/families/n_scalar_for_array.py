"""N scalar-for-array: one item stands where an array of such items is required."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.families.m_null_for_optional import is_empty
from toolfix_audit.engine.proposal import Candidate, Case, Edit, Family, Place, Rivalry
from toolfix_audit.engine.relaxed import read_container
from toolfix_audit.model.json import Json, kind_of
from toolfix_audit.model.words import Safety

_SEVERAL: Final = re.compile(r"[\s,;|、，；\u200b-\u200f\u2060\ufeff]")
_OPENERS: Final = ("[", "{", '"', "'", "`")
_NOTHING: Final = frozenset({"null", "none", "nil", "undefined", "n/a", "-"})


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Wrap the item, where it has one reading."""
    if not _wants_array(place) or not has_one_reading(place.value):
        return
    if not isinstance(place.value, dict) or _is_such_item(place, place.value):
        yield _wrap(place.value)


def propose_opt_in(place: Place) -> Iterator[Candidate | Rivalry]:
    """Split a text at its commas, or wrap it as it stands: readings of a person, not proofs."""
    if not _wants_array(place) or not isinstance(place.value, str):
        return
    text = place.value
    if not text.strip() or text.strip().lower() in _NOTHING or read_container(text) is not None:
        return
    if text.lstrip().startswith("```"):
        return
    if "," not in text:
        yield _wrap(text)
    elif not text.lstrip().startswith(_OPENERS):  # else a list that was cut, or quoted items
        parts: list[Json] = [part.strip() for part in text.split(",")]
        if all(parts):
            yield Candidate((_edit("split:array", parts),), followers=frozenset())


def has_one_reading(value: Json) -> bool:
    """Whether a value can only be meant as one item."""
    if is_empty(value) or isinstance(value, list):
        return False
    if not isinstance(value, str):
        return True
    is_word = not _SEVERAL.search(value) and not value.startswith(_OPENERS)
    return is_word and value.lower() not in _NOTHING


def _wants_array(place: Place) -> bool:
    """Whether an array must stand here. Inside another array it never says so: there the outer
    array may be the item that lacks its brackets."""
    view = place.view
    if place.is_root or isinstance(place.path[-1], int):
        return False
    return view.admits("array") and not view.admits(kind_of(place.value))


def _is_such_item(place: Place, value: dict[str, Json]) -> bool:
    """Whether the schema of the items knows the object: any object fits items that declare
    nothing, a wrapper around them as well."""
    items = place.view.child(0)
    return not items.is_free_form() and any(items.declares(key) for key in value)


def _wrap(value: Json) -> Candidate:
    followers = None if isinstance(value, dict) else frozenset[str]()
    return Candidate((_edit("wrap:array", [value]),), followers=followers)


def _edit(action: str, items: list[Json]) -> Edit:
    return Edit("N", action, lambda _item: items)


_TAGS: Json = {
    "type": "object",
    "properties": {
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "either": {"type": ["string", "array"]},
        "rows": {"type": "array", "items": {"type": "object"}},
        "grid": {"type": "array", "items": {"type": "array"}},
        "people": {
            "type": "array",
            "items": {"properties": {"name": {"type": "string"}}, "required": ["name"]},
        },
    },
}

FAMILY = Family(
    code="N",
    name="scalar-for-array",
    summary="One item stands where an array of such items is required.",
    rationale=(
        "The schema admits an array and nothing of the item's own kind, and the item is valid "
        "as an item. A text with a blank, comma, bracket or quote may be several items, or a "
        "cut list: then only the opt-in tier reads it."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("word", _TAGS, {"tags": "urgent"}, {"tags": ["urgent"]}),
        Case("number", _TAGS, {"ids": 7}, {"ids": [7]}),
        Case("object", _TAGS, {"people": {"name": "Ada"}}, {"people": [{"name": "Ada"}]}),
        Case("object for items that declare nothing", _TAGS, {"rows": {"items": [{"a": 1}]}}),
        Case("items of an array of arrays", _TAGS, {"grid": ["a", "b"]}),
        Case("legal as it is", _TAGS, {"either": "a"}),
        Case("commas", _TAGS, {"tags": "a,b"}, opt_in={"tags": ["a", "b"]}),
        Case("blank", _TAGS, {"tags": "new york"}, opt_in={"tags": ["new york"]}),
        Case("half a list", _TAGS, {"tags": "[a"}, opt_in={"tags": ["[a"]}),
        Case("null word", _TAGS, {"tags": "None"}),
        Case("item of another type", _TAGS, {"ids": "x"}),
    ),
)
OPT_IN = Family(
    code="N+",
    name="text-for-array",
    summary="A text with commas or blanks stands where an array of strings is required.",
    rationale=(
        "Splitting at commas, or wrapping a phrase, gives valid items, yet a comma may belong "
        "to one item. Nothing proves the reading, so it must be asked for."
    ),
    safety=Safety.OPT_IN,
    propose=propose_opt_in,
    cases=(
        Case("commas", _TAGS, {"tags": "a, b"}, {"tags": ["a", "b"]}),
        Case("phrase", _TAGS, {"tags": "new york"}, {"tags": ["new york"]}),
        Case("empty part", _TAGS, {"tags": "a,,b"}),
        Case("legal as it is", _TAGS, {"either": "a, b"}),
        Case("parts of another type", _TAGS, {"ids": "a, b"}),
        Case("blank", _TAGS, {"tags": " "}),
        Case("a list that was cut", _TAGS, {"tags": "[a, b"}),
        Case("quoted items without a list", _TAGS, {"tags": '"a", "b"'}),
    ),
)
