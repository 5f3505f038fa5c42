"""What a store holds, remembered while an ingest adds to it: asking it file by file takes longer
than reading a small log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import duckdb

from toolfix_audit.model.json import parse_json
from toolfix_audit.store import loading_queries as queries
from toolfix_audit.store.connect import first_row
from toolfix_audit.store.entries import Counts, SourceInfo, SourceTally


@dataclass(frozen=True, slots=True)
class Held:
    """A content in the store."""

    number: int
    counts: Counts
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """What it means that a content is at a path now.

    `number` is the content's, new or not; `labels` are all that it has then. `moves` says that
    the path had another content or none; `drops` is the number of a content that is nowhere any
    more, `shows` another path of the earlier content, and its digest. `is_needed` tells whether
    the store differs afterwards.
    """

    source: SourceInfo
    number: int
    labels: Mapping[str, str]
    is_new: bool
    moves: bool
    is_needed: bool
    drops: int | None = None
    shows: tuple[str, str] | None = None

    def touches(self, earlier: Change) -> bool:
        """Whether an earlier change must be in the store before this one is made."""
        return (
            self.source.path == earlier.source.path
            or self.drops == earlier.number
            or (self.shows is not None and self.shows[1] == earlier.source.digest)
        )


class KnownSources:
    """The contents of a store and the paths at which they were seen."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Ask the store.

        Raises:
            duckdb.Error: it can't be read.
        """
        ignored: dict[int, dict[str, int]] = {}
        for number, kind, count in connection.execute(queries.IGNORED).fetchall():
            ignored.setdefault(number, {})[kind] = count
        self._held: dict[str, Held] = {}
        for digest, number, labels, units, records, *rest in connection.execute(
            queries.SOURCES
        ).fetchall():
            counts = Counts(units, records, ignored.get(number, {}), *rest)
            self._held[digest] = Held(number, counts, cast("dict[str, str]", parse_json(labels)))
        self._paths: dict[str, tuple[str, str | None]] = {}
        self._seen_at: dict[str, dict[str, None]] = {}
        for path, digest, stamp in connection.execute(queries.PATHS).fetchall():
            self._put_path(path, digest, stamp)
        row = first_row(connection, queries.NEXT_SOURCE)
        self._next = int(row[0]) if row else 1

    def held(self, digest: str) -> Held | None:
        """What is there of a content."""
        return self._held.get(digest)

    def change(self, source: SourceInfo) -> Change:
        """What having this content at that path would change. Nothing is changed yet."""
        held = self._held.get(source.digest)
        earlier, stamp = self._paths.get(source.path, (None, None))
        change = Change(
            source,
            self._next if held is None else held.number,
            dict(source.labels) if held is None else {**held.labels, **source.labels},
            is_new=held is None,
            moves=earlier != source.digest,
            is_needed=held is None
            or (earlier, stamp) != (source.digest, source.stamp)
            or not source.labels.items() <= held.labels.items(),
        )
        if earlier is None or not change.moves:
            return change
        elsewhere = next((path for path in self._seen_at[earlier] if path != source.path), None)
        if elsewhere is not None:
            return replace(change, shows=(elsewhere, earlier))
        gone = self._held[earlier].number
        return replace(change, drops=gone, number=gone if held is None else change.number)

    def note(self, change: Change, counts: Counts) -> SourceTally:
        """Remember a change; gives what it comes to."""
        source = change.source
        earlier, _ = self._paths.get(source.path, (None, None))
        if change.moves and earlier is not None:
            del self._seen_at[earlier][source.path]
            if change.drops is not None:
                del self._held[earlier], self._seen_at[earlier]
        self._put_path(source.path, source.digest, source.stamp)
        self._held[source.digest] = Held(change.number, counts, change.labels)
        self._next = max(self._next, change.number + 1)
        is_replaced = change.drops is not None
        return SourceTally.of(
            counts, source.digest, skipped=not change.is_new, replaced=is_replaced
        )

    def _put_path(self, path: str, digest: str, stamp: str | None) -> None:
        self._paths[path] = (digest, stamp)
        self._seen_at.setdefault(digest, {})[path] = None
