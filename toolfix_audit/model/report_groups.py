"""Rows of the report that set its calls beside each other: by judge, by group, by earlier report.

Every count counts calls unless its name says else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BasisRow:
    """What calls were judged by: `origin` is where the schema came from (None: there was none),
    `judge` is `pair` (the default), `shallow`, `foreign` (one that was asked for), or `none`."""

    origin: str | None
    judge: str
    calls: int
    outcomes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """The calls that have these values, one for each key; an absent one is the empty text."""

    values: tuple[str, ...]
    calls: int
    outcomes: Mapping[str, int]
    misfixes: int = 0


@dataclass(frozen=True, slots=True)
class Grouping:
    """Calls by the keys `by`, the worst groups first. `more` groups with `more_calls` calls in
    all were left off."""

    by: tuple[str, ...]
    rows: tuple[GroupRow, ...]
    more: int = 0
    more_calls: int = 0


@dataclass(frozen=True, slots=True)
class Regression:
    """Calls of a kind that were fixed and are not any more, at least so many."""

    tool: str
    schema: str | None
    shape: str
    families: tuple[str, ...]
    calls: int


@dataclass(frozen=True, slots=True)
class Earlier:
    """The figures of an earlier report, and what was fixed in it and is not any more:
    `regressed` calls, of which `regressions` names the first kinds. `fixed` counts by family."""

    tool_version: str
    calls: int
    unreadable: int
    outcomes: Mapping[str, int]
    misfixes: int
    probes: int
    fixed: Mapping[str, int]
    regressed: int
    regressions: tuple[Regression, ...]
