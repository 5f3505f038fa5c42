"""The calls on which power is measured: the same ones, whatever the order or split of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from toolfix_audit.audit.spec import SchemaSet
from toolfix_audit.model.words import CHANGED, Outcome

PER_FAMILY: Final = 24
PER_OUTCOME: Final = 100
MAX_CHARACTERS: Final = 20_000
"""Longer calls are left out: to break them is slow, and proves nothing more."""

_CHANGED: Final = frozenset(outcome.value for outcome in CHANGED)
_KEPT: Final = frozenset({Outcome.VALID.value, Outcome.UNTOUCHED.value})


@dataclass(frozen=True, slots=True)
class PowerCall:
    """One recorded call. `arguments` is its JSON text, or the text as recorded where that does
    not parse; `schema` the JSON text of its schema; `names` the tools that were available;
    `families` the letters of the families that changed it."""

    call: str
    tool: str
    arguments: str
    schema: str
    names: tuple[str, ...]
    families: tuple[str, ...] = ()

    @property
    def order(self) -> str:
        """What calls are sorted by: it does not depend on where a call was found."""
        return order_of(self.call)


@dataclass(frozen=True, slots=True)
class _Row:
    call: str
    tool: str
    arguments: str
    digest: str
    catalog: str | None
    families: tuple[str, ...]


@dataclass(slots=True)
class Sample:
    """The calls with the smallest order of every stratum: each family that changed something,
    the valid calls, the untouched ones. `merge` is associative and commutative.

    `bounds` are orders that a stratum has enough smaller ones of."""

    strata: dict[str, dict[str, _Row]] = field(default_factory=dict)
    bounds: dict[str, str] = field(default_factory=dict)

    def add(self, rows: Iterable[Mapping[str, Any]], catalogs: Sequence[str | None]) -> None:
        """Offer the outcomes of a batch (columns OUTCOMES), with the catalogue id of each call."""
        for row, catalog in zip(rows, catalogs, strict=True):
            strata = _strata(row)
            if not strata or row["schema"] is None or len(row["before"]) > MAX_CHARACTERS:
                continue
            order = order_of(row["call"])
            for stratum in strata:
                if stratum not in self.bounds or order < self.bounds[stratum]:
                    self._keep(stratum, order, _row(row, catalog))

    def merge(self, other: Sample) -> None:
        """Add what another part of the run offers."""
        for stratum, rows in other.strata.items():
            for order, row in rows.items():
                self._keep(stratum, order, row)

    def _keep(self, stratum: str, order: str, row: _Row) -> None:
        kept = self.strata.setdefault(stratum, {})
        kept[order] = row
        if len(kept) >= 2 * _size(stratum):
            self.strata[stratum] = smallest = _smallest(kept, _size(stratum))
            self.bounds[stratum] = max(smallest)

    def calls(self, schemas: SchemaSet) -> tuple[PowerCall, ...]:
        """The sample with its schemas, in order; a call of several strata once."""
        chosen: dict[str, _Row] = {}
        for stratum, rows in self.strata.items():
            chosen.update(_smallest(rows, _size(stratum)))
        return tuple(_call(chosen[order], schemas) for order in sorted(chosen))


def order_of(call: str) -> str:
    """The order of a call id in every sample."""
    return hashlib.sha256(call.encode("utf-8", "backslashreplace")).hexdigest()


def _row(row: Mapping[str, Any], catalog: str | None) -> _Row:
    return _Row(
        row["call"],
        row["resolved"] if row["outcome"] in _CHANGED else row["tool"],
        row["before"],
        row["schema"],
        catalog,
        tuple(row["families"]),
    )


def _call(row: _Row, schemas: SchemaSet) -> PowerCall:
    tools = schemas.catalogs.get(row.catalog or "") or schemas.supplied
    return PowerCall(
        call=row.call,
        tool=row.tool,
        arguments=row.arguments,
        schema=schemas.texts[row.digest],
        names=tuple(sorted(tools)),
        families=row.families,
    )


def _strata(row: Mapping[str, Any]) -> list[str]:
    if row["outcome"] in _CHANGED:
        return [f"family {code}" for code in row["families"]]
    return [row["outcome"]] if row["outcome"] in _KEPT else []


def _size(stratum: str) -> int:
    return PER_OUTCOME if stratum in _KEPT else PER_FAMILY


def _smallest(rows: dict[str, _Row], size: int) -> dict[str, _Row]:
    return {order: rows[order] for order in sorted(rows)[:size]}
