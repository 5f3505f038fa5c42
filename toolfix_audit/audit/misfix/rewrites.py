"""Every single rewrite behind a difference: what was renamed, merged, unwrapped, spelled anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from toolfix_audit.audit.misfix.difference import MAX_DEPTH, NEAR, has_same_content, is_gone
from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.flattened import path_parts, unflattened
from toolfix_audit.audit.misfix.licences import NO_LICENCE, Licence, Licences
from toolfix_audit.audit.misfix.names import are_related
from toolfix_audit.audit.misfix.readings import read_container
from toolfix_audit.audit.misfix.schema_nodes import Nodes, children, declares, govern
from toolfix_audit.audit.misfix.shapes import (
    ARGUMENTS,
    enveloped_object,
    is_bare_chain,
    repeated_siblings,
    sole_layer,
    wrapped_object,
)
from toolfix_audit.model.json import Json, RepeatedKeys
from toolfix_audit.model.pointer import Path, value_at, with_value


class Kind(StrEnum):
    """What a rewrite did."""

    SPELLING = "spelling"  # another value at the place
    RENAME = "rename"  # one key for another
    DROP = "drop"  # a key went
    ADD = "add"  # a key came from nowhere
    MERGE = "merge"  # a wrapper's keys joined its siblings
    UNFLATTEN = "unflatten"  # path keys became containers
    UNWRAP = "unwrap"  # a sole wrapper went


Explained: TypeAlias = tuple[Kind, tuple[tuple[str, Json], ...], tuple[str, ...]]

Merged: TypeAlias = tuple[tuple[tuple[str, Json], ...], tuple[str, ...]]
"""The keys of one packing with their values, and the keys inside it."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One rewrite, in the coordinates of the result: what was `taken` out of the container at
    `path` (key and value as sent), and the keys that it was `given`. For SPELLING and UNWRAP
    `sent` is the original value of the place itself. `keys` are all keys of that container
    before."""

    kind: Kind
    path: Path
    sent: Json = None
    taken: tuple[tuple[str, Json], ...] = ()
    given: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    nodes: tuple[dict[str, Json], ...] = ()
    bare: bool = False


def rewrites(
    original: Json, result: Json, schema: Json, licences: Licences = NO_LICENCE
) -> tuple[Rewrite, ...]:
    """Every rewrite that leads from the original to the result, packing taken off on the way."""
    found: list[Rewrite] = []
    walk = _Walk(schema, licences)
    todo: list[_Pair] = [_Pair(original, result, (), govern(schema, schema))]
    while todo:
        pair = todo.pop()
        done, further = walk.step(pair)
        found.extend(done)
        todo.extend(reversed(further))
    return tuple(found)


def put_back(result: Json, rewrite: Rewrite) -> Json:
    """The result with the original spelling of one rewrite.

    Raises:
        KeyError: it can't be put back there.
    """
    if rewrite.kind in (Kind.SPELLING, Kind.UNWRAP):
        return with_value(result, rewrite.path, rewrite.sent)
    holder = value_at(result, rewrite.path)
    if not isinstance(holder, dict) or isinstance(holder, RepeatedKeys):
        raise KeyError(rewrite.path)
    kept = {key: member for key, member in holder.items() if key not in rewrite.given}
    return with_value(result, rewrite.path, {**kept, **dict(rewrite.taken)})


@dataclass(frozen=True, slots=True)
class _Pair:
    old: Json
    new: Json
    path: Path
    nodes: Nodes


class _Walk:
    def __init__(self, schema: Json, licences: Licences) -> None:
        self.schema = schema
        self.licences = licences

    def step(self, pair: _Pair) -> tuple[list[Rewrite], list[_Pair]]:
        old, new, path = pair.old, pair.new, pair.path
        if len(path) >= MAX_DEPTH or isinstance(old, RepeatedKeys):
            return self._spelling(pair, further=False)
        if isinstance(old, dict) and isinstance(new, dict):
            return self._objects(pair, old, new)
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            return [], [
                self._below(pair, index, one, other)
                for index, (one, other) in enumerate(zip(old, new, strict=True))
            ]
        return self._spelling(pair, further=True)

    def _spelling(self, pair: _Pair, *, further: bool) -> tuple[list[Rewrite], list[_Pair]]:
        old, new = pair.old, pair.new
        if is_same(old, new):
            return [], []
        found = [Rewrite(Kind.SPELLING, pair.path, sent=old, nodes=tuple(pair.nodes))]
        inner = read_container(old) if isinstance(old, str) else old
        if isinstance(inner, dict):
            inner = peeled(inner, _item_of(new), pair.nodes, self.licences)
        if not further or inner is None:
            return found, []
        if isinstance(new, list) and len(new) == 1 and isinstance(inner, dict):
            return found, [self._below(pair, 0, inner, new[0])]
        if isinstance(old, str) and type(inner) is type(new):
            return found, [_Pair(inner, new, pair.path, pair.nodes)]
        return found, []

    def _below(self, pair: _Pair, part: str | int, old: Json, new: Json) -> _Pair:
        nodes: Nodes = []
        for child in children(pair.nodes, part):
            nodes.extend(govern(self.schema, child))
        return _Pair(old, new, (*pair.path, part), nodes)

    def _objects(
        self, pair: _Pair, old: dict[str, Json], new: dict[str, Json]
    ) -> tuple[list[Rewrite], list[_Pair]]:
        unwrapped, old = _unwrapped(pair, old, new, self.licences)
        parts = _Parts(old, new, pair.nodes, self.licences, is_near=len(pair.path) < NEAR)
        nodes = tuple(pair.nodes)
        found = [*unwrapped]
        for kind, taken, given in parts.explain():
            keys = tuple(parts.old)
            found.append(Rewrite(kind, pair.path, taken=taken, given=given, keys=keys, nodes=nodes))
        found = _without_siblings(found, old, pair)
        below = [
            self._below(pair, key, parts.sent[key], new[key]) for key in new if key in parts.sent
        ]
        return found, below


def peeled(
    old: dict[str, Json], new: Json, nodes: Nodes, licences: Licences = NO_LICENCE
) -> dict[str, Json]:
    """An object without the sole layers that the result no longer has."""
    kept = 0
    while isinstance(new, dict) and (layer := sole_layer(new, nodes, licences)):
        new, kept = layer[1], kept + 1
    layers = [old]
    while layer := sole_layer(layers[-1], nodes, licences):
        layers.append(layer[1])
    return layers[max(0, len(layers) - 1 - kept)]


def _item_of(value: Json) -> Json:
    """What stands in lists of one item, however many."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


def _unwrapped(
    pair: _Pair, old: dict[str, Json], new: dict[str, Json], licences: Licences
) -> tuple[list[Rewrite], dict[str, Json]]:
    """Take off the sole layers that the result no longer has."""
    inner = peeled(old, new, pair.nodes, licences)
    if inner is old:
        return [], old
    start = old
    while (layer := sole_layer(start, pair.nodes)) and layer[0] == ARGUMENTS and start is not inner:
        start = layer[1]
    exempt = not pair.path and start is inner and is_bare_chain(old, pair.nodes)
    sent = old if pair.path or start is inner else start
    return [Rewrite(Kind.UNWRAP, pair.path, sent=sent, bare=exempt)], inner


def _without_siblings(found: list[Rewrite], old: dict[str, Json], pair: _Pair) -> list[Rewrite]:
    """A wrapper whose siblings all went was a sole one by then: unwrapped, not merged."""
    dropped = {one.taken[0][0] for one in found if one.kind is Kind.DROP}
    merged = [one for one in found if one.kind is Kind.MERGE]
    if len(merged) != 1 or not old.keys() - {key for key, _ in merged[0].taken} <= dropped:
        return found
    sent: Json = dict(merged[0].taken)
    bare = not pair.path and is_bare_chain(sent, pair.nodes)
    unwrap = Rewrite(Kind.UNWRAP, pair.path, sent=sent, bare=bare)
    return [unwrap if one is merged[0] else one for one in found]


def _final_names(merged: list[Merged], at: int, became: dict[str, str]) -> Iterator[str]:
    """The keys of the result that came out of one packing, and out of those inside it."""
    todo = [(at, name) for name in reversed(merged[at][1])]
    while todo:
        outer, name = todo.pop()
        later = range(outer + 1, len(merged))
        nested = [one for one in later if name in {key for key, _ in merged[one][0]}]
        if nested:
            todo.extend((nested[0], other) for other in reversed(merged[nested[0]][1]))
        elif name in became:
            yield became[name]


class _Parts:
    """The keys of one object that went and came, explained by each other. `sent` maps a key of
    the result to the value as sent that became it."""

    def __init__(
        self,
        old: dict[str, Json],
        new: dict[str, Json],
        nodes: Nodes,
        licences: Licences,
        *,
        is_near: bool,
    ) -> None:
        self.old, self.new, self.nodes = old, new, nodes
        self.licences, self.is_near = licences, is_near
        self.went = self._gone(old)
        self.came = [key for key in new if key not in old or key in self.went]
        self.sent = {key: old[key] for key in new if key not in self.came}

    def explain(self) -> Iterator[Explained]:
        """Every rewrite of the object's keys: kind, what was taken, which keys were given."""
        merged = self._merged()
        yield from self._paths()
        became = {name: name for name in self.new}
        for kind, taken, given in self._renames():
            became[taken[0][0]] = given[0]
            yield kind, taken, given
        for at, (taken, _) in enumerate(merged):
            yield Kind.MERGE, taken, tuple(_final_names(merged, at, became))
        for key in self.went:
            yield Kind.DROP, ((key, self.old[key]),), ()
        for key in self.came:
            yield Kind.ADD, (), (key,)

    def _gone(self, old: dict[str, Json]) -> list[str]:
        return [key for key in old if key not in self.new or self._is_taken_off(old, key)]

    def _is_taken_off(self, old: dict[str, Json], key: str) -> bool:
        return self.is_near and is_gone(old, self.new, key) and not declares(self.nodes, key)

    def _merged(self) -> list[Merged]:
        """The wrapper keys that went, with what they hold; that counts as the object's own now."""
        found: list[Merged] = []
        todo = list(self.went) if len(self.old) > 1 else []
        while todo:
            packed = self._packed(todo.pop(0))
            if packed is None:
                continue
            keys, inner = packed
            found.append((tuple((key, self.old[key]) for key in keys), tuple(inner)))
            self._take(list(keys), tuple(inner))
            self.old = {
                **{name: one for name, one in self.old.items() if name not in keys},
                **inner,
            }
            went = self._gone(inner)
            self.went.extend(went)
            todo.extend(went)
            kept = [name for name in inner if name in self.new and name not in went]
            self.sent.update({name: inner[name] for name in kept})
        return found

    def _packed(self, key: str) -> tuple[tuple[str, ...], dict[str, Json]] | None:
        """The keys of one packing that went, a wrapper or an envelope, and what it holds."""
        keys: tuple[str, ...] = (key,)
        inner = wrapped_object(self.old, key, self.nodes)
        if inner is None and key == "value" and "type" in self.went:
            inner = enveloped_object(self.old, self.nodes, self.licences)
            keys = ("type", "value")
        if inner is None:
            return None
        if Licence.EQUAL_SIBLINGS in self.licences:
            repeated = repeated_siblings(self.old, key, inner, self.nodes)
            inner = {name: member for name, member in inner.items() if name not in repeated}
        inner = peeled(inner, self.new, self.nodes, self.licences)
        collides = any(name in self.old and name not in keys for name in inner)
        return None if collides or not inner else (keys, inner)

    def _paths(self) -> Iterator[Explained]:
        heads: dict[str, list[str]] = {}
        for key in self.went:
            parts = path_parts(key, self.nodes)
            if parts is not None and parts[0] in self.came:
                heads.setdefault(str(parts[0]), []).append(key)
        if heads:
            folded = unflattened(self.old, self.nodes) or {}
            self.sent.update({head: folded[head] for head in heads if head in folded})
            keys = [key for group in heads.values() for key in group]
            self._take(keys, tuple(heads))
            yield Kind.UNFLATTEN, tuple((key, self.old[key]) for key in keys), tuple(heads)

    def _renames(self) -> Iterator[Explained]:
        for is_pair in (self._is_alias, self._is_related, self._has_content):
            for name in list(self.came):
                source = next((key for key in self.went if is_pair(key, name)), None)
                if source is None:
                    continue
                self._take([source], (name,))
                self.sent[name] = self.old[source]
                yield Kind.RENAME, ((source, self.old[source]),), (name,)

    def _is_alias(self, key: str, name: str) -> bool:
        return are_related(key, name) and not declares(self.nodes, key)

    def _is_related(self, key: str, name: str) -> bool:
        return are_related(key, name)

    def _has_content(self, key: str, name: str) -> bool:
        return has_same_content(self.old[key], self.new[name])

    def _take(self, went: list[str], came: tuple[str, ...]) -> None:
        self.went = [key for key in self.went if key not in went]
        self.came = [key for key in self.came if key not in came]
