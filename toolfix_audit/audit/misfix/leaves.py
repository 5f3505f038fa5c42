"""The leaves of a value: every scalar and empty container, with the keys that lead to it.

Strings are read first, wrapper keys are left out and path keys are split, on both sides of a
change alike: what remains is the information of a call, whatever its packing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from toolfix_audit.audit.misfix.flattened import Parts, path_parts, unflattened
from toolfix_audit.audit.misfix.licences import NO_LICENCE, Licence, Licences
from toolfix_audit.audit.misfix.names import are_related
from toolfix_audit.audit.misfix.readings import read_container
from toolfix_audit.audit.misfix.schema_nodes import (
    Nodes,
    children,
    declared_names,
    declares,
    govern,
)
from toolfix_audit.audit.misfix.shapes import (
    enveloped_object,
    repeated_siblings,
    wrapped_object,
)
from toolfix_audit.model.json import Json, RepeatedKeys, dump_json

Content: TypeAlias = tuple[str, str]
"""What kind of leaf, and what it says; equal where the information is equal."""

MAX_DEPTH: Final = 200
"""Whatever lies deeper is one leaf."""

_INSIDE: Final = -1
_NUMBER: Final = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]{1,18}))?\Z")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf. `written` is its path as it was written, `path` where it stands once the packing
    is off, `name` the last key, `nodes` the parts of the schema that govern it. An `idle` leaf is
    an envelope's word, which says nothing."""

    written: Parts
    path: Parts
    content: Content
    value: Json
    name: str
    nodes: Nodes
    idle: bool = False


@dataclass(frozen=True, slots=True)
class _Spot:
    value: Json
    written: Parts
    path: Parts
    name: str
    nodes: Nodes

    idle: bool = False

    def member(self, value: Json, part: str | int, place: Parts, nodes: Nodes) -> _Spot:
        """The spot of a member: its key as written, its place below, and what governs it."""
        name = part if isinstance(part, str) else self.name
        written = (*self.written, part) if len(self.written) < MAX_DEPTH else self.written
        return _Spot(value, written, (*self.path, *place), name, nodes)


def leaves_of(value: Json, schema: Json, licences: Licences = NO_LICENCE) -> list[Leaf]:
    """Every leaf of a value, in document order."""
    views = _Views(schema, licences)
    found: list[Leaf] = []
    todo = [_Spot(value, (), (), "", views.root)]
    while todo:
        spot = todo.pop()
        item = spot.value
        if isinstance(item, str):
            read = read_container(item)
            item = item if read is None else read
        if isinstance(item, dict | list) and item and len(spot.path) < MAX_DEPTH:
            todo.extend(reversed(_members(item, spot, views)))
        else:
            found.append(
                Leaf(
                    spot.written,
                    spot.path,
                    content_of(item),
                    item,
                    spot.name,
                    spot.nodes,
                    spot.idle,
                )
            )
    return found


def content_of(value: Json) -> Content:
    """What a leaf says: numbers as decimals, so that `1`, `1.0` and `1e0` are one."""
    if isinstance(value, dict | list):
        if not value:
            return ("object" if isinstance(value, dict) else "array"), ""
        text = dump_json(value, sort_keys=True).encode()
        return "deep", hashlib.sha256(text).hexdigest()
    if isinstance(value, str):
        return "string", value
    if value is None or isinstance(value, bool):
        return "word", dump_json(value)
    return "number", _decimal(dump_json(value))


def _decimal(text: str) -> str:
    match = _NUMBER.match(text)
    if match is None:
        return text
    sign, whole, part, power = match.groups(default="")
    digits = (whole + part).lstrip("0")
    if not digits:
        return "0"
    bare = digits.rstrip("0")
    exponent = int(power or "0") - len(part) + len(digits) - len(bare)
    return f"{sign}{bare}e{exponent}"


class _Views:
    """The governing nodes of places, looked up once per place of the schema, and what else
    decides how a value is read."""

    def __init__(self, schema: Json, licences: Licences) -> None:
        self._schema = schema
        self.licences = licences
        self._known: dict[tuple[int, str | int], Nodes] = {}
        self.root = govern(schema, schema)
        self._kept: list[Nodes] = [self.root]  # an id stays unique while its list is alive

    def below(self, nodes: Nodes, part: str | int) -> Nodes:
        """What governs a member; for an undeclared key, what governs the key that it may mean."""
        key = (id(nodes), min(part, 64) if isinstance(part, int) else part)
        if key not in self._known:
            found = self._governing(nodes, part)
            if isinstance(part, str) and not found and not declares(nodes, part):
                meant = (name for name in declared_names(nodes) if are_related(part, name))
                found = self._governing(nodes, next(meant, part))
            self._known[key] = found
            self._kept.append(found)
        return self._known[key]

    def _governing(self, nodes: Nodes, part: str | int) -> Nodes:
        found: Nodes = []
        for child in children(nodes, part):
            found.extend(govern(self._schema, child))
        return found

    def inside(self, nodes: Nodes) -> Nodes:
        """What governs the keys of an object, be it one item where a list belongs."""
        items = self.below(nodes, 0)
        if not items:
            return nodes
        key = (id(nodes), _INSIDE)
        if key not in self._known:
            self._known[key] = [*nodes, *items]
            self._kept.append(self._known[key])
        return self._known[key]


def _members(item: dict[str, Json] | list[Json], spot: _Spot, views: _Views) -> list[_Spot]:
    if isinstance(item, list):
        return [
            spot.member(member, index, (index,), views.below(spot.nodes, index))
            for index, member in enumerate(item)
        ]
    spot = replace(spot, nodes=views.inside(spot.nodes))
    item = unflattened(item, spot.nodes) or item
    is_envelope = enveloped_object(item, spot.nodes, views.licences) is not None
    packed = ("type", "value") if is_envelope else ()
    return [
        replace(spot.member(member, key, (), spot.nodes), idle=key == "type")
        if key in packed
        else _member(item, (key, member), spot, views)
        for key, member in _pairs(item)
    ]


def _member(item: dict[str, Json], pair: tuple[str, Json], spot: _Spot, views: _Views) -> _Spot:
    key, member = pair
    inner = wrapped_object(item, key, spot.nodes)
    if inner is not None:
        if Licence.EQUAL_SIBLINGS in views.licences:
            repeated = repeated_siblings(item, key, inner, spot.nodes)
            member = {name: one for name, one in inner.items() if name not in repeated}
        return spot.member(member, key, (), spot.nodes)
    parts = path_parts(key, spot.nodes) or (key,)
    nodes = spot.nodes
    for part in parts:
        nodes = views.below(nodes, part)
    return spot.member(member, key, parts, nodes)


def _pairs(item: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    return iter(item.pairs if isinstance(item, RepeatedKeys) else item.items())
