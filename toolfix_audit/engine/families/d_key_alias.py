"""D key-alias: an undeclared key stands for a related declared one that is absent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolfix_audit.engine import names
from toolfix_audit.engine.proposal import (
    Candidate,
    Case,
    Edit,
    Family,
    Place,
    Rivalry,
    Standing,
)
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import Safety


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Rename every source that has one target, to a target that has one source."""
    value = place.value
    if not isinstance(value, dict):
        return
    pairs = related_pairs(place, value)
    sources = Counter(source for source, _ in pairs)
    targets = Counter(target for _, target in pairs)
    clear = [pair for pair in pairs if sources[pair[0]] == targets[pair[1]] == 1]
    if len(clear) < len(pairs):
        yield Rivalry.AMBIGUOUS
    if clear:
        yield Candidate(
            tuple(_rename(source, target) for source, target in clear),
            Standing.EACH_NEEDED,
            followers=frozenset("EF"),
            coherent=lambda after: _speaks_the_schema(place, after),
        )


def related_pairs(place: Place, value: dict[str, Json]) -> list[tuple[str, str]]:
    """Every (undeclared present key, declared absent key) with related names."""
    view = place.view
    undeclared = [key for key in value if not view.declares(key) and not is_path(place, key)]
    if not undeclared:
        return []
    absent = [name for name in place.view.declared_names() if name not in value]
    return names.related_pairs(undeclared, absent)


def is_path(place: Place, key: str) -> bool:
    """Whether the key leads into a declared one, such as `args.mode`: no other name for `mode`."""
    head, mark, _ = key.replace("[", ".").partition(".")
    return bool(mark) and place.view.declares(head)


def _rename(source: str, target: str) -> Edit:
    def apply(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {target if key == source else key: member for key, member in value.items()}

    return Edit("D", f"rename:{source}→{target}", apply, wrote=((target,),), fit=((target,),))


def _speaks_the_schema(place: Place, after: Json) -> bool:
    """Whether no required key is absent while an undeclared key remains: where both hold, the
    model speaks another dialect, and a single rename would dress it up."""
    if not isinstance(after, dict):
        return True
    lacks = any(name not in after for name in place.view.surely_required_names())
    return not (lacks and any(not place.view.declares(key) for key in after))


_SKILL: Json = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "kind": {"type": "string"}},
    "required": ["name"],
}
_EDIT: Json = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "old_text": {"type": "string"},
        "new_text": {"type": "string"},
    },
    "required": ["path", "old_text", "new_text"],
    "additionalProperties": False,
}

FAMILY = Family(
    code="D",
    name="key-alias",
    summary="An undeclared key stands for a related declared key that is absent.",
    rationale=(
        "The names share their words (`cmd`/`command`) or one is the tail of the other "
        "(`skill_name`/`name`), no word of the difference selects another thing (`parent_id` is "
        "not `id`), and the value fits the target. One source per target, one target per source."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("tail", _SKILL, {"skill_name": "pdf"}, {"name": "pdf"}),
        Case(
            "two at once",
            _EDIT,
            {"path": "a", "old_string": "x", "newText": ""},
            {"path": "a", "old_text": "x", "new_text": ""},
        ),
        Case(
            "target present", _EDIT, {"path": "a", "old_text": "x", "new_text": "", "newText": "y"}
        ),
        Case("two sources", _SKILL, {"skill_name": "a", "skillName": "b"}),
        Case("unrelated name", _SKILL, {"skill": "pdf"}),
        Case("selector", {"properties": {"id": {}}, "required": ["id"]}, {"parent_id": "p"}),
        Case(
            "path into a declared key",
            {"properties": {"args": {}, "mode": {}}, "required": ["mode"]},
            {"args": {}, "args.mode": "x"},
        ),
        Case("a sign before the name", _SKILL, {"!name": "pdf"}),
        Case("a comparison after the name", _SKILL, {"name>": "pdf"}),
        Case("a comment", _SKILL, {"#name": "pdf"}),
        Case(
            "so many of each",
            {"properties": {"page": {}}, "required": ["page"]},
            {"per_page": 30},
        ),
        Case(
            "the opposite",
            {"properties": {"cache": {"type": "boolean"}}, "required": ["cache"]},
            {"bypass_cache": True},
        ),
        Case("value does not fit", _SKILL, {"skill_name": ["a", "b"]}),
        Case("another dialect", _EDIT, {"filePath": "a", "before": "x", "after": "y"}),
    ),
)
