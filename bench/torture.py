"""Kill an ingest at random moments, fill its disk, and see that the store is none the worse.

A corpus is made and ingested once for comparison. Then another ingest of it is killed (signal 9)
at random moments, time and again: after each kill the store must open, and hold whole sources
only. Then it is let run to its end, and the two stores must be equal, row for row. At last the
store may grow to a part of its size only, and then to a part of a small disk (where one may be
mounted): that must be one clear line, exit code 4, and an intact store.

Usage: python bench/torture.py [--megabytes N] [--kills N] [--seed N] [--folder DIR]
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.ingest import make_corpus
from toolfix_audit.store.store import Store

TABLES = (
    "SELECT source, digest, path, format, size, labels, units, records, ignored, unreadable, "
    "calls, results, texts FROM {}.sources",
    "SELECT path, digest FROM {}.source_paths",
    "FROM {}.ignored_kinds",
    "FROM {}.sessions",
    "FROM {}.tool_schemas",
    "FROM {}.catalogs",
    "FROM {}.catalog_uses",
    "FROM {}.calls",
    "FROM {}.results",
    "FROM {}.assistant_texts",
    "FROM {}.stream_errors",
    "FROM {}.unreadable",
)


def start(
    logs: Path, store: Path, *, limit: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    """An ingest under way."""
    command = [sys.executable, "-m", "toolfix_audit", "ingest", str(logs), "--db", str(store)]
    return subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,  # noqa: PLW1509 — no threads here
    )


def run(logs: Path, store: Path, *, limit: Callable[[], None] | None = None) -> tuple[int, str]:
    """Exit code and stderr of a whole ingest."""
    process = start(logs, store, limit=limit)
    _, said = process.communicate()
    return process.returncode, said


def require(met: bool, what: str) -> None:
    """Stop unless it holds.

    Raises:
        SystemExit: it does not hold.
    """
    if not met:
        raise SystemExit(f"FAILED: {what}")


def whole_sources(path: Path) -> int:
    """How many sources a store has; every one of them must be whole."""
    if not path.exists():
        return 0
    with Store.open(path, create=False, read_only=True) as store:
        found = store.query(
            "SELECT count(*) FROM sources WHERE calls <> "
            "(SELECT count(*) FROM calls WHERE calls.source = sources.source) OR results <> "
            "(SELECT count(*) FROM results WHERE results.source = sources.source)"
        ).rows
        require(found == [(0,)], f"{found} sources are not whole")
        orphans = store.query(
            "SELECT count(*) FROM calls WHERE source NOT IN (SELECT source FROM sources)"
        ).rows
        require(orphans == [(0,)], f"{orphans} calls are of no source")
        return store.corpus_counts().sources


def differences(one: Path, other: Path) -> Iterator[str]:
    """The tables in which two stores differ, row for row."""
    with duckdb.connect() as connection:
        connection.execute("ATTACH ? AS one (READ_ONLY)", [str(one)])
        connection.execute("ATTACH ? AS other (READ_ONLY)", [str(other)])
        for table in TABLES:
            left, right = table.format("one"), table.format("other")
            for first, second in ((left, right), (right, left)):
                count = connection.execute(
                    f"SELECT count(*) FROM ({first} EXCEPT ALL {second})"
                ).fetchone()
                if count != (0,):
                    yield f"{count} rows of {table}"


def kill_often(
    logs: Path, path: Path, kills: int, *, seconds: float, chance: random.Random
) -> None:
    """Kill an ingest that often, at moments spread over the time that it takes."""
    done = 0
    while done < kills:
        process = start(logs, path)
        time.sleep(chance.uniform(0, seconds))
        was_running = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        sources = whole_sources(path)
        if was_running:
            done += 1
            print(f"  kill {done}: {sources} sources are there", flush=True)
        else:
            seconds *= 0.8  # the machine is quicker now
        if not was_running or chance.random() < 0.3:  # else most kills would find nothing to do
            for leftover in path.parent.glob(f"{path.name}*"):
                if leftover.is_file():
                    leftover.unlink()


def fill_up(logs: Path, path: Path, limit: Callable[[], None] | None, what: str) -> None:
    """Ingest where there is not room enough."""
    code, said = run(logs, path, limit=limit)
    lines = said.strip().splitlines()
    error = next((line for line in lines if line.startswith("error: ")), "")
    require(code == 4, f"{what}: exit code {code}: {said}")
    require("the disk is full" in error, f"{what}: {said}")
    require(not any("Traceback" in line for line in lines), f"{what}: {said}")
    print(f"  {what}: {error}; {whole_sources(path)} sources are there", flush=True)


def no_larger_than(size: int) -> Callable[[], None]:
    """What a process must do first so that no file of it grows beyond a size."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path | None]:
    """A file system of that many bytes; None where none may be mounted."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    may = sys.platform == "linux" and os.geteuid() == 0
    if not may or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def torture(folder: Path, megabytes: int, kills: int, seed: int) -> None:
    """The whole of it.

    Raises:
        SystemExit: something does not hold.
    """
    logs = folder / "logs"
    logs.mkdir()
    make_corpus(logs, megabytes, file_bytes=max(megabytes * 1_000_000 // 40, 200_000))
    clean, beaten = folder / "clean.duckdb", folder / "beaten.duckdb"
    begun = time.monotonic()
    code, said = run(logs, clean)
    seconds = time.monotonic() - begun
    require(code == 0, said)
    print(f"{megabytes} MB, {whole_sources(clean)} sources, clean in {seconds:.1f} s", flush=True)
    kill_often(logs, beaten, kills, seconds=seconds, chance=random.Random(seed))
    code, said = run(logs, beaten)
    require(code == 0, said)
    found = list(differences(clean, beaten))
    require(not found, f"the stores differ: {found}")
    print("  the stores are equal, row for row", flush=True)
    half = clean.stat().st_size // 2
    fill_up(logs, folder / "limited.duckdb", no_larger_than(half), "a limit on the file")
    with small_disk(folder / "small", half) as disk:
        if disk is None:
            print("  a small disk: skipped, none may be mounted")
        else:
            fill_up(logs, disk / "store.duckdb", None, "a small disk")


def main() -> int:
    """Run it in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where there is room for five times the size")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="torture-", dir=options.folder) as name:
        torture(Path(name), options.megabytes, options.kills, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
