"""How often a validator may visit one value, told from the schema alone.

Where definitions refer to one another, a small schema stands for a large one: twenty levels that
each apply the next one twice visit the last a million times. The fast judge can't be stopped, so
it is asked only where the visits are few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Final
from urllib.parse import unquote

from toolfix_audit.model.json import Json

MAX_HEIGHT: Final = 150
"""Schemas inside one another, references followed, beyond which nothing is promised."""

_MAX_GROWTH: Final = 1_000.0
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
_IN_PLACE_MAPS: Final = ("dependentSchemas",)
_BELOW: Final = (
    "items", "prefixItems", "additionalItems", "contains", "additionalProperties", "propertyNames",
)  # fmt: skip
_BELOW_MAPS: Final = ("properties", "patternProperties")


@dataclass(frozen=True, slots=True)
class Reach:
    """A bound on visits: so many schemas (`width`) apply to one value, and `growth` times as
    many to each value a level deeper."""

    width: float
    growth: float

    def allows(self, values: int, depth: int, most: int) -> bool:
        """Whether no more than `most` schemas look at that many values, nested that deep."""
        visits = values * self.width
        return (visits if self.growth == 1.0 else visits * self.growth**depth) <= most


def reach_of(schema: Json) -> Reach:
    """The reach of a schema: without recursion the number of schemas with every reference
    replaced by what it leads to, whatever the depth; with recursion what it is at one place."""
    unfolded = _Survey(schema)
    width = max(unfolded.size(schema), 1.0)
    if not unfolded.is_recursive:
        return Reach(width, 1.0)
    schemas = list(unfolded.seen.values())
    in_place = _Survey(schema, in_place=True)
    growing = _Survey(schema, in_place=True, only_growing=True)
    growth = max(map(growing.size, schemas)) * (
        2 if any("contains" in one for one in schemas) else 1
    )
    return Reach(max(map(in_place.size, schemas)), min(max(growth, 1.0), _MAX_GROWTH))


@dataclass(slots=True)
class _Survey:
    """Counts schemas, each as often as it is applied. `in_place` leaves out those for parts of
    the value; `only_growing` counts those alone that have some for parts."""

    root: Json
    in_place: bool = False
    only_growing: bool = False
    is_recursive: bool = False
    seen: dict[int, dict[str, Json]] = field(default_factory=dict)
    _sizes: dict[int, float] = field(default_factory=dict)
    _open: set[int] = field(default_factory=set)

    def size(self, schema: Json) -> float:
        """The number of schemas that one application of a schema applies."""
        if not isinstance(schema, dict):
            return 0.0
        name = id(schema)
        if name in self._open:
            self.is_recursive = True
            return inf if self.in_place else 0.0
        if name not in self._sizes:
            if len(self._open) >= MAX_HEIGHT:
                return inf
            self.seen[name] = schema
            self._open.add(name)
            self._sizes[name] = self._own_size(schema) + sum(map(self.size, self._applied(schema)))
            self._open.discard(name)
        return self._sizes[name]

    def _own_size(self, schema: dict[str, Json]) -> float:
        return 1.0 if not self.only_growing or any(_schemas(schema, _BELOW, _BELOW_MAPS)) else 0.0

    def _applied(self, schema: dict[str, Json]) -> Iterator[Json]:
        yield from _schemas(schema, _IN_PLACE, _IN_PLACE_MAPS)
        if isinstance(schema.get("$ref"), str):
            yield self._target(str(schema["$ref"]))
        if not self.in_place:
            yield from _schemas(schema, _BELOW, _BELOW_MAPS)

    def _target(self, reference: str) -> Json:
        """What a pointer into this schema leads to; for anything else the schema itself, as if
        it were recursive without end."""
        found = self.root
        head, _, pointer = reference.partition("#")
        for part in unquote(pointer).split("/")[1:] if not head else ():
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict) and key in found:
                found = found[key]
            elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
                found = found[int(key)]
        return found


def _schemas(
    schema: dict[str, Json], keywords: tuple[str, ...], maps: tuple[str, ...]
) -> Iterator[Json]:
    for keyword in keywords:
        found = schema.get(keyword)
        yield from found if isinstance(found, list) else (found,) if found is not None else ()
    for keyword in maps:
        mapping = schema.get(keyword)
        if isinstance(mapping, dict):
            yield from mapping.values()
