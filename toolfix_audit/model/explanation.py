"""One call explained: what `show` tells of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A call of the same session: its place there (from 1), and what became of it."""

    place: int
    total: int
    call: str
    tool: str
    outcome: str | None
    host: str | None


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """A step, with the family's name and why its repair is safe; values as JSON text."""

    family: str
    name: str
    action: str
    pointer: str
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """One call, whole. Texts are as recorded; `schema` is the part that concerns the call, and
    `retry` what the model's own later call says, with its arguments. `request` is a line for
    `repair --ndjson` that reproduces the repair; None where there was no schema."""

    call: str
    session: str
    path: str
    tool: str
    resolved: str | None
    facts: tuple[tuple[str, str], ...]
    around: tuple[Neighbour, ...]
    outcome: str
    reason: str | None
    families: tuple[str, ...]
    host: str
    result: str | None
    origin: str | None
    schema: str | None
    before: str
    after: str | None
    steps: tuple[ExplainedStep, ...]
    violations_before: tuple[str, ...]
    violations_after: tuple[str, ...]
    remarks: tuple[str, ...]
    probes: tuple[tuple[str, int, tuple[str, ...]], ...]
    retry: tuple[str, str] | None
    request: str | None
