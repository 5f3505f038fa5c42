"""What a schema proves about a place, read by code that the engine does not share.

A defect is planted only where these answers say that it has one repair, so that a defect which
comes back otherwise is the engine's doing and not the planter's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from toolfix_audit.audit.misfix.schema_nodes import (
    Node,
    Nodes,
    children,
    declared_names,
    declares,
    govern,
    members,
    slots,
)
from toolfix_audit.model.json import Json, dump_json, kind_of, parse_json
from toolfix_audit.model.pointer import Path, value_at

TEXT: Final = "text"
"""Beside the JSON types: a string that no `enum` or `const` lists."""

_KINDS: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_OLD_DRAFTS: Final = ("draft-03", "draft-04", "draft-06", "draft-07")
_MANY: Final = 64


class Ground:
    """One schema and what it says of the places below it. Answers are kept."""

    def __init__(self, schema_text: str) -> None:
        self.schema_text = schema_text
        self.schema = schema = parse_json(schema_text)
        self._nodes: dict[Path, Nodes] = {}
        self._excluded: dict[tuple[Path, str], bool] = {}
        draft = schema.get("$schema") if isinstance(schema, dict) else None
        self._is_old = isinstance(draft, str) and any(word in draft for word in _OLD_DRAFTS)

    def nodes(self, path: Path) -> Nodes:
        """Every part of the schema that may govern the place, whatever branch it is in."""
        path = _short(path)
        known = self._nodes.get(path)
        if known is not None:
            return known
        found: Nodes = []
        if not path:
            found = govern(self.schema, self.schema)
        else:
            for child in children(self.nodes(path[:-1]), path[-1]):
                found.extend(govern(self.schema, child))
        self._nodes[path] = found
        return found

    def declares(self, path: Path, key: str) -> bool:
        """Whether any branch declares the key of the object at the place."""
        return declares(self.nodes(path), key)

    def declared_names(self, path: Path) -> list[str]:
        """The keys that any branch names for the object at the place."""
        return declared_names(self.nodes(path))

    def required_names(self, path: Path) -> set[str]:
        """The keys that any branch requires."""
        found: set[str] = set()
        for node in self.nodes(path):
            listed = node.get("required")
            if isinstance(listed, list):
                found.update(name for name in listed if isinstance(name, str))
        return found

    def members(self, path: Path) -> list[Json]:
        """The values that `enum` and `const` list for the place, in any branch."""
        return members(self.nodes(path))

    def excludes(self, path: Path, kind: str) -> bool:
        """Whether no value of that kind (a JSON type, or TEXT) can be legal at the place."""
        key = (_short(path), kind)
        if key not in self._excluded:
            try:
                found = self._excludes(self.schema, key[0], kind, frozenset())
            except RecursionError:
                found = False
            self._excluded[key] = found
        return self._excluded[key]

    def _excludes(self, schema: Json, path: Path, kind: str, seen: frozenset[str]) -> bool:
        if not isinstance(schema, dict):
            return schema is False
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen |= {reference}
            if self._excludes(_lookup(self.schema, reference), path, kind, seen):
                return True
            if self._is_old:
                return False
        return (
            self._says(schema, path, kind)
            or any(self._excludes(part, path, kind, seen) for part in _listed(schema, "allOf"))
            or any(
                self._every_branch(_listed(schema, word), path, kind, seen)
                for word in ("anyOf", "oneOf")
            )
        )

    def _says(self, schema: Node, path: Path, kind: str) -> bool:
        """Whether the keywords of this very object exclude the kind."""
        if not path:
            return _type_excludes(schema, kind)
        below = (value_at(holder, (slot,)) for holder, slot in slots(schema, path[0]))
        return any(self._excludes(child, path[1:], kind, frozenset()) for child in below)

    def _every_branch(
        self, branches: list[Json], path: Path, kind: str, seen: frozenset[str]
    ) -> bool:
        holder = "" if not path else ("object" if isinstance(path[0], str) else "array")
        return bool(branches) and all(
            (holder and self._excludes(branch, (), holder, seen))
            or self._excludes(branch, path, kind, seen)
            for branch in branches
        )


@lru_cache(maxsize=4096)
def ground_of(schema_text: str) -> Ground:
    """The ground of a schema, given as JSON text; made once for each."""
    return Ground(schema_text)


def ground_for(schema: Json) -> Ground:
    """The ground of a schema."""
    return ground_of(dump_json(schema))


def _short(path: Path) -> Path:
    return tuple(min(part, _MANY) if isinstance(part, int) else part for part in path)


def _listed(schema: Node, word: str) -> list[Json]:
    found = schema.get(word)
    return found if isinstance(found, list) else []


def _lookup(root: Json, reference: str) -> Json:
    """What a reference inside the schema points to; nothing for any other."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    node: Json = root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, dict) or name not in node:
            return None
        node = node[name]
    return node


def _type_excludes(schema: Node, kind: str) -> bool:
    if kind == "null" and schema.get("nullable") is True:
        return False
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(listed, list) and (
        kind == TEXT or not any(_may_be(kind_of(member), kind) for member in listed)
    ):
        return True
    if "type" in schema and not _admits(schema["type"], kind):
        return True
    barred = schema.get("not")
    if not isinstance(barred, dict) or set(barred) != {"type"}:
        return False
    words = barred["type"] if isinstance(barred["type"], list) else [barred["type"]]
    return _plain(kind) in words or (kind == "integer" and "number" in words)


def _admits(types: Json, kind: str) -> bool:
    words = types if isinstance(types, list) else [types]
    if any(not isinstance(word, str) or word not in _KINDS for word in words):
        return True
    return any(isinstance(word, str) and _may_be(word, kind) for word in words)


def _may_be(word: str, kind: str) -> bool:
    return word == _plain(kind) or (word == "number" and kind == "integer")


def _plain(kind: str) -> str:
    return "string" if kind == TEXT else kind
