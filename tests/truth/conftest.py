"""An audit takes long, so that all workers of one test run share it."""

from __future__ import annotations

import fcntl
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from .audited import Audit

Once = Callable[[str, Callable[[Path], Audit]], tuple[Audit, Path]]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Give a name and a maker that may use a folder; the first worker to ask makes it."""
    base = tmp_path_factory.getbasetemp()
    root = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base

    def get(name: str, make: Callable[[Path], Audit]) -> tuple[Audit, Path]:
        folder = root / f"audit-{name}"
        folder.mkdir(exist_ok=True)
        kept = folder / "audit.pickle"
        with (root / f"audit-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.exists():
                kept.write_bytes(pickle.dumps(make(folder)))
        found = pickle.loads(kept.read_bytes())
        assert isinstance(found, Audit)
        return found, folder

    return get
