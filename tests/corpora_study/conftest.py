"""The corpora that the tests look at: the one that is checked in, and fresh ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .study_logs import STUDY, Corpus, read_corpus


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of fresh corpora, made side by side: the seed that is checked in, and another."""
    runs = {"same": ("1", "77"), "other": ("4242", "5")}
    folders = {name: tmp_path_factory.mktemp(name) for name in runs}
    processes = [
        subprocess.Popen(
            [sys.executable, str(STUDY / "generate.py"), "--seed", seed, "--out", folders[name]],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for name, (seed, hash_seed) in runs.items()
    ]
    for process in processes:
        out, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        assert out.count("\n") == 1
    return folders


@pytest.fixture(scope="session")
def checked_in() -> Corpus:
    """The corpus that is checked in."""
    return read_corpus(STUDY)


@pytest.fixture(scope="session", params=["checked-in", "other"])
def corpus(request: pytest.FixtureRequest) -> Corpus:
    """The corpus that is checked in, and one of another seed: every figure holds for both."""
    if request.param == "checked-in":
        found: Corpus = request.getfixturevalue("checked_in")
        return found
    folders: dict[str, Path] = request.getfixturevalue("generated")
    return read_corpus(folders["other"])
