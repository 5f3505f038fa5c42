"""What makes a schema unusable: faults of its own, and references or patterns that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from jsonschema.protocols import Validator
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # a data package
from referencing import Resource
from referencing._core import Resolver
from referencing.exceptions import NoSuchResource, Unresolvable
from referencing.jsonschema import DRAFT202012, SchemaRegistry

from toolfix_audit.engine.judges.effort import spend
from toolfix_audit.engine.judges.patterns import compiles
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import to_pointer
from toolfix_audit.model.repair import Unusable
from toolfix_audit.model.words import UnjudgedReason

UNRESOLVED: Final = (
    Unresolvable,
    NoSuchResource,
    ValueError,
    TypeError,
    AttributeError,
    KeyError,
    IndexError,
)
"""What a look-up raises for a reference that leads nowhere, or through garbage."""

KNOWN: Final[SchemaRegistry] = REGISTRY  # the metaschemas of every draft; fetches nothing

MAX_REFERENCE_CHAIN: Final = 50
"""References that lead to references to references … beyond this make a schema unusable."""

MAX_SCHEMAS: Final = 20_000
"""Objects in a schema beyond which it is not looked at."""

_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")

_Place: TypeAlias = "tuple[Resource[Any], Resolver[Any]]"


def fault_of(schema: Json, cls: type[Validator] | None) -> Unusable | None:
    """The first fault of a schema: what its metaschema says, a reference that does not resolve,
    a pattern that can't be run. What a reference leads to is looked at as well, wherever it
    stands. `cls` is the class whose metaschema counts."""
    if _count_objects(schema) > MAX_SCHEMAS:
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema is too large")
    return _Look(cls).at(schema)


def _count_objects(schema: Json) -> int:
    """How many objects there are in a schema."""
    count = 0
    todo: list[Json] = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            count += 1
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return count


@dataclass(slots=True)
class _Look:
    """One look at a schema; each schema object is looked at once."""

    cls: type[Validator] | None
    seen: set[int] = field(default_factory=set)
    places: list[_Place] = field(default_factory=list)

    def at(self, schema: Json) -> Unusable | None:
        fault = self._by_metaschema(schema)
        if fault is not None:
            return fault
        root: Resource[Any] = Resource.from_contents(
            cast(Any, schema), default_specification=DRAFT202012
        )
        self._take((root, KNOWN.with_resource("", root).resolver()))
        while fault is None and self.places:
            resource, resolver = self.places.pop()
            fault = _pattern_fault(resource.contents)
            for target in _targets(resource.contents, resolver):
                fault = fault or self._follow(target)
        return fault

    def _follow(self, target: _Place | Unusable) -> Unusable | None:
        if isinstance(target, Unusable):
            return target
        if id(target[0].contents) in self.seen:
            return None
        fault = self._by_metaschema(target[0].contents)
        if fault is None:
            self._take(target)
        return fault

    def _take(self, place: _Place) -> None:
        """Take a sound schema on the list, with all schemas that lie in it."""
        inside = [place]
        while inside:
            resource, resolver = inside.pop()
            contents = resource.contents
            if isinstance(contents, dict) and id(contents) not in self.seen:
                self.seen.add(id(contents))
                self.places.append((resource, resolver))
                subs = resource.subresources()
                inside.extend((sub, resolver.in_subresource(sub)) for sub in subs)

    def _by_metaschema(self, schema: Json) -> Unusable | None:
        if self.cls is None:
            return None
        for error in self.cls(self.cls.META_SCHEMA, registry=KNOWN).iter_errors(schema):
            place = to_pointer(tuple(error.absolute_path)) or "the root"
            return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, f"{place}: {error.message}")
        return None


def _targets(contents: dict[str, Any], resolver: Resolver[Any]) -> Iterator[_Place | Unusable]:
    """What the references of a schema object lead to."""
    for keyword in _REFERENCES:
        reference = contents.get(keyword)
        if isinstance(reference, str):
            yield _resolve(reference, resolver)


def _resolve(reference: str, resolver: Resolver[Any]) -> _Place | Unusable:
    """The schema that a reference leads to, in a few hops."""
    for _ in range(MAX_REFERENCE_CHAIN):
        spend()
        try:
            found = resolver.lookup(reference)
        except UNRESOLVED:
            local = reference.startswith("#")
            reason = UnjudgedReason.SCHEMA_UNUSABLE if local else UnjudgedReason.REMOTE_REF
            return Unusable(reason, f"the reference {reference!r} does not resolve")
        if not isinstance(found.contents, dict | bool):
            detail = f"the reference {reference!r} leads to no schema"
            return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, detail)
        further = found.contents.get("$ref") if isinstance(found.contents, dict) else None
        if not isinstance(further, str):
            contents = cast(Any, found.contents)
            resource = Resource.from_contents(contents, default_specification=DRAFT202012)
            return resource, found.resolver
        resolver, reference = found.resolver, further
    detail = "references lead to references without end"
    return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, detail)


def _pattern_fault(contents: dict[str, Any]) -> Unusable | None:
    patterns = list(contents.get("patternProperties") or ())
    if isinstance(contents.get("pattern"), str):
        patterns.append(contents["pattern"])
    for pattern in patterns:
        if not compiles(pattern):
            return Unusable(
                UnjudgedReason.PATTERN_UNSUPPORTED, f"pattern {pattern!r} does not compile"
            )
    return None
