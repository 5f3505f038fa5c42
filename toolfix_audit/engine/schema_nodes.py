"""The parts of a schema view: keywords of one schema object, all of several, some of several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, cast

from referencing import Specification
from referencing._core import Resolver

from toolfix_audit.engine.judges.soundness import UNRESOLVED
from toolfix_audit.model.json import Json


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """The keywords of one schema object that speak of this place itself."""

    keywords: Mapping[str, Json]
    source: Source


@dataclass(frozen=True, slots=True, eq=False)
class Every:
    """All parts apply; none means that anything is admitted."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Some:
    """At least one branch applies; none means that nothing is admitted."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unseen:
    """A part that was not looked at, beyond the bounds: it may say anything."""


Node: TypeAlias = "Leaf | Every | Some | Unseen"

ANYTHING: Final = Every(())
NOTHING: Final = Some(())
UNSEEN: Final = Unseen()


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Where a schema stands: what resolves its references, and the draft that reads it."""

    resolver: Resolver[Any]
    specification: Specification[Any]
    ref_hides_siblings: bool

    def entered(self, schema: Mapping[str, Json]) -> Source:
        """The source inside a schema, which may have an identifier of its own."""
        if "$id" not in schema and "id" not in schema:
            return self
        resource = self.specification.create_resource(cast(Any, schema))
        try:
            return replace(self, resolver=self.resolver.in_subresource(resource))
        except UNRESOLVED:
            return self
