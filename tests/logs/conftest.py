"""What the tests of the readers share: writing small logs, and reading any log whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from toolfix_audit.logs.detect import detect
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Record, Unit, Unreadable

R = TypeVar("R")


@dataclass
class Reading:
    """A log that was read to its end."""

    reader: str
    units: int = 0
    records: list[Record] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    unreadable: list[Unreadable] = field(default_factory=list)

    def of(self, kind: type[R]) -> list[R]:
        """The records of one class, in order."""
        return [record for record in self.records if isinstance(record, kind)]


ReadLog = Callable[[Path], Reading]
WriteLog = Callable[..., Path]


def _log_file(path: Path) -> LogFile:
    return LogFile(path, path.name, named=True)


def _gather(reader: str, units: Iterator[Unit]) -> Reading:
    reading = Reading(reader)
    for unit in units:
        reading.units += 1
        reading.records += unit.records
        if unit.ignored is not None:
            reading.ignored[unit.ignored] += 1
        if unit.unreadable is not None:
            reading.unreadable.append(unit.unreadable)
    return reading


@pytest.fixture(scope="session")
def read_log() -> ReadLog:
    """Detect the format of a file and read it whole."""

    def read(path: Path) -> Reading:
        found = detect(_log_file(path))
        assert found.reader is not None, found
        return _gather(found.reader.name, found.reader.read(_log_file(path)))

    return read


@pytest.fixture
def write_log(tmp_path: Path) -> WriteLog:
    """Write lines (texts or bytes) to a file whose name tells nothing."""

    def write(*lines: str | bytes, end: str = "\n", name: str = "some.file") -> Path:
        path = tmp_path / name
        data = [line.encode() if isinstance(line, str) else line for line in lines]
        path.write_bytes(b"".join(line + end.encode() for line in data))
        return path

    return write
