"""Loading sources: each whole or not at all, small ones several to a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from types import TracebackType
from typing import Final

import duckdb

from toolfix_audit.model.errors import BalanceError, StoreWriteError
from toolfix_audit.model.json import dump_json, escape_surrogates
from toolfix_audit.model.records import Unit
from toolfix_audit.store import loading_queries as queries
from toolfix_audit.store import tables
from toolfix_audit.store.connect import transaction, writing
from toolfix_audit.store.entries import Counts, SourceInfo, SourceTally
from toolfix_audit.store.gather import gather
from toolfix_audit.store.incoming import OfSource, put_batch, put_of_sources
from toolfix_audit.store.known import Change, KnownSources
from toolfix_audit.store.store import Store
from toolfix_audit.store.tables import Batch, Buffer, Row

CALL_DIGITS: Final = 12
"""Length of a call's id; it grows by four where two calls would have the same."""

GROUP_BYTES: Final = 8_000_000
GROUP_SOURCES: Final = 500
"""Small sources are written together until they are so much; a larger one is written alone."""


def load_source(
    store: Store,
    source: SourceInfo,
    units: Iterator[Unit],
    *,
    count_units: Callable[[], int] | None = None,
) -> SourceTally:
    """Load one source whole, or not at all: what `gather` makes of its units.

    A content that is there already is skipped, without taking a unit; another content that was
    at the same path goes in the same transaction.

    Raises:
        BalanceError: see `gather`.
        StoreWriteError: the store can't be written; it is as it was before.
    """
    path = escape_surrogates(source.path)
    with Loading(store) as loading:
        return loading.load(source, gather(units, path, source.format, count_units))


def call_name(digest: str, position: int, digits: int = CALL_DIGITS) -> str:
    """The id of a call: it depends on the content of its source and its place there alone."""
    return sha256(f"{digest}:{position}".encode("utf-8", "surrogatepass")).hexdigest()[:digits]


@dataclass(frozen=True, slots=True)
class _Whole:
    """A source that waits to be written."""

    change: Change
    counts: Counts
    batches: tuple[Batch, ...] = ()


class Loading:
    """An ingest under way. Use it in a `with` block: its end writes what is whole, even where an
    error ends it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known = KnownSources(store.connection)
        self._waiting: list[_Whole] = []
        self._waiting_bytes = 0

    def __enter__(self) -> Loading:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not isinstance(error, StoreWriteError):
            self._flush()

    def load(self, source: SourceInfo, batches: Iterator[Batch | Counts]) -> SourceTally:
        """Load a source whole, or not at all.

        `batches` are taken one by one, and only a few are held; the last item is the counts. A
        content that is there already is skipped, without taking any; another content that was at
        the same path goes in the same transaction. What `batches` raises passes as it is.

        Raises:
            BalanceError: the counts are missing.
            StoreWriteError: the store can't be written; it is as it was before.
        """
        source = replace(source, path=escape_surrogates(source.path))
        change = self._known.change(source)
        held = self._known.held(source.digest)
        if held is not None:
            if change.is_needed:
                self._wait(_Whole(change, held.counts))
            return self._known.note(change, held.counts)
        first: list[Batch] = []
        size = 0
        for item in batches:
            if isinstance(item, Counts):
                self._wait(_Whole(change, item, tuple(first)), size)
                return self._known.note(change, item)
            first.append(item)
            size += item.rows.nbytes
            if size > GROUP_BYTES:
                return self._load_alone(change, first, batches)
        raise _uncounted(source)

    def _wait(self, whole: _Whole, size: int = 0) -> None:
        is_full = self._waiting_bytes + size > GROUP_BYTES or len(self._waiting) >= GROUP_SOURCES
        if is_full or any(whole.change.touches(other.change) for other in self._waiting):
            self._flush()
        self._waiting.append(whole)
        self._waiting_bytes += size

    def _flush(self) -> None:
        waiting, self._waiting, self._waiting_bytes = self._waiting, [], 0
        if not waiting:
            return
        store = self._store
        with transaction(store.connection, store.path), writing(store.path):
            _drop(store.connection, [whole.change for whole in waiting])
            _put_rows(store.connection, [(w.change, batch) for w in waiting for batch in w.batches])
            _finish(store.connection, waiting)

    def _load_alone(
        self, change: Change, first: list[Batch], rest: Iterator[Batch | Counts]
    ) -> SourceTally:
        self._flush()
        store = self._store
        with transaction(store.connection, store.path):
            with writing(store.path):
                _drop(store.connection, [change])
                while first:  # let go of each as it is written
                    _put_rows(store.connection, [(change, first.pop(0))])
            counts = _put_rest(store, change, rest)
            with writing(store.path):
                _finish(store.connection, [_Whole(change, counts)])
        return self._known.note(change, counts)


def _put_rest(store: Store, change: Change, rest: Iterator[Batch | Counts]) -> Counts:
    for item in rest:
        if isinstance(item, Counts):
            return item
        with writing(store.path):
            _put_rows(store.connection, [(change, item)])
    raise _uncounted(change.source)


def _uncounted(source: SourceInfo) -> BalanceError:
    return BalanceError(f"{source.path}: it was never counted", hint="a bug: please report it")


def _drop(connection: duckdb.DuckDBPyConnection, changes: Sequence[Change]) -> None:
    """Remove the contents that go, and the paths at which something else is now."""
    for change in changes:
        if change.drops is not None:
            for statement in queries.DROP_SOURCE:
                connection.execute(statement, [change.drops])
        if change.shows is not None:
            connection.execute(queries.SHOW_AT_PATH, list(change.shows))
    moved = [change.source.path for change in changes]
    connection.execute(queries.DROP_PATHS, {"paths": moved})


def _put_rows(connection: duckdb.DuckDBPyConnection, rows: Sequence[tuple[Change, Batch]]) -> None:
    """Insert batches of one or more sources, those of one table together."""
    by_table: dict[str, list[OfSource]] = {}
    for change, batch in rows:
        of_source = OfSource(change.number, change.source.digest, batch.rows)
        by_table.setdefault(batch.table, []).append(of_source)
    for table, parts in by_table.items():
        put_of_sources(connection, table, parts, {"digits": CALL_DIGITS})


def _finish(connection: duckdb.DuckDBPyConnection, written: Sequence[_Whole]) -> None:
    """Part the ids of the new calls, and write the sources themselves."""
    full: list[Batch] = []
    sources = Buffer(tables.SOURCES, full)
    paths = Buffer(tables.SOURCE_PATHS, full)
    fresh: dict[int, str] = {}
    for whole in written:
        change, source = whole.change, whole.change.source
        paths.add((source.path, source.digest, source.stamp))
        if change.is_new:
            fresh[change.number] = source.digest
            sources.add(_source_row(change, whole.counts))
        elif source.labels:
            connection.execute(queries.PUT_LABELS, [_labels(change), source.digest])
    _part_calls(connection, fresh)
    sources.flush()
    paths.flush()
    for batch in full:
        put_batch(connection, batch)
    if any(whole.change.drops is not None for whole in written):
        for statement in queries.SWEEP:
            connection.execute(statement)


def _source_row(change: Change, counts: Counts) -> Row:
    source = change.source
    return (
        change.number,
        source.digest,
        source.path,
        source.format,
        source.size,
        _labels(change),
        counts.units,
        counts.records,
        sum(counts.ignored.values()),
        counts.unreadable,
        counts.calls,
        counts.results,
        counts.texts,
    )


def _labels(change: Change) -> str:
    return dump_json(dict(change.labels), sort_keys=True)


def _part_calls(connection: duckdb.DuckDBPyConnection, fresh: Mapping[int, str]) -> None:
    """Lengthen the ids of these sources that another call had first."""
    clashes = connection.execute(queries.CLASHING_CALLS, {"sources": list(fresh)}).fetchall()
    for number, position, key in clashes:
        taken = {row[0] for row in connection.execute(queries.CALLS_OF_KEY, [key]).fetchall()}
        digits = CALL_DIGITS + 4
        while (name := call_name(fresh[number], position, digits)) in taken:
            digits += 4
        connection.execute(queries.RENAME_CALL, [name, number, position])
