"""The figures as text and JSON, and the command with its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from toolfix_audit.audit.inject import Fate, Injection, Plan, Subject, inject
from toolfix_audit.audit.inject.run import Deviation, check_untouched
from toolfix_audit.audit.inject.tables import as_json, as_text
from toolfix_audit.cli.commands.inject import inject as command
from toolfix_audit.model.json import Json, dump_json

from .subjects import FULL, READ, subject_of

PLAN = Plan()


@pytest.fixture(name="app")
def _app() -> typer.Typer:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command("inject")(command)
    return app


def _done(subject: Subject) -> Injection:
    done = Injection()
    assert check_untouched(done, subject, PLAN)
    return inject([subject], PLAN, done=done)


def _deviation(tool: str, kinds: tuple[str, ...]) -> Deviation:
    return Deviation(
        family="F",
        tool=tool,
        call="c",
        variant="v",
        place="/x",
        fate=Fate.CHANGED.value,
        outcome="fixed",
        reason=None,
        damaged={"x": "\x1b[31m"},
        truth={"x": 1},
        result={"x": 2},
        kinds=kinds,
    )


def test_all_is_restored() -> None:
    done = _done(subject_of(READ, FULL))
    text = as_text(done, PLAN)
    assert "valid calls left as they are: 1 of 1 (100 %)" in text
    assert text.endswith("PASS  0 mis-fixes, 0 valid calls touched (seed 1)\n")
    document = json.loads(as_json(done, PLAN))
    assert document["no_touch"] == {"valid": 1, "touched": 0, "swallowed": 0}
    assert document["families"]["A"]["restored"] == 2
    assert document["verdict"] == "pass"
    planted = sum(row["planted"] for row in document["tools"])
    assert planted == sum(row["planted"] for row in document["families"].values())


def test_the_same_seed_gives_the_same_bytes() -> None:
    one, two = (_done(subject_of(READ, FULL)) for _ in range(2))
    assert as_text(one, PLAN) == as_text(two, PLAN)
    assert as_json(one, PLAN) == as_json(two, PLAN)


def test_a_deviation_is_told_and_its_control_characters_are_visible() -> None:
    done = _done(subject_of(READ, FULL))
    done.fates["F", "re\x07ad", Fate.CHANGED] += 1
    done.keep(_deviation("re\x07ad", ("needless",)))
    done.misfixes += 1
    text = as_text(done, PLAN)
    assert "F changed: re\\u0007ad" in text
    assert "mis-fix: needless" in text
    assert text.endswith("FAIL  1 mis-fixes, 0 valid calls touched (seed 1)\n")
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    assert json.loads(as_json(done, PLAN))["verdict"] == "fail"


def test_convicted_deviations_are_never_crowded_out() -> None:
    done = Injection()
    for number in range(300):
        done.keep(_deviation(f"t{number}", ()))
    done.keep(_deviation("bad", ("needless",)))
    assert len(done.deviations) == 201


def test_a_swallowed_call_is_set_aside() -> None:
    schema: Json = {"type": "object", "properties": {"limit": {"type": "integer"}}}
    subject = subject_of(schema, {"arguments": {"limit": 3}})
    done = Injection()
    assert not check_untouched(done, subject, PLAN)
    assert (done.valid, done.touched, done.swallowed) == (0, 0, 1)


def test_command_on_schemas_alone(app: typer.Typer, tmp_path: Path) -> None:
    schemas = tmp_path / "tools.json"
    schemas.write_text(dump_json({"read": READ}), encoding="utf-8")
    runner = CliRunner()
    ran = runner.invoke(app, ["--schemas", str(schemas), "--report", "json", "--per-tool", "4"])
    assert ran.exit_code == 0, ran.output
    document = json.loads(ran.stdout)
    assert document["calls"] == 4
    chosen = runner.invoke(app, ["--schemas", str(schemas), "--families", "A", "--report", "json"])
    assert set(json.loads(chosen.stdout)["families"]) == {"A"}


@pytest.mark.parametrize(("is_error", "code"), [(False, 0), (True, 3)])
def test_command_on_logs(app: typer.Typer, tmp_path: Path, is_error: bool, code: int) -> None:
    rows: list[Json] = [
        {"type": "session", "session": "s1", "harness": "own"},
        {"type": "tools", "session": "s1", "tools": [{"name": "read", "input_schema": READ}]},
        {"type": "tool/call", "session": "s1", "id": "c1", "tool": "read", "arguments": FULL},
        {
            "type": "tool/result",
            "session": "s1",
            "id": "c1",
            "is_error": is_error,
            "content": "no such file",
        },
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(dump_json(row) + "\n" for row in rows), encoding="utf-8")
    ran = CliRunner().invoke(app, [str(log), "--report", "json"])
    assert ran.exit_code == code, ran.output
    if code == 0:
        assert json.loads(ran.stdout)["calls"] == 1


@pytest.mark.parametrize(
    "arguments",
    [["--families", "Z"], ["--db", "missing.duckdb"], ["--per-tool", "0"], ["nowhere.jsonl"]],
)
def test_command_refuses(app: typer.Typer, tmp_path: Path, arguments: list[str]) -> None:
    given = [str(tmp_path / one) if one.endswith(("duckdb", "jsonl")) else one for one in arguments]
    assert CliRunner().invoke(app, given).exit_code == 2
