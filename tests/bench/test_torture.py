"""The short form of the torture: kills and full disks leave the store as good as new."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.torture import torture


@pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")
def test_kills_and_full_disks_do_the_store_no_harm(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    torture(tmp_path, megabytes=20, kills=4, seed=3)
    said = capfd.readouterr().out
    assert "the stores are equal, row for row" in said
    assert "a limit on the file: error:" in said
