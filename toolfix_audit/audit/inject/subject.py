"""What is damaged: a call that the judge and the host accepted, or generated arguments."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from toolfix_audit.audit.inject.ground import Ground
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.repair import Judge, JudgeLimitError

MAX_PLACES: Final = 400
"""So many places of one value are looked at."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A valid call. `names` are the tools of its request, its own among them."""

    call: str
    tool: str
    names: tuple[str, ...]
    ground: Ground
    judge: Judge
    value: dict[str, Json]

    def count(self, value: Json) -> int | None:
        """How many violations a value has; None where the judge gives up."""
        try:
            return len(self.judge.violations(value))
        except JudgeLimitError:
            return None


@dataclass(frozen=True, slots=True)
class Planted:
    """A damaged copy of a subject's call. `arguments` is what the engine is given: a value, or
    recorded text. `provable_when_valid` marks the one defect that is repaired although the judge
    accepts it: the wrapper that swallows all arguments."""

    family: str
    variant: str
    place: Path
    arguments: Json
    tool: str
    provable_when_valid: bool = False


Planter: TypeAlias = Callable[[Subject, "dict[str, Json]", Random], Iterator[Planted]]
"""Every provable way to damage a value (the subject's own, or one that is damaged already)."""


def places_of(value: Json) -> list[tuple[Path, Json]]:
    """Every place below the root, level by level; the first MAX_PLACES."""
    found: list[tuple[Path, Json]] = []
    level: list[tuple[Path, Json]] = [((), value)]
    while level and len(found) < MAX_PLACES:
        below: list[tuple[Path, Json]] = []
        for path, item in level:
            if isinstance(item, dict):
                below.extend(((*path, key), member) for key, member in item.items())
            elif isinstance(item, list):
                below.extend(((*path, index), member) for index, member in enumerate(item))
        found.extend(below)
        level = below
    return found[:MAX_PLACES]


def objects_of(value: dict[str, Json]) -> list[tuple[Path, dict[str, Json]]]:
    """Every object with its place, the root first."""
    below = [(path, member) for path, member in places_of(value) if isinstance(member, dict)]
    return [((), value), *below]


def random_of(*parts: str | int) -> Random:
    """A generator that is the same wherever the parts are: no clock, no global state."""
    text = "\x1f".join(map(str, parts))
    seed = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return Random(seed)  # noqa: S311 — chooses where to damage a copy, and guards nothing
