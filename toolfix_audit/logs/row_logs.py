"""Logs with one JSON object a line: their sessions, opened when they are first heard of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from toolfix_audit.logs.fields import RowError
from toolfix_audit.logs.lines import read_json_lines
from toolfix_audit.logs.reader import BalancedUnits
from toolfix_audit.logs.session_records import SessionRecords, Source
from toolfix_audit.logs.sources import Line, LogFile
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import Record, Session, Unit

Row: TypeAlias = dict[str, Json]
ReadRow: TypeAlias = Callable[[Row], "list[Record] | str"]


class Sessions:
    """The sessions of one source. Their records go out before the first record of a row."""

    def __init__(self, source: Source, harness: str) -> None:
        self._source = source
        self._harness = harness
        self._known: dict[str, SessionRecords] = {}
        self._current: SessionRecords | None = None
        self._opening: list[Record] = []

    def begin(
        self, name: str | None, *, version: str | None = None, started: str | None = None
    ) -> SessionRecords:
        """A session that a header row tells of, current from now on."""
        name = name or self._source.name()
        if name not in self._known:
            self._known[name] = SessionRecords(name, self._source.positions)
            self._opening.append(Session(name, self._harness, version, started))
        self._current = self._known[name]
        return self._current

    def named(self, name: str | None = None) -> SessionRecords:
        """The session of that name; without one the current one."""
        if name is None and self._current is not None:
            return self._current
        return self.begin(name)

    def run(self, name: str) -> SessionRecords:
        """A session of a benchmark, named after the content too: other files have the same names,
        and no later row speaks of it."""
        unique = f"{self._source.name()}-{name}"
        self._opening.append(Session(unique, self._harness))
        return SessionRecords(unique, self._source.positions)

    def take_opening(self) -> list[Record]:
        """The records of the sessions that were begun since the last time."""
        opening, self._opening = self._opening, []
        return opening


def read_rows(
    file: LogFile,
    harness: str,
    open_log: Callable[[Sessions], ReadRow],
    settle: Callable[[Iterator[Unit]], Iterator[Unit]] = iter,
) -> BalancedUnits[Line]:
    """The units of a file of which every line is a row. What `open_log` gives reads one row: its
    records, or the kind that it is ignored as; it raises RowError for a row that lacks something.
    `settle` completes units with what later rows tell.

    Raises:
        ReadError: the file can't be read.
    """
    sessions = Sessions(Source(file), harness)
    read_row = open_log(sessions)

    def records_of(row: Json) -> tuple[Record, ...] | str:
        if not isinstance(row, dict):
            raise RowError("not a JSON object")
        made = read_row(row)
        if isinstance(made, str):
            return made
        return (*sessions.take_opening(), *made) or "nothing to record"

    def units(lines: Iterator[Line]) -> Iterator[Unit]:
        return settle(read_json_lines(lines, records_of))

    return BalancedUnits.of_lines(file, units)
