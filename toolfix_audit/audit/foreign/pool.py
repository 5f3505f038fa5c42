"""The processes of this Python process: started when first needed, ended with it.

A spec holds names only, so it can be sent to other workers; each starts its own.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from toolfix_audit.audit.foreign.commands import ENGINES, JUDGES, Adapter, command_of
from toolfix_audit.audit.foreign.engine import ForeignEngine
from toolfix_audit.audit.foreign.judge import ForeignJudge
from toolfix_audit.audit.foreign.process import Process
from toolfix_audit.audit.foreign.rust_judge import NAME as RUST_NAME
from toolfix_audit.audit.foreign.rust_judge import VERSION as RUST_VERSION
from toolfix_audit.audit.foreign.rust_judge import compile_rust
from toolfix_audit.audit.spec import Spec
from toolfix_audit.engine import compile_schema
from toolfix_audit.engine.judges import pair, python
from toolfix_audit.engine.judges.shallow import ShallowJudge, compile_shallow
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Unusable
from toolfix_audit.model.report import EngineInfo, JudgeInfo
from toolfix_audit.model.words import UnjudgedReason

OWN_ENGINE: Final = "toolfix_audit.engine"

_Key = tuple[int, str, str, float]
_PROCESSES: dict[_Key, Process] = {}


def check_spec(spec: Spec) -> None:
    """Start what the spec names, so that a missing one is told before any call is audited.

    Raises:
        ConfigError, ForeignError: a name is unknown, or can't be started.
    """
    if spec.engine is not None:
        _process("engine", spec.engine, spec.seconds).start()
    if spec.judge is not None and spec.judge not in _IN_PROCESS:
        _process("judge", spec.judge, spec.seconds).start()


def engine_of(spec: Spec) -> ForeignEngine | None:
    """The foreign engine that a spec names; None for our own."""
    if spec.engine is None:
        return None
    process = _process("engine", spec.engine, spec.seconds)
    return ForeignEngine(process, compiler_of(spec))


def compiler_of(spec: Spec) -> Callable[[Json], Judge | Unusable]:
    """What compiles a schema for the judge of a spec."""
    if spec.judge is None:
        return compile_schema
    if spec.judge in _IN_PROCESS:
        return _IN_PROCESS[spec.judge][1]
    return _foreign_compiler(os.getpid(), spec.judge, spec.seconds)


def engine_info(spec: Spec, version: str) -> EngineInfo:
    """The engine under audit, as a report names it; `version` is that of our own."""
    if spec.engine is None:
        return EngineInfo(OWN_ENGINE, version, spec.families)
    return EngineInfo(spec.engine, _process("engine", spec.engine, spec.seconds).version, ())


def judge_info(spec: Spec) -> JudgeInfo:
    """The judge, as a report names it."""
    if spec.judge is None:
        return JudgeInfo(pair.NAME, pair.VERSION)
    if spec.judge in _IN_PROCESS:
        return JudgeInfo(spec.judge, _IN_PROCESS[spec.judge][0])
    return JudgeInfo(spec.judge, _process("judge", spec.judge, spec.seconds).version)


def unanswered(spec: Spec) -> dict[str, int]:
    """How many requests of the spec's processes got no answer so far, `engine` and `judge`."""
    if spec.engine is None and spec.judge is None:
        return {}
    named = {"engine": spec.engine, "judge": spec.judge}
    found: dict[str, int] = {}
    for role, name in named.items():
        process = _PROCESSES.get((os.getpid(), role, name or "", spec.seconds))
        if process is not None:
            found[role] = process.failures.total()
    return found


def failure_notes(spec: Spec) -> tuple[str, ...]:
    """One line for each process that left requests unanswered."""
    notes: list[str] = []
    for (pid, role, name, seconds), process in sorted(_PROCESSES.items()):
        if (pid, seconds) != (os.getpid(), spec.seconds) or not process.failures:
            continue
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(process.failures.items()))
        notes.append(f"{role} {name}: no answer to {process.failures.total()} requests ({kinds})")
    return tuple(notes)


def close_all() -> None:
    """End every process of this Python process."""
    for key in [key for key in _PROCESSES if key[0] == os.getpid()]:
        _PROCESSES.pop(key).close()


def _process(role: str, name: str, seconds: float) -> Process:
    key = (os.getpid(), role, name, seconds)
    if key not in _PROCESSES:
        adapters, also = _NAMES[role]
        command = command_of(name, adapters, option=f"--{role}", also=also)
        _PROCESSES[key] = Process(command, seconds)
    return _PROCESSES[key]


@lru_cache(maxsize=64)
def _foreign_compiler(_pid: int, name: str, seconds: float) -> Callable[[Json], Judge | Unusable]:
    def compile_foreign(schema: Json) -> Judge | Unusable:
        if not isinstance(schema, dict | bool):
            return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema is not an object")
        return ForeignJudge(_process("judge", name, seconds), schema)

    return compile_foreign


def _compile_shallow(schema: Json) -> Judge | Unusable:
    judge = compile_shallow(schema)
    return judge or Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema declares nothing")


_IN_PROCESS: Final[dict[str, tuple[str, Callable[[Json], Judge | Unusable]]]] = {
    python.NAME: (python.VERSION, python.compile_python),
    RUST_NAME: (RUST_VERSION, compile_rust),
    ShallowJudge.name: (ShallowJudge.version, _compile_shallow),
}
_NAMES: Final[dict[str, tuple[tuple[Adapter, ...], str]]] = {
    "engine": (ENGINES, ""),
    "judge": (JUDGES, " ".join(_IN_PROCESS)),
}

atexit.register(close_all)
