"""Ingest: only what changed is read, whoever reads it, and nothing harms the store."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toolfix_audit.audit import ingest as module
from toolfix_audit.audit import reading, reading_processes
from toolfix_audit.audit.ingest import Ingested, Reading, ingest, unread_note
from toolfix_audit.audit.reading_processes import ReadingStoppedError
from toolfix_audit.logs.detect import Detection, detect
from toolfix_audit.logs.sources import LogFile, find_logs
from toolfix_audit.model.errors import ConfigError, NothingCheckedError, ReadError
from toolfix_audit.model.records import Unit
from toolfix_audit.store.ddl import TABLES
from toolfix_audit.store.entries import Counts
from toolfix_audit.store.gather import gather
from toolfix_audit.store.store import Store
from toolfix_audit.store.tables import Batch

OLD = 1_600_000_000_000_000_000


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.temporary() as opened:
        yield opened


def call(number: int, arguments: object = None) -> str:
    row = {"type": "tool/call", "session": "s", "id": f"c{number}", "tool": "read"}
    return json.dumps({**row, "arguments": {"n": number} if arguments is None else arguments})


def write(path: Path, *lines: str | bytes, end: bytes = b"\n", time: int = OLD) -> Path:
    """A log that was last written at some time."""
    data = [line if isinstance(line, bytes) else line.encode() for line in lines]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + end for line in data))
    os.utime(path, ns=(time, time))
    return path


def rows(store: Store, sql: str) -> list[tuple[object, ...]]:
    return store.query(sql).rows


def dump(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table in the order in which it is stored. Of the paths neither the files'
    stamps count nor the order: a file that meanwhile settled is stamped, and stands last then."""
    names = [statement.split("CREATE TABLE ", 1)[1].split()[0] for statement in TABLES]
    found = {name: rows(store, f"FROM {name}") for name in names}
    found["source_paths"] = sorted((row[:2] for row in found["source_paths"]), key=str)
    return found


def skipped(done: Ingested) -> list[bool]:
    return [source.tally.skipped for source in done.loaded]


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as unchanged from the moment on that they are read."""
    monkeypatch.setattr(reading, "_SETTLED_NANOSECONDS", -(10**12))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were looked into."""
    seen: list[str] = []

    def watched(file: LogFile, format_name: str | None) -> Detection:
        seen.append(file.path.name)
        return detect(file, format_name)

    monkeypatch.setattr(reading, "detect", watched)
    return seen


@pytest.mark.usefixtures("settled")
def test_an_unchanged_file_is_not_read_again(
    store: Store, tmp_path: Path, reads: list[str]
) -> None:
    write(tmp_path / "a.jsonl", call(1))
    write(tmp_path / "b.jsonl", call(1), call(2))
    first = ingest(store, [str(tmp_path)])
    before = dump(store)
    again = ingest(store, [str(tmp_path)])
    assert reads == ["a.jsonl", "b.jsonl"]
    assert (skipped(first), skipped(again)) == ([False, False], [True, True])
    assert again.total(lambda tally: tally.calls) == 3
    assert dump(store) == before


@pytest.mark.usefixtures("settled")
def test_a_changed_status_makes_the_content_count(
    store: Store, tmp_path: Path, reads: list[str]
) -> None:
    path = write(tmp_path / "a.jsonl", call(1))
    ingest(store, [str(path)])
    os.utime(path)
    assert skipped(ingest(store, [str(path)])) == [True]
    assert skipped(ingest(store, [str(path)])) == [True]
    assert reads == ["a.jsonl"] * 2


def test_a_file_written_just_now_is_read_again(
    store: Store, tmp_path: Path, reads: list[str]
) -> None:
    path = tmp_path / "a.jsonl"
    for number in range(1, 4):
        path.write_text(call(number) + "\n")  # of one size, perhaps within one tick of the clock
        ingest(store, [str(path)])
    assert rows(store, "SELECT call_id FROM calls") == [("c3",)]
    assert reads == ["a.jsonl"] * 3


@pytest.mark.usefixtures("settled")
def test_another_format_name_reads_again(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", call(1))
    ingest(store, [str(path)])
    assert skipped(ingest(store, [str(path)], format_name="native")) == [True]
    with pytest.raises(ConfigError):
        ingest(store, [str(path)], format_name="nativ")


def test_a_grown_file_replaces_its_beginning(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", call(1), call(2)[:30].encode(), end=b"\n")
    path.write_bytes(path.read_bytes()[:-1])
    [first] = ingest(store, [str(path)]).loaded
    assert (first.tally.calls, first.tally.unreadable, first.grown) == (1, 1, False)
    with path.open("a") as log:
        log.write(call(2)[30:] + "\n" + call(3) + "\n")
    [second] = ingest(store, [str(path)]).loaded
    assert (second.tally.calls, second.tally.unreadable) == (3, 0)
    assert (second.tally.replaced, second.grown) == (True, True)
    assert rows(store, "SELECT call_id FROM calls ORDER BY position") == [("c1",), ("c2",), ("c3",)]
    assert rows(store, "SELECT count(*) FROM sources") == [(1,)]


def test_a_rewritten_file_is_no_grown_one(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", call(1))
    ingest(store, [str(path)])
    write(path, call(2), call(3))
    [source] = ingest(store, [str(path)]).loaded
    assert (source.tally.replaced, source.grown) == (True, False)
    assert rows(store, "SELECT call_id FROM calls ORDER BY position") == [("c2",), ("c3",)]


class Meddling:
    """Does something to a file after its first unit was read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.act: Callable[[], object] = lambda: None

        def meddled(units: Iterator[Unit], path: str, name: str) -> Iterator[Batch | Counts]:
            def watched() -> Iterator[Unit]:
                for number, unit in enumerate(units):
                    if number == 0:
                        self.act()
                    yield unit

            return gather(watched(), path, name)

        monkeypatch.setattr(reading, "gather", meddled)


@pytest.fixture
def meddling(monkeypatch: pytest.MonkeyPatch) -> Meddling:
    return Meddling(monkeypatch)


def test_a_file_that_grows_while_read_is_read_as_it_was(
    store: Store, tmp_path: Path, meddling: Meddling
) -> None:
    path = write(tmp_path / "a.jsonl", *[call(number, "x" * 5000) for number in range(1000)])

    def grow() -> None:
        with path.open("a") as log:
            log.write(call(1000) + "\n")

    meddling.act = grow
    [source] = ingest(store, [str(path)]).loaded
    assert source.tally.calls == 1000
    meddling.act = lambda: None
    [source] = ingest(store, [str(path)]).loaded
    assert (source.tally.calls, source.grown) == (1001, True)


@pytest.mark.parametrize("what", ["rewritten", "cut", "gone"])
def test_a_file_that_changes_while_read_leaves_nothing(
    store: Store, tmp_path: Path, meddling: Meddling, what: str
) -> None:
    path = write(tmp_path / "a.jsonl", *[call(number, "x" * 5000) for number in range(1000)])
    write(tmp_path / "b.jsonl", call(1))
    acts: dict[str, Callable[[], object]] = {
        "rewritten": lambda: write(path, call(5, "y" * 6_000_000)),
        "cut": lambda: os.truncate(path, 100),
        "gone": path.unlink,
    }
    meddling.act = lambda: path.exists() and path.stat().st_size > 10**6 and acts[what]()
    done = ingest(store, [str(tmp_path)])
    assert [one.is_fault for one in done.passed_over] == [True]
    assert "a.jsonl" in next(unread_note(done))
    assert rows(store, "SELECT path[-7:] FROM sources") == [("b.jsonl",)]
    assert rows(store, "SELECT count(*) FROM calls") == [(1,)]


def test_a_file_that_vanished_is_listed_and_a_named_one_is_an_error(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.jsonl", call(1))
    gone = write(tmp_path / "b.jsonl", call(2))

    def losing(paths: list[str]) -> Iterator[LogFile]:
        found = list(find_logs(paths))
        gone.unlink()
        return iter(found)

    monkeypatch.setattr(module, "find_logs", losing)
    done = ingest(store, [str(tmp_path)])
    assert [source.file.path.name for source in done.loaded] == ["a.jsonl"]
    [note] = unread_note(done)
    assert note == f"not read: {gone}: No such file or directory"
    gone.touch()
    with pytest.raises(ReadError, match="No such file"):
        ingest(store, [str(gone)])


def test_labels_tag_what_is_there_already(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", call(1))
    ingest(store, [str(path)], labels={"host": "a", "team": "x"})
    ingest(store, [str(path)], labels={"team": "y"})
    ingest(store, [str(path)])
    assert store.labels() == {"host": "a", "team": "y"}


def archive(kind: str) -> bytes:
    content = (call(1) + "\n").encode()
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as made:
            made.writestr("a.jsonl", b"\n" + content)
    elif kind.startswith("tar"):
        with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as tar:
            member = tarfile.TarInfo("a.jsonl")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    else:
        out.write(b"7z\xbc\xaf\x27\x1c\0\x04" + content)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "7z", "zip.gz"])
def test_archives_are_refused_by_name_and_passed_over_in_folders(
    store: Store, tmp_path: Path, kind: str
) -> None:
    data = archive(kind.removesuffix(".gz") if kind == "zip.gz" else kind)
    path = tmp_path / "logs" / "some.file"
    write(path, gzip.compress(data) if kind == "zip.gz" else data, end=b"")
    write(tmp_path / "logs" / "a.jsonl", call(1))
    with pytest.raises(ReadError, match=r"archive of files \((zip|tar|7z)\)") as caught:
        ingest(store, [str(path)])
    assert "unpack" in str(caught.value.hint)
    done = ingest(store, [str(path.parent)])
    assert list(unread_note(done)) == [f"not a log: {path} (archive of files)"]


def test_an_empty_named_file_is_nothing_checked(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NothingCheckedError):
        ingest(store, [str(write(tmp_path / "a"))])


HOSTILE: list[bytes] = [
    b"{broken",
    b'{"type":"tool/call","session":"s","tool":"t","arguments":"\xff"}',
    b'{"type":"tool/call","session":"s","tool":"\xe2\x82"}',
    b'{"type":"tool/call","session":"s","tool":"t","arguments":NaN}',
    b'{"type":"tool/call","session":"s","tool":"t\0"}',
    b"\0\0\0\0",
    b'{"type":"tool/call","session":"s","tool":"t","arguments":[',
    b"[" * 100_000,
    b"null",
    b'\xef\xbb\xbf{"type":"tool/call","session":"s","tool":"t"}',
]
FINE: list[tuple[bytes, str]] = [
    (b'"\\ud83d"', "\\ud83d"),
    (b'"\\u0000"', "\0"),
    (b"12345678901234567890", "12345678901234567890"),
    (b'{"a":9007199254740993}', '{"a":9007199254740993}'),
    (b"[" * 1000 + b"]" * 1000, "[" * 1000 + "]" * 1000),
    (b'{"a":1,"a":2}', '{"a":1,"a":2}'),
]


def test_hostile_lines_are_counted_rows(store: Store, tmp_path: Path) -> None:
    lead = b'{"type":"tool/call","session":"s","tool":"t","arguments":'
    good = [lead + arguments + b"}\r" for arguments, _ in FINE]
    path = write(tmp_path / "a.jsonl", b"\xef\xbb\xbf" + good[0], *HOSTILE, *good[1:])
    [source] = ingest(store, [str(path)]).loaded
    assert source.tally.unreadable == len(HOSTILE)
    assert source.tally.units == len(HOSTILE) + len(FINE)
    assert rows(store, "SELECT line FROM unreadable ORDER BY line") == [
        (number,) for number in range(2, 2 + len(HOSTILE))
    ]
    arguments = rows(store, "SELECT arguments FROM calls ORDER BY position")
    assert arguments == [(text,) for _, text in FINE]
    data = path.read_bytes()
    for offset, cause in rows(store, "SELECT byte_offset, cause FROM unreadable"):
        assert isinstance(offset, int)
        assert data[offset - 1 : offset] == b"\n"
        assert cause


def corpus(folder: Path) -> Path:
    """Small files, one of which takes several batches; two are no logs, two are of one content."""
    for number in range(1, 7):
        lines = [call(n, f"{number} " + "x" * 50) for n in range(40 * number)]
        write(folder / f"{number}.jsonl", *lines, "{broken", '{"type":"other"}')
    write(folder / "large.jsonl", *[call(n, "x" * 20_000) for n in range(900)])
    write(folder / "same.jsonl", *(folder / "3.jsonl").read_text().splitlines())
    write(folder / "words.txt", "no log at all")
    write(folder / "none")
    return folder


@pytest.mark.parametrize("processes", [2, 3])
def test_the_store_does_not_depend_on_the_number_of_processes(
    tmp_path: Path, processes: int
) -> None:
    folder = corpus(tmp_path / "logs")
    found = []
    notes = []
    for count in (1, processes):
        with Store.open(tmp_path / f"{count}.duckdb", create=True) as store:
            done = ingest(store, [str(folder)], processes=count, labels={"a": "b"})
            found.append(dump(store))
            notes.append((list(unread_note(done)), skipped(done)))
            again = ingest(store, [str(folder)], processes=count)
            assert all(skipped(again))
            assert dump(store) == found[-1]
    assert found[0] == found[1]
    assert notes[0] == notes[1]
    assert len(found[0]["calls"]) == 840 + 900


def test_errors_of_other_processes_are_the_same(store: Store, tmp_path: Path) -> None:
    folder = corpus(tmp_path / "logs")
    paths = [str(folder / "3.jsonl"), str(folder / "words.txt")]
    said = []
    for count in (1, 2):
        with pytest.raises(ReadError) as caught:
            ingest(store, paths, processes=count)
        said.append((caught.value.message, caught.value.hint))
    assert said[0] == said[1]
    assert rows(store, "SELECT count(*) FROM sources") == [(1,)]


def test_a_process_that_dies_is_one_clear_line(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = corpus(tmp_path / "logs")
    messages = reading_processes.ReadingProcesses.messages

    def deadly(self: reading_processes.ReadingProcesses, number: int) -> Iterator[object]:
        if number == 4:
            for process in self._processes:
                process.kill()
                process.wait()
        yield from messages(self, number)

    monkeypatch.setattr(reading_processes, "HELD_BYTES", 1000)
    monkeypatch.setattr(reading_processes.ReadingProcesses, "messages", deadly)
    with pytest.raises(ReadingStoppedError, match=r"ended early \(signal 9\)") as caught:
        ingest(store, [str(folder)], processes=2)
    assert (caught.value.exit_code, caught.value.hint is None) == (4, False)
    assert 4 <= len(rows(store, "FROM sources")) < 8
    monkeypatch.undo()
    done = ingest(store, [str(folder)], processes=2)
    assert len(done.loaded) == 8
    assert rows(store, "SELECT count(*) FROM calls") == [(1740,)]


def test_an_interrupt_stops_the_other_processes(store: Store, tmp_path: Path) -> None:
    folder = corpus(tmp_path / "logs")

    def interrupt(state: Reading) -> None:
        if state.shown.endswith("3.jsonl"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(store, [str(folder)], processes=2, progress=interrupt)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if children.exists():
        assert children.read_text() == ""
    assert len(rows(store, "FROM sources")) == 2
    assert len(ingest(store, [str(folder)]).loaded) == 8


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_rises_to_the_size_of_all_files(
    store: Store, tmp_path: Path, processes: int
) -> None:
    folder = corpus(tmp_path / "logs")
    seen: list[Reading] = []
    ingest(store, [str(folder)], processes=processes, progress=seen.append)
    total = sum(path.stat().st_size for path in folder.iterdir())
    assert {state.total for state in seen} == {total}
    assert [state.done for state in seen] == sorted(state.done for state in seen)
    assert seen[-1].done <= total
    assert any(0 < state.done < total for state in seen)


@pytest.mark.parametrize("processes", [1, 2])
def test_rotated_logs_keep_their_contents(store: Store, tmp_path: Path, processes: int) -> None:
    log, older = tmp_path / "log", tmp_path / "log.1"
    write(log, call(1))
    ingest(store, [str(tmp_path)], processes=processes)
    log.rename(older)
    write(log, call(2), call(3))
    done = ingest(store, [str(tmp_path)], processes=processes)
    assert [source.tally.calls for source in done.loaded] == [2, 1]
    assert rows(store, "SELECT call_id FROM calls ORDER BY call_id") == [("c1",), ("c2",), ("c3",)]
    names = rows(store, "SELECT path.split('/')[-1] FROM sources ORDER BY 1")
    assert names == [("log",), ("log.1",)]


def test_a_swap_of_two_files_loses_nothing(store: Store, tmp_path: Path) -> None:
    for turn in range(3):
        write(tmp_path / "a", call(turn % 2))
        write(tmp_path / "b", call(1 - turn % 2))
        ingest(store, [str(tmp_path)])
        shown = rows(
            store, "SELECT path[-1:], call_id FROM sources JOIN calls USING (source) ORDER BY 1"
        )
        assert shown == [("a", f"c{turn % 2}"), ("b", f"c{1 - turn % 2}")]
