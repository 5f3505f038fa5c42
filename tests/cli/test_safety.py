"""No command replaces what it reads, and the gate believes no report that can't be true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import run

TOOL = {"name": "read", "input_schema": {"properties": {"path": {}}, "required": ["path"]}}
LINES = (
    {"type": "tools", "session": "s", "tools": [TOOL]},
    {"type": "tool/call", "session": "s", "id": "1", "tool": "read", "arguments": {"path": "a"}},
    {
        "type": "tool/call",
        "session": "s",
        "id": "2",
        "tool": "read",
        "arguments": {"arguments": {"path": "b"}},
    },
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of two calls, one of them wrapped."""
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    return path


def test_a_report_never_replaces_a_log(log: Path, tmp_path: Path) -> None:
    before = log.read_bytes()
    for words in ((str(log),), (str(tmp_path),)):
        done = run("dryrun", *words, "--report", f"json={log}", cwd=tmp_path)
        assert done.code == 2
        assert "would replace" in done.err
    assert log.read_bytes() == before


def test_a_report_never_replaces_a_store_its_sources_or_a_schema(log: Path, tmp_path: Path) -> None:
    store, schema = tmp_path / "s.duckdb", tmp_path / "tools.json"
    schema.write_text(json.dumps([TOOL]), encoding="utf-8")
    assert run("ingest", str(log), "--db", str(store), cwd=tmp_path).code == 0
    for target, words in (
        (store, ("--db", str(store))),
        (log, ("--db", str(store))),
        (schema, (str(log), "--schemas", str(schema))),
    ):
        before = target.read_bytes()
        done = run("dryrun", *words, "--report", f"html={target}", cwd=tmp_path)
        assert done.code == 2
        assert target.read_bytes() == before


def test_two_reports_want_two_files(log: Path, tmp_path: Path) -> None:
    one, two = "--report=json=out.txt", f"--report=html={tmp_path / 'out.txt'}"
    done = run("dryrun", str(log), one, two, cwd=tmp_path)
    assert done.code == 2
    assert run("dryrun", str(log), "--report=json=", cwd=tmp_path).code == 2


def test_the_gate_wants_figures_that_agree(log: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    done = run("dryrun", str(log), "--report", f"json={report}", cwd=tmp_path)
    assert done.code == 0, done.err
    sound = json.loads(report.read_text(encoding="utf-8"))
    assert run("gate", "--from", str(report), cwd=tmp_path).code == 0
    for change, expected in (
        (lambda one: one["outcomes"].update(fixed=10**30), 2),
        (lambda one: one["families"][0].update(misfixes=5), 2),
        (lambda one: one["misfixes"].update(count=1), 1),
        (lambda one: [row.update(probes=0) for row in one["families"]], 1),
        (lambda one: one.update(power={}), 1),
    ):
        edited = json.loads(json.dumps(sound))
        change(edited)
        report.write_text(json.dumps(edited), encoding="utf-8")
        assert run("gate", "--from", str(report), cwd=tmp_path).code == expected


def test_the_gate_wants_every_call_of_the_store_audited(log: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "s.duckdb")
    assert run("dryrun", str(log), "--db", store, cwd=tmp_path).code == 0
    assert run("gate", "--db", store, cwd=tmp_path).code == 0
    more = tmp_path / "more.jsonl"
    more.write_text(log.read_text(encoding="utf-8").replace('"s"', '"t"'), encoding="utf-8")
    assert run("ingest", str(more), "--db", store, cwd=tmp_path).code == 0
    assert run("gate", "--db", store, cwd=tmp_path).code == 3


def test_a_lone_surrogate_in_a_key_stops_nothing(tmp_path: Path) -> None:
    schema = '{"properties":{"k\\ud800":{"type":"boolean"}}}'
    text = (
        f'{{"type":"tools","session":"s","tools":[{{"name":"t","input_schema":{schema}}}]}}\n'
        '{"type":"tool/call","session":"s","id":"1","tool":"t","arguments":{"k\\ud800":"True"}}\n'
    )
    (tmp_path / "log.jsonl").write_text(text, encoding="utf-8")
    done = run("dryrun", "log.jsonl", "--report", "json=-", cwd=tmp_path)
    assert done.code == 0, done.err
    assert json.loads(done.out)["outcomes"]["fixed"] == 1
