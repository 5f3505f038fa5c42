"""What the check is given and what it says: a change, its context, probes."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import TypeAlias

from toolfix_audit.audit.misfix.licences import NO_LICENCE, Licences
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Repair, Step, Unusable
from toolfix_audit.model.words import MisfixKind, Outcome

Engine: TypeAlias = Callable[[Json, Json], Repair]
"""An engine under test: `(arguments, schema)` to what it did."""

EngineUnder: TypeAlias = Callable[[Json, Json, Judge], Repair]
"""The same engine, handed the judge of the schema."""

Compile: TypeAlias = Callable[[Json], Judge | Unusable]
"""Compiles the judge of a schema."""


@dataclass(frozen=True, slots=True)
class Change:
    """One call that an engine changed.

    `tool` is the name as called and `resolved` the name after repair, one of the available
    `tools`; `arguments` is what the engine was given (the recorded text as a `str`, or the
    value), `result` what it made of it. `steps` may be empty or wrong: what can be derived from
    the difference is derived.
    """

    tool: str | None
    resolved: str | None
    arguments: Json
    result: Json
    outcome: Outcome
    steps: tuple[Step, ...]
    violations_before: int
    violations_after: int
    tools: tuple[str, ...] = ()


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

    `alternates` are other schemas of that tool, supplied or from the corpus; `compile_derived`
    compiles the schemas that the check makes itself (None: as any other), and `engine_under`
    runs the engine where their judge is at hand. `second_judges` are validators that must accept
    what the judge accepted, `licences` the opt-in readings that were asked for. `memo` keeps the
    probes of alternate schemas; share it between calls that one engine changed.
    """

    schema: Json
    judge: Judge
    engine: Engine
    compile: Compile
    alternates: tuple[Json, ...] = ()
    compile_derived: Compile | None = None
    engine_under: EngineUnder | None = None
    second_judges: tuple[Judge, ...] = ()
    licences: Licences = NO_LICENCE
    memo: MutableMapping[tuple[str, ...], tuple[Probe, ...]] = field(default_factory=dict)
