"""P flattened-keys: nested arguments were sent as path keys such as `questions[0].header`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.proposal import Candidate, Case, Edit, Family, Place, Rivalry
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import Safety

_PATH_KEY: Final = re.compile(r"([^.\[\]]+)((?:\.[^.\[\]]+|\[[0-9]{1,4}\])+)")
_PART: Final = re.compile(r"\.([^.\[\]]+)|\[([0-9]+)\]")
_FORBIDDEN: Final = frozenset({"__proto__", "constructor", "prototype"})
_Parts = tuple[str | int, ...]


class _ConflictError(ValueError):
    """Two path keys that can't both be true."""


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Rebuild what all path keys of the object spell together."""
    value = place.value
    if not isinstance(value, dict):
        return
    paths = {key: parts for key in value if (parts := _parts_of(place, key))}
    if not paths:
        return
    heads = dict.fromkeys(str(parts[0]) for parts in paths.values())
    if any(head in value for head in heads) or _has_forbidden(paths):
        return
    leads = tuple(f"{head}{mark}" for head in heads for mark in ".[")
    if any(key.startswith(leads) for key in value.keys() - paths):
        return  # another spelling of the same place
    try:
        built = _build({parts: value[key] for key, parts in paths.items()})
    except _ConflictError:
        return
    rebuilt = {key: member for key, member in value.items() if key not in paths} | built
    spots = tuple((head,) for head in heads)
    edit = Edit("P", "unflatten", lambda _flat: rebuilt, wrote=spots, fit=spots)
    yield Candidate((edit,))


def _parts_of(place: Place, key: str) -> _Parts | None:
    """The parts of an undeclared path key whose head is declared."""
    match = _PATH_KEY.fullmatch(key)
    if match is None or place.view.declares(key) or not place.view.declares(match.group(1)):
        return None
    tail = (name or int(index) for name, index in _PART.findall(match.group(2)))
    return (match.group(1), *tail)


def _has_forbidden(paths: dict[str, _Parts]) -> bool:
    return any(part in _FORBIDDEN for parts in paths.values() for part in parts)


def _build(members: dict[_Parts, Json]) -> dict[str, Json]:
    """The object that the paths spell.

    Raises:
        _ConflictError: a path occurs twice, goes through a leaf, mixes names and indexes, or
            leaves a gap in an array.
    """
    grouped: dict[str | int, dict[_Parts, Json]] = {}
    for parts, member in members.items():
        grouped.setdefault(parts[0], {})[parts[1:]] = member
    return {str(head): _member(rest) for head, rest in grouped.items()}


def _member(rest: dict[_Parts, Json]) -> Json:
    if () in rest:
        if len(rest) > 1:
            raise _ConflictError
        return rest[()]
    heads = {parts[0] for parts in rest}
    if all(isinstance(head, str) for head in heads):
        return _build(rest)
    if heads != set(range(len(heads))):
        raise _ConflictError
    items = _build(rest)
    return [items[str(index)] for index in range(len(heads))]


_ASK: Json = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "args": {"type": "object"},
        "questions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"header": {"type": "string"}},
                "required": ["header"],
            },
        },
    },
    "required": ["questions"],
    "additionalProperties": False,
}

FAMILY = Family(
    code="P",
    name="flattened-keys",
    summary="Nested arguments were sent as path keys: `questions[0].header`.",
    rationale=(
        "No path key is declared, the head of each is and is absent, the indexes run from 0 "
        "without a gap, and no place is written twice: the nested value has one reading. A "
        "declared key with a dot in its name is left."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case(
            "array of objects",
            _ASK,
            {"questions[0].header": "a", "questions[1].header": "b"},
            {"questions": [{"header": "a"}, {"header": "b"}]},
        ),
        Case(
            "object",
            _ASK,
            {"questions": [], "args.path": "x", "args.limit": 2},
            {"questions": [], "args": {"path": "x", "limit": 2}},
        ),
        Case("two spellings", _ASK, {"questions": [], "args.a": 1, "args[a]": 2}),
        Case("gap", _ASK, {"questions[0].header": "a", "questions[2].header": "b"}),
        Case("head present", _ASK, {"questions": [], "questions[0].header": "a"}),
        Case("through a leaf", _ASK, {"questions": [], "args.a": 1, "args.a.b": 2}),
        Case("head not declared", _ASK, {"questions": [], "other.path": "x"}),
        Case("declared dotted key", {"properties": {"a.b": {}, "a": {}}}, {"a.b": 1}),
        Case("prototype", _ASK, {"questions": [], "args.__proto__": 1}),
    ),
)
