"""E stringified-container: an array or object was sent as its JSON text."""

from __future__ import annotations

from collections.abc import Iterator

from toolfix_audit.engine.proposal import Candidate, Case, Edit, Family, Place, Rivalry
from toolfix_audit.engine.relaxed import read_container
from toolfix_audit.model.json import Json, kind_of
from toolfix_audit.model.words import Safety


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Read the text, where no branch of the schema admits a string."""
    if place.is_root or not isinstance(place.value, str) or place.view.admits("string"):
        return
    if not place.view.admits("array") and not place.view.admits("object"):
        return
    read = read_container(place.value)
    if read is not None:
        yield Candidate((Edit("E", f"parse:{kind_of(read)}", lambda _text: read),))


_EDITS: Json = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
                "required": ["old", "new"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["path", "edits"],
}
_RANGE: Json = {
    "type": "object",
    "properties": {"range": {"type": "array", "items": {"type": "integer"}}},
    "required": ["range"],
}
_UNION: Json = {
    "type": "object",
    "properties": {"files": {"anyOf": [{"type": "string"}, {"type": "array"}]}},
}

FAMILY = Family(
    code="E",
    name="stringified-container",
    summary="An array or object was sent as JSON text, at any depth, encoded once or more.",
    rationale=(
        "The schema admits no string there, so the text can only be the spelling of a container. "
        "It must be complete: strict JSON, or JSON with raw control characters or a trailing "
        "comma, or a Python literal. If any branch admits a string, the text may be meant."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("array", _RANGE, {"range": "[1, 50]"}, {"range": [1, 50]}),
        Case("twice encoded", _RANGE, {"range": '"[1, 50]"'}, {"range": [1, 50]}),
        Case(
            "items as text",
            _EDITS,
            {"path": "a", "edits": ['{"old": "x", "new": ""}']},
            {"path": "a", "edits": [{"old": "x", "new": ""}]},
        ),
        Case("Python literal", _RANGE, {"range": "[1, 2,]"}, {"range": [1, 2]}),
        Case("string admitted by a branch", _UNION, {"files": '["a"]'}),
        Case("declared string", _EDITS, {"path": '["a"]', "edits": []}),
        Case("cut text", _RANGE, {"range": "[1, 5"}),
        Case("wrong kind inside", _RANGE, {"range": '{"from": 1}'}),
        Case("fence", _RANGE, {"range": "```json\n[1]\n```"}),
        Case("tuple", _RANGE, {"range": "(1, 50)"}),
        Case("junk behind", _RANGE, {"range": "[1, 50] lines"}),
        Case("untyped place", {"properties": {"x": {}}}, {"x": "[1]"}),
    ),
)
