"""`show` and `query`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import GOOD, call, native, run, write

HOSTILE = "\x1b[31mred\x1b[0m [/red] \u202egpj </script>"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a dry run of a small log."""
    log = [*GOOD, *native(call(9, {"arguments": {"path": HOSTILE}}))[2:]]
    write(tmp_path / "log.jsonl", log)
    assert run("dryrun", "log.jsonl", "--db", "a.duckdb", cwd=tmp_path).code == 0
    return tmp_path / "a.duckdb"


def _ids(store: Path, where: str) -> list[str]:
    sql = f"select call from outcomes where {where} order by call"
    done = run("query", sql, "--db", store, "--format", "csv", cwd=store.parent)
    assert done.code == 0, done.err
    return done.out.splitlines()[1:]


def test_show_tells_the_whole_story_of_a_fixed_call(store: Path) -> None:
    name = _ids(store, "depth = 2")[0]
    done = run("show", name, "--db", store, cwd=store.parent)
    assert done.code == 0
    for part in (
        f"call {name}: read fixed",
        "In the session, of 5 calls",
        "The host: rejected the arguments",
        'missing required property "path"',
        "Schema, from the request",
        "Step 1: A nested-wrapper, unwrap:arguments",
        "Step 2: A nested-wrapper, unwrap:arguments",
        '-     "arguments": {',
        "Violations after\n  none",
        "alternate-schema: ",
        "the model's own retry: ",
    ):
        assert part in done.out, part
    assert done.out.rstrip().endswith(
        f"toolfix-audit show {name} --db {store} --ndjson | toolfix-audit repair --ndjson"
    )


def test_the_command_that_it_ends_in_reproduces_the_repair(store: Path) -> None:
    for name in _ids(store, "true"):
        line = run("show", name, "--db", store, "--ndjson", cwd=store.parent).out
        answer = json.loads(run("repair", "--ndjson", stdin=line, cwd=store.parent).out)
        sql = f"select outcome, after from outcomes where call = '{name}'"
        shown = run("query", sql, "--db", store, "--format", "ndjson", cwd=store.parent)
        kept = json.loads(shown.out)
        assert answer["id"] == name
        assert answer["outcome"] == kept["outcome"]
        if kept["after"] is not None:
            assert answer["arguments"] == json.loads(kept["after"])


def test_nothing_in_a_call_steers_the_terminal(store: Path) -> None:
    for name in _ids(store, "true"):
        out = run("show", name, "--db", store, cwd=store.parent).out
        assert not {"\x1b", "\u202e", "\x07"} & set(out)
    out = run("query", "select arguments from calls", "--db", store, cwd=store.parent).out
    assert not {"\x1b", "\u202e"} & set(out)


def test_the_beginning_of_an_id_is_enough_unless_two_share_it(store: Path) -> None:
    names = _ids(store, "true")
    done = run("show", names[0][:9], "--db", store, cwd=store.parent)
    assert done.code == 0
    assert done.out.startswith(f"call {names[0]}:")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("show", "zzzz"), 2, "no call 'zzzz'"),
        (("show", ""), 2, "no call ''"),
        (("query", "drop table calls"), 2, "error: "),
        (("query", "select * from read_csv('/etc/passwd')"), 2, "error: "),
        (("query", "no sql"), 2, "error: "),
    ],
)
def test_errors_are_one_line(store: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    done = run(*arguments, "--db", store, cwd=store.parent)
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_store_without_a_dry_run_is_told_so(tmp_path: Path) -> None:
    write(tmp_path / "log.jsonl", GOOD)
    run("ingest", "log.jsonl", "--db", "a.duckdb", cwd=tmp_path)
    sql = "select call from calls limit 1"
    name = run("query", sql, "--db", "a.duckdb", cwd=tmp_path).out.splitlines()[1]
    done = run("show", name, "--db", "a.duckdb", cwd=tmp_path)
    assert (done.code, "no dry run has seen call" in done.err) == (3, True)
    assert run("show", name, cwd=tmp_path).code == 2


def test_query_formats(store: Path) -> None:
    sql = "select 1 as a, 'x,y' as b, null as c"
    texts = {
        kind: run("query", sql, "--db", store, "--format", kind, cwd=store.parent).out
        for kind in ("text", "csv", "ndjson")
    }
    assert texts == {
        "text": "a\tb\tc\n1\tx,y\t\n",
        "csv": 'a,b,c\n1,"x,y",\n',
        "ndjson": '{"a": 1, "b": "x,y", "c": null}\n',
    }
