"""The public cases, through the command line and through a checker that shares nothing with it."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from toolfix_audit.audit.cases import family_code
from toolfix_audit.engine import ALL

LETTERS = frozenset("ABCDEFKLMNOP")
# Cases that need more than the family they are filed under.
ALSO_NEEDS = {"extra-08": "EF"}


def cases(shared: Path) -> dict[str, str]:
    """The code of each argument case, by its id."""
    text = (shared / "cases" / "args.jsonl").read_text(encoding="utf-8")
    read = [json.loads(line) for line in text.splitlines()]
    return {case["id"]: family_code(case["family"]) for case in read}


def needs_what_is_not_built(shared: Path) -> set[str]:
    """The cases that can't be right yet."""
    return {
        identity
        for identity, code in cases(shared).items()
        if not ({code} & LETTERS | set(ALSO_NEEDS.get(identity, ""))) <= ALL
    }


@pytest.mark.parametrize("options", [[], ["--opt-in"]], ids=["safe", "opt-in"])
def test_the_command_has_them_right(shared: Path, options: list[str]) -> None:
    path = shared / "cases" / "args.jsonl"
    command = [sys.executable, "-m", "toolfix_audit", "test", str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    *wrong, last = done.stdout.splitlines()
    told = re.fullmatch(r"(\d+) right, (\d+) wrong, (\d+) skipped", last)
    assert told, done.stdout + done.stderr
    assert sum(map(int, told.groups())) == len(cases(shared)) == 116
    identities = {line.split()[1].rstrip(":") for line in wrong}
    assert identities <= needs_what_is_not_built(shared), wrong
    assert done.returncode == (1 if identities else 0)
    if ALL >= LETTERS:
        assert told.groups() == ("116", "0", "0")


@pytest.mark.parametrize("family", ["A", "B", "C", "D"])
def test_the_command_runs_one_family(shared: Path, family: str) -> None:
    path = shared / "cases" / "args.jsonl"
    command = [sys.executable, "-m", "toolfix_audit", "test", str(path), "--family", family]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    wanted = sum(code == family for code in cases(shared).values())
    if family == "D" and not set("EF") <= ALL:
        return
    assert done.stdout == f"{wanted} right, 0 wrong, 0 skipped\n"
    assert done.returncode == 0


def _check(shared: Path, *options: str) -> tuple[set[str], subprocess.CompletedProcess[str]]:
    """The cases that the independent checker finds wrong, and what it printed."""
    checker = shared / "tools" / "check_cases.py"
    program = Path(sys.executable).with_name("toolfix-audit")
    path = shared / "cases" / "args.jsonl"
    command = [sys.executable, str(checker), str(program), str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    wrong = [ast.literal_eval(line) for line in done.stdout.splitlines() if line.startswith("(")]
    return {line[0] for line in wrong}, done


def test_an_independent_checker_has_them_right(shared: Path) -> None:
    wrong, done = _check(shared)
    assert wrong <= needs_what_is_not_built(shared), done.stdout + done.stderr
    assert "; 0 must-stay touched" in done.stdout
    assert done.returncode == (1 if wrong else 0), done.stdout + done.stderr


def test_an_independent_checker_finds_no_harm_with_opt_in(shared: Path) -> None:
    """The checker wants every unsafe fix; the contract allows an opt-in family to abstain."""
    wrong, done = _check(shared, "--opt-in")
    text = (shared / "cases" / "args.jsonl").read_text(encoding="utf-8")
    unsafe = {
        case["id"]
        for case in map(json.loads, text.splitlines())
        if case["expected"]["outcome"] == "unsafe_fix_only"
    }
    assert wrong <= needs_what_is_not_built(shared) | unsafe, done.stdout + done.stderr
    assert "; 0 must-stay touched" in done.stdout
    outcomes = {
        line.split("', '")[3].partition("'")[0]
        for line in done.stdout.splitlines()
        if line.startswith("(")
    }
    assert outcomes <= {"untouched", "valid"}, done.stdout
