"""`export --minimal`: same outcomes, nothing private, nothing written where it would lie."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from .running import GOOD, call, native, run, write

ROOT = Path(__file__).parents[2]


def _outcomes(report: Path) -> dict[str, set[str]]:
    document = json.loads(report.read_text(encoding="utf-8"))
    kinds: dict[str, set[str]] = {
        "outcomes": {name for name, number in document["outcomes"].items() if number},
        "untouched": set(document["untouched"]),
        "families": {row["code"] for row in document["families"] if row["calls"]},
    }
    return kinds


def _leaves(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner, depth)
    elif isinstance(value, str):
        yield value
        if value.strip()[:1] in ("{", "[") and depth < 40:
            try:
                yield from _leaves(json.loads(value, strict=False), depth + 1)
            except ValueError:
                return
    elif value is not None and not isinstance(value, bool):
        yield json.dumps(value)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return None


@pytest.mark.parametrize("corpus", ["study", "dsh-host"])
def test_same_outcomes_and_no_long_leaf(corpus: str, tmp_path: Path, shared: Path) -> None:
    folder = ROOT / "corpora/study" if corpus == "study" else shared / "corpora/dsh-host"
    logs = sorted((folder / "sessions").iterdir())[:60]
    store, small = tmp_path / "a.duckdb", tmp_path / "small.jsonl"
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert run("dryrun", *logs, "--db", store, "--report", f"json={first}", cwd=tmp_path).code == 0
    done = run("export", "--minimal", small, "--db", store, cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    assert run("dryrun", small, "--report", f"json={second}", cwd=tmp_path).code == 0
    assert _outcomes(second) == _outcomes(first)
    with duckdb.connect(store, read_only=True) as connection:
        texts = connection.execute("SELECT arguments FROM calls").fetchall()
    originals = {leaf for (text,) in texts for leaf in _leaves(_parsed(text)) if len(leaf) > 8}
    assert originals
    rows = [json.loads(line) for line in small.read_text(encoding="utf-8").splitlines()]
    left = {
        leaf
        for row in rows
        if row["type"] == "tool/call"
        for leaf in _leaves(_parsed(row["arguments"]))
    }
    assert left & originals == set()


def test_a_call_that_would_differ_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"path": {"type": "string", "pattern": "^src/[a-f]{12}$"}},
        "required": ["path"],
    }
    log = write(
        tmp_path / "log.jsonl",
        native(call(1, {"path": "src/abcdefabcdef"}), call(2, {"arguments": {}}), schema=schema),
    )
    run("dryrun", log, "--db", "a.duckdb", cwd=tmp_path)
    done = run("export", "--minimal", "out.jsonl", "--db", "a.duckdb", cwd=tmp_path)
    assert done.code == 1
    assert "1 calls would be judged differently; nothing was written" in done.err
    assert not (tmp_path / "out.jsonl").exists()
    done = run(
        "export", "--minimal", "out.jsonl", "--skip-differing", "--db", "a.duckdb", cwd=tmp_path
    )
    assert done.code == 0
    assert "1 left out" in done.err
    assert "abcdef" not in (tmp_path / "out.jsonl").read_text()


def test_what_can_not_be_exported_is_said(tmp_path: Path) -> None:
    assert run("export", "--minimal", "x.jsonl", cwd=tmp_path).code == 2
    write(tmp_path / "log.jsonl", GOOD)
    run("ingest", "log.jsonl", "--db", "a.duckdb", cwd=tmp_path)
    done = run("export", "--minimal", "x.jsonl", "--db", "a.duckdb", cwd=tmp_path)
    assert (done.code, "no dry run to export" in done.err) == (3, True)
    run("dryrun", "--db", "a.duckdb", cwd=tmp_path)
    assert run("export", "x.jsonl", "--db", "a.duckdb", cwd=tmp_path).code == 2
    assert run("export", "--minimal", "a.duckdb", "--db", "a.duckdb", cwd=tmp_path).code == 2
    done = run("export", "--minimal", "-", "--db", "a.duckdb", cwd=tmp_path)
    assert done.code == 0
    assert all(json.loads(line) for line in done.out.splitlines())
