"""`formats`: every reader with its tier."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from toolfix_audit.cli.commands.formats import NOT_OFFERED, formats
from toolfix_audit.logs.readers import READERS

from . import running


def run(*words: str) -> str:
    app = typer.Typer()
    app.command()(formats)
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_every_reader_is_shown_with_its_tier() -> None:
    listed = json.loads(run("--format", "json"))
    tiers = {row["format"]: row["tier"] for row in listed}
    assert len(tiers) == len(listed)
    assert {name: tier for name, tier in tiers.items() if tier != "not offered"} == {
        reader.name: reader.tier.value for reader in READERS
    }
    absent = {name for name, _ in NOT_OFFERED} - {reader.name for reader in READERS}
    assert {name for name, tier in tiers.items() if tier == "not offered"} == absent


def test_the_text_has_the_same_rows_in_the_same_order() -> None:
    listed = [row["format"] for row in json.loads(run("--format", "json"))]
    head, *lines = run().splitlines()
    assert head.split() == ["format", "tier", "what", "it", "is"]
    assert [line.split()[0] for line in lines] == listed


MINE: list[dict[str, Any]] = [
    {"run": "7", "step": "start"},
    {"run": "7", "step": "tools", "tools": [{"fn": "read", "schema": running.READ}]},
    {"run": "7", "step": "thought", "text": "hm"},
    {"run": "7", "step": "call", "fn": "read", "args": {"path": "a"}, "uid": "c1"},
    {"run": "7", "step": "answer", "ok": True, "text": "text of a", "uid": "c1"},
    {"run": "7", "step": "call", "fn": "read", "raw_args": '{"args": {"path": "a"}}', "uid": "c2"},
    {"run": "7", "step": "answer", "ok": False, "text": running.REJECTED, "uid": "c2"},
]


def test_the_converter_of_the_page_gives_a_log_that_is_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "convert.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    log = "".join(json.dumps(row) + "\n" for row in MINE)
    done = running.run(cwd=tmp_path, stdin=log, argv=[sys.executable, "-c", program])
    assert done.code == 0, done.err
    (tmp_path / "my.jsonl").write_text(done.out, "utf-8")
    report = running.run("dryrun", "my.jsonl", "--report", "json=-", cwd=tmp_path).json()
    outcomes = {name: n for name, n in report["outcomes"].items() if n}
    assert outcomes == {"valid": 1, "fixed": 1}
    assert report["host"]["rejected_arguments"]["fixed"] == 1
    assert report["sources"][0]["format"] == "native"
