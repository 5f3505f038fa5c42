"""Loading one source: its units, in one transaction, a batch at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Final, assert_never

import duckdb

from toolfix_audit.model.errors import BalanceError
from toolfix_audit.model.json import dump_json, escape_surrogates
from toolfix_audit.model.records import (
    AssistantText,
    Call,
    Record,
    Result,
    Session,
    StreamError,
    ToolCatalog,
    Unit,
)
from toolfix_audit.store import queries, tables
from toolfix_audit.store.catalogs import CatalogWriter
from toolfix_audit.store.connect import first_row, transaction, writing
from toolfix_audit.store.entries import SourceInfo, SourceTally
from toolfix_audit.store.store import Store

CALL_DIGITS: Final = 12
"""Length of a call's id; it grows by four where two calls would have the same."""


def load_source(
    store: Store,
    source: SourceInfo,
    units: Iterator[Unit],
    *,
    count_units: Callable[[], int] | None = None,
) -> SourceTally:
    """Load a source whole, or not at all.

    `units` are taken one by one and never held. A content that is there already is skipped,
    without taking a unit; another content that was at the same path goes in the same
    transaction. `count_units`, asked after the last unit, is the reader's own count of them.

    Raises:
        BalanceError: a unit was lost, or is not exactly one of read, ignored and unreadable, or
            the positions of the calls do not rise.
        StoreWriteError: the store can't be written; it is as it was before.
    """
    source = replace(source, path=escape_surrogates(source.path))
    with transaction(store.connection, store.path):
        return _load(store, source, units, count_units)


def call_name(digest: str, position: int, digits: int = CALL_DIGITS) -> str:
    """The id of a call: it depends on the content of its source and its place there alone."""
    return sha256(f"{digest}:{position}".encode("utf-8", "surrogatepass")).hexdigest()[:digits]


def _load(
    store: Store,
    source: SourceInfo,
    units: Iterator[Unit],
    count_units: Callable[[], int] | None,
) -> SourceTally:
    with writing(store.path):
        present = _stored_tally(store.connection, source.digest)
        number, replaced = _take_path(store.connection, source)
    if present is None:
        loader = _Loader(store, source, number)
        for unit in units:
            loader.take(unit)
        tally = loader.finish(count_units() if count_units else None, replaced=replaced)
    else:
        tally = replace(present, replaced=replaced)
    if replaced:
        with writing(store.path):
            for statement in queries.SWEEP:
                store.connection.execute(statement)
    return tally


def _stored_tally(connection: duckdb.DuckDBPyConnection, digest: str) -> SourceTally | None:
    row = first_row(connection, queries.SOURCE_BY_DIGEST, [digest])
    if row is None:
        return None
    number, units, records, unreadable, calls, results, texts = row
    ignored = dict(connection.execute(queries.IGNORED_OF, [number]).fetchall())
    return SourceTally(
        digest=digest,
        units=units,
        records=records,
        ignored=ignored,
        unreadable=unreadable,
        calls=calls,
        results=results,
        texts=texts,
        skipped=True,
    )


def _take_path(connection: duckdb.DuckDBPyConnection, source: SourceInfo) -> tuple[int, bool]:
    """Note where the content is now, and drop one that is nowhere any more.

    Gives the number for a new source, that of the dropped one if there was one.
    """
    row = first_row(connection, queries.NEXT_SOURCE)
    number = int(row[0]) if row else 1
    earlier = first_row(connection, queries.DIGEST_AT_PATH, [source.path])
    if earlier and earlier[0] == source.digest:
        return number, False
    if earlier:
        connection.execute(queries.DROP_PATH, [source.path])
    connection.execute(queries.PUT_PATH, [source.path, source.digest])
    if not earlier:
        return number, False
    elsewhere = first_row(connection, queries.OTHER_PATH, [earlier[0]])
    if elsewhere:
        connection.execute(queries.SHOW_AT_PATH, [elsewhere[0], earlier[0]])
        return number, False
    return _drop_source(connection, earlier[0], number), True


def _drop_source(connection: duckdb.DuckDBPyConnection, digest: str, number: int) -> int:
    row = first_row(connection, queries.SOURCE_BY_DIGEST, [digest])
    if row is None:
        return number
    for statement in queries.DROP_SOURCE:
        connection.execute(statement, [row[0]])
    return int(row[0])


class _Loader:
    """Counts and rows of one source while its units come in."""

    def __init__(self, store: Store, source: SourceInfo, number: int) -> None:
        self._store = store
        self._source = source
        self._number = number
        connection = store.connection
        self._sessions = tables.Buffer(connection, tables.SESSIONS, queries.PUT_SESSIONS)
        self._calls = tables.Buffer(connection, tables.CALLS, queries.PUT_CALLS)
        self._results = tables.Buffer(connection, tables.RESULTS, queries.PUT_RESULTS)
        self._texts = tables.Buffer(connection, tables.TEXTS, queries.PUT_TEXTS)
        self._errors = tables.Buffer(connection, tables.STREAM_ERRORS, queries.PUT_STREAM_ERRORS)
        self._unreadable = tables.Buffer(connection, tables.UNREADABLE, queries.PUT_UNREADABLE)
        self._kinds = tables.Buffer(connection, tables.IGNORED_KINDS, queries.PUT_IGNORED_KINDS)
        self._catalogs = CatalogWriter(connection, number)
        self._counts: Counter[str] = Counter()
        self._ignored: Counter[str] = Counter()
        self._known: set[str] = set()
        self._last_call = -1

    def take(self, unit: Unit) -> None:
        """Count and store one unit.

        Raises:
            BalanceError, StoreWriteError: as `load_source`.
        """
        self._counts["units"] += 1
        ways = bool(unit.records) + (unit.ignored is not None) + (unit.unreadable is not None)
        if ways != 1:
            raise self._unbalanced(
                f"unit {self._counts['units']} is {ways} of read, ignored and unreadable, not one"
            )
        with writing(self._store.path):
            if unit.ignored is not None:
                self._ignored[unit.ignored] += 1
            elif unit.unreadable is not None:
                row = unit.unreadable
                self._counts["unreadable"] += 1
                self._unreadable.add((self._number, row.line, row.offset, row.cause))
            else:
                self._counts["records"] += 1
                for record in unit.records:
                    self._put(record)

    def finish(self, expected: int | None, *, replaced: bool) -> SourceTally:
        """Hand over the rest, and check that nothing was lost.

        Raises:
            BalanceError, StoreWriteError: as `load_source`.
        """
        counts = self._counts
        accounted = counts["records"] + self._ignored.total() + counts["unreadable"]
        units = counts["units"] if expected is None else expected
        if units != accounted:
            raise self._unbalanced(
                f"{units} units, but {counts['records']} read + {self._ignored.total()} ignored "
                f"+ {counts['unreadable']} unreadable"
            )
        with writing(self._store.path):
            self._flush()
            _part_calls(self._store.connection, self._source.digest, self._number)
            self._put_source()
        return SourceTally(
            digest=self._source.digest,
            units=units,
            records=counts["records"],
            ignored=dict(sorted(self._ignored.items())),
            unreadable=counts["unreadable"],
            calls=counts["calls"],
            results=counts["results"],
            texts=counts["texts"],
            replaced=replaced,
        )

    def _put(self, record: Record) -> None:
        number = self._number
        if isinstance(record, Session):
            self._put_session(record)
            return
        if record.session not in self._known:
            self._put_session(Session(session=record.session))
        match record:
            case Call():
                self._put_call(record)
            case Result():
                self._counts["results"] += 1
                self._results.add(tables.result_row(number, record))
            case AssistantText():
                self._counts["texts"] += 1
                self._texts.add(tables.text_row(number, record))
            case ToolCatalog():
                self._catalogs.put(record)
            case StreamError():
                self._errors.add(tables.stream_error_row(number, record))
            case _:
                assert_never(record)

    def _put_session(self, session: Session) -> None:
        self._known.add(session.session)
        self._counts["sessions"] += 1
        self._sessions.add(tables.session_row(self._number, self._counts["sessions"], session))

    def _put_call(self, call: Call) -> None:
        if call.position <= self._last_call:
            raise self._unbalanced(
                f"a call at position {call.position} comes after one at {self._last_call}"
            )
        self._last_call = call.position
        self._counts["calls"] += 1
        name = call_name(self._source.digest, call.position)
        catalog = self._catalogs.in_force(call.session)
        self._calls.add(tables.call_row(self._number, name, catalog, call))

    def _flush(self) -> None:
        for kind, count in sorted(self._ignored.items()):
            self._kinds.add((self._number, kind, count))
        for buffer in (
            self._sessions,
            self._calls,
            self._results,
            self._texts,
            self._errors,
            self._unreadable,
            self._kinds,
        ):
            buffer.flush()
        self._catalogs.flush()

    def _put_source(self) -> None:
        source, counts = self._source, self._counts
        row: list[str | int] = [
            self._number,
            source.digest,
            source.path,
            source.format,
            source.size,
            dump_json(dict(source.labels), sort_keys=True),
            counts["units"],
            counts["records"],
            self._ignored.total(),
            counts["unreadable"],
            counts["calls"],
            counts["results"],
            counts["texts"],
        ]
        self._store.connection.execute(queries.PUT_SOURCE, row)

    def _unbalanced(self, what: str) -> BalanceError:
        return BalanceError(
            f"{self._source.path}: {what}",
            hint=f"a fault of the {self._source.format} reader; nothing of this file was stored",
        )


def _part_calls(connection: duckdb.DuckDBPyConnection, digest: str, number: int) -> None:
    """Lengthen the ids of this source that another call had first."""
    clashes = connection.execute(queries.CLASHING_CALLS, {"source": number}).fetchall()
    for position, key in clashes:
        taken = {row[0] for row in connection.execute(queries.CALLS_OF_KEY, [key]).fetchall()}
        digits = CALL_DIGITS + 4
        while (name := call_name(digest, position, digits)) in taken:
            digits += 4
        connection.execute(queries.RENAME_CALL, [name, number, position])
