"""Which parts of a schema govern a place. Reads the schema only; `inline` prepares a copy.

A place is governed by a list of nodes: the schema there, and everything that applies beside it
through `$ref`, `allOf`, `anyOf`, `oneOf`, `then`, `else` and `dependentSchemas`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, TypeAlias
from urllib.parse import unquote

import regex

from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.pointer import value_at

Node: TypeAlias = "dict[str, Json]"
Nodes: TypeAlias = "list[Node]"

MAX_NODES: Final = 400
PATTERN_SECONDS: Final = 0.05

_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SINGLES: Final = ("then", "else")
_ANCHORS: Final = ("$anchor", "$dynamicAnchor", "$id", "id")
_OLD_DRAFTS: Final = ("draft-03", "draft-04", "draft-06", "draft-07")


def govern(root: Json, node: Json, *, inline: bool = False) -> Nodes:
    """Every node that governs the place where `node` stands.

    With `inline` each reference on the way is replaced, in `node` itself, by a copy of what it
    points to, so that an edit of the result touches this place alone.
    """
    found: Nodes = []
    seen: set[str] = set()
    todo: list[Json] = [node]
    while todo and len(found) < MAX_NODES:
        item = todo.pop()
        if not isinstance(item, dict):
            continue
        target = _target(root, item, seen)
        if inline and target is not None:
            _put_inline(root, item, target)
        found.append(item)
        todo.extend(_beside(item))
        if target is not None and not inline:
            todo.append(target)
    return found


def children(nodes: Nodes, part: str | int) -> list[Json]:
    """The schemas of a member, as the governing nodes of its container give them."""
    found: list[Json] = []
    for node in nodes:
        found.extend(value_at(holder, (slot,)) for holder, slot in slots(node, part))
    return found


def slots(node: Node, part: str | int) -> Iterator[tuple[Json, str | int]]:
    """Where in one node the schemas of a member stand: `holder` is a dict or a list."""
    if isinstance(part, int):
        yield from _item_slots(node, part)
        return
    properties, is_named = node.get("properties"), False
    if isinstance(properties, dict) and part in properties:
        is_named = True
        yield properties, part
    patterns = node.get("patternProperties")
    if isinstance(patterns, dict):
        for pattern in patterns:
            if _matches(pattern, part):
                is_named = True
                yield patterns, pattern
    if not is_named and isinstance(node.get("additionalProperties"), dict):
        yield node, "additionalProperties"


def declares(nodes: Nodes, key: str) -> bool:
    """Whether any branch declares the key: by name, pattern, or a schema for further keys."""
    return any(_declares(node, key) for node in nodes)


def declared_names(nodes: Nodes) -> list[str]:
    """The keys that `properties` name in any branch, in the schema's order."""
    names: dict[str, None] = {}
    for node in nodes:
        properties = node.get("properties")
        if isinstance(properties, dict):
            names.update(dict.fromkeys(properties))
    return list(names)


def has_required(nodes: Nodes) -> bool:
    """Whether any branch requires a key."""
    return any(bool(node.get("required")) for node in nodes)


def members(nodes: Nodes) -> list[Json]:
    """The values that `enum` and `const` of the governing nodes list."""
    found: list[Json] = []
    for node in nodes:
        listed = node.get("enum")
        if isinstance(listed, list):
            found.extend(listed)
        if "const" in node:
            found.append(node["const"])
    return found


def copy_of(value: Json) -> Json:
    """A deep copy, of any depth."""
    return parse_json(dump_json(value))


def _beside(node: Node) -> Iterator[Json]:
    for word in _LISTS:
        branches = node.get(word)
        if isinstance(branches, list):
            yield from branches
    for word in _SINGLES:
        if word in node:
            yield node[word]
    dependent = node.get("dependentSchemas")
    if isinstance(dependent, dict):
        yield from dependent.values()


def _target(root: Json, node: Node, seen: set[str]) -> Json:
    reference = node.get("$ref", node.get("$dynamicRef"))
    if not isinstance(reference, str) or reference in seen:
        return None
    seen.add(reference)
    target = _lookup(root, reference)
    return target if isinstance(target, dict) else None


def _put_inline(root: Json, node: Node, target: Json) -> None:
    copy = copy_of(target)
    if isinstance(copy, dict):
        for word in _ANCHORS:
            copy.pop(word, None)
        copy.pop("$defs", None)
        copy.pop("definitions", None)
    node.pop("$ref", None)
    node.pop("$dynamicRef", None)
    if _is_old(root):  # in old drafts whatever stands beside `$ref` has no effect
        kept: Node = {
            word: node[word] for word in ("$defs", "definitions", "$schema") if word in node
        }
        node.clear()
        node.update(kept)
    beside = node.get("allOf")
    node["allOf"] = [*(beside if isinstance(beside, list) else []), copy]


def _is_old(root: Json) -> bool:
    draft = root.get("$schema") if isinstance(root, dict) else None
    return isinstance(draft, str) and any(word in draft for word in _OLD_DRAFTS)


def _lookup(root: Json, reference: str) -> Json:
    if not reference.startswith("#"):
        return None
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return _anchored(root, reference[1:])
    node: Json = root
    for part in unquote(reference[2:]).split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and name in node:
            node = node[name]
        elif isinstance(node, list) and name.isdecimal() and int(name) < len(node):
            node = node[int(name)]
        else:
            return None
    return node


def _anchored(root: Json, name: str) -> Json:
    todo: list[Json] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            if name in (item.get("$anchor"), item.get("$dynamicAnchor")):
                return item
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return None


def _item_slots(node: Node, index: int) -> Iterator[tuple[Json, str | int]]:
    for word in ("prefixItems", "items"):
        listed = node.get(word)
        if isinstance(listed, list) and index < len(listed):
            yield listed, index
            return
    word = "additionalItems" if isinstance(node.get("items"), list) else "items"
    if word in node:
        yield node, word


def _declares(node: Node, key: str) -> bool:
    properties = node.get("properties")
    if isinstance(properties, dict) and key in properties:
        return True
    patterns = node.get("patternProperties")
    if isinstance(patterns, dict) and any(_matches(pattern, key) for pattern in patterns):
        return True
    return bool(node.get("additionalProperties")) and node["additionalProperties"] is not True


@lru_cache(maxsize=65536)
def _matches(pattern: str, key: str) -> bool:
    try:
        return regex.search(pattern, key, timeout=PATTERN_SECONDS) is not None
    except (regex.error, TimeoutError):
        return False
