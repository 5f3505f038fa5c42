"""Alternate schemas, derived by editing a copy so that what was sent is legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from toolfix_audit.audit.misfix.difference import Place
from toolfix_audit.audit.misfix.poison import poisoned_schema
from toolfix_audit.audit.misfix.schema_nodes import (
    Node,
    Nodes,
    copy_of,
    declares,
    govern,
    slots,
)
from toolfix_audit.model.json import Json, dump_json, kind_of, parse_json
from toolfix_audit.model.pointer import Path, value_at

_SHAPING: Final = (
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
)

_Slot: TypeAlias = tuple[Json, str | int]


@dataclass(frozen=True, slots=True)
class Legal:
    """What an alternate admits at one place: the JSON text of a schema for what was sent."""

    path: Path
    admits: str


@dataclass(frozen=True, slots=True)
class Variant:
    """How an alternate is written: the admitted branch first or last, poisoned or not."""

    first: bool
    poisoned: bool


def legal_types(places: Sequence[Place], *, indexed: bool) -> tuple[Legal, ...]:
    """Admit the type of what was sent. Unless `indexed`, all items of a list count as one place."""
    found = {
        Legal(
            place.path if indexed else _without_indexes(place.path),
            dump_json({"type": kind_of(place.sent)}),
        ): None
        for place in places
    }
    return tuple(found)


def legal_values(places: Sequence[Place]) -> tuple[Legal, ...]:
    """Admit exactly what was sent, nothing else of its type."""
    return tuple(Legal(place.path, dump_json({"const": place.sent})) for place in places)


def has_indexed_items(schema_text: str) -> bool:
    """Whether a schema may treat the items of a list differently by their index."""
    return '"prefixItems"' in schema_text or '"items":[' in schema_text


@lru_cache(maxsize=4096)
def derive(schema_text: str, legal: tuple[Legal, ...], variant: Variant) -> Json:
    """A copy of a schema under which every given place is legal, as far as editing can make it."""
    schema = parse_json(schema_text)
    if not isinstance(schema, dict):
        return schema
    edit = _Edit(schema, variant)
    for one in legal:
        edit.admit(one.path, parse_json(one.admits))
    edit.finish()
    return poisoned_schema(schema) if variant.poisoned else schema


class _Edit:
    """The edits of one schema: slots whose schema gets further branches, and new keys."""

    def __init__(self, schema: dict[str, Json], variant: Variant) -> None:
        self.schema = schema
        self.first = variant.first
        self._source = copy_of(schema)
        self._slots: dict[tuple[int, str | int], tuple[_Slot, list[Json]]] = {}
        self._added: dict[tuple[int, str], tuple[Node, list[Json]]] = {}
        self._places: dict[Path, Nodes] = {}

    def admit(self, path: Path, branch: Json) -> None:
        """Let a place hold what `branch` admits, in every branch that governs it."""
        holders = self._governing(path[:-1])
        part = path[-1]
        found = [slot for node in holders for slot in _own_slots(node, part)]
        for slot in found:
            self._note(slot, branch)
        if isinstance(part, str):
            is_declared = bool(found) or declares(holders, part)
            self._declare(holders, part, {} if is_declared else branch)

    def finish(self) -> None:
        """Write the noted branches into the schema."""
        for (holder, slot), branches in self._slots.values():
            old = value_at(holder, (slot,))
            listed = [*branches, old] if self.first else [old, *branches]
            _put(holder, slot, {"anyOf": listed})
        for (_, key), (node, branches) in self._added.items():
            properties = node.setdefault("properties", {})
            if isinstance(properties, dict) and key not in properties:
                properties[key] = branches[0] if len(branches) == 1 else {"anyOf": branches}

    def _governing(self, path: Path) -> Nodes:
        for end in range(len(path) + 1):
            prefix = path[:end]
            if prefix in self._places:
                continue
            if not prefix:
                nodes = govern(self._source, self.schema, inline=True)
            else:
                nodes = self._below(self._places[prefix[:-1]], prefix[-1])
            for node in nodes:
                _open_one_of(node)
            self._places[prefix] = nodes
        return self._places[path]

    def _below(self, holders: Nodes, part: str | int) -> Nodes:
        nodes: Nodes = []
        for node in holders:
            for holder, slot in _own_slots(node, part):
                child = value_at(holder, (slot,))
                nodes.extend(govern(self._source, child, inline=True))
        return nodes

    def _note(self, slot: _Slot, branch: Json) -> None:
        key = (id(slot[0]), slot[1])
        noted = self._slots.setdefault(key, (slot, []))[1]
        if branch not in noted:
            noted.append(branch)

    def _declare(self, holders: Nodes, key: str, branch: Json) -> None:
        """Name the key wherever it would count as an extra one."""
        is_new = branch != {}
        shaping = [node for node in holders if any(word in node for word in _SHAPING)]
        for node in shaping or holders[:1]:
            if any(True for _ in slots(node, key)) and not is_new:
                continue
            if not is_new and node.get("additionalProperties") is not False:
                continue
            noted = self._added.setdefault((id(node), key), (node, []))[1]
            if branch not in noted:
                noted.append(branch)


def _own_slots(node: Node, part: str | int) -> list[_Slot]:
    """The slots of a member; one under `additionalProperties` gets a name of its own first."""
    found: list[_Slot] = []
    for holder, slot in slots(node, part):
        if holder is node and slot == "additionalProperties" and isinstance(part, str):
            properties = node.setdefault("properties", {})
            if not isinstance(properties, dict):
                continue
            properties[part] = copy_of(node["additionalProperties"])
            found.append((properties, part))
        else:
            found.append((holder, slot))
    return found


def _open_one_of(node: Node) -> None:
    branches = node.get("oneOf")
    if not isinstance(branches, list):
        return
    del node["oneOf"]
    if "anyOf" in node:
        beside = node.get("allOf")
        node["allOf"] = [*(beside if isinstance(beside, list) else []), {"anyOf": branches}]
    else:
        node["anyOf"] = branches


def _put(holder: Json, slot: str | int, schema: Json) -> None:
    if isinstance(holder, dict):
        holder[str(slot)] = schema
    elif isinstance(holder, list) and isinstance(slot, int):
        holder[slot] = schema


def _without_indexes(path: Path) -> Path:
    return tuple(0 if isinstance(part, int) else part for part in path)
