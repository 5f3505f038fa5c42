"""`schemas import`, `list` and `infer`, with a real MCP server of the tests' own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from toolfix_audit.audit.counted import counted_calls
from toolfix_audit.cli.commands import schemas
from toolfix_audit.store.store import Store

from . import running

SERVER = Path(__file__).with_name("tiny_mcp_server.py")
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def run(*words: str | Path, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(schemas.app, [str(word) for word in words], env=env)


def supplied(db: Path) -> dict[str, Any]:
    with Store.open(db, create=False, read_only=True) as store:
        texts = store.schemas()
        tools = {**store.supplied("catalogue"), **store.supplied("inferred")}
        return {name: [json.loads(texts[one]) for one in of] for name, of in tools.items()}


def mcp_file(folder: Path, *modes: str, **entry: Any) -> Path:
    servers: dict[str, Any] = {
        mode: {
            "command": sys.executable,
            "args": [str(SERVER), mode],
            "env": {"TINY_TOKEN": "${TINY:-none}"},
            **entry,
        }
        for mode in modes
    }
    path = folder / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    return path


def test_files_are_imported_and_listed(tmp_path: Path) -> None:
    file, db = tmp_path / "tools.json", tmp_path / "a.duckdb"
    file.write_text(json.dumps([{"name": "read", "input_schema": SCHEMA}]), "utf-8")
    done = run("import", file, "--db", db)
    assert (done.exit_code, done.stdout) == (0, "")
    assert "tools.json: 1 tool" in done.stderr
    assert supplied(db) == {"read": [SCHEMA]}
    listed = run("list", "--db", db, "--format", "json")
    assert json.loads(listed.stdout) == [
        {"tool": "read", "origin": "catalogue", "versions": 1, "calls": 0, "source": str(file)}
    ]
    lines = run("list", "--db", db).stdout.splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["tool", "origin", "versions", "calls"],
        ["read", "catalogue", "1", "0"],
    ]


def test_an_import_replaces_what_the_file_gave_before(tmp_path: Path) -> None:
    file, db = tmp_path / "tools.json", tmp_path / "a.duckdb"
    for name in ("read", "write"):
        file.write_text(json.dumps({name: SCHEMA}), "utf-8")
        assert run("import", file, "--db", db).exit_code == 0
    assert list(supplied(db)) == ["write"]


def test_a_server_is_asked_for_every_page(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    done = run("import", "--mcp", mcp_file(tmp_path, "pages"), "--db", db, env={"TINY": "s3cret"})
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    assert list(supplied(db)) == ["mcp__pages__blame", "mcp__pages__log", "mcp__pages__show.file"]
    assert supplied(db)["mcp__pages__log"][0]["properties"] == {"max_count": {"type": "integer"}}
    assert "s3cret" not in db.read_bytes().decode("latin1")


def test_greetings_notifications_and_requests_of_a_server_are_no_trouble(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    done = run("import", "--mcp", mcp_file(tmp_path, "chatty"), "--db", db, env={"TINY": "s3cret"})
    assert done.exit_code == 0, done.stderr
    assert len(supplied(db)) == 3


@pytest.mark.parametrize(
    ("mode", "cause"),
    [
        ("dies", "ended with code 1: no database here"),
        ("hangs", "no answer within 1 s"),
        ("refuses", "tools/list was answered with an error: no token"),
        ("endless", "its tools/list has no end"),
    ],
)
def test_a_server_that_fails_is_one_line(tmp_path: Path, mode: str, cause: str) -> None:
    file = mcp_file(tmp_path, mode)
    seconds = "1" if mode == "hangs" else "30"
    words = ("import", "--mcp", file, "--db", tmp_path / "a.duckdb", "--timeout", seconds)
    done = run(*words, env={"TINY": "s3cret"})
    assert done.exit_code == 2
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert errors == [f"error: MCP server {mode!r}: {cause}"]
    assert not (tmp_path / "a.duckdb").exists()


def test_one_failing_server_does_not_stop_the_others(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    file = mcp_file(tmp_path, "dies", "pages", "refuses")
    done = run("import", "--mcp", file, "--db", db, env={"TINY": "s3cret"})
    assert done.exit_code == 2
    assert "2 MCP servers gave no tools" in done.stderr
    assert len(supplied(db)) == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "no MCP server found"),
        ("[", "Expecting value"),
        ('{"mcpServers": {"a": {}}}', "the server 'a' has no command"),
    ],
)
def test_a_broken_mcp_file_is_an_error(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / ".mcp.json"
    file.write_text(text, "utf-8")
    done = run("import", "--mcp", file, "--db", tmp_path / "a.duckdb")
    assert done.exit_code == 2
    assert told in done.stderr


def test_a_server_on_the_network_is_not_asked(tmp_path: Path) -> None:
    file = tmp_path / ".mcp.json"
    file.write_text('{"mcpServers": {"far": {"url": "http://127.0.0.1:1/mcp"}}}', "utf-8")
    done = run("import", "--mcp", file, "--db", tmp_path / "a.duckdb")
    assert done.exit_code == 3
    assert "'far': not asked" in done.stderr


def test_a_command_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    file = mcp_file(tmp_path, "pages", command="no-such-program-here")
    done = run("import", "--mcp", file, "--db", tmp_path / "a.duckdb")
    assert done.exit_code == 2
    assert "no-such-program-here: No such file" in done.stderr


def test_nothing_to_import_is_a_usage_error(tmp_path: Path) -> None:
    done = run("import", "--db", tmp_path / "a.duckdb")
    assert done.exit_code == 2


def ingested(folder: Path, *calls: list[dict[str, Any]], schema: Any = None) -> Path:
    log = running.write(folder / "log.jsonl", running.native(*calls, schema=schema))
    done = running.run("ingest", log, "--db", "a.duckdb", cwd=folder)
    assert done.code == 0, done.err
    return folder / "a.duckdb"


def test_schemas_are_inferred_from_accepted_calls_alone(tmp_path: Path) -> None:
    good = [
        running.call(n, {"path": f"{n}.md", **({"limit": n} if n % 2 else {})}) for n in range(6)
    ]
    bad = [running.call(n, {"arguments": {"path": "a"}}) for n in range(6, 9)]
    db = ingested(tmp_path, *good, *bad)
    done = run("infer", "--db", db)
    assert done.exit_code == 0, done.stderr
    assert "read: from 6 accepted calls" in done.stderr
    (schema,) = supplied(db)["read"]
    assert schema == {
        "type": "object",
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path"],
    }
    listed = json.loads(run("list", "--db", db, "--format", "json").stdout)
    assert [(row["origin"], row["calls"]) for row in listed] == [("inferred", 9)]
    report = running.run("dryrun", "--db", db, "--report", "json=-", cwd=tmp_path).json()
    assert report["schemas"]["inferred"] == 9
    assert report["outcomes"]["fixed"] == 3


def test_no_schema_is_inferred_where_there_is_one_or_too_little(tmp_path: Path) -> None:
    calls = [running.call(n, {"path": "a"}) for n in range(6)]
    db = ingested(tmp_path, *calls, schema=running.READ)
    assert run("infer", "--db", db).exit_code == 3
    few = tmp_path / "few"
    few.mkdir()
    db = ingested(few, *calls[:4])
    assert run("infer", "--db", db).exit_code == 3
    out = few / "made" / "schemas.json"
    assert run("infer", "--db", db, "--min-calls", "4", "--out", out).exit_code == 0
    assert list(json.loads(out.read_text())) == ["read"]
    assert supplied(db) == {}


def test_a_gate_counts_no_inferred_verdict_unless_told_to() -> None:
    origins = {"request": 5, "catalogue": 1, "inferred": 4}
    assert counted_calls(12, 2, origins) == 6
    assert counted_calls(12, 2, origins, count_inferred=True) == 10


def test_the_commands_are_a_group() -> None:
    assert isinstance(schemas.app, typer.Typer)
    assert run("--help").stdout.count("\n") > 5
