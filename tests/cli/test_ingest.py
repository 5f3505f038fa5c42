"""The ingest command: what it says, and how it ends."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from toolfix_audit.audit.ingest import Reading
from toolfix_audit.cli.console import reading_line

from .running import GOOD, call, command, environment, native, run, write

NO_SCHEMA = native(call(1, {"path": "a"}), call(2, {"path": "b"}), schema=None)
CHAT = ['{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}']


def test_the_summary_says_what_came_in_by_format(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    write(logs / "a.jsonl", [*GOOD, "{broken"])
    write(logs / "b.jsonl", NO_SCHEMA)
    write(logs / "c.json", CHAT)
    write(logs / "words.txt", ["no log"])
    done = run("ingest", "logs", cwd=tmp_path)
    assert done.code == 0
    assert done.out == ""
    assert done.err.splitlines() == [
        "native: 2 files, 6 calls, 6 results, 0 texts, 1 unreadable, 2 calls without schema",
        "openai-messages: 1 file, 0 calls, 0 results, 1 texts, 0 unreadable, "
        "0 calls without schema",
        "not a log: logs/words.txt (no reader recognises it)",
    ]


def test_a_second_run_says_what_was_known_and_what_grew(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", GOOD)
    write(tmp_path / "b.jsonl", NO_SCHEMA)
    write(tmp_path / "c.jsonl", NO_SCHEMA[:1] + NO_SCHEMA[-2:])
    assert run("ingest", "a.jsonl", "b.jsonl", "c.jsonl", cwd=tmp_path).code == 0
    with (tmp_path / "b.jsonl").open("a") as log:
        log.write('{"type":"tool/call","session":"s1","id":"x","tool":"t"}\n')
    write(tmp_path / "c.jsonl", NO_SCHEMA[:2])
    done = run("ingest", "a.jsonl", "b.jsonl", "c.jsonl", cwd=tmp_path)
    assert done.err.startswith(
        "native: 3 files (1 known already, 1 grown and read again, 1 in place of another content)"
    )


def test_schemas_given_count(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", NO_SCHEMA)
    write(tmp_path / "tools.json", ['[{"name":"read","input_schema":{"type":"object"}}]'])
    done = run("ingest", "a.jsonl", "--schemas", "tools.json", cwd=tmp_path)
    assert ", 0 calls without schema" in done.err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_any_number_of_processes_says_the_same(tmp_path: Path, jobs: str) -> None:
    for name in ("a", "b", "c"):
        write(tmp_path / f"{name}.jsonl", [*GOOD, f"{{broken {name}"])
    done = run("ingest", ".", "--db", "x.duckdb", "--jobs", jobs, cwd=tmp_path)
    assert done.code == 0
    assert done.err.startswith("native: 3 files, 12 calls, 12 results, 0 texts, 3 unreadable")


@pytest.mark.parametrize("jobs", ["0", "many"])
def test_a_wrong_number_of_processes_is_a_usage_error(tmp_path: Path, jobs: str) -> None:
    write(tmp_path / "a.jsonl", GOOD)
    assert run("ingest", "a.jsonl", "--jobs", jobs, cwd=tmp_path).code == 2


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_listed_in_a_folder_and_an_error_by_name(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    (logs / "closed").mkdir(parents=True)
    write(logs / "a.jsonl", GOOD)
    write(logs / "b.jsonl", GOOD).chmod(0)
    (logs / "closed").chmod(0)
    done = run("ingest", "logs", cwd=tmp_path)
    (logs / "closed").chmod(0o700)
    assert done.code == 0
    assert "not read: logs/b.jsonl: Permission denied" in done.err
    assert "not read: logs/closed: Permission denied" in done.err
    assert run("ingest", "logs/b.jsonl", cwd=tmp_path).code == 2


def test_an_interrupt_is_one_line_and_leaves_the_store(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for number in range(30):
        calls = [call(n, {"path": f"{number} " + "x" * 900}) for n in range(900)]
        write(tmp_path / "logs" / f"{number:02}.jsonl", native(*calls))
    process = subprocess.Popen(
        command("ingest", "logs", "--jobs", "2"),
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    store = tmp_path / "toolfix-audit.duckdb"
    while not store.exists() and process.poll() is None:
        os.sched_yield()
    process.send_signal(2)
    _, said = process.communicate(timeout=60)
    if process.returncode == 0:  # it was quicker
        pytest.skip("the ingest ended before the interrupt")
    assert (process.returncode, said) == (130, "interrupted\n")
    assert run("ingest", "logs", cwd=tmp_path).code == 0


@pytest.mark.parametrize(
    ("done", "total", "seconds", "line"),
    [
        (0, 2_000_000_000, 0.0, "read 0 B of 2.0 GB: a.jsonl"),
        (500_000_000, 2_000_000_000, 5.0, "read 500 MB of 2.0 GB, 100 MB/s, 15 s left: a.jsonl"),
        (1_000, 9_000_000, 1.0, "read 1 kB of 9 MB, 1 kB/s, 2 h 29 min left: a.jsonl"),
        (9_000_000, 9_000_000, 100.0, "read 9 MB of 9 MB, 90 kB/s, 0 s left: a.jsonl"),
        (3_000_000, 9_000_000, 60.0, "read 3 MB of 9 MB, 50 kB/s, 2 min 00 s left: a.jsonl"),
    ],
)
def test_progress_tells_bytes_rate_and_time(
    done: int, total: int, seconds: float, line: str
) -> None:
    assert reading_line(Reading("a.jsonl", done, total), seconds) == line
