"""Throw-away environments for the peers, and the processes that run in them."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from toolfix_audit.model.json import Json, JsonError, parse_json

from .engines import Engine, Home
from .scoring import Answer

ROOT: Final = Path(__file__).resolve().parents[2]
ADAPTERS: Final = ROOT / "bench" / "adapters"
VENV: Final = ROOT / "build" / "peers-venv"
NODE: Final = ROOT / "build" / "peers-node"
RESTARTS: Final = 20


class PeerMissingError(Exception):
    """A peer can't be installed or started; the message says what was tried."""


def install(engine: Engine) -> None:
    """Put a peer at its pinned version into its throw-away environment.

    Raises:
        PeerMissingError: it can't be installed here.
    """
    if engine.home is Home.PYPI:
        python = VENV / "bin" / "python"
        if not python.exists():
            _run((sys.executable, "-m", "venv", str(VENV)))
        wanted = f"{engine.package}=={engine.version}"
        _run((str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", wanted))
    if engine.home is Home.NPM:
        if shutil.which("npm") is None:
            raise PeerMissingError("npm is not on the PATH")
        NODE.mkdir(parents=True, exist_ok=True)
        wanted = f"{engine.package}@{engine.version}"
        flags = ("--prefix", str(NODE), "--no-fund", "--no-audit", "--ignore-scripts")
        _run(("npm", "install", *flags, wanted))


def installed_version(engine: Engine) -> str:
    """The version that is really there, for the record.

    Raises:
        PeerMissingError: the peer is not there.
    """
    if engine.home is Home.PROJECT:
        return importlib.metadata.version(engine.package)
    if engine.home is Home.NPM:
        manifest = NODE / "node_modules" / engine.package / "package.json"
        if not manifest.is_file():
            raise PeerMissingError(f"{engine.package} is not installed")
        return str(json.loads(manifest.read_text(encoding="utf-8"))["version"])
    program = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
    name = engine.package.split("[")[0]
    return _run((str(VENV / "bin" / "python"), "-c", program, name)).strip()


def ask(engine: Engine, requests: Mapping[str, str]) -> dict[str, Answer]:
    """Ask an engine about request lines by case id. A case that ends its process has no answer,
    and the rest are asked of a new process.

    Raises:
        PeerMissingError: the process can't be started, or ends before its first answer.
    """
    answers: dict[str, Answer] = {}
    left = dict(requests)
    for _ in range(RESTARTS):
        process = _serve(engine, list(left.values()))
        got = {name: answer for name, answer in map(_answer, process.stdout.split("\n")) if name}
        if not got and not answers:
            raise PeerMissingError(f"no answer: {process.stderr.strip()[-200:]}")
        answers.update(got)
        left = {name: line for name, line in left.items() if name not in answers}
        if not left:
            break
        first = next(iter(left))
        answers[first] = Answer(detail="its process ended at this case")
        del left[first]
    return answers


def command_of(engine: Engine) -> Sequence[str]:
    """The command that starts an engine's adapter."""
    script, *rest = engine.adapter
    if engine.home is Home.NPM:
        return ("node", str(ADAPTERS / script), *rest)
    python = sys.executable if engine.home is Home.PROJECT else str(VENV / "bin" / "python")
    return (python, str(ADAPTERS / script), *rest)


def _serve(engine: Engine, lines: Sequence[str]) -> subprocess.CompletedProcess[str]:
    settings = {"PEERS_NODE": str(NODE), "PYTHONPATH": str(ROOT), "BAML_LOG": "off"}
    try:
        return subprocess.run(
            command_of(engine),
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **settings},
            timeout=300,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerMissingError(str(error)) from error


def _answer(line: str) -> tuple[str, Answer]:
    try:
        said = parse_json(line)
    except JsonError:
        return "", Answer()
    if not isinstance(said, dict) or "id" not in said:
        return "", Answer()
    return str(said["id"]), _said(said)


def _said(said: dict[str, Json]) -> Answer:
    spent = said.get("ns")
    nanoseconds = float(spent) if isinstance(spent, int | float) else None
    if "refused" in said:
        return Answer(is_refusal=True, detail=str(said["refused"]), nanoseconds=nanoseconds)
    if "arguments" not in said:
        return Answer(detail=str(said.get("unusable", "no arguments")))
    tool = said.get("tool")
    name = tool if isinstance(tool, str) else None
    return Answer(said["arguments"], has_value=True, tool=name, nanoseconds=nanoseconds)


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerMissingError(f"{' '.join(command)}: {error}") from error
    if done.returncode:
        tail = (done.stderr.strip() or done.stdout.strip())[-300:]
        tried = " ".join(command).replace(f"{ROOT}/", "")
        raise PeerMissingError(f"{tried}: {tail}")
    return done.stdout
