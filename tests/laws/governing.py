"""What a schema says of a place, read by code of the tests' own, and only where that is plain.

A schema is turned into alternatives; each is a list of schema objects that all apply. Whoever
asks gets None where the tests would have to be clever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from toolfix_audit.model.json import Json, kind_of

Leafs: TypeAlias = tuple[dict[str, Json], ...]
"""Schema objects that all apply to one place."""

MOST = 64
_CLEVER = frozenset(
    {
        "not",
        "if",
        "dependentSchemas",
        "dependencies",
        "contains",
        "unevaluatedProperties",
        "unevaluatedItems",
        "propertyNames",
    }
)


def alternatives(schema: Json, root: Json, depth: int = 12) -> list[Leafs] | None:
    """The alternatives of a schema at its own place; None where they are not plain."""
    if schema is True or schema == {}:
        return [()]
    if schema is False:
        return []
    if not isinstance(schema, dict) or depth == 0 or not _CLEVER.isdisjoint(schema):
        return None
    found: list[Leafs] = [(schema,)]
    for group in _groups(schema, root):
        choices: list[Leafs] = []
        for branch in group:
            inner = alternatives(branch, root, depth - 1)
            if inner is None:
                return None
            choices.extend(inner)
        found = [one + other for one, other in product(found, choices)]
        if len(found) > MOST:
            return None
    return found


def at_path(schema: Json, path: tuple[str | int, ...]) -> list[Leafs] | None:
    """The alternatives that govern a place; None where they are not plain."""
    found = alternatives(schema, schema)
    for part in path:
        if found is None:
            return None
        below: list[Leafs] = []
        for leafs in found:
            if not may_be(leafs, "object" if isinstance(part, str) else "array"):
                continue
            inner = _all_of([child for leaf in leafs for child in _children(leaf, part)], schema)
            if inner is None:
                return None
            below.extend(inner)
        found = below if len(below) <= MOST else None
    return found


def may_be(leafs: Leafs, kind: str) -> bool:
    """Whether schema objects that all apply leave room for a type."""
    return all(_admits(leaf, kind) for leaf in leafs)


def is_declared(found: list[Leafs], key: str) -> bool:
    """Whether any alternative names the key, matches it, or describes every key."""
    return any(_declares(leaf, key) for leafs in found for leaf in leafs)


def declared_names(found: list[Leafs]) -> set[str]:
    """The keys of every `properties`."""
    return {key for leafs in found for leaf in leafs for key in _mapping(leaf.get("properties"))}


def required_names(found: list[Leafs]) -> set[str]:
    """The keys that any alternative requires."""
    return {str(key) for leafs in found for leaf in leafs for key in _listed(leaf.get("required"))}


def _groups(schema: dict[str, Json], root: Json) -> Iterator[list[Json]]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield [_resolved(reference, root)]
    for part in _listed(schema.get("allOf")):
        yield [part]
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            yield _listed(schema[keyword])


def _all_of(schemas: list[Json], root: Json) -> list[Leafs] | None:
    return alternatives({"allOf": schemas}, root) if schemas else [()]


def _resolved(reference: str, root: Json) -> Json:
    target = root
    for part in reference.removeprefix("#").split("/")[1:]:
        assert isinstance(target, dict)
        target = target[part]
    return target


def _children(leaf: dict[str, Json], part: str | int) -> list[Json]:
    if isinstance(part, int):
        prefix = _listed(leaf.get("prefixItems"))
        if part < len(prefix):
            return [prefix[part]]
        return [leaf["items"]] if "items" in leaf else []
    named = _mapping(leaf.get("properties"))
    patterns = _mapping(leaf.get("patternProperties"))
    found = [named[part]] if part in named else []
    found.extend(inner for pattern, inner in patterns.items() if re.search(pattern, part))
    if not found and "additionalProperties" in leaf:
        found.append(leaf["additionalProperties"])
    return found


def _admits(leaf: dict[str, Json], kind: str) -> bool:
    types = leaf.get("type")
    names = types if isinstance(types, list) else [types]
    if types is not None and kind not in names and not (kind == "integer" and "number" in names):
        return False
    members = [leaf["const"]] if "const" in leaf else leaf.get("enum")
    return not isinstance(members, list) or any(kind_of(member) == kind for member in members)


def _declares(leaf: dict[str, Json], key: str) -> bool:
    extra = leaf.get("additionalProperties")
    return (
        key in _mapping(leaf.get("properties"))
        or any(re.search(pattern, key) for pattern in _mapping(leaf.get("patternProperties")))
        or (isinstance(extra, dict) and bool(extra))
    )


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
