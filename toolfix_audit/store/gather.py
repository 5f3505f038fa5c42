"""The units of one source, turned into batches of rows and counted. Pure: no store is needed, so
that another process can do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from operator import attrgetter

from toolfix_audit.model.errors import BalanceError
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
from toolfix_audit.store import tables
from toolfix_audit.store.catalogs import CatalogRows
from toolfix_audit.store.entries import Counts
from toolfix_audit.store.tables import Batch, Buffer, Row

_CALL: Callable[[Call], Row] = attrgetter(*tables.CALLS.columns.names[:-1])  # but the catalogue
_RESULT: Callable[[Result], Row] = attrgetter(*tables.RESULTS.columns.names)
_TEXT: Callable[[AssistantText], Row] = attrgetter(*tables.TEXTS.columns.names)
_ERROR: Callable[[StreamError], Row] = attrgetter(*tables.STREAM_ERRORS.columns.names)
_SESSION: Callable[[Session], Row] = attrgetter(*tables.SESSIONS.columns.names[1:])


def gather(
    units: Iterator[Unit],
    path: str,
    format_name: str,
    count_units: Callable[[], int] | None = None,
) -> Iterator[Batch | Counts]:
    """Give the rows of a source as batches, and its counts as the last item.

    `units` are taken one by one and never held. `count_units`, asked after the last unit, is the
    reader's own count of them.

    Raises:
        BalanceError: a unit was lost, or is not exactly one of read, ignored and unreadable, or
            the positions of the calls do not rise.
    """
    rows = _Rows(f"{path}: ", format_name)
    for unit in units:
        rows.take(unit)
        if rows.full:
            yield from rows.take_full()
    rows.finish(count_units() if count_units else None)
    yield from rows.take_full()
    yield rows.counts()


class _Rows:
    """Counts and rows of one source while its units come in."""

    def __init__(self, where: str, format_name: str) -> None:
        self.full: list[Batch] = []
        self._where = where
        self._format = format_name
        self._sessions = Buffer(tables.SESSIONS, self.full)
        self._calls = Buffer(tables.CALLS, self.full)
        self._results = Buffer(tables.RESULTS, self.full)
        self._texts = Buffer(tables.TEXTS, self.full)
        self._errors = Buffer(tables.STREAM_ERRORS, self.full)
        self._unreadable = Buffer(tables.UNREADABLE, self.full)
        self._kinds = Buffer(tables.IGNORED_KINDS, self.full)
        self._catalogs = CatalogRows(self.full)
        self._units = self._read = self._faults = 0
        self._session_count = self._call_count = self._result_count = self._text_count = 0
        self._ignored: Counter[str] = Counter()
        self._known: set[str] = set()
        self._last_call = -1

    def take(self, unit: Unit) -> None:
        """Count and keep one unit.

        Raises:
            BalanceError: as `gather`.
        """
        self._units += 1
        if unit.records and unit.ignored is None and unit.unreadable is None:
            self._read += 1
            for record in unit.records:
                self._put(record)
        else:
            self._pass_over(unit)

    def take_full(self) -> list[Batch]:
        """The batches that were made since the last time."""
        full = self.full.copy()
        self.full.clear()
        return full

    def finish(self, expected: int | None) -> None:
        """Make batches of the rest, and check that nothing was lost.

        Raises:
            BalanceError: as `gather`.
        """
        ignored = self._ignored.total()
        units = self._units if expected is None else expected
        if units != self._read + ignored + self._faults:
            raise self._unbalanced(
                f"{units} units, but {self._read} read + {ignored} ignored "
                f"+ {self._faults} unreadable"
            )
        for kind, count in sorted(self._ignored.items()):
            self._kinds.add((kind, count))
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

    def counts(self) -> Counts:
        """What came in."""
        return Counts(
            units=self._units,
            records=self._read,
            ignored=dict(sorted(self._ignored.items())),
            unreadable=self._faults,
            calls=self._call_count,
            results=self._result_count,
            texts=self._text_count,
        )

    def _pass_over(self, unit: Unit) -> None:
        """Count a unit without records."""
        row = unit.unreadable
        ways = bool(unit.records) + (unit.ignored is not None) + (row is not None)
        if ways != 1:
            raise self._unbalanced(
                f"unit {self._units} is {ways} of read, ignored and unreadable, not one"
            )
        if row is None:
            self._ignored[unit.ignored or ""] += 1
        else:
            self._faults += 1
            self._unreadable.add((row.line, row.offset, row.cause), len(row.cause))

    def _put(self, record: Record) -> None:
        if record.session not in self._known:
            self._known.add(record.session)
            if not isinstance(record, Session):
                self._put(Session(session=record.session))
        match record:
            case Call():
                self._put_call(record)
            case Result():
                self._result_count += 1
                self._results.add(_RESULT(record), len(record.text) + len(record.blocks or ""))
            case Session():
                self._session_count += 1
                self._sessions.add((self._session_count, *_SESSION(record)))
            case AssistantText():
                self._text_count += 1
                self._texts.add(_TEXT(record), len(record.text))
            case ToolCatalog():
                self._catalogs.put(record)
            case StreamError():
                self._errors.add(_ERROR(record), len(record.raw or ""))

    def _put_call(self, call: Call) -> None:
        if call.position <= self._last_call:
            raise self._unbalanced(
                f"a call at position {call.position} comes after one at {self._last_call}"
            )
        self._last_call = call.position
        self._call_count += 1
        row = (*_CALL(call), self._catalogs.in_force(call.session))
        self._calls.add(row, len(call.arguments) + len(call.streamed or ""))

    def _unbalanced(self, what: str) -> BalanceError:
        return BalanceError(
            self._where + what,
            hint=f"a fault of the {self._format} reader; nothing of this file was stored",
        )
