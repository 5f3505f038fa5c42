"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path:
    """The folder of reference cases and corpora, beside the project unless told otherwise."""
    return Path(os.environ.get("TOOLFIX_SHARED") or ROOT.parent / "shared")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference cases and corpora; a test that needs them is skipped without, and fails in CI."""
    folder = shared_folder()
    if folder.is_dir():
        return folder
    if os.environ.get("CI"):
        pytest.fail(f"reference folder is missing: {folder}")
    pytest.skip(f"reference folder is missing: {folder}")
