"""Hostile calls: bounded time and memory, an outcome with a reason, and never a crash or hang.

Each runs in a process of its own, whose memory is limited. The time limit is a guard against
hangs, not a measure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .hostile import CALLS

PROGRAM = Path(__file__).with_name("hostile.py")
SECONDS = os.environ.get("TOOLFIX_HANG", "60")
CHANGED = {"swallowed", "fixed", "still_failing"}
WITH_REASON = {"untouched", "unjudged"}

pytestmark = pytest.mark.xdist_group("hostile")

AFFORDABLE = {
    "items-texts": 1_000,
    "keys-null-few": 400,
    "keys-paths": 1,
    "keys-paths-texts": 5_001,
    "renames-few": 500,
    "enum": 1,
    "enum-items": 100,
    "unique-items": 1,
    "string": 1,
    "wrappers-text": 100_000,
}
"""Calls that are large and plausible, and how many steps fix them."""


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, Any]]:
    """What came of each call; one program forks them all, which saves its start."""
    run = subprocess.run(
        [sys.executable, str(PROGRAM), SECONDS], capture_output=True, text=True, check=True
    )
    lines = map(json.loads, run.stdout.splitlines())
    return {line["name"]: line for line in lines}


@pytest.mark.parametrize("name", CALLS)
def test_a_hostile_call_ends_with_an_outcome(name: str, told: dict[str, dict[str, Any]]) -> None:
    line = told[name]
    assert "died" not in line, f"no outcome within {SECONDS} seconds or 6 GB"
    assert line["outcome"] in {"valid", *CHANGED, *WITH_REASON}
    assert (line["reason"] is not None) is (line["outcome"] in WITH_REASON)
    assert line["is_same"] is (line["outcome"] not in CHANGED)


@pytest.mark.parametrize("name", AFFORDABLE)
def test_a_large_call_is_fixed_all_the_same(name: str, told: dict[str, dict[str, Any]]) -> None:
    assert (told[name]["outcome"], told[name]["steps"]) == ("fixed", AFFORDABLE[name])
