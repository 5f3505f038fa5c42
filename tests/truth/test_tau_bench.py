"""tau-bench under its own catalogue: a set in which nothing may be touched."""

from __future__ import annotations

from pathlib import Path

from .audited import audit


def test_every_call_is_valid(shared: Path) -> None:
    corpora = shared / "corpora"
    done = audit([corpora / "tau-bench"], [corpora / "schemas" / "tau-bench" / "airline.json"])
    assert done.outcomes == {"valid": 1_164}
    assert done.report.schemas["catalogue"] == 1_164
    assert done.report.verdict.exit_code == 0
