"""The gate's policies from file, environment and command line, and regressions, as a user does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import GOOD, Done, run, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a report: one call is untouched, three are right or fixed."""
    write(tmp_path / "log.jsonl", [*GOOD, *GOOD_WITHOUT_SCHEMA])
    done = run("dryrun", "log.jsonl", "--report", "json=audit.json", cwd=tmp_path)
    assert done.code == 0, done.err
    return tmp_path


GOOD_WITHOUT_SCHEMA = [
    json.dumps({"type": "session", "session": "s2"}),
    json.dumps({"type": "tool/call", "session": "s2", "id": "c", "tool": "x", "arguments": {}}),
]


def _gate(folder: Path, *words: str, **env: str) -> Done:
    return run("gate", "--from", "audit.json", *words, cwd=folder, env=env)


def test_the_defaults_warn(folder: Path) -> None:
    done = _gate(folder)
    assert done.code == 0
    assert "unjudged: 1 <= 0 warn" in done.out


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(folder: Path) -> None:
    (folder / "toolfix-audit.toml").write_text("[gate]\nunjudged = 0\n")
    assert _gate(folder).code == 1
    assert _gate(folder, TOOLFIX_AUDIT_GATE_UNJUDGED="1").code == 0
    done = _gate(folder, "--policy", "unjudged=0", TOOLFIX_AUDIT_GATE_UNJUDGED="1")
    assert done.code == 1
    assert "unjudged: 1 <= 0 error" in done.out


def test_pyproject_is_read_and_the_nearest_file_wins(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.toolfix-audit.gate]\nunjudged = {level = "error", max = 0}\n'
    )
    assert _gate(folder).code == 1
    inner = folder / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert run("gate", "--from", "../audit.json", cwd=inner).code == 1
    (inner / "toolfix-audit.toml").write_text("[gate]\n")
    assert run("gate", "--from", "../audit.json", cwd=inner).code == 0


def test_the_dry_run_decides_by_the_same_policies(folder: Path) -> None:
    words = ("dryrun", "log.jsonl", "--policy", "unjudged=0", "--report", "json=second.json")
    done = run(*words, cwd=folder)
    assert done.code == 1
    verdict = json.loads((folder / "second.json").read_text())["verdict"]
    assert verdict["exit_code"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[gate]\nunjudgd = 1\n", "did you mean unjudged?"),
        ("[gates]\nunjudged = 1\n", "did you mean gate?"),
        ("[gate]\nunjudged = 1.5\n", "is no limit"),
        ('[gate]\nmisfix = "warn"\n', "misfix can't be changed"),
        ("[gate\n", "mend the file"),
        ("gate = 1\n", "gate is no table"),
    ],
)
def test_a_wrong_file_is_named_with_the_mend(folder: Path, text: str, said: str) -> None:
    (folder / "toolfix-audit.toml").write_text(text)
    done = _gate(folder)
    assert done.code == 2
    assert said in done.err
    assert "toolfix-audit.toml" in done.err


@pytest.mark.parametrize(
    ("words", "env", "said"),
    [
        (("--policy", "unjudged"), {}, "is not NAME=VALUE"),
        (("--policy", "unjudgd=1"), {}, "did you mean unjudged?"),
        ((), {"TOOLFIX_AUDIT_GATE_UNJUDGD": "1"}, "did you mean unjudged?"),
        ((), {"TOOLFIX_AUDIT_GATE_UNJUDGED": "many"}, "is no limit"),
        (("--against", "missing.json"), {}, "missing.json"),
    ],
)
def test_a_wrong_word_is_an_error(
    folder: Path, words: tuple[str, ...], env: dict[str, str], said: str
) -> None:
    done = _gate(folder, *words, **env)
    assert done.code == 2
    assert said in done.err


def test_what_was_fixed_and_is_not_fails_and_is_listed(folder: Path) -> None:
    words = ("dryrun", "log.jsonl", "--families", "D", "--report", "json=worse.json")
    run(*words, cwd=folder)
    better = run("gate", "--from", "audit.json", "--against", "worse.json", cwd=folder)
    assert (better.code, "regressions: 0 <= 0 ok" in better.out) == (0, True)
    worse = run("gate", "--from", "worse.json", "--against", "audit.json", cwd=folder)
    assert worse.code == 1
    assert "regressions: 2 <= 0 error" in worse.out
    assert worse.out.count("regression: 1 calls of read (A, shape ") == 2
    allowed = ("--policy", "regressions=warn")
    done = run("gate", "--from", "worse.json", "--against", "audit.json", *allowed, cwd=folder)
    assert done.code == 0
