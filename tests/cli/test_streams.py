"""What goes to stdout and what to stderr, stdin as input, and the line protocol."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .running import GOOD, READ, call, command, environment, native, run, write

COLOR = {"TERM": "xterm-256color"}


@pytest.mark.parametrize("args", [("--report", "json=-"), ("--report", "html=-")])
def test_stdout_is_one_document_and_stderr_has_the_text(
    tmp_path: Path, args: tuple[str, ...]
) -> None:
    write(tmp_path / "good.jsonl", GOOD)
    done = run("dryrun", "good.jsonl", *args, cwd=tmp_path)
    assert done.code == 0, done.text
    if args[1] == "json=-":
        report = done.json()
        assert report["outcomes"]["fixed"] == 2
        assert report["schema_version"] == 1
    else:
        assert done.out.lstrip().lower().startswith("<!doctype html>")
        assert done.out.rstrip().endswith("</html>")
    assert "PASS" in done.err
    assert "4 calls" in done.err
    assert "\x1b" not in done.text


def test_a_report_in_a_file_leaves_the_text_on_stdout(tmp_path: Path) -> None:
    write(tmp_path / "good.jsonl", GOOD)
    done = run(
        "dryrun", "good.jsonl", "--report", "json=out/x.json", "--report", "html", cwd=tmp_path
    )
    assert done.code == 0, done.text
    assert json.loads((tmp_path / "out" / "x.json").read_text())["outcomes"]["fixed"] == 2
    assert (tmp_path / "reports" / "good.html").is_file()
    assert "PASS" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.jsonl", "out", "reports"]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "good.jsonl", GOOD)
    runs = [
        run(
            "dryrun", "good.jsonl", "--report", "json=-", cwd=tmp_path, env={"PYTHONHASHSEED": seed}
        )
        for seed in ("1", "77")
    ]
    assert runs[0].out == runs[1].out


def test_a_log_on_stdin(tmp_path: Path) -> None:
    text = "".join(f"{line}\n" for line in GOOD)
    done = run("dryrun", "-", "--report", "json=-", cwd=tmp_path, stdin=text)
    assert done.code == 0, done.text
    assert done.json()["outcomes"]["fixed"] == 2
    assert run("ingest", "-", "--db", "x.duckdb", cwd=tmp_path, stdin=text).code == 0
    assert run("dryrun", "-", cwd=tmp_path, stdin="").code == 3


def test_a_broken_line_among_good_ones_is_counted_and_named(tmp_path: Path) -> None:
    lines = native(*(call(number, {"path": "a"}) for number in range(120)))
    lines.insert(56, '{"type": "tool/call", "session": "s1", "id"')
    write(tmp_path / "log.jsonl", lines)
    done = run("dryrun", "log.jsonl", "--report", "json=-", cwd=tmp_path)
    assert done.code == 0, done.text
    report = done.json()
    assert (report["corpus"]["calls"], report["corpus"]["unreadable"]) == (120, 1)
    assert report["sources"][0]["unreadable"] == 1
    assert "1 unreadable" in done.err
    shown = run("dryrun", "log.jsonl", cwd=tmp_path)
    assert "log.jsonl:57" in shown.text or ("log.jsonl" in shown.text and "57" in shown.text)


def test_hostile_text_never_reaches_the_terminal_raw(tmp_path: Path) -> None:
    evil = "\x1b[31m[bold]red[/bold]\x07\u202e</script>"
    log = native(
        call(1, {evil: "x"}), call(2, {"arguments": {"path": evil}}), call(3, {}, tool=evil)
    )
    write(tmp_path / "log.jsonl", log)
    for args in ((), ("--report", "html=-"), ("--report", "json=-")):
        done = run("dryrun", "log.jsonl", *args, cwd=tmp_path)
        assert done.code == 0, done.text
        assert "\x1b" not in done.text
        assert "\x07" not in done.text
        if args == ("--report", "html=-"):
            assert evil not in done.out
    assert "[bold]red[/bold]" in run("dryrun", "log.jsonl", cwd=tmp_path).out


def repaired(
    tmp_path: Path, given: str | None, *, stdin: str | bytes = b"", schema: Any = READ
) -> Any:
    (tmp_path / "s.json").write_text(json.dumps(schema))
    args = [] if given is None else [given]
    done = run("repair", "--schema", "s.json", *args, cwd=tmp_path, stdin=stdin)
    assert done.code == 0, done.text
    assert done.out.count("\n") == 1
    return done.json()


def test_repair_prints_one_document(tmp_path: Path) -> None:
    answer = repaired(tmp_path, '{"arguments":{"path":"a","limit":5}}')
    assert set(answer) == {
        "outcome", "arguments", "steps", "violations_before", "violations_after", "reason",
    }  # fmt: skip
    assert (answer["outcome"], answer["reason"]) == ("fixed", None)
    assert answer["arguments"] == {"path": "a", "limit": 5}
    (step,) = answer["steps"]
    assert (step["family"], step["action"], step["pointer"]) == ("A", "unwrap:arguments", "")
    assert len(answer["violations_before"]) == 2
    assert answer["violations_after"] == []


def test_repair_reads_stdin(tmp_path: Path) -> None:
    for given in (None, "-"):
        answer = repaired(tmp_path, given, stdin='{"arguments":{"path":"ä"}}\n')
        assert answer["arguments"] == {"path": "ä"}
    answer = repaired(tmp_path, "-", stdin=b"\xff\xfe not utf-8")
    assert answer["outcome"] == "untouched"


@pytest.mark.parametrize(
    ("given", "outcome", "reason"),
    [('{"path":"a"}', "valid", None), ('{"path":"a', "untouched", "truncated"),
     ("", "untouched", "empty-arguments"), ("{}", "untouched", "empty-arguments"),
     ('{"arguments":{"limit":1}}', "still_failing", None), ("null", "untouched", "empty-arguments"),
     ('{"path":"a","x":1e400}', "untouched", "other")],
)  # fmt: skip
def test_repair_tells_outcome_and_reason(
    tmp_path: Path, given: str, outcome: str, reason: str | None
) -> None:
    answer = repaired(tmp_path, given)
    assert (answer["outcome"], answer["reason"]) == (outcome, reason)


class Talk:
    """A conversation with `repair --ndjson`, one line at a time."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            command("repair", "--ndjson", *options),
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def ask(self, request: Any) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        line = request if isinstance(request, str) else json.dumps(request)
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self) -> tuple[int, str]:
        out, err = self.process.communicate(timeout=30)
        assert out == b""
        return self.process.returncode, err.decode()


def test_a_conversation_line_by_line(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    answer = talk.ask({"id": "a", "schema": READ, "args": {"arguments": {"path": "x"}}})
    assert (answer["id"], answer["outcome"], answer["arguments"]) == ("a", "fixed", {"path": "x"})
    assert answer["tool"] is None
    answer = talk.ask({"id": 2, "schema": READ, "tool": "read", "args_text": '{"path":"x"}'})
    assert (answer["id"], answer["outcome"], answer["tool"]) == (2, "valid", "read")
    answer = talk.ask(
        {"id": None, "tools": {"read": READ}, "tool": "read", "args": {"arguments": {"path": "x"}}}
    )
    assert (answer["tool"], answer["outcome"]) == ("read", "fixed")
    answer = talk.ask(
        {"id": 4, "tools": {"read": READ}, "tool": "unheard_of", "args": {"path": "x"}}
    )
    assert (answer["outcome"], answer["reason"]) == ("untouched", "unknown-tool")
    answer = talk.ask({"id": 5, "schema": {"$ref": "https://example.org/x"}, "args": {}})
    assert (answer["outcome"], answer["reason"]) == ("unjudged", "remote-ref")
    answer = talk.ask({"id": 6, "schema": READ, "args_text": "{"})
    assert (answer["arguments"], answer["reason"]) == ("{", "truncated")
    assert talk.end() == (0, "")


def test_numbers_and_surrogates_survive_the_conversation(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    text = '{"id":1,"schema":{},"args":{"a":0.10,"b":12345678901234567890123456,"c":"\\ud800"}}'
    assert talk.process.stdin
    assert talk.process.stdout
    talk.process.stdin.write(text.encode() + b"\n")
    talk.process.stdin.flush()
    line = talk.process.stdout.readline().decode()
    assert '"arguments":{"a":0.10,"b":12345678901234567890123456,"c":"\\ud800"}' in line
    assert talk.end()[0] == 0


@pytest.mark.parametrize(
    "line",
    ["not json", "[]", "5", '{"id":7}', '{"id":7,"schema":{}}', '{"id":7,"args":{}}',
     '{"id":7,"tools":[],"tool":"x","args":{}}', '{"id":7,"tools":{},"args":{}}'],
)  # fmt: skip
def test_a_line_that_is_no_request_is_answered_and_the_rest_goes_on(
    tmp_path: Path, line: str
) -> None:
    talk = Talk(tmp_path)
    answer = talk.ask(line)
    assert "error" in answer
    assert answer["id"] == (7 if '"id":7' in line else None)
    assert talk.ask({"id": 8, "schema": READ, "args": {"path": "a"}})["outcome"] == "valid"
    code, err = talk.end()
    assert code == 2
    assert "line 1" in err


def test_opt_in_is_asked_for(tmp_path: Path) -> None:
    request = {"id": 1, "schema": READ, "args": {"type": "file", "value": {"path": "a"}}}
    talk = Talk(tmp_path)
    assert talk.ask(request)["steps"] == []
    talk.end()
    talk = Talk(tmp_path, "--families", "A")
    assert talk.ask({"id": 1, "schema": READ, "args": {"args": {"path": "a"}}})["steps"] == []
    assert talk.ask({"id": 1, "schema": READ, "args": {"arguments": {"path": "a"}}})["steps"]
    talk.end()


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    write(tmp_path / "good.jsonl", GOOD)
    process = subprocess.Popen(
        command("dryrun", "good.jsonl", "--report", "html=-"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    err = process.stderr.read().decode()
    process.wait(timeout=30)
    process.stderr.close()
    assert "Traceback" not in err
    assert "internal error" not in err


def test_test_says_what_is_wrong(tmp_path: Path) -> None:
    case = {"id": "one", "family": "A", "schema": READ, "args": {"arguments": {"path": "a"}}}
    write(
        tmp_path / "cases.jsonl",
        [
            json.dumps({**case, "expected": {"outcome": "fixed", "value": {"path": "a"}}}),
            json.dumps(
                {**case, "id": "two", "expected": {"outcome": "fixed", "value": {"path": "b"}}}
            ),
            json.dumps(
                {**case, "id": "three", "family": "Z", "expected": {"outcome": "untouched"}}
            ),
            json.dumps({**case, "id": "four", "family": "B", "expected": {"outcome": "untouched"}}),
        ],
    )
    done = run("test", "cases.jsonl", cwd=tmp_path)
    assert done.code == 1
    *wrong, last = done.out.splitlines()
    assert last == "1 right, 2 wrong, 1 skipped"
    assert [line.split(":")[1].split()[0] for line in wrong] == ["two", "four"]
    done = run("test", "cases.jsonl", "--family", "Z", cwd=tmp_path)
    assert done.out == "0 right, 0 wrong, 1 skipped\n"
    assert done.code == 1
