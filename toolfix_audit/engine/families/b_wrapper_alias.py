"""B wrapper-alias: the same wrapper under another name, or the two-key envelope."""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.engine.proposal import Candidate, Case, Edit, Family, Place, Rivalry
from toolfix_audit.engine.wrappers import ARGUMENTS, TooManyLayersError, layers_of, wrapped_object
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import Safety


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Take the whole chain off, if its outermost key is an alias or the envelope."""
    try:
        layers = layers_of(place)
    except TooManyLayersError:
        yield Rivalry.LIMIT
        return
    if layers and layers[0].key != ARGUMENTS:
        yield Candidate(tuple(layer.edit() for layer in layers))


def propose_opt_in(place: Place) -> Iterator[Candidate | Rivalry]:
    """Take an envelope off whose type is a word that says something."""
    value = place.value
    if not isinstance(value, dict) or set(value) != {"type", "value"}:
        return
    if not isinstance(value["type"], str) or any(place.view.declares(key) for key in value):
        return
    inner = wrapped_object(place, value["value"])
    if inner is not None:
        yield Candidate((Edit("B", "unwrap:value", lambda _outer: inner),))


_RUN: Json = {
    "type": "object",
    "properties": {"command": {"type": "string"}},
    "required": ["command"],
    "additionalProperties": False,
}
_CHART: Json = {
    "type": "object",
    "properties": {"tool": {"type": "string"}, "parameters": {"type": "object"}},
    "required": ["tool"],
}

FAMILY = Family(
    code="B",
    name="wrapper-alias",
    summary='A sole undeclared wrapper under another name, or {"type":"valid","value":{…}}.',
    rationale=(
        "The names are those that providers and harnesses use for arguments themselves, so the "
        "model copied them from its context. Only a sole, undeclared key counts, and only if "
        "taking it off leaves strictly fewer violations. An envelope goes only where its type "
        "is an empty word."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("args", _RUN, {"args": {"command": "ls"}}, {"command": "ls"}),
        Case("mixed chain", _RUN, {"input": {"arguments": {"command": "ls"}}}, {"command": "ls"}),
        Case("envelope", _RUN, {"type": "valid", "value": {"command": "ls"}}, {"command": "ls"}),
        Case("declared key", _CHART, {"tool": "bar", "parameters": {"x": 1}}),
        Case(
            "envelope that says something",
            _RUN,
            {"type": "file", "value": {"command": "ls"}},
            opt_in={"command": "ls"},
        ),
        Case("no gain", {"type": "object", "properties": {"n": {}}}, {"args": {"n": 1}}),
        Case("unknown wrapper name", _RUN, {"data": {"command": "ls"}}),
        Case("text inside that is no object", _RUN, {"args": "ls -l"}),
        Case("list inside", _RUN, {"params": [{"command": "ls"}]}),
    ),
)
OPT_IN = Family(
    code="B+",
    name="telling-envelope",
    summary='{"type":"file","value":{…}}: an envelope whose type says something.',
    rationale=(
        "The inner object is valid and the two keys are undeclared, but the type may be "
        "information that the tool should have had. Dropping it must be asked for."
    ),
    safety=Safety.OPT_IN,
    propose=propose_opt_in,
    cases=(
        Case("word", _RUN, {"type": "file", "value": {"command": "ls"}}, {"command": "ls"}),
        Case("declared type", _CHART, {"type": "bar", "value": {"x": 1}}),
        Case("third key", _RUN, {"type": "file", "value": {"command": "ls"}, "id": 1}),
    ),
)
