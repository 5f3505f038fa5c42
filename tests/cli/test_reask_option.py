"""`--reask NAME=VALUE`."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolfix_audit.cli.reask_option import read_reask
from toolfix_audit.engine.reask import DEFAULT, Policy
from toolfix_audit.model.errors import ConfigError

from .running import run


def test_nothing_given_is_the_default() -> None:
    assert read_reask(None) == DEFAULT


def test_every_part_can_be_set() -> None:
    given = [
        "finish_reasons=stop,end-turn", "max_characters=10", "openers=<a>,<b>", "closers=",
        "code_fences=```", "may_hold_code=TRUE", "max_in_a_row=0",
    ]  # fmt: skip
    assert read_reask(given) == Policy(
        frozenset({"stop", "end-turn"}), 10, ("<a>", "<b>"), (), ("```",), True, 0
    )


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("max_charaters=1", "did you mean max_characters"),
        ("openers", "unknown 'openers'"),
        ("max_characters=many", "no such value"),
        ("max_in_a_row=-1", "no such value"),
        ("may_hold_code=1", "no such value"),
    ],
)
def test_what_is_wrong_is_told(option: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_reask([option])


def test_the_program_tells_it_in_one_line(tmp_path: Path) -> None:
    done = run("dryrun", "x.jsonl", "--reask", "limit=3", cwd=tmp_path)
    assert done.code == 2
    assert "--reask: unknown 'limit=3'" in done.err


def test_the_policy_is_the_one_that_is_simulated(shared: Path, tmp_path: Path) -> None:
    sessions = shared / "corpora" / "dsh-host" / "sessions"
    done = run("dryrun", sessions, "--reask", "max_characters=7", cwd=tmp_path)
    assert done.code == 0
    assert "≤ 7 chars" in done.out
