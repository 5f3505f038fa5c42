"""The arguments on their way through the search, and the parts that are searched by themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from toolfix_audit.engine.judges.pair import PairJudge
from toolfix_audit.engine.judges.python import PartJudge
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.repair import Judge, Step, Violation

_BRANCHING: Final = (
    "/anyOf", "/oneOf", "/not", "/contains", "/if", "/propertyNames", "/unevaluatedProperties",
)  # fmt: skip


@dataclass(frozen=True)
class State:
    """A value as it stands, what the judge says of it, and the steps so far."""

    value: Json
    violations: tuple[Violation, ...]
    steps: tuple[Step, ...] = ()

    @cached_property
    def violated(self) -> frozenset[Path]:
        """The paths of the violations, and every path above one."""
        return frozenset(
            violation.path[:length]
            for violation in self.violations
            for length in range(len(violation.path) + 1)
        )

    @cached_property
    def branching(self) -> frozenset[Path]:
        """The places where violations may hide below, inside branches."""
        return frozenset(one.path for one in self.violations if one.keyword.endswith(_BRANCHING))

    @cached_property
    def below(self) -> dict[str | int, tuple[Violation, ...]]:
        """The violations at or below each part of the value, as the part's own judge has them."""
        found: dict[str | int, list[Violation]] = {}
        for one in self.violations:
            if one.path:
                found.setdefault(one.path[0], []).append(replace(one, path=one.path[1:]))
        return {part: tuple(violations) for part, violations in found.items()}

    @cached_property
    def by_key(self) -> Counter[str | int | None]:
        """How many violations concern each key of the value, be it present or absent."""
        return Counter(one.path[0] if one.path else one.key for one in self.violations)

    def is_violated_at(self, path: Path) -> Callable[[str], bool]:
        """A test for the members of the value at a place: does a violation lie there or below?"""
        return lambda key: (*path, key) in self.violated

    def concerns(self, path: Path) -> bool:
        """Whether a violation lies at or below the place, or hides inside branches above it."""
        if not path:
            return bool(self.violations)
        if path in self.violated:
            return True
        return bool(self.branching) and any(
            path[:length] in self.branching for length in range(len(path) + 1)
        )


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of the arguments that is searched by itself: where it lies, and its own judge.

    Whatever is changed inside leaves the violations outside as they are.
    """

    base: Path
    judge: Judge
    view: SchemaView

    @property
    def divides(self) -> bool:
        """Whether each member or item of the value is a scope of its own."""
        return isinstance(self.judge, PairJudge | PartJudge) and self.judge.division is not None

    @property
    def is_additive(self) -> bool:
        """Whether, besides, the keys of an object don't depend on one another."""
        division = self.judge.division if isinstance(self.judge, PairJudge | PartJudge) else None
        return division is not None and division.is_additive

    def part(self, part: str | int) -> Scope:
        """The scope of a member or item, where this one divides."""
        judge = self.judge.of_part(part) if isinstance(self.judge, PairJudge | PartJudge) else None
        if judge is None:
            raise ValueError("the schema does not divide here")
        return Scope((*self.base, part), judge, self.view.child(part))
