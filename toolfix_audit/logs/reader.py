"""What a log format is: how to tell it by content, and how to read it unit by unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from toolfix_audit.logs.head import Head
from toolfix_audit.logs.sources import Line, LogFile, iter_lines
from toolfix_audit.model.errors import BalanceError
from toolfix_audit.model.records import Unit

Intake = TypeVar("Intake")


class Tier(StrEnum):
    """How sure a reader is: proven on real logs with known counts, or written from documents."""

    PROVEN = "proven"
    DOCUMENTED = "documented"


class BalancedUnits(Generic[Intake]):
    """The units of one source, with the proof that none was lost or invented.

    `source` gives what goes in (lines, or messages of a document), `read` makes units of it. The
    two are counted apart: `taken` on the way in, `given` on the way out, the latter also as
    `read`, `ignored` by kind and `unreadable`.
    """

    def __init__(
        self,
        file: LogFile,
        source: Iterable[Intake],
        read: Callable[[Iterator[Intake]], Iterator[Unit]],
    ) -> None:
        self.file = file
        self.taken = 0
        self.read = 0
        self.unreadable = 0
        self.ignored: dict[str, int] = {}
        self._source = self._counted(source)
        self._units = read(self._source)

    @staticmethod
    def of_lines(
        file: LogFile, read: Callable[[Iterator[Line]], Iterator[Unit]]
    ) -> BalancedUnits[Line]:
        """The units of a file of which every line is one."""
        return BalancedUnits(file, iter_lines(file), read)

    @property
    def given(self) -> int:
        """How many units came out so far."""
        return self.read + self.unreadable + sum(self.ignored.values())

    def __iter__(self) -> BalancedUnits[Intake]:
        return self

    def __next__(self) -> Unit:
        """The next unit.

        Raises:
            BalanceError: at the end, what went in differs from what came out; or a unit is not
                exactly one of read, ignored and unreadable.
        """
        for unit in self._units:
            if unit.records and unit.ignored is None and unit.unreadable is None:
                self.read += 1
            else:
                self._count(unit)
            return unit
        self._check()
        raise StopIteration

    def _counted(self, source: Iterable[Intake]) -> Iterator[Intake]:
        for item in source:
            self.taken += 1
            yield item

    def _count(self, unit: Unit) -> None:
        if bool(unit.records) + (unit.ignored is not None) + (unit.unreadable is not None) != 1:
            raise self._error("a unit is not exactly one of read, ignored and unreadable")
        if unit.ignored is not None:
            self.ignored[unit.ignored] = self.ignored.get(unit.ignored, 0) + 1
        else:
            self.unreadable += 1

    def _check(self) -> None:
        for _ in self._source:
            pass
        if self.taken != self.given:
            raise self._error(f"{self.taken} units went in and {self.given} came out")

    def _error(self, what: str) -> BalanceError:
        return BalanceError(
            f"{self.file.shown}: {what}", hint="this is a bug of the reader: please report it"
        )


@dataclass(frozen=True, slots=True)
class Reader:
    """One log format. `detect` looks at the content only, never at a name; `read` may raise
    ReadError for the file and BalanceError for itself, and nothing for bad data."""

    name: str
    summary: str
    tier: Tier
    detect: Callable[[Head], bool]
    read: Callable[[LogFile], Iterator[Unit]]
