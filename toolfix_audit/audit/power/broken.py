"""What a broken engine is: the sound engine, and one guess on top of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from toolfix_audit.audit.inject.ground import Ground, ground_for
from toolfix_audit.audit.inject.subject import Subject
from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json, JsonError, parse_json, same_json
from toolfix_audit.model.pointer import Path, to_pointer, value_at, with_value
from toolfix_audit.model.repair import Judge, JudgeLimitError, Repair, Step, Unusable, Violation
from toolfix_audit.model.words import MisfixKind, Outcome


@dataclass(frozen=True, slots=True)
class Guess:
    """One rewrite that nothing proves: the place, what a step would call it, the new value."""

    path: Path
    action: str
    after: Json


Guesser: TypeAlias = Callable[[Json, Ground], Iterator[Guess]]
"""Every guess about a value (or about text that does not parse), the likeliest first."""

Lure: TypeAlias = Callable[[Subject, Random], Iterator[Json]]
"""Damaged copies of a valid call that the sound engine leaves, and a guess falls for."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken engine. `family` is the one whose work it apes, `kind` the check that its error
    is a matter of; `obeys` says that a guess must leave fewer violations. Of several guesses the
    first one is taken."""

    name: str
    family: str
    kind: MisfixKind
    guesses: Guesser
    lures: Lure
    obeys: bool


def run_broken(
    arguments: Json, schema: Json, *, broken: Broken, families: Collection[str]
) -> Repair:
    """What the broken engine makes of a call. A pure function of its arguments, as the sound
    engine is."""
    judge = compile_schema(schema)
    if isinstance(judge, Unusable):
        return repair(arguments, schema, families=families)
    sound = repair(arguments, schema, judge=judge, families=families)
    value = parsed(sound.arguments)
    before = _violations(judge, value)
    if sound.outcome is Outcome.UNJUDGED or before is None:
        return sound
    for guess in broken.guesses(value, ground_for(schema)):
        old = value_at(value, guess.path)
        if same_json(old, guess.after) and not isinstance(value, str):
            continue
        after = with_value(value, guess.path, guess.after)
        left = _violations(judge, after)
        if left is None or (broken.obeys and len(left) >= len(before)):
            continue
        step = Step(broken.family, guess.action, to_pointer(guess.path), old, guess.after)
        return _with_guess(sound, after, step, left)
    return sound


def parsed(arguments: Json) -> Json:
    """The value of recorded arguments; the text itself where it does not parse."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse_json(arguments)
    except JsonError:
        return arguments


def _with_guess(sound: Repair, after: Json, step: Step, left: tuple[Violation, ...]) -> Repair:
    return replace(
        sound,
        outcome=Outcome.STILL_FAILING if left else Outcome.FIXED,
        arguments=after,
        steps=(*sound.steps, step),
        violations_after=left,
        reason=None,
    )


def _violations(judge: Judge, value: Json) -> tuple[Violation, ...] | None:
    try:
        return tuple(judge.violations(value))
    except JudgeLimitError:
        return None
