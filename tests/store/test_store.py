"""Opening: every obstacle is one line with a mend, and nothing is left locked or lying about."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from toolfix_audit.model.errors import StoreError, StoreWriteError
from toolfix_audit.store import connect, ddl
from toolfix_audit.store.store import Store

from .build import call, fresh, load, source

LOADER = Path(__file__).with_name("loader_process.py")


def refusal(path: Path, *, create: bool = False, read_only: bool = False) -> StoreError:
    """The error of opening, which is one line and has a mend."""
    with pytest.raises(StoreError) as caught:
        Store.open(path, create=create, read_only=read_only)
    assert caught.value.exit_code == 2
    assert "\n" not in caught.value.message
    assert str(path) in caught.value.message or str(path.parent) in caught.value.message
    assert caught.value.hint
    return caught.value


def fail() -> None:
    raise KeyError("some error")


def other_version(path: Path) -> None:
    with Store.open(path, create=True):
        pass
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE meta SET schema_version = 99, tool_version = '9.9.9'")


def foreign_database(path: Path) -> None:
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE precious (a INTEGER)")


def half_a_store(path: Path) -> None:
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE meta (schema_version INTEGER, tool_version VARCHAR)")


def broken_database(path: Path) -> None:
    foreign_database(path)
    head = path.read_bytes()[:20]
    path.write_bytes(head + b"\xff" * 100_000)


def sqlite_file(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\x00" + b"\x00" * 4080)


def text_file(path: Path) -> None:
    path.write_text("hello\n" * 1000, encoding="utf-8")


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            other_version,
            r"is a store of version 99, written by toolfix-audit 9\.9\.9; .* version 3",
        ),
        (foreign_database, "no store of toolfix-audit"),
        (half_a_store, "no store of toolfix-audit"),
        (broken_database, "can't be opened"),
        (sqlite_file, "not a DuckDB file"),
        (text_file, "not a DuckDB file"),
        (Path.touch, "not a DuckDB file"),
        (Path.mkdir, "can't be read: Is a directory"),
    ],
)
def test_a_file_that_is_no_store_of_ours_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], words: str, create: bool
) -> None:
    path = tmp_path / "audit.duckdb"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    for read_only in (True, False):
        error = refusal(path, create=create, read_only=read_only)
        assert re.search(words, error.message)
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["audit.duckdb"]


def test_a_missing_store_says_how_to_make_one(tmp_path: Path) -> None:
    for create, read_only in ((False, False), (False, True), (True, True)):
        error = refusal(tmp_path / "no.duckdb", create=create, read_only=read_only)
        assert "no store at" in error.message
        assert "dryrun" in str(error.hint)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    error = refusal(tmp_path / "no" / "audit.duckdb", create=True)
    assert error.message == f"there is no folder {tmp_path / 'no'}"


@pytest.mark.parametrize("name", ["md:cloud", ":memory:", "a b'\".duckdb", "https:x", "é.duckdb"])
def test_a_name_is_only_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(name, create=True) as store:
        load(store, source(), call(1))
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208  # names as the system has them
    with Store.open(name, create=False, read_only=True) as store:
        assert store.corpus_counts().calls == 1


def test_a_store_keeps_what_was_loaded(tmp_path: Path) -> None:
    with fresh(tmp_path) as store:
        load(store, source(), call(1))
    with fresh(tmp_path) as store:
        assert store.corpus_counts().calls == 1


def test_a_read_only_store_is_not_written(tmp_path: Path) -> None:
    with fresh(tmp_path):
        pass
    with Store.open(tmp_path / "audit.duckdb", create=False, read_only=True) as store:
        with pytest.raises(StoreWriteError):
            load(store, source(), call(1))
        assert list(store.call_batches()) == []


def test_a_journal_left_by_a_store_that_is_gone_is_named(tmp_path: Path) -> None:
    path = tmp_path / "audit.duckdb"
    journal = path.with_name("audit.duckdb.wal")
    journal.write_bytes(b"left over" * 100)
    error = refusal(path, create=True)
    assert error.message == f"{journal} is left over from a store that is gone"
    assert list(tmp_path.iterdir()) == [journal]


def test_a_store_open_twice_in_one_process(tmp_path: Path) -> None:
    with fresh(tmp_path) as one:
        load(one, source("a"), call(1))
        with fresh(tmp_path) as two:
            assert two.corpus_counts().calls == 1
            load(two, source("b"), call(1, "s2"))
        assert one.corpus_counts().calls == 2


def test_a_store_made_meanwhile_by_another_process_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.duckdb"
    fill = connect._fill

    def slow(new: Path) -> None:
        monkeypatch.setattr(connect, "_fill", fill)
        with Store.open(path, create=True) as store:
            load(store, source(), call(1))
        fill(new)

    monkeypatch.setattr(connect, "_fill", slow)
    with Store.open(path, create=True) as store:
        assert store.corpus_counts().calls == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["audit.duckdb"]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_locked_store_names_the_process(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "audit.duckdb"
    command = [sys.executable, str(LOADER), "hold", str(path), "0"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "under way\n"
        error = refusal(path, read_only=read_only)
        assert f"is in use by process {holder.pid}" in error.message
        holder.communicate(timeout=60)
    with Store.open(path, create=False):
        pass


@pytest.mark.parametrize("fails", [True, False])
def test_a_closed_store_is_free_for_another_process(tmp_path: Path, fails: bool) -> None:
    path = tmp_path / "audit.duckdb"
    try:
        with Store.open(path, create=True) as store:
            load(store, source(), call(1))
            if fails:
                fail()
    except KeyError as error:
        kept_error = error  # a traceback that is kept must not keep the file
        assert kept_error
    command = [sys.executable, str(LOADER), "hold", str(path), "0"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "under way\n")


@pytest.mark.parametrize("fails", [True, False])
def test_a_temporary_store_leaves_nothing(fails: bool) -> None:
    folder = Path()
    try:
        with Store.temporary() as store:
            folder = store.path.parent
            load(store, source(), call(1))
            assert folder.is_dir()
            if fails:
                fail()
    except KeyError:
        assert fails
    assert not folder.exists()


def test_a_store_knows_its_versions(tmp_path: Path) -> None:
    with fresh(tmp_path) as store:
        [row] = store.query("FROM meta").rows
    assert row == (ddl.SCHEMA_VERSION, connect.tool_version())


def test_importing_the_package_does_not_import_duckdb() -> None:
    code = "import sys, toolfix_audit.store; print('duckdb' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "False\n"
