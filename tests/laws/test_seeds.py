"""The same bytes under every hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("many_repairs.py")


def test_the_hash_seed_changes_nothing() -> None:
    outputs = {_run(seed) for seed in ("0", "1", "4294967295")}
    assert len(outputs) == 1
    assert outputs.pop().count(b"\n") > 200


def _run(seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, str(PROGRAM)],
        capture_output=True,
        env=environment,
        timeout=300,
        check=True,
    ).stdout
