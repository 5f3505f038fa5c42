"""The registry of readers, detection by content, and the balance of units."""

from __future__ import annotations

import gzip
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from toolfix_audit.logs import readers
from toolfix_audit.logs.detect import FileKind, detect, reader_named
from toolfix_audit.logs.reader import BalancedUnits, Reader
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.errors import BalanceError, ConfigError
from toolfix_audit.model.records import Session, Unit, Unreadable

from .conftest import WriteLog

FILE = LogFile(Path("x"), "x", named=True)
DSH = '{"type":"tool/call","data":{"name":"read","arguments":"{}"}}'
NATIVE = '{"type":"tool/call","session":"s","id":"c","tool":"read","arguments":{}}'
OPENAI = '{"messages":[{"role":"user","content":"hi"}]}'
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8
ELF = b"\x7fELF\x02\x01\x01" + b"\0" * 900


def kind_of(path: Path) -> FileKind:
    return detect(LogFile(path, path.name, named=False)).kind


def reader_of(path: Path) -> str | None:
    reader = detect(LogFile(path, path.name, named=False)).reader
    return None if reader is None else reader.name


def test_every_module_is_in_the_registry() -> None:
    modules = {module.name for module in pkgutil.iter_modules(readers.__path__)}
    owners = {reader.name.replace("-", "_") for reader in readers.READERS}
    assert modules == owners
    assert len({reader.name for reader in readers.READERS}) == len(readers.READERS)


@pytest.mark.parametrize("reader", readers.READERS, ids=lambda reader: reader.name)
def test_every_reader_says_what_it_reads(reader: Reader) -> None:
    assert reader.summary
    assert reader.tier in ("proven", "documented")
    assert reader_named(reader.name) is reader


@pytest.mark.parametrize(
    ("line", "name"), [(DSH, "dsh"), (NATIVE, "native"), (OPENAI, "openai-messages")]
)
def test_formats_are_told_by_content_alone(write_log: WriteLog, line: str, name: str) -> None:
    assert reader_of(write_log(line, name="photo.png")) == name
    assert reader_of(write_log("{broken", line)) == name
    assert reader_of(write_log("", "  ", "\ufeff" + line, name="a")) in (name, None)
    assert reader_of(write_log(gzip.compress(line.encode()), end="")) == name
    packed = zstandard.ZstdCompressor().compress(line.encode() + b"\n")
    assert reader_of(write_log(packed + packed[:-3], end="")) == name


def test_a_pretty_printed_or_huge_document_is_recognised(write_log: WriteLog) -> None:
    pretty = '[\n {\n  "task_id": 0,\n  "traj": [\n   {"role": "user",\n "content": "hi"}\n]}]'
    assert reader_of(write_log(pretty)) == "openai-messages"
    filler = '{"role":"user","content":"' + "x" * 100_000 + '"},'
    assert reader_of(write_log('{"messages":[' + filler * 30)) == "openai-messages"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", FileKind.EMPTY),
        (b"\xef\xbb\xbf \r\n\n", FileKind.EMPTY),
        (gzip.compress(b"", mtime=0), FileKind.EMPTY),
        (PNG, FileKind.BINARY),
        (ELF, FileKind.BINARY),
        (b"SQLite format 3\0" + b"\1" * 100, FileKind.BINARY),
        (bytes(range(128, 256)) * 20, FileKind.BINARY),
        (b"\x1f\x8b garbage", FileKind.DAMAGED),
        (zstandard.ZstdCompressor().compress(b"{}\n")[:9], FileKind.DAMAGED),
        (b"# Title\n\nSome text.\n", FileKind.UNKNOWN),
        (b'{"type":"message","role":"x"}\n', FileKind.UNKNOWN),
        (b'{"type":["tool/call"],"data":{}}\n[[[[\n"x"\n5\n', FileKind.UNKNOWN),
        (b'{"messages":[{"role":"user","content":[{"type":"tool_use"}]}]}', FileKind.UNKNOWN),
        (b'{"messages":[{"role":["user"],"content":[{"type":{}}]}]}', FileKind.UNKNOWN),
        (b'{"type":"session","id":"p","timestamp":"2026-01-01T00:00:00Z"}', FileKind.UNKNOWN),
    ],
)
def test_what_is_no_log_is_told_apart(write_log: WriteLog, data: bytes, kind: FileKind) -> None:
    assert kind_of(write_log(data, end="")) is kind


def test_a_named_format_is_taken_unless_there_is_nothing(write_log: WriteLog) -> None:
    path = write_log("no log at all")
    file = LogFile(path, "x", named=True)
    found = detect(file, "native")
    assert found.reader is reader_named("native")
    path.write_bytes(b"")
    assert detect(file, "native").kind is FileKind.EMPTY
    with pytest.raises(ConfigError) as caught:
        detect(file, "nativ")
    assert "native" in str(caught.value.hint)


def balanced(given: list[Unit], taken: int) -> BalancedUnits[int]:
    def read(source: Iterator[int]) -> Iterator[Unit]:
        for unit, _ in zip(given, source, strict=False):
            yield unit

    return BalancedUnits(FILE, range(taken), read)


READ = Unit(records=(Session("s"),))
IGNORED = Unit(ignored="row")
UNREADABLE = Unit(unreadable=Unreadable(1, 0, "why"))


def test_units_that_balance_are_counted() -> None:
    units = balanced([READ, IGNORED, IGNORED, UNREADABLE], 4)
    assert len(list(units)) == units.taken == units.given == 4
    assert (units.read, units.ignored, units.unreadable) == (1, {"row": 2}, 1)


def test_a_lost_unit_is_never_silent() -> None:
    with pytest.raises(BalanceError, match="3 units went in and 1 came out"):
        list(balanced([READ], 3))


def test_an_invented_unit_is_never_silent() -> None:
    def read(source: Iterator[int]) -> Iterator[Unit]:
        for _ in source:
            yield READ
            yield READ

    with pytest.raises(BalanceError, match="1 units went in and 2 came out"):
        list(BalancedUnits(FILE, range(1), read))


@pytest.mark.parametrize("unit", [Unit(), Unit(records=READ.records, ignored="row")])
def test_a_unit_is_exactly_one_thing(unit: Unit) -> None:
    with pytest.raises(BalanceError, match="not exactly one"):
        list(balanced([unit], 1))
