"""What a user's CI would run: the commands of docs/ci.md, the action, the hook, the GitLab job."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
BLOCKS = FENCE.findall(PAGE)

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a log: one good call, one wrapped."""
    rows: list[dict[str, Any]] = [
        {"type": "session", "session": "s1"},
        {"type": "tools", "session": "s1", "tools": [{"name": "read", "input_schema": SCHEMA}]},
        *(
            {"type": "tool/call", "session": "s1", "id": str(n), "tool": "read", "arguments": one}
            for n, one in enumerate(({"path": "a"}, {"arguments": {"path": "b"}}))
        ),
    ]
    (tmp_path / "logs").mkdir()
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "logs/a.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/calls.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def _shell(script: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A script as a CI runs it, with the program on the path and no package to install."""
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    program = tools / "toolfix-audit"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m toolfix_audit "$@"\n')
    program.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [shutil.which("bash") or "bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_commands_of_the_page_run_in_their_order(folder: Path) -> None:
    for number, (language, script) in enumerate(BLOCKS):
        if language == "sh":
            done = _shell(script, folder)
            assert done.returncode == 0, (number, done.stderr)
            if (folder / "audit.json").exists():
                shutil.copy(folder / "audit.json", folder / "last-good.json")


def test_the_policies_of_the_page_are_accepted(folder: Path) -> None:
    (toml,) = (text for language, text in BLOCKS if language == "toml")
    (folder / "toolfix-audit.toml").write_text(toml, encoding="utf-8")
    done = _shell("toolfix-audit dryrun logs", folder)
    assert done.returncode == 1, done.stderr  # two calls are fewer than min_request_schema
    assert "min_request_schema" in done.stdout


def _action() -> tuple[dict[str, Any], dict[str, Any]]:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return action, next(step for step in action["runs"]["steps"] if step.get("id") == "audit")


def _audit_step(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The action's own script, with its inputs put in as GitHub does."""
    action, step = _action()
    values = {name: str(one.get("default", "")) for name, one in action["inputs"].items()} | inputs
    env = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: values[match.group(1)], text)
        for name, text in step["env"].items()
    }
    files = {name: str(folder / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    return _shell(step["run"], folder, **env, **files)


def test_the_action_passes_and_writes_what_github_reads(folder: Path) -> None:
    done = _audit_step(folder, logs="logs tests/calls.jsonl", policies="still_failing=0 unjudged=0")
    assert done.returncode == 0, done.stderr
    assert "::notice title=toolfix-audit::PASS" in done.stdout
    assert (folder / "github_step_summary").read_text().startswith("## toolfix-audit: PASS")
    assert (folder / "github_output").read_text() == "report=toolfix-audit.json\n"
    assert (folder / "toolfix-audit.html").exists()


def test_the_action_fails_where_the_gate_does(folder: Path) -> None:
    done = _audit_step(folder, logs="logs", policies="min_request_schema=1000")
    assert done.returncode == 1
    assert "min_request_schema: 2 >= 1000 error" in done.stdout
    assert (folder / "github_step_summary").exists()


def test_the_summary_is_added_to(folder: Path) -> None:
    (folder / "github_step_summary").write_text("earlier\n")
    _audit_step(folder, logs="logs")
    assert (folder / "github_step_summary").read_text().startswith("earlier\n## toolfix-audit")


def test_the_action_compares_with_an_earlier_report(folder: Path) -> None:
    _shell("toolfix-audit dryrun logs --report json=old.json", folder)
    done = _audit_step(folder, logs="logs", against="old.json")
    assert done.returncode == 0, done.stderr
    assert "regressions: 0 <= 0 ok" in done.stdout


def test_every_input_of_the_action_is_used() -> None:
    action, _ = _action()
    text = json.dumps(action["runs"])
    assert all(f"inputs.{name} }}}}" in text for name in action["inputs"])


def test_the_hook_runs_on_the_files_that_it_is_given(folder: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert re.search(hook["files"], "tests/calls.jsonl")
    done = _shell(f"{hook['entry']} tests/calls.jsonl", folder)
    assert done.returncode == 0, done.stderr


def test_the_gitlab_job_runs(folder: Path) -> None:
    text = next(text for language, text in BLOCKS if language == "yaml" and "artifacts" in text)
    job = yaml.safe_load(text)["toolfix-audit"]
    for line in job["script"]:
        if not line.startswith("pip "):
            done = _shell(line, folder)
            assert done.returncode == 0, done.stderr
    for path in (job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]):
        assert (folder / path).exists()
