"""The goal of bench/proof.py holds for every engine that is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import need_module

ROOT = Path(__file__).resolve().parents[3]


def proof(shared: Path, engine: str, **environment: str) -> subprocess.CompletedProcess[str]:
    script, cases = str(ROOT / "bench" / "proof.py"), str(shared / "cases" / "args.jsonl")
    return subprocess.run(
        [sys.executable, script, cases, "--engines", engine],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("engine", ["json_repair", "pydantic"])
def test_wrong_changes_are_convicted(shared: Path, engine: str) -> None:
    need_module(engine)
    done = proof(shared, engine)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| {engine} |" in done.stdout


def test_wrong_changes_of_ajv_are_convicted(shared: Path, node_packages: Path) -> None:
    done = proof(shared, "ajv", TOOLFIX_AUDIT_NODE_PATH=str(node_packages))
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_engine_that_is_not_there_is_one_line(shared: Path, tmp_path: Path) -> None:
    done = proof(shared, "ajv", TOOLFIX_AUDIT_NODE_PATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("error: ajv")
