"""What a kill, a full disk or a large source do to a store: nothing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from toolfix_audit.store.store import Store

from .build import call, load, rows, source

LOADER = Path(__file__).with_name("loader_process.py")
CALLS = 25_000


def check_whole(path: Path, calls_each: int) -> int:
    """Open a store that was interrupted, see that every source in it is whole, and use it."""
    with Store.open(path, create=False, read_only=True) as store:
        counts = store.corpus_counts()
        assert counts.calls == counts.results == counts.sources * calls_each
        assert counts.records == counts.calls
        assert rows(store, "SELECT count(*) FROM calls") == [(counts.calls,)]
        assert sum(batch.num_rows for batch in store.call_batches()) == counts.calls
    with Store.open(path, create=False) as store:
        assert load(store, source(f"after {counts.sources}"), call(1)).calls == 1
        [gone] = rows(store, "SELECT source FROM sources WHERE path LIKE 'after%'")
        store.connection.execute("DELETE FROM sources WHERE source = ?", list(gone))
        store.connection.execute("DELETE FROM calls WHERE source = ?", list(gone))
        store.connection.execute("DELETE FROM sessions WHERE source = ?", list(gone))
    return counts.sources


def test_a_kill_at_any_moment_leaves_a_usable_store(tmp_path: Path) -> None:
    path = tmp_path / "audit.duckdb"
    moments = random.Random(7)
    command = [sys.executable, str(LOADER), "load", str(path), str(CALLS)]
    for _ in range(6):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as loader:
            assert loader.stdout
            assert loader.stdout.readline() == "under way\n"
            time.sleep(moments.uniform(0.05, 2.5))
            loader.kill()
        check_whole(path, CALLS)


def test_a_kill_while_small_sources_come_in(tmp_path: Path) -> None:
    path = tmp_path / "audit.duckdb"
    moments = random.Random(8)
    command = [sys.executable, str(LOADER), "load", str(path), "3"]
    most = 0
    for _ in range(5):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as loader:
            assert loader.stdout
            assert loader.stdout.readline() == "under way\n"
            time.sleep(moments.uniform(0.2, 1.0))
            loader.kill()
        most = check_whole(path, 3)
    assert most > 0


def test_a_kill_while_the_store_is_made(tmp_path: Path) -> None:
    path = tmp_path / "audit.duckdb"
    moments = random.Random(9)
    command = [sys.executable, str(LOADER), "load", str(path), "3"]
    for _ in range(8):
        path.unlink(missing_ok=True)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as loader:
            time.sleep(moments.uniform(0.1, 0.6))
            loader.kill()
        if path.exists():
            check_whole(path, 3)
        with Store.open(path, create=True) as store:
            assert store.corpus_counts().unreadable == 0


def run_out(action: str, path: Path, number: int) -> str:
    """What a process said that had not enough room."""
    done = subprocess.run(
        [sys.executable, str(LOADER), action, str(path), str(number)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    path = tmp_path / "audit.duckdb"
    said = run_out("limit", path, 12_000_000)
    assert said == f"StoreWriteError 4 {path} can't be written: the disk is full\n"
    assert check_whole(path, 3) == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 MB, where we may make one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    may_mount = sys.platform == "linux" and os.geteuid() == 0
    if not may_mount or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no permission to mount a small file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    path = small_disk / "audit.duckdb"
    said = run_out("fill", path, 0)
    assert said == f"StoreWriteError 4 {path} can't be written: the disk is full\n"
    assert check_whole(path, 3) == 1


def test_a_disk_that_is_full_from_the_start(small_disk: Path) -> None:
    path = small_disk / "audit.duckdb"
    block = small_disk / "block"
    with suppress(OSError), block.open("wb", buffering=0) as file:
        while file.write(b"x" * 65536):
            pass
    done = subprocess.run(
        [sys.executable, str(LOADER), "fill", str(path), "0"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(f"StoreWriteError: {path} can't be written: the disk is full")
    assert [entry.name for entry in small_disk.iterdir()] == ["block"]
    block.unlink()
    with Store.open(path, create=True) as store:
        assert load(store, source(), call(1)).calls == 1


def test_memory_stays_flat(tmp_path: Path) -> None:
    """Ten times the calls may take more memory, but only up to what the store may cache."""
    used = {}
    for count in (10_000, 100_000):
        path = tmp_path / f"{count}.duckdb"
        held, most = run_out("measure", path, count).split()
        assert int(held) == count
        used[count] = int(most)
        text = 2 * 256 * count
        assert path.stat().st_size > text / 4
    assert used[100_000] - used[10_000] < 250_000
