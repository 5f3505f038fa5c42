"""Finds counted by kind, tool and model, each kind with the one example that sorts first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from toolfix_audit.model.report_findings import FoundRow

MAX_ROWS: Final = 200
"""Rows of a family in a report; the finds of the others are counted."""

_SHOWN: Final = 600


@dataclass(frozen=True, slots=True)
class Sighting:
    """One find; `key` orders it among its like, in every store alike."""

    key: str
    row: FoundRow


def cut(text: str, most: int = _SHOWN) -> str:
    """A text as an example shows it: cut, with what is missing counted."""
    return text if len(text) <= most else f"{text[:most]}… +{len(text) - most:,} chars"


class Sightings:
    """Counts finds; the order in which they come makes no difference."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], Sighting] = {}

    def add(self, sighting: Sighting) -> None:
        """Count a find, which is an example of its kind until one comes that sorts before it."""
        row = sighting.row
        key = (row.family, row.kind, row.variant, row.tool or "", row.model or "")
        known = self._found.get(key)
        if known is None:
            self._found[key] = sighting
            return
        first = min(known, sighting, key=lambda one: (one.key, one.row.says))
        count = known.row.count + row.count
        repairable = known.row.repairable + row.repairable
        counted = replace(first.row, count=count, repairable=repairable)
        self._found[key] = Sighting(first.key, counted)

    def rows(self) -> tuple[tuple[FoundRow, ...], int]:
        """The rows by family, the most frequent first, and how many finds are in no row."""
        kept: list[FoundRow] = []
        rows: Counter[str] = Counter()
        left = 0
        for key in sorted(self._found, key=lambda key: (key[0], -self._found[key].row.count, key)):
            row = self._found[key].row
            rows[row.family] += 1
            if rows[row.family] <= MAX_ROWS:
                kept.append(row)
            else:
                left += row.count
        return tuple(kept), left
