"""`dryrun --engine` and `--judge`: the same report, one line for each fault, no lost call."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest
from typer.testing import CliRunner, Result

from toolfix_audit.audit.arrow import CALLS as COLUMNS
from toolfix_audit.audit.foreign import ForeignError
from toolfix_audit.audit.foreign.pool import close_all
from toolfix_audit.audit.kernel import audit_batch
from toolfix_audit.audit.spec import SchemaSet, Spec, Supplied
from toolfix_audit.cli.app import app
from toolfix_audit.model.words import Origin

from .conftest import fake_command, is_gone

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path"],
}
FREE = {"type": "object", "properties": {"path": {"type": "string"}}}
CALLS: list[tuple[str, object]] = [
    ("read", {"path": "a"}),
    ("read", {"path": "a", "limit": "5"}),
    ("read", '{"path": "b", "limit": "5"}'),
    ("read", {"arguments": {"path": "a"}}),
    ("read", {"file_path": "a"}),
    ("read", '{"path": "a",}'),
    ("read", '{"path": "a'),
    ("read", {}),
    ("read", {"limit": 1}),
    ("Read", {"path": "a"}),
    ("functions.read:0", {"arguments": {"path": "a"}}),
    ("nothing", {"path": "a"}),
    ("free", {"arguments": {"path": "a"}}),
    ("functions.free:0", {"arguments": {"path": "a"}}),
    ("read", {"path": 1.0}),
    ("read", '{"path":"a","path":"b"}'),
    ("read", {"path": "a", "limit": 12345678901234567890}),
]
OWN = "command:" + shlex.join([sys.executable, "-m", "toolfix_audit", "repair", "--ndjson"])


def write_log(path: Path, calls: list[tuple[str, object]]) -> Path:
    tools = [{"name": "read", "input_schema": SCHEMA}, {"name": "free", "input_schema": FREE}]
    rows: list[dict[str, Any]] = [
        {"type": "session", "session": "s"},
        {"type": "tools", "session": "s", "tools": tools},
    ]
    for number, (tool, arguments) in enumerate(calls):
        head = {"session": "s", "id": f"c{number}"}
        rows.append({"type": "tool/call", **head, "tool": tool, "arguments": arguments})
        rows.append({"type": "tool/result", **head, "is_error": False, "content": "ok"})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def dry_run(log: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["dryrun", str(log), "--report", "json=-", *options])


def report_of(log: Path, *options: str) -> dict[str, Any]:
    done = dry_run(log, *options)
    assert done.exit_code in {0, 1}, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def without_names(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what names the engine."""
    return {key: report[key] for key in report if key not in {"engine", "notes"}}


def test_our_own_engine_behind_a_command_gives_the_same_report(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", CALLS)
    ours, behind = report_of(log), report_of(log, "--engine", OWN)
    assert without_names(ours) == without_names(behind)
    assert behind["engine"] == {"name": OWN, "version": "unknown", "families": []}
    assert ours["outcomes"]["fixed"] >= 6
    assert set(ours["power"]) >= {"A", "D", "F", "K", "L"}
    assert ours["verdict"]["exit_code"] == 0
    assert "--engine" in behind["notes"][0]


def test_only_id_and_arguments_are_needed(tmp_path: Path) -> None:
    script = tmp_path / "bare.py"
    script.write_text(
        "import json, sys\n"
        "from toolfix_audit.engine.answers import answer_line\n"
        "from toolfix_audit.engine import SAFE\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(answer_line(line, SAFE))\n"
        "    bare = {name: told[name] for name in ('id', 'arguments', 'tool')}\n"
        "    print(json.dumps(bare), flush=True)\n",
        encoding="utf-8",
    )
    log = write_log(tmp_path / "log.jsonl", CALLS)
    command = "command:" + shlex.join([sys.executable, str(script)])
    ours, behind = report_of(log), report_of(log, "--engine", command)
    for name in ("outcomes", "families", "untouched", "wrapper_depth", "tools", "host"):
        assert without_probes(behind[name]) == without_probes(ours[name]), name
    assert behind["misfixes"]["count"] == ours["misfixes"]["count"] == 0


def without_probes(part: Any) -> Any:
    if isinstance(part, list):
        return [{key: row[key] for key in row if key != "probes"} for row in part]
    return part


@pytest.mark.parametrize("judge", ["jsonschema", "jsonschema-rs"])
def test_another_judge_of_ours_gives_the_same_outcomes(tmp_path: Path, judge: str) -> None:
    log = write_log(tmp_path / "log.jsonl", CALLS[:14])
    ours, other = report_of(log), report_of(log, "--judge", judge)
    assert other["outcomes"] == ours["outcomes"]
    assert other["judge"]["name"] == judge
    assert other["judge"]["version"][0].isdigit()


@pytest.mark.parametrize("judge", ["dsh", "ajv"])
def test_a_judge_in_node_gives_the_same_outcomes(
    node_path: Path, tmp_path: Path, judge: str
) -> None:
    log = write_log(tmp_path / "log.jsonl", CALLS[:14])
    ours, other = report_of(log), report_of(log, "--judge", judge)
    assert other["outcomes"] == ours["outcomes"]
    assert other["misfixes"]["count"] == 0
    assert other["judge"]["name"] == judge
    assert other["judge"]["version"][0].isdigit()


def test_the_shallow_judge_lets_few_families_run(tmp_path: Path) -> None:
    report = report_of(write_log(tmp_path / "log.jsonl", CALLS), "--judge", "shallow")
    touched = {row["code"] for row in report["families"] if row["calls"]}
    assert {"A", "D"} <= touched <= set("ABCDK")


POISON: list[tuple[str, object]] = [
    ("read", {"path": "a"}),
    ("read", {"path": "trigger"}),
    ("read", {"limit": "trigger"}),
    ("read", {"path": "a", "limit": "5"}),
    ("read", {"limit": "trigger"}),
    ("read", {"path": "b"}),
]


@pytest.mark.parametrize(
    "mode",
    [
        *("hang", "die", "garbage", "other_id", "listed", "endless_line", "endless_lines"),
        *("echo", "empty", "own_error"),
    ],
)
def test_an_engine_without_an_answer_loses_no_call(tmp_path: Path, mode: str) -> None:
    log = write_log(tmp_path / "log.jsonl", POISON)
    done = dry_run(log, "--engine", fake_command(mode), "--timeout", "3")
    assert done.exit_code == 1, done.stderr
    report = json.loads(done.stdout)
    failed = [one["policy"] for one in report["verdict"]["policies"] if not one["holds"]]
    assert failed == ["unanswered"]
    assert report["misfixes"]["count"] == 0
    assert report["outcomes"] == {
        "valid": 3,
        "swallowed": 0,
        "fixed": 1,
        "still_failing": 0,
        "untouched": 2,
        "unjudged": 0,
    }
    assert report["untouched"] == {"limit": 2}
    assert {row["code"]: row["count"] for row in report["findings"]}["engine-unanswered"] == 3
    told = [line for line in done.stderr.splitlines() if line.startswith("engine command:")]
    assert len(told) == 1
    assert "no answer to 3 requests" in told[0]


@pytest.mark.parametrize("mode", ["hang", "die", "garbage", "endless_lines"])
def test_a_judge_without_an_answer_loses_no_call(tmp_path: Path, mode: str) -> None:
    log = write_log(tmp_path / "log.jsonl", POISON)
    done = dry_run(log, "--judge", fake_command(mode), "--timeout", "3")
    assert done.exit_code == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["outcomes"]["valid"] == 3
    assert report["untouched"] == {"limit": 3}
    assert {row["code"]: row["count"] for row in report["findings"]} == {"judge-unanswered": 3}


def test_a_judge_that_refuses_a_schema_leaves_it_unjudged(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", POISON)
    report = report_of(log, "--judge", fake_command("own_error"))
    assert report["unjudged"] == {"schema-unusable": 3}


@pytest.mark.parametrize("mode", ["noisy!", "twice!", "flood!", "last_one!"])
def test_an_odd_engine_that_answers_is_taken_at_its_word(tmp_path: Path, mode: str) -> None:
    report = report_of(write_log(tmp_path / "log.jsonl", POISON), "--engine", fake_command(mode))
    assert report["outcomes"]["fixed"] == 1
    assert "engine-unanswered" not in {row["code"] for row in report["findings"]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "nope"), "--engine: unknown name 'nope'"),
        (("--judge", "nope"), "--judge: unknown name 'nope'"),
        (("--engine", "command:"), "no command behind command:"),
        (("--engine", "command:'"), "No closing quotation"),
        (("--engine", "command:/nonexistent/x"), "No such file"),
        (("--engine", fake_command("die_at_once")), "no such luck"),
        (("--judge", fake_command("die_at_once")), "no such luck"),
        (("--engine", fake_command("hang!"), "--timeout", "0.3"), "no answer 4 times in a row"),
        (("--judge", fake_command("die!"), "--timeout", "5"), "no answer 4 times in a row"),
        (("--engine", fake_command("garbage!"), "--timeout", "0.3"), "garbage: {"),
        (("--engine", "command:cat"), "its answer holds no `arguments`"),
        (("--judge", "command:cat"), "its answer holds no `violations`"),
        (("--engine", fake_command("empty!")), "and no `error`, only id"),
    ],
)
def test_one_that_can_not_be_used_is_one_line_and_2(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    calls: list[tuple[str, object]] = [("read", {"path": f"p{number}"}) for number in range(10)]
    done = dry_run(write_log(tmp_path / "log.jsonl", calls), *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert message in errors[0]
    assert "Traceback" not in done.stderr


def test_an_engine_that_only_echoes_never_passes(tmp_path: Path) -> None:
    """Too few calls to give it up, yet none was answered."""
    log = write_log(tmp_path / "log.jsonl", [("read", {"path": "a"}), ("read", {"limit": 1})])
    done = dry_run(log, "--engine", "command:cat", "--report", "text=" + str(tmp_path / "r.txt"))
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert {one["code"]: one["count"] for one in report["findings"]} == {"engine-unanswered": 2}
    assert "no answer to 2 requests (2 incomplete)" in done.stderr
    assert "unanswered" in (tmp_path / "r.txt").read_text(encoding="utf-8")


def test_a_run_that_broke_off_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    log, db = write_log(tmp_path / "log.jsonl", CALLS), str(tmp_path / "a.duckdb")
    assert dry_run(log, "--db", db).exit_code == 0
    before = CliRunner().invoke(app, ["gate", "--db", db])
    broken = dry_run(log, "--db", db, "--engine", fake_command("die!"))
    assert broken.exit_code == 2
    assert "(at call " in broken.stderr
    after = CliRunner().invoke(app, ["gate", "--db", db])
    assert (before.exit_code, before.output) == (after.exit_code, after.output)


def test_an_engine_that_guesses_is_convicted(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", [("read", {"path": "trigger"}), ("read", {"limit": 1})])
    done = dry_run(log, "--engine", fake_command("plain_text"))
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert report["misfixes"]["by_kind"]["touched-valid"] == 1
    rows = {row["code"]: row for row in report["families"]}
    assert (rows["?"]["name"], rows["?"]["calls"]) == ("no-family", 1)
    assert rows["?"]["probes"] == report["misfixes"]["probes"]
    held = {one["policy"]: one["holds"] for one in report["verdict"]["policies"]}
    assert (held["misfix"], held["power"]) == (False, True)
    assert sum(one["convicted"] for one in report["power"]["D"].values()) > 0


def test_interrupted_it_leaves_no_process_behind(tmp_path: Path) -> None:
    log, note = write_log(tmp_path / "log.jsonl", POISON), tmp_path / "pid"
    command = fake_command("hang_with_child", str(note))
    words = [sys.executable, "-m", "toolfix_audit", "dryrun", str(log), "--engine", command]
    with subprocess.Popen(
        [*words, "--timeout", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for(note)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stdout == ""
    assert stderr.splitlines()[-1] == "interrupted"
    assert is_gone(int(note.read_text(encoding="utf-8")))


def wait_for(note: Path) -> None:
    for _ in range(600):
        if note.is_file() and note.read_text(encoding="utf-8"):
            return
        time.sleep(0.05)
    pytest.fail("the engine was never asked")


def test_the_kernel_is_the_same_in_any_split(tmp_path: Path) -> None:
    spec = Spec(engine=fake_command("honest"), judge="jsonschema")
    schemas = SchemaSet(
        {"s": json.dumps(SCHEMA)}, supplied={"read": Supplied("s", Origin.CATALOGUE)}
    )
    rows = [call_row(number, {"path": str(number), "limit": "5"}) for number in range(6)]
    whole = audit(rows, schemas, spec)
    assert whole == audit(rows[:2], schemas, spec) + audit(rows[2:], schemas, spec)
    assert Counter(row["outcome"] for row in whole) == {"fixed": 6}


def test_the_error_names_the_call() -> None:
    spec = Spec(engine=fake_command("die!"))
    schemas = SchemaSet(
        {"s": json.dumps(SCHEMA)}, supplied={"read": Supplied("s", Origin.CATALOGUE)}
    )
    rows = [call_row(number, {"path": str(number)}) for number in range(9)]
    with pytest.raises(ForeignError, match=r"\(at call c[0-9]\)"):
        audit(rows, schemas, spec)
    close_all()


def call_row(number: int, arguments: object) -> dict[str, Any]:
    return {
        **dict.fromkeys(COLUMNS.names),
        "call": f"c{number}",
        "session": "s",
        "path": "p",
        "tool": "read",
        "arguments": json.dumps(arguments),
        "form": "value",
        "dispatched": False,
        "has_result": False,
    }


def audit(rows: list[dict[str, Any]], schemas: SchemaSet, spec: Spec) -> list[dict[str, Any]]:
    batch = pa.RecordBatch.from_pylist(rows, schema=COLUMNS)
    return cast("list[dict[str, Any]]", audit_batch(batch, schemas, spec).to_pylist())
