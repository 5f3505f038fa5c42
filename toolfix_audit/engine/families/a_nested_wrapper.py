"""A nested-wrapper: the arguments sit inside `{"arguments": {…}}`, one layer or many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from toolfix_audit.engine.proposal import Candidate, Case, Family, Place, Rivalry, Standing
from toolfix_audit.engine.wrappers import ARGUMENTS, Layer, TooManyLayersError, layers_of
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import Safety


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Take the whole chain off; at the root the plain part of it always, since its key hides
    every declared argument from the tool."""
    try:
        layers = layers_of(place)
    except TooManyLayersError:
        yield Rivalry.LIMIT
        return
    if not layers or layers[0].key != ARGUMENTS:
        return
    plain = _plain_chain(place, layers)
    unwrap = Candidate(tuple(layer.edit() for layer in layers))
    if not place.is_root or not plain or not place.view.declared_names():
        yield unwrap
        return
    always = Candidate(tuple(layer.edit() for layer in plain), Standing.ALWAYS)
    yield always if len(plain) == len(layers) else Candidate(unwrap.edits, fallback=always)


def _plain_chain(place: Place, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The outer layers that are `arguments` around a real object rather than text."""
    recorded: list[Json] = [place.value]
    for layer in layers:
        outer = recorded[-1]
        recorded.append(outer.get(layer.key) if isinstance(outer, dict) else None)
    pairs = takewhile(
        lambda pair: pair[0].key == ARGUMENTS and isinstance(pair[1], dict),
        zip(layers, recorded[1:], strict=True),
    )
    return tuple(layer for layer, _ in pairs)


_READ: Json = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path"],
    "additionalProperties": False,
}
_DISPATCH: Json = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
    "required": ["name"],
}

FAMILY = Family(
    code="A",
    name="nested-wrapper",
    summary='The arguments sit inside {"arguments": {…}}, one layer or many.',
    rationale=(
        "A model that sees its own wrapped call replayed wraps the next one deeper. The key is "
        "undeclared, so a tool ignores it together with everything inside. At the root it is "
        "taken off even where other violations remain: the host's error then names the real "
        "fault. A declared `arguments` is never touched."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("one layer", _READ, {"arguments": {"path": "a.md"}}, {"path": "a.md"}),
        Case(
            "three layers",
            _READ,
            {"arguments": {"arguments": {"arguments": {"path": "a.md", "limit": 3}}}},
            {"path": "a.md", "limit": 3},
        ),
        Case("declared key", _DISPATCH, {"name": "x", "arguments": {"arguments": {"q": 1}}}),
        Case("free-form object", {"type": "object"}, {"arguments": {"x": 1}}),
        Case("list inside", _READ, {"arguments": [{"path": "a.md"}]}),
        Case("nothing inside", _READ, {"arguments": None}),
        Case("other key", _READ, {"payload": {"path": "a.md"}}),
    ),
)
