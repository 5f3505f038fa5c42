"""What a judge and the engine say: violations, steps, repairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.words import CHANGED, Outcome, UnjudgedReason, UntouchedReason


@dataclass(frozen=True, slots=True)
class Violation:
    """One unmet schema keyword at one place.

    `path` is the place in the value, `keyword` the keyword's location in the schema (JSON
    Pointer, `$ref` steps left out), `key` the missing or extra key where the keyword counts per
    key, `message` a short English sentence that never holds the whole value.
    """

    path: Path
    keyword: str
    key: str | None
    message: str


class JudgeLimitError(Exception):
    """The judge gave up on a value: nested too deeply, or a pattern took too long."""

    def __init__(self, reason: UntouchedReason | UnjudgedReason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Judge(Protocol):
    """A validator compiled for one schema. It decides; no rule of ours does.

    A root that is no object is exactly one violation, whatever the schema says. Order of
    violations is deterministic. Both methods may raise JudgeLimitError.
    """

    @property
    def name(self) -> str:
        """The validator's name, as a report shows it."""
        ...

    @property
    def version(self) -> str:
        """The validator's version."""
        ...

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        ...

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation of the value."""
        ...


@dataclass(frozen=True, slots=True)
class Unusable:
    """A schema that no judge runs, and why (`detail` is one line for a person)."""

    reason: UnjudgedReason
    detail: str


@dataclass(frozen=True, slots=True)
class Step:
    """One applied rewrite.

    `action` is like `unwrap:arguments`, `rename:skill_name→name`, `parse:array`. `pointer` is
    the place that was rewritten, as it was addressed when the step was taken; `before` and
    `after` are the values there.
    """

    family: str
    action: str
    pointer: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class Repair:
    """What the engine did with one call.

    Where nothing changed, `arguments` is the very object that was given. `tool` is the resolved
    name. `opt_in` names the opt-in family that would have fixed an untouched call.
    """

    outcome: Outcome
    tool: str | None
    arguments: Json
    steps: tuple[Step, ...]
    violations_before: tuple[Violation, ...]
    violations_after: tuple[Violation, ...]
    reason: UntouchedReason | UnjudgedReason | None = None
    opt_in: str | None = None

    @property
    def changed(self) -> bool:
        """Whether the arguments or the name differ from what was given."""
        return self.outcome in CHANGED
