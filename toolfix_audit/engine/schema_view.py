"""What a schema provably says about one place of a value, and "may be" whenever in doubt.

A view is the schema that governs a place with references resolved and branches kept apart:
`Leaf` keywords, `Every` (all of them apply) and `Some` (at least one applies). Families ask it
what is declared, required or excluded; it never looks at the value and never validates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, KeysView
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, Final, cast

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # a data package
from referencing import Resource
from referencing._core import Resolver
from referencing.jsonschema import DRAFT202012, specification_with

from toolfix_audit.engine.judges.python import draft_of
from toolfix_audit.engine.judges.soundness import UNRESOLVED
from toolfix_audit.engine.schema_leaves import (
    ClosedList,
    admits_free_text,
    describes_extra,
    leaf_admits,
    listed_in,
    mapping_of,
    may_match,
    members_of,
    named_elsewhere,
    prefix_of,
    required_by,
)
from toolfix_audit.engine.schema_nodes import (
    ANYTHING,
    NOTHING,
    UNSEEN,
    Every,
    Leaf,
    Node,
    Some,
    Source,
    Unseen,
)
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.json_fast import dump_value

MAX_NODES: Final = 2_000
"""Schemas that one view may hold."""

MAX_NESTING: Final = 100
"""References and branches inside one another that a view follows."""

_REFERENCES: Final = ("$ref", "$recursiveRef", "$dynamicRef")
_REF_HIDES_SIBLINGS: Final = frozenset({3, 4, 6, 7})


class SchemaView:
    """The view of one place. Children are made on demand and kept."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._children: dict[str | int | tuple[str, ...], SchemaView] = {}
        self._admitted: dict[str, bool] = {}
        parts = tuple(_parts(node))
        self.size = len(parts)
        """How many schemas speak of the place."""
        self.is_partial = any(isinstance(part, Unseen) for part in parts)
        """Whether something was not looked at: then every key counts as declared."""

    @staticmethod
    def of(schema: Json) -> SchemaView:
        """The view of the root of the values that a schema describes."""
        return _root_view(dump_value(schema))

    def child(self, part: str | int) -> SchemaView:
        """The view of a member (by key) or an item (by index)."""
        kind = self._kind(part)
        known = self._children.get(kind)
        if known is None:
            known = SchemaView(_guarded(lambda: _child(self._node, part)))
            self._children[kind] = known
        return known

    def _kind(self, part: str | int) -> str | int | tuple[str, ...]:
        """What parts share only if the same schemas speak of them: their children are kept, and
        must not grow with the values that come along."""
        if isinstance(part, int):
            return min(part, self._longest_prefix)
        if part in self._properties:
            return part
        return tuple(pattern for pattern in self._patterns if may_match(pattern, part))

    @cached_property
    def _longest_prefix(self) -> int:
        return max((len(prefix_of(leaf)) for leaf in _leaves(self._node)), default=0)

    @cached_property
    def _properties(self) -> dict[str, None]:
        names = (name for leaf in _leaves(self._node) for name in mapping_of(leaf, "properties"))
        return dict.fromkeys(names)

    @cached_property
    def _patterns(self) -> dict[str, None]:
        leaves = _leaves(self._node)
        patterns = (pattern for leaf in leaves for pattern in mapping_of(leaf, "patternProperties"))
        return dict.fromkeys(patterns)

    @cached_property
    def _other_names(self) -> frozenset[str]:
        return frozenset(name for leaf in _leaves(self._node) for name in named_elsewhere(leaf))

    @cached_property
    def _describes_all(self) -> bool:
        return self.is_partial or any(map(describes_extra, _leaves(self._node)))

    def admits(self, kind: str) -> bool:
        """Whether a value of that JSON type may be legal here: one of KINDS, where `number`
        means a number that is no integer."""
        known = self._admitted.get(kind)
        if known is None:
            known = _holds(self._node, lambda leaf: leaf_admits(leaf, kind))
            self._admitted[kind] = known
        return known

    def declares(self, key: str) -> bool:
        """Whether any branch names the key, matches it by pattern, or describes all keys."""
        return (
            self._describes_all
            or key in self._properties
            or key in self._other_names
            or any(may_match(pattern, key) for pattern in self._patterns)
        )

    def declares_each(self, keys: KeysView[str]) -> bool:
        """Whether it declares every one of these."""
        return keys <= self._properties.keys() or all(map(self.declares, keys))

    def declared_names(self) -> tuple[str, ...]:
        """The keys of `properties` in any branch, in the schema's order."""
        return tuple(self._properties)

    def required_names(self) -> frozenset[str]:
        """The keys that any branch requires."""
        return self._required

    @cached_property
    def _required(self) -> frozenset[str]:
        return frozenset(name for leaf in _leaves(self._node) for name in required_by(leaf))

    def surely_required_names(self) -> frozenset[str]:
        """The keys that every branch requires."""
        return _surely_required(self._node)

    @cached_property
    def closed_members(self) -> ClosedList | None:
        """The members of every `enum` and `const` here; None where some branch admits strings
        beyond such a list."""
        if _holds(self._node, admits_free_text):
            return None
        listed = (members_of(leaf) for leaf in _leaves(self._node))
        return ClosedList(
            tuple(member for members in listed if members is not None for member in members)
        )

    def is_free_form(self) -> bool:
        """Whether the schema declares no key at all: what an object holds is its own business."""
        return not (self._describes_all or self._properties or self._patterns)


def _guarded(make: Callable[[], Node]) -> Node:
    try:
        return make()
    except RecursionError:
        return UNSEEN


@lru_cache(maxsize=8192)
def _root_view(text: str) -> SchemaView:
    schema = parse_json(text)
    dialect = str(draft_of(schema).META_SCHEMA["$schema"])  # as the judge reads the schema
    specification = specification_with(dialect, default=DRAFT202012)
    resource: Resource[Any] = specification.create_resource(schema)
    resolver = cast("Resolver[Any]", REGISTRY.with_resource("", resource).resolver())
    hides = any(f"draft-0{number}" in dialect for number in _REF_HIDES_SIBLINGS)
    source = Source(resolver, specification, hides)
    return SchemaView(_guarded(lambda: _Expansion().expand(schema, source)))


class _Expansion:
    """Turns a schema into nodes: references followed, each schema object at most once a path."""

    def __init__(self) -> None:
        self._made = 0
        self._open: list[int] = []

    def expand(self, schema: Json, source: Source) -> Node:
        if schema is False:
            return NOTHING
        if not isinstance(schema, dict) or id(schema) in self._open:
            return ANYTHING
        if self._made >= MAX_NODES or len(self._open) >= MAX_NESTING:
            return UNSEEN
        self._made += 1
        self._open.append(id(schema))
        try:
            return self._object(schema, source.entered(schema))
        finally:
            self._open.pop()

    def _object(self, schema: dict[str, Json], source: Source) -> Node:
        referred = [
            self._referred(reference, source)
            for keyword in _REFERENCES
            if isinstance(reference := schema.get(keyword), str)
        ]
        if referred and source.ref_hides_siblings:
            return Every(tuple(referred))
        parts: list[Node] = [Leaf(schema, source), *referred]
        parts.extend(self.expand(part, source) for part in listed_in(schema, "allOf"))
        for keyword in ("anyOf", "oneOf"):
            branches = listed_in(schema, keyword)
            if branches:
                parts.append(Some(tuple(self.expand(branch, source) for branch in branches)))
        parts.extend(self._conditional(schema, source))
        return Every(tuple(parts))

    def _conditional(self, schema: dict[str, Json], source: Source) -> Iterator[Node]:
        if "if" in schema:
            yield Some((self.expand(schema["if"], source), ANYTHING))
            yield Some(
                tuple(self.expand(schema.get(word, True), source) for word in ("then", "else"))
            )
        dependent = [schema.get("dependentSchemas"), schema.get("dependencies")]
        for mapping in dependent:
            if isinstance(mapping, dict):
                for part in mapping.values():
                    if isinstance(part, dict):
                        yield Some((self.expand(part, source), ANYTHING))

    def _referred(self, reference: str, source: Source) -> Node:
        try:
            found = source.resolver.lookup(reference)
        except UNRESOLVED:
            return UNSEEN
        return self.expand(cast(Json, found.contents), replace(source, resolver=found.resolver))


def _child(node: Node, part: str | int) -> Node:
    expansion = _Expansion()
    if isinstance(part, str):
        return _descend(node, "object", lambda leaf: _member_nodes(leaf, part, expansion))
    return _descend(node, "array", lambda leaf: _item_nodes(leaf, part, expansion))


def _descend(node: Node, kind: str, inner: Callable[[Leaf], tuple[Node, ...]]) -> Node:
    if isinstance(node, Unseen):
        return node
    if isinstance(node, Leaf):
        return Every(inner(node))
    if isinstance(node, Every):
        return Every(tuple(_descend(part, kind, inner) for part in node.parts))
    fitting = [
        branch for branch in node.branches if _holds(branch, lambda leaf: leaf_admits(leaf, kind))
    ]
    if not fitting:
        return ANYTHING
    return Some(tuple(_descend(branch, kind, inner) for branch in fitting))


def _member_nodes(leaf: Leaf, key: str, expansion: _Expansion) -> tuple[Node, ...]:
    named = mapping_of(leaf, "properties")
    schemas: list[Json] = [named[key]] if key in named else []
    schemas.extend(
        schema
        for pattern, schema in mapping_of(leaf, "patternProperties").items()
        if may_match(pattern, key)
    )
    if not schemas and "additionalProperties" in leaf.keywords:
        schemas.append(leaf.keywords["additionalProperties"])
    return tuple(expansion.expand(schema, leaf.source) for schema in schemas)


def _item_nodes(leaf: Leaf, index: int, expansion: _Expansion) -> tuple[Node, ...]:
    keywords = leaf.keywords
    items = keywords.get("items")
    prefix = prefix_of(leaf)
    rest = keywords.get("additionalItems", True) if isinstance(items, list) else items
    if index < len(prefix):
        return (expansion.expand(prefix[index], leaf.source),)
    return () if rest is None else (expansion.expand(rest, leaf.source),)


def _holds(node: Node, test: Callable[[Leaf], bool]) -> bool:
    """Whether a condition may hold: in every part, and in at least one branch."""
    if isinstance(node, Unseen):
        return True
    if isinstance(node, Leaf):
        return test(node)
    if isinstance(node, Every):
        return all(_holds(part, test) for part in node.parts)
    return any(_holds(branch, test) for branch in node.branches)


def _leaves(node: Node) -> Iterator[Leaf]:
    return (part for part in _parts(node) if isinstance(part, Leaf))


def _parts(node: Node) -> Iterator[Leaf | Unseen]:
    todo: list[Node] = [node]
    while todo:
        item = todo.pop()
        if isinstance(item, Leaf | Unseen):
            yield item
        elif isinstance(item, Every):
            todo.extend(reversed(item.parts))
        else:
            todo.extend(reversed(item.branches))


def _surely_required(node: Node) -> frozenset[str]:
    if isinstance(node, Unseen):
        return frozenset()
    if isinstance(node, Leaf):
        return frozenset(required_by(node))
    if isinstance(node, Every):
        return frozenset().union(*(_surely_required(part) for part in node.parts))
    if not node.branches:
        return frozenset()
    return frozenset.intersection(*(_surely_required(branch) for branch in node.branches))
