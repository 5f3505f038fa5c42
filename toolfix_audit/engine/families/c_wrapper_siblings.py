"""C wrapper-siblings: a wrapper key stands beside real keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from toolfix_audit.engine.proposal import Candidate, Case, Edit, Family, Place, Rivalry
from toolfix_audit.engine.wrappers import (
    TooManyLayersError,
    layers_of,
    wrapped_object,
    wrappers_in,
)
from toolfix_audit.model.json import Json, same_json
from toolfix_audit.model.words import Safety


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Merge the one wrapper's object into its siblings, unless a key would collide."""
    value = place.value
    if not isinstance(value, dict) or len(value) < 2 or not place.view.admits("object"):
        return
    keys = tuple(wrappers_in(place, value))
    inner = {key: _innermost(place, value[key]) for key in keys}
    full = [(key, found) for key, found in inner.items() if found is not None]
    if len(full) > 1:
        yield Rivalry.AMBIGUOUS
    if len(full) != 1:
        return
    key, found = full[0]
    if any(name in value and name != key for name in found):
        yield Rivalry.AMBIGUOUS
        return
    merged = _merged(value, key, found)
    yield Candidate((_merge(key, found, merged),))


def propose_opt_in(place: Place) -> Iterator[Candidate | Rivalry]:
    """Merge where the keys that collide hold equal values."""
    value = place.value
    if not isinstance(value, dict) or len(value) < 2 or not place.view.admits("object"):
        return
    keys = tuple(wrappers_in(place, value))
    found = wrapped_object(place, value[keys[0]]) if len(keys) == 1 else None
    if found is None:
        return
    shared = [name for name in found if name in value and name != keys[0]]
    if shared and all(same_json(found[name], value[name]) for name in shared):
        merged = _merged(value, keys[0], found)
        yield Candidate((_merge(keys[0], found, merged),))


def _innermost(place: Place, value: Json) -> dict[str, Json] | None:
    """The object in a wrapper, through further layers of wrappers."""
    found = wrapped_object(place, value)
    if found is None:
        return None
    try:
        layers = layers_of(replace(place, value=found))
    except TooManyLayersError:
        return None
    inner = layers[-1].inner if layers else found
    return inner if isinstance(inner, dict) else None


def _merge(key: str, found: dict[str, Json], merged: dict[str, Json]) -> Edit:
    """The edit that merges; only what came out of the wrapper counts to its credit."""
    keys = tuple((name,) for name in found)
    return Edit("C", f"merge:{key}", lambda _outer: merged, wrote=keys, fit=keys)


def _merged(value: dict[str, Json], key: str, inner: dict[str, Json]) -> dict[str, Json]:
    merged: dict[str, Json] = {}
    for name, member in value.items():
        if name == key:
            merged.update(inner)
        else:
            merged[name] = member
    return merged


_RUN: Json = {
    "type": "object",
    "properties": {"command": {"type": "string"}, "timeout": {"type": "integer"}},
    "required": ["command"],
    "additionalProperties": False,
}

FAMILY = Family(
    code="C",
    name="wrapper-siblings",
    summary="A wrapper key stands beside real keys, and no key occurs twice.",
    rationale=(
        "Half of the arguments went into the wrapper, half beside it. The two halves are "
        "disjoint, so the union has one reading. A collision, equal or not, and a second "
        "wrapper are ambiguous and stay."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case(
            "disjoint halves",
            _RUN,
            {"arguments": {"command": "make"}, "timeout": 60},
            {"command": "make", "timeout": 60},
        ),
        Case(
            "layers in the wrapper",
            _RUN,
            {"args": {"arguments": {"command": "make"}}, "timeout": 60},
            {"command": "make", "timeout": 60},
        ),
        Case("empty wrapper", _RUN, {"arguments": {}, "command": "ls"}, {"command": "ls"}),
        Case(
            "empty layers in the wrapper",
            _RUN,
            {"args": {"arguments": {}}, "command": "ls"},
            {"command": "ls"},
        ),
        Case(
            "empty array in the wrapper",
            _RUN,
            {"args": {"arguments": []}, "command": "ls"},
        ),
        Case(
            "empty object under a key that is no wrapper",
            _RUN,
            {"arguments": {"env": {}}, "command": "ls"},
        ),
        Case("value that does not fit", _RUN, {"arguments": {"command": 5}, "timeout": 60}),
        Case("collision", _RUN, {"arguments": {"command": "ls"}, "command": "pwd"}),
        Case(
            "equal collision",
            _RUN,
            {"arguments": {"command": "ls"}, "command": "ls"},
            opt_in={"command": "ls"},
        ),
        Case("two wrappers", _RUN, {"args": {"command": "ls"}, "params": {"timeout": 5}}),
        Case(
            "valid beside an ignored wrapper",
            {"type": "object", "properties": {"command": {"type": "string"}}},
            {"arguments": {"timeout": 5}, "command": "ls"},
        ),
        Case("declared wrapper", {"properties": {"args": {}, "n": {}}}, {"args": {"n": 1}, "n": 2}),
    ),
)
OPT_IN = Family(
    code="C+",
    name="equal-siblings",
    summary="A wrapper key beside keys that it repeats with equal values.",
    rationale=(
        "Nothing is lost, since the values that collide are equal; but any collision is a sign "
        "that the model was confused, so merging must be asked for."
    ),
    safety=Safety.OPT_IN,
    propose=propose_opt_in,
    cases=(
        Case("equal", _RUN, {"arguments": {"command": "ls"}, "command": "ls"}, {"command": "ls"}),
        Case("different", _RUN, {"arguments": {"command": "ls"}, "command": "pwd"}),
        Case("other type", _RUN, {"arguments": {"command": 1}, "command": "1", "timeout": 2}),
    ),
)
