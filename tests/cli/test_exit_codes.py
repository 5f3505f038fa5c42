"""Every row of the table of exit codes, in a real process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from .running import (
    GOOD,
    READ,
    call,
    command,
    environment,
    interrupted,
    limited,
    native,
    run,
    write,
)

CASE = {"id": "one", "family": "A", "schema": READ, "args": {"arguments": {"path": "a"}}}
RIGHT = {**CASE, "expected": {"outcome": "fixed", "value": {"path": "a"}}}
WRONG = {**CASE, "id": "two", "expected": {"outcome": "untouched"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good log, a schema and case files."""
    write(tmp_path / "good.jsonl", GOOD)
    write(
        tmp_path / "bare.jsonl", native(call(1, {"path": "a"}), call(2, {"path": "b"}), schema=None)
    )
    write(tmp_path / "calls-none.jsonl", native())
    write(tmp_path / "right.jsonl", [json.dumps(RIGHT)])
    write(tmp_path / "wrong.jsonl", [json.dumps(RIGHT), json.dumps(WRONG)])
    (tmp_path / "read.json").write_text(json.dumps(READ))
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "binary.jsonl").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "broken.json").write_text('{"type":')
    (tmp_path / "words.txt").write_text("just some words\n")
    (tmp_path / "nothing").mkdir()
    write(tmp_path / "half.jsonl", [*GOOD, *['{"type": "tool/call", "session'] * 3])
    return tmp_path


ROWS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (0, ("dryrun", "good.jsonl")),
    (0, ("ingest", "good.jsonl")),
    (0, ("repair", "--schema", "read.json", '{"path":"a"}')),
    (0, ("repair", "--schema", "read.json", '{"path":')),
    (0, ("test", "right.jsonl")),
    (0, ("--version",)),
    (0, ("--help",)),
    (0, ("dryrun", "--help")),
    (1, ("test", "wrong.jsonl")),
    (2, ("dryrun", "--no-such-option")),
    (2, ("no-such-command",)),
    (2, ("ingest",)),
    (2, ("dryrun", "missing.jsonl")),
    (2, ("ingest", "missing.jsonl")),
    (2, ("ingest", "binary.jsonl")),
    (2, ("ingest", "words.txt")),
    (2, ("ingest", "good.jsonl", "--format", "no-such-format")),
    (2, ("ingest", "good.jsonl", "--label", "novalue")),
    (2, ("ingest", "good.jsonl", "--db", "no/such/folder/x.duckdb")),
    (2, ("dryrun", "good.jsonl", "--schemas", "missing.json")),
    (2, ("dryrun", "good.jsonl", "--schemas", "broken.json")),
    (2, ("dryrun", "good.jsonl", "--alt-schemas", "broken.json")),
    (2, ("dryrun", "good.jsonl", "--families", "A,Z")),
    (2, ("dryrun", "good.jsonl", "--families", "")),
    (2, ("dryrun", "good.jsonl", "--report", "docx")),
    (2, ("dryrun", "good.jsonl", "--report", "json=-", "--report", "html=-")),
    (2, ("dryrun",)),
    (2, ("dryrun", "--db", "missing.duckdb")),
    (2, ("dryrun", "--db", "words.txt")),
    (2, ("gate",)),
    (2, ("gate", "--db", "missing.duckdb")),
    (2, ("gate", "--from", "missing.json")),
    (2, ("gate", "--from", "broken.json")),
    (2, ("gate", "--from", "read.json")),
    (2, ("repair", "{}")),
    (2, ("repair", "--schema", "missing.json", "{}")),
    (2, ("repair", "--schema", "broken.json", "{}")),
    (2, ("repair", "--ndjson", "--schema", "read.json")),
    (2, ("test", "missing.jsonl")),
    (2, ("test", "broken.json")),
    (2, ("test", "good.jsonl")),
    (3, ("dryrun", "empty.jsonl")),
    (3, ("ingest", "empty.jsonl")),
    (3, ("dryrun", "nothing")),
    (3, ("ingest", "nothing")),
    (3, ("dryrun", "bare.jsonl")),
    (3, ("dryrun", "calls-none.jsonl")),
    (3, ("dryrun", "half.jsonl")),
    (3, ("ingest", "half.jsonl", "--strict")),
    (4, ("dryrun", "good.jsonl", "--report", "json=/dev/full")),
    (4, ("dryrun", "good.jsonl", "--report", "html=/dev/full")),
)


@pytest.mark.parametrize(("code", "args"), ROWS, ids=[" ".join(args) for _, args in ROWS])
def test_exit_code(folder: Path, code: int, args: tuple[str, ...]) -> None:
    done = run(*args, cwd=folder)
    assert done.code == code, done.text
    assert "Traceback" not in done.text
    assert "\x1b" not in done.text
    if code not in {0, 1}:
        assert done.err.strip() or "FAIL" in done.out
    if code == 2:
        assert done.out == ""


def test_an_error_is_one_line_with_a_mend(folder: Path) -> None:
    done = run("dryrun", "missing.jsonl", cwd=folder)
    error, *mend = done.err.splitlines()
    assert error.startswith("error: ")
    assert "missing.jsonl" in error
    assert [line.strip().partition(":")[0] for line in mend] == ["mend"]


BREAKAGE = '''
"""Runs the program with a family that drops what the schema does not declare."""
import sys
from dataclasses import replace
from toolfix_audit.cli.app import main
from toolfix_audit.engine import FAMILIES
from toolfix_audit.engine.proposal import Candidate, Edit

def drop(value):
    return {key: member for key, member in value.items() if key != "note"}

def propose(place):
    if place.is_root and isinstance(place.value, dict) and "note" in place.value:
        yield Candidate((Edit("D", "drop:note", drop),))

broken = tuple(replace(one, propose=propose) if one.code == "D" else one for one in FAMILIES)
assert "toolfix_audit.engine.repair" in sys.modules
sys.modules["toolfix_audit.engine.repair"].FAMILIES = broken
main()
'''


def test_a_mis_fix_fails_the_dry_run_and_then_the_gate(folder: Path) -> None:
    (folder / "breakage.py").write_text(BREAKAGE)
    write(
        folder / "log.jsonl",
        native(call(1, {"path": "a"}), call(2, {"path": "b", "note": "keep me"})),
    )
    argv = [sys.executable, "breakage.py", "dryrun", "log.jsonl", "--db", "audit.duckdb"]
    done = run(argv=[*argv, "--report", "json=-"], cwd=folder)
    assert done.code == 1, done.text
    report = done.json()
    assert report["verdict"]["status"] == "fail"
    assert report["verdict"]["exit_code"] == 1
    assert report["misfixes"]["count"] == 1
    (identity,) = {one["call"] for one in report["misfixes"]["examples"]}
    assert "value-lost" in report["misfixes"]["by_kind"]
    assert "FAIL" in done.err
    gate = run("gate", "--db", "audit.duckdb", cwd=folder)
    assert gate.code == 1
    assert identity in gate.out
    assert "FAIL" in gate.out
    (folder / "report.json").write_text(done.out)
    assert run("gate", "--from", "report.json", cwd=folder).code == 1
    forgiven = run("gate", "--from", "report.json", "--exit-zero", cwd=folder)
    assert (forgiven.code, "FAIL" in forgiven.out) == (0, True)
    shown = run(argv=argv, cwd=folder)
    assert shown.code == 1
    assert identity in shown.text


def test_exit_zero_forgives_nothing_but_1(folder: Path) -> None:
    for args, code in (
        (("dryrun", "empty.jsonl"), 3),
        (("dryrun", "bare.jsonl"), 3),
        (("dryrun", "missing.jsonl"), 2),
    ):
        assert run(*args, "--exit-zero", cwd=folder).code == code


def test_the_gate_passes_after_a_good_run(folder: Path) -> None:
    done = run("dryrun", "good.jsonl", "--db", "audit.duckdb", cwd=folder)
    assert done.code == 0, done.text
    gate = run("gate", "--db", "audit.duckdb", cwd=folder)
    assert gate.code == 0
    assert "misfix: 0 <= 0 ok" in gate.out
    assert "PASS" in gate.out
    env = {"TOOLFIX_AUDIT_DB": "audit.duckdb"}
    assert run("gate", cwd=folder, env=env).code == 0
    assert run("dryrun", cwd=folder, env=env).code == 0


def test_the_gate_on_a_store_without_a_run(folder: Path) -> None:
    assert run("ingest", "good.jsonl", "--db", "audit.duckdb", cwd=folder).code == 0
    done = run("gate", "--db", "audit.duckdb", cwd=folder)
    assert done.code == 3
    assert "toolfix-audit dryrun --db audit.duckdb" in done.err


def test_a_store_of_another_version(folder: Path) -> None:
    assert run("ingest", "good.jsonl", "--db", "audit.duckdb", cwd=folder).code == 0
    with duckdb.connect(folder / "audit.duckdb") as connection:
        connection.execute("UPDATE meta SET schema_version = 999")
    for args in (("dryrun",), ("gate",), ("ingest", "good.jsonl")):
        done = run(*args, "--db", "audit.duckdb", cwd=folder)
        assert done.code == 2
        assert "999" in done.err or "version" in done.err


def test_a_log_without_schemas_says_what_is_missing_and_what_to_do(folder: Path) -> None:
    done = run("dryrun", "bare.jsonl", cwd=folder)
    assert done.code == 3
    assert "read" in done.text
    assert "no-schema" in done.text
    assert "2 " in done.text
    assert "--schemas" in done.text
    schemas = folder / "tools.json"
    schemas.write_text(json.dumps([{"name": "read", "input_schema": READ}]))
    done = run("dryrun", "bare.jsonl", "--schemas", "tools.json", cwd=folder)
    assert done.code == 0, done.text


def test_a_public_log_without_schemas(shared: Path, tmp_path: Path) -> None:
    done = run("dryrun", shared / "corpora" / "tau-bench", cwd=tmp_path)
    assert done.code == 3
    assert "1,164" in done.text
    assert "no-schema" in done.text
    assert "--schemas" in done.text
    assert "get_user_details" in done.text


def test_usage_comes_before_nothing_checked(folder: Path) -> None:
    assert run("dryrun", "empty.jsonl", "--schemas", "broken.json", cwd=folder).code == 2


@pytest.mark.parametrize(
    ("blocks", "args"),
    [
        (8, ("ingest", "big.jsonl")),
        (64, ("ingest", "big.jsonl")),
        (1024, ("ingest", "big.jsonl")),
        (4096, ("ingest", "big.jsonl")),
        (1024, ("dryrun", "big.jsonl")),
        (4096, ("dryrun", "big.jsonl", "--db", "x.duckdb")),
    ],
)
def test_a_full_disk(folder: Path, blocks: int, args: tuple[str, ...]) -> None:
    text = "x" * 500
    lines = native(*(call(number, {"path": f"{number * 7919}{text}"}) for number in range(3_000)))
    write(folder / "big.jsonl", lines)
    done = limited(folder, blocks, *args)
    assert done.code == 4, done.text
    assert done.err.startswith("error: ") or "\nerror: " in done.err
    assert "internal error" not in done.err
    assert "Traceback" not in done.text
    again = run(*args, cwd=folder)
    assert again.code == 0, again.text


def test_the_exit_code_does_not_need_stderr(folder: Path) -> None:
    for args, code in ((("dryrun", "missing.jsonl"), 2), (("dryrun", "empty.jsonl"), 3)):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                command(*args), cwd=folder, env=environment(), stderr=full, timeout=60, check=False
            )
        assert done.returncode == code


def test_a_call_that_looks_like_nothing_known_stops_no_run(folder: Path) -> None:
    odd = call(1, {"type": ["x"], "value": {"path": "a"}})
    write(folder / "odd.jsonl", native(odd, call(2, {"path": "a"})))
    done = run("dryrun", "odd.jsonl", "--report", "json=-", cwd=folder)
    assert done.code == 0, done.text
    assert done.json()["outcomes"]["valid"] == 1


def test_a_store_survives_a_full_disk(folder: Path) -> None:
    assert run("ingest", "good.jsonl", "--db", "audit.duckdb", cwd=folder).code == 0
    lines = native(
        *(call(number, {"path": f"{number * 7919}" + "x" * 500}) for number in range(3_000))
    )
    write(folder / "big.jsonl", lines)
    assert limited(folder, 1024, "ingest", "big.jsonl", "--db", "audit.duckdb").code == 4
    done = run("dryrun", "--db", "audit.duckdb", "--report", "json=-", cwd=folder)
    assert done.code == 0, done.text
    assert done.json()["corpus"]["calls"] == 4


def test_an_interrupt_while_it_waits_for_requests(folder: Path) -> None:
    def ready(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id":1,"schema":{},"args":{}}\n')
        process.stdin.flush()
        assert process.stdout.readline()

    done = interrupted(folder, ["repair", "--ndjson"], ready)
    assert done.code == 130
    assert "interrupted" in done.err
    assert "Traceback" not in done.err


def test_an_interrupt_while_it_reads_a_log(folder: Path) -> None:
    def ready(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        process.stdin.write("".join(f"{line}\n" for line in GOOD).encode())
        process.stdin.flush()
        time.sleep(2.5)

    done = interrupted(folder, ["dryrun", "-"], ready)
    assert done.code == 130
    assert "Traceback" not in done.err
