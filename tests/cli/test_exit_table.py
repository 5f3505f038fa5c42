"""The table of exit codes, every meaning of every row, through a real process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from toolfix_audit.audit.gate import ExitCode

from .running import GOOD, READ, Done, call, interrupted, limited, native, run, write

Step = Callable[[Path], Done]

CASE = {"id": "one", "family": "A", "schema": READ, "args": {"arguments": {"path": "a"}}}

_PATCHED = """
import sys
import {module} as patched
{patch}
from toolfix_audit.cli.app import main
sys.argv = ["toolfix-audit", *sys.argv[1:]]
main()
"""

A_FAMILY_THAT_DROPS_A_KEY = """
import toolfix_audit.engine.repair
from dataclasses import replace
from toolfix_audit.engine.proposal import Candidate, Edit

def propose(place):
    if place.is_root and isinstance(place.value, dict) and "note" in place.value:
        kept = lambda value: {key: one for key, one in value.items() if key != "note"}
        yield Candidate((Edit("D", "drop:note", kept),))

repair = sys.modules["toolfix_audit.engine.repair"]
repair.FAMILIES = tuple(
    replace(one, propose=propose) if one.code == "D" else one for one in patched.FAMILIES
)
"""

AN_ENGINE_THAT_BREAKS = """
def broken(*_, **__):
    raise RuntimeError("it broke")
patched.audit_part = broken
"""

A_READER_THAT_LOSES_A_LINE = """
read = patched.read_json_lines
patched.read_json_lines = lambda *given: iter(list(read(*given))[:-1])
"""


def _log(folder: Path, *, times: int = 1) -> Path:
    text = "x" * 500
    calls = [call(number, {"path": f"{number * 7919}{text}"}) for number in range(times)]
    return write(folder / "log.jsonl", GOOD if times == 1 else native(*calls))


def _run(*args: str) -> Step:
    return lambda folder: run(*args, cwd=folder)


def _after(first: tuple[str, ...], *then: str) -> Step:
    """A command after another, whatever that one said."""

    def steps(folder: Path) -> Done:
        run(*first, cwd=folder)
        return run(*then, cwd=folder)

    return steps


def _patched(module: str, patch: str, *args: str) -> Step:
    program = _PATCHED.format(module=module, patch=patch)
    return lambda folder: run(argv=[sys.executable, "-c", program, *args], cwd=folder)


def _a_case_that_mismatches(folder: Path) -> Done:
    wrong = {**CASE, "expected": {"outcome": "untouched"}}
    write(folder / "cases.jsonl", [json.dumps(wrong)])
    return run("test", "cases.jsonl", cwd=folder)


def _a_store_of_another_version(folder: Path) -> Done:
    run("ingest", "log.jsonl", "--db", "a.duckdb", cwd=folder)
    with duckdb.connect(folder / "a.duckdb") as connection:
        connection.execute("UPDATE meta SET schema_version = 999")
    return run("gate", "--db", "a.duckdb", cwd=folder)


def _a_log_of_lines_that_can_not_be_read(folder: Path) -> Done:
    write(folder / "half.jsonl", [*GOOD, *['{"type": "tool/call", "session'] * 3])
    return run("dryrun", "half.jsonl", cwd=folder)


def _a_log_without_schemas(folder: Path) -> Done:
    write(folder / "bare.jsonl", native(call(1, {"path": "a"}), schema=None))
    return run("dryrun", "bare.jsonl", cwd=folder)


def _a_full_disk(folder: Path) -> Done:
    _log(folder, times=3_000)
    return limited(folder, 1024, "ingest", "log.jsonl", "--db", "a.duckdb")


def _ctrl_c(folder: Path) -> Done:
    def ready(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id":1,"schema":{},"args":{}}\n')
        process.stdin.flush()
        assert process.stdout.readline()

    return interrupted(folder, ["repair", "--ndjson"], ready)


TOO_FEW = ("--policy", "min_request_schema=99")
DROPPING = ("toolfix_audit.engine", A_FAMILY_THAT_DROPS_A_KEY)
TABLE: tuple[tuple[int, str, Step], ...] = (
    (0, "gate passed", _run("dryrun", "log.jsonl")),
    (1, "a mis-fix", _patched(*DROPPING, "dryrun", "noted.jsonl")),
    (1, "another error-level policy", _run("dryrun", "log.jsonl", *TOO_FEW)),
    (1, "a case mismatch", _a_case_that_mismatches),
    (2, "usage", _run("dryrun", "log.jsonl", "--no-such-option")),
    (2, "usage: an unknown key", _run("dryrun", "log.jsonl", "--by", "model,colour")),
    (2, "configuration", _run("dryrun", "log.jsonl", "--policy", "no_such_policy=1")),
    (2, "schema unreadable", _run("dryrun", "log.jsonl", "--schemas", "broken.json")),
    (2, "report file unreadable", _run("gate", "--from", "broken.json")),
    (2, "earlier report unreadable", _run("dryrun", "log.jsonl", "--against", "broken.json")),
    (2, "store missing", _run("gate", "--db", "missing.duckdb")),
    (2, "store of another version", _a_store_of_another_version),
    (3, "no records", _run("dryrun", "empty.jsonl")),
    (3, "no judged call", _a_log_without_schemas),
    (3, "unreadable over the limit", _a_log_of_lines_that_can_not_be_read),
    (3, "a store without a dry run", _after(("ingest", "log.jsonl"), "gate")),
    (4, "internal error", _patched("toolfix_audit.audit.dryrun", AN_ENGINE_THAT_BREAKS,
                                   "dryrun", "log.jsonl")),
    (4, "a broken ingest balance", _patched("toolfix_audit.logs.readers.native",
                                            A_READER_THAT_LOSES_A_LINE, "ingest", "log.jsonl")),
    (4, "the store can't be written", _a_full_disk),
    (130, "interrupted", _ctrl_c),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with logs and a broken file."""
    _log(tmp_path)
    noted = native(call(1, {"path": "a"}), call(2, {"path": "b", "note": "keep me"}))
    write(tmp_path / "noted.jsonl", noted)
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "broken.json").write_text('{"type":')
    return tmp_path


@pytest.mark.parametrize(("code", "meaning", "step"), TABLE, ids=[row[1] for row in TABLE])
def test_every_row_of_the_table(folder: Path, code: int, meaning: str, step: Step) -> None:
    done = step(folder)
    assert done.code == code, f"{meaning}: {done.text}"
    assert "Traceback" not in done.text
    if code in {2, 4}:
        assert "error: " in done.err or "Error" in done.err or "Usage" in done.err
    if code == 130:
        assert "interrupted" in done.err


def test_no_exit_code_is_without_a_row() -> None:
    assert {code for code, _, _ in TABLE} == set(ExitCode)


@pytest.mark.parametrize(
    ("code", "args"),
    [
        (2, ("dryrun", "empty.jsonl", "--schemas", "broken.json")),
        (2, ("dryrun", "log.jsonl", "--policy", "min_request_schema=99", "--by", "colour")),
        (3, ("dryrun", "bare.jsonl", "--policy", "unjudged=0")),
        (
            4,
            (
                "dryrun",
                "log.jsonl",
                "--policy",
                "min_request_schema=99",
                "--report",
                "json=/dev/full",
            ),
        ),
        (4, ("dryrun", "bare.jsonl", "--report", "json=/dev/full")),
    ],
)
def test_the_worst_code_wins(folder: Path, code: int, args: tuple[str, ...]) -> None:
    write(folder / "bare.jsonl", native(call(1, {"path": "a"}), schema=None))
    assert run(*args, cwd=folder).code == code


def test_exit_zero_turns_1_only_into_0_and_still_prints_fail(folder: Path) -> None:
    done = run(
        "dryrun", "log.jsonl", "--policy", "min_request_schema=99", "--exit-zero", cwd=folder
    )
    assert (done.code, "FAIL" in done.out) == (0, True)
    assert run("dryrun", "empty.jsonl", "--exit-zero", cwd=folder).code == 3
    assert run("dryrun", "missing.jsonl", "--exit-zero", cwd=folder).code == 2
