"""The documents are true: generated pages are current, shown programs run, shown lines parse."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from toolfix_audit.audit.cases import Mark, run_file
from toolfix_audit.engine import ALL, SAFE
from toolfix_audit.engine.proposal import Family
from toolfix_audit.report import family_page as pages
from toolfix_audit.report.vectors import as_vectors, vector_name

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in a language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [body for name, body in FENCE.findall(text) if name == language]


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    command = [sys.executable, "-m", "toolfix_audit", *words]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("family", pages.SHOWN, ids=lambda family: family.code)
def test_the_page_and_the_vectors_of_a_family_are_current(family: Family) -> None:
    page = ROOT / "docs" / "families" / pages.page_name(family)
    assert page.read_text(encoding="utf-8") == pages.as_markdown([family])
    vectors = ROOT / "corpora" / "vectors" / vector_name(family)
    assert vectors.read_text(encoding="utf-8") == as_vectors(family)


def test_there_is_no_page_and_no_vector_file_too_many() -> None:
    shown = {pages.page_name(family) for family in pages.SHOWN} | {"README.md"}
    assert {path.name for path in (ROOT / "docs" / "families").iterdir()} == shown
    vectors = {vector_name(family) for family in pages.SHOWN}
    assert {path.name for path in (ROOT / "corpora" / "vectors").iterdir()} == vectors
    text = (ROOT / "docs" / "families" / "README.md").read_text(encoding="utf-8")
    assert text == pages.list_markdown()


@pytest.mark.parametrize("opt_in", [False, True])
def test_the_vectors_hold(opt_in: bool) -> None:
    families = ALL if opt_in else SAFE
    for path in sorted((ROOT / "corpora" / "vectors").iterdir()):
        for result in run_file(path, families=families, opt_in=opt_in):
            assert result.mark is Mark.RIGHT, result


@pytest.mark.parametrize("page", ["README.md", "docs/engine.md"])
def test_the_programs_run(page: str, tmp_path: Path) -> None:
    programs = blocks(page, "python")
    assert programs
    for program in programs:
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_the_native_page_shows_a_log_that_can_be_audited(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(blocks("docs/native.md", "")[0], encoding="utf-8")
    done = run("dryrun", "log.jsonl", "--report", "json=-", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"calls":1,' in done.stdout.replace(" ", "")


def test_the_cases_page_shows_cases_that_hold(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(blocks("docs/cases.md", "")[0], encoding="utf-8")
    done = run("test", "cases.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "2 right, 0 wrong, 0 skipped\n")


def test_every_command_is_in_the_readme_and_has_an_example() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = run("--help", cwd=ROOT).stdout
    commands = re.findall(r"^  ([a-z]+)  ", listed.partition("Commands:")[2], re.MULTILINE)
    assert {"dryrun", "ingest", "gate", "repair", "test", "family", "inject"} <= set(commands)
    for command in commands:
        assert f"toolfix-audit {command}" in text
        shown = run(command, "--help", cwd=ROOT)
        assert shown.returncode == 0
        assert "Example:" in shown.stdout


def test_every_example_in_the_help_parses(tmp_path: Path) -> None:
    for command in ("dryrun", "ingest", "gate", "repair", "test", "family", "inject"):
        text = " ".join(run(command, "--help", cwd=tmp_path).stdout.split())
        example = re.search(r"Example: toolfix-audit (.*?)(?: Options:| With | Arguments:|$)", text)
        assert example, command
        words = [word.replace("~", str(tmp_path)) for word in shlex.split(example.group(1))]
        done = run(*words, cwd=tmp_path)
        assert "No such option" not in done.stderr
        assert done.returncode in {0, 2, 3}, done.stderr


def test_the_readme_links_exist() -> None:
    for page in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), f"{page}: {target}"


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    logs = ROOT / "corpora" / "study" / "sessions"
    done = run("dryrun", str(logs), "--label", "corpus=synthetic", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = next(block for block in blocks("README.md", "") if "mis-fixes in" in block)
    lines = [line for line in shown.splitlines() if line not in ("", "…")]
    printed = done.stdout.splitlines()
    assert len(lines) > 12
    assert [line for line in lines if line not in printed] == []
