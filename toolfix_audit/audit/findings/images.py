"""Family H over a store: results that hold an image as text, and what a right form would be."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from toolfix_audit.audit.findings.sightings import Sighting, Sightings, cut
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.report_findings import FoundRow, Images, LoweringRow
from toolfix_audit.store.finding_rows import ResultRow, place_key, telling_results
from toolfix_audit.store.store import Store
from toolfix_audit.wire.results import Head, dry_run
from toolfix_audit.wire.results.lowering import ImageFinding
from toolfix_audit.wire.results.stringified import MARKS
from toolfix_audit.wire.results.targets import TARGETS

_HEAD: Final = r"^[ \t\r\n]*(?:[\[{\"]|[dD][aA][tT][aA]:|iVBORw0KGgo|/9j|R0lGOD|UklGR)"
"""How a text begins that is an image, or that is JSON."""

_URI: Final = "data:"
_MARKS: Final = "|".join(
    ("[bB][aA][sS][eE]64[ \t]*,", *(re.escape(mark) for mark in MARKS if mark != _URI))
)
"""What an image or another medium can't do without; of a data URI the end of its head."""

_SHOWN: Final = 160


class _Savings:
    """What the right forms would save, added up by target."""

    def __init__(self) -> None:
        self.results = self.images = self.characters = 0
        self._lowered: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._estimated: Counter[str] = Counter()
        self._before: Counter[str] = Counter()
        self._after: Counter[str] = Counter()

    def add(self, finds: tuple[ImageFinding, ...]) -> None:
        self.results += 1
        self.images += len(finds[0].found.images)
        self.characters += max(find.characters_removed for find in finds)
        for find in finds:
            name = find.target.name
            (self._refused if find.lowered is None else self._lowered)[name] += 1
            tokens = find.tokens
            if find.lowered is not None and tokens.after is not None:
                self._estimated[name] += 1
                self._before[name] += tokens.before
                self._after[name] += tokens.after

    def done(self) -> Images:
        rows = tuple(
            LoweringRow(
                target.name,
                lowered=self._lowered[target.name],
                refused=self._refused[target.name],
                estimated=self._estimated[target.name],
                tokens_before=self._before[target.name],
                tokens_after=self._after[target.name],
                method=target.price.method if target.price else "",
            )
            for target in TARGETS
        )
        return Images(self.results, self.images, self.characters, rows if self.results else ())


def find_images(store: Store, sightings: Sightings) -> Images:
    """Count the results of a store that hold images or other media as text."""
    savings = _Savings()
    for row in telling_results(store, _HEAD, _MARKS):
        finds = images_in(row)
        if finds:
            savings.add(finds)
            sightings.add(sighting_of(row, finds))
    return savings.done()


def images_in(row: ResultRow) -> tuple[ImageFinding, ...]:
    """The right forms of a result for every target; empty if nothing is wrong with it."""
    head = Head(row.call_id or "", row.tool or "tool", row.is_error)
    return dry_run(_content(row), head)


def _content(row: ResultRow) -> Json:
    if row.blocks is None:
        return row.text
    try:
        return parse_json(row.blocks)
    except JsonError:
        return row.text


def sighting_of(row: ResultRow, finds: tuple[ImageFinding, ...]) -> Sighting:
    """The find that a result is."""
    found = finds[0].found
    lowered = [find for find in finds if find.lowered is not None]
    media = found.unsupported or ", ".join(sorted({image.media_type for image in found.images}))
    return Sighting(
        place_key(row.digest, row.position),
        FoundRow(
            family="H",
            kind="image_as_text" if found.unsupported is None else "media_as_text",
            variant=media,
            tool=row.tool,
            model=row.model,
            count=1,
            repairable=int(bool(lowered)),
            session=row.session,
            path=row.path,
            call=row.call,
            shown=cut(row.text or row.blocks or "", _SHOWN),
            says=_says(finds[0], lowered),
        ),
    )


def _says(find: ImageFinding, lowered: list[ImageFinding]) -> str:
    """What each right form would take away, or why there is none."""
    if not lowered:
        return f"not repairable: {(find.error or '').replace('_', ' ').replace(':', ': ')}"
    removed = lowered[0].characters_removed
    names = ", ".join(one.target.name for one in lowered)
    tokens = lowered[0].tokens.before
    return f"an image block in {names}: {removed:,} characters less, about {tokens:,} tokens"
