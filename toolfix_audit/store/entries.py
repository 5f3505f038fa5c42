"""What goes into and comes out of a store, beside the records of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

SuppliedOrigin: TypeAlias = Literal["catalogue", "inferred", "alternate"]
"""Why a supplied schema is there: a user's file, one inferred, one only for probes."""

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A file to load. `digest` is that of its content and identifies it, `path` is how it is
    shown, `size` its length in bytes. `stamp` tells by the file's status alone that it is still
    the same; None if it can't be told."""

    digest: str
    path: str
    format: str
    size: int
    labels: Mapping[str, str] = field(default_factory=lambda: _NONE)
    stamp: str | None = None


@dataclass(frozen=True, slots=True)
class KnownSource:
    """The content that was last read at a path."""

    digest: str
    format: str
    size: int
    stamp: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    """What a source held: units = records + ignored (by kind) + unreadable."""

    units: int
    records: int
    ignored: Mapping[str, int]
    unreadable: int
    calls: int
    results: int
    texts: int


@dataclass(frozen=True, slots=True)
class SourceTally(Counts):
    """What a source held, and what loading it meant.

    `skipped` says that the content was there already, and the figures are those of then;
    `replaced` that an earlier content at the same path went.
    """

    digest: str
    skipped: bool = False
    replaced: bool = False

    @classmethod
    def of(
        cls, counts: Counts, digest: str, *, skipped: bool = False, replaced: bool = False
    ) -> SourceTally:
        """The tally of a content with these counts."""
        return cls(
            counts.units,
            counts.records,
            counts.ignored,
            counts.unreadable,
            counts.calls,
            counts.results,
            counts.texts,
            digest,
            skipped,
            replaced,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """One dry run. `spec` and `report` are JSON texts; `report` is None until it is made."""

    run: str
    spec: str
    report: str | None = None
    started: str | None = None


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The answer to a user's query."""

    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
