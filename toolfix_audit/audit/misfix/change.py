"""What the check is given and what it says: a change, its context, probes."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import TypeAlias

from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Repair, Step, Unusable
from toolfix_audit.model.words import MisfixKind, Outcome

Engine: TypeAlias = Callable[[Json, Json], Repair]
"""An engine under test: `(arguments, schema)` to what it did."""

Compile: TypeAlias = Callable[[Json], Judge | Unusable]
"""Compiles the judge of a schema."""


@dataclass(frozen=True, slots=True)
class Change:
    """One call that an engine changed.

    `tool` is the name as called and `resolved` the name after repair; `arguments` is what the
    engine was given (the recorded text as a `str`, or the value), `result` what it made of it.
    `steps` may be empty or wrong: what can be derived from the difference is derived.
    """

    tool: str | None
    resolved: str | None
    arguments: Json
    result: Json
    outcome: Outcome
    steps: tuple[Step, ...]
    violations_before: int
    violations_after: int


@dataclass(frozen=True, slots=True)
class Probe:
    """One executed check. `families` are the codes of the steps that it is about; `detail` is
    one line for a person where it convicts, else empty."""

    kind: MisfixKind
    families: tuple[str, ...]
    convicted: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Context:
    """What a change is checked against.

    `alternates` are other schemas of that tool, supplied or from the corpus. `memo` keeps the
    probes of alternate schemas; share it between calls that one engine changed.
    """

    schema: Json
    judge: Judge
    engine: Engine
    compile: Compile
    alternates: tuple[Json, ...] = ()
    second_judge: Judge | None = None
    memo: MutableMapping[tuple[str, ...], tuple[Probe, ...]] = field(default_factory=dict)
