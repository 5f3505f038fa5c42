"""Fixtures for foreign processes: fakes, and the packages of the real ones."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from toolfix_audit.audit.foreign import Command, Process
from toolfix_audit.audit.foreign.pool import close_all

HERE = Path(__file__).parent
FAKE = HERE / "fake.py"
SECONDS = 3.0


def fake_command(mode: str, *more: str) -> str:
    """The value of `--engine` or `--judge` for a fake."""
    return "command:" + shlex.join([sys.executable, str(FAKE), mode, *more])


@pytest.fixture
def fake() -> Iterator[Callable[..., Process]]:
    """Makes supervised fakes, and ends them."""
    made: list[Process] = []

    def make(mode: str, *more: str, seconds: float = SECONDS) -> Process:
        command = Command(f"fake {mode}", (sys.executable, str(FAKE), mode, *more), "mend it")
        made.append(Process(command, seconds))
        return made[-1]

    yield make
    for process in made:
        process.close()


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    close_all()


def missing(what: str) -> None:
    """Skip where something is not installed; fail where it must be."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


@pytest.fixture(scope="session")
def node_packages() -> Path:
    """The folder in which the npm packages of the tests are installed."""
    named = os.environ.get("TOOLFIX_AUDIT_NODE_PATH")
    folder = Path(named) if named else HERE / "node"
    modules = folder if folder.name == "node_modules" else folder / "node_modules"
    for package in ("ajv", "@deepseek-ai/dsh-tools"):
        if not (modules / package / "package.json").is_file():
            missing(f"the npm package {package}")
    return folder


@pytest.fixture
def node_path(node_packages: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lets the adapters find those packages."""
    monkeypatch.setenv("TOOLFIX_AUDIT_NODE_PATH", str(node_packages))
    return node_packages


def need_module(name: str) -> None:
    """Skip (or fail in CI) where a Python package of an adapter is not installed."""
    if find_spec(name) is None:
        missing(f"the Python package {name}")


def is_gone(pid: int) -> bool:
    """Whether a process ends within a few seconds."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if _is_zombie(pid):
            return True
        time.sleep(0.05)
    return False


def _is_zombie(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] == "Z"
