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

import pytest

from .hostile import CALLS

PROGRAM = Path(__file__).with_name("hostile.py")
SECONDS = int(os.environ.get("TOOLFIX_HANG", "60"))
OUTCOMES = {"valid", "swallowed", "fixed", "still_failing", "untouched", "unjudged"}


@pytest.mark.parametrize("name", CALLS)
def test_a_hostile_call_ends_with_an_outcome(name: str) -> None:
    try:
        run = subprocess.run(
            [sys.executable, str(PROGRAM), name],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"no outcome after {SECONDS} seconds")
    assert run.returncode == 0, run.stderr[-2000:]
    told = json.loads(run.stdout)
    assert told["outcome"] in OUTCOMES
    assert (told["reason"] is not None) is (told["outcome"] in {"untouched", "unjudged"})
