"""The checks that need the judge alone: valid, better, needed, held by its key, final."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolfix_audit.audit.misfix.change import Change, Context
from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.readings import Reading, read_container
from toolfix_audit.audit.misfix.rewrites import Kind, Rewrite, put_back
from toolfix_audit.audit.misfix.schema_nodes import declared_names, declares, govern, has_required
from toolfix_audit.audit.misfix.shapes import innermost, is_bare_chain
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path, starts_with, to_pointer
from toolfix_audit.model.repair import JudgeLimitError
from toolfix_audit.model.words import Outcome

MAX_REWRITES: Final = 40
"""So many rewrites of one call are put back one by one."""


def count_of(value: Json, context: Context) -> int | None:
    """How many violations the judge finds; None where it gives up."""
    try:
        return len(context.judge.violations(value))
    except JudgeLimitError:
        return None


def touched_valid(reading: Reading, change: Change, context: Context) -> str | None:
    """What is wrong if arguments that the judge accepts were changed."""
    if not reading.strict or change.outcome is Outcome.SWALLOWED:
        return None
    if count_of(reading.value, context) != 0:
        return None
    return "the judge accepts the arguments as they were sent"


def swallow_unproven(reading: Reading, change: Change, context: Context) -> str | None:
    """What is wrong if the rule of a swallowed wrapper does not hold."""
    value, schema = reading.value, context.schema
    nodes = govern(schema, schema)
    inner = innermost(value)
    if not reading.strict or not is_bare_chain(value, nodes):
        return "the sole key is no undeclared `arguments` around an object"
    if count_of(value, context) != 0:
        return "the arguments have violations as they were sent"
    if has_required(nodes):
        return "the tool requires a key"
    if not isinstance(inner, dict) or not inner:
        return "nothing is hidden inside"
    stranger = next((key for key in inner if not declares(nodes, key)), None)
    if stranger is not None or not declared_names(nodes):
        return f"the hidden key {stranger!r} is not declared"
    if count_of(change.result, context) != 0:
        return "what was hidden has violations"
    return None


def not_better(
    reading: Reading, found: Sequence[Rewrite], change: Change, context: Context
) -> str | None:
    """What is wrong if the change left as many violations, or more, and no root wrapper went."""
    nodes = govern(context.schema, context.schema)
    after = count_of(change.result, context)
    if change.outcome is Outcome.SWALLOWED or after is None:
        return None
    before = count_of(reading.value, context) if reading.strict else 1
    if before is None:
        before = change.violations_before
    if after < before:
        return None
    inner = innermost(reading.value)
    if is_bare_chain(reading.value, nodes) and declared_names(nodes):
        hidden = count_of(inner, context)
        if is_same(inner, change.result) or (hidden is not None and after < hidden):
            return None
    elif any(rewrite.bare for rewrite in found):
        return None
    return f"{before} violations before, {after} after"


def needless(
    found: Sequence[Rewrite], change: Change, context: Context
) -> Iterator[tuple[Path, str]]:
    """Every rewrite without which the result has no more violations than with it."""
    after = count_of(change.result, context)
    if after is None or change.outcome is Outcome.SWALLOWED:
        return
    tried = [one for one in found if one.kind is not Kind.ADD and not one.bare]
    for rewrite in tried[:MAX_REWRITES]:
        try:
            without = count_of(put_back(change.result, rewrite), context)
        except KeyError:
            continue
        if without is not None and without <= after:
            place = _place(rewrite)
            yield place, f"{_shown(place)}: the original spelling has no more violations"


def bad_values(
    found: Sequence[Rewrite], change: Change, context: Context
) -> Iterator[tuple[Path, str]]:
    """Every key that a rename, merge or unflatten introduced and whose value has a violation."""
    introduced = [
        (*rewrite.path, key)
        for rewrite in found
        if rewrite.kind in (Kind.RENAME, Kind.MERGE, Kind.UNFLATTEN)
        for key in _introduced(rewrite)
    ]
    if not introduced:
        return
    try:
        violations = context.judge.violations(change.result)
    except JudgeLimitError:
        return
    for place in introduced:
        if any(starts_with(violation.path, place) for violation in violations):
            yield place, f"{_shown(place)}: the new key holds a value with a violation"


def _introduced(rewrite: Rewrite) -> tuple[str, ...]:
    """The keys that a rewrite itself brought in, not what was unwrapped further inside."""
    if rewrite.kind is not Kind.MERGE:
        return rewrite.given
    inner = rewrite.taken[-1][1]
    if isinstance(inner, str):
        inner = read_container(inner)
    return tuple(key for key in rewrite.given if isinstance(inner, dict) and key in inner)


def not_idempotent(change: Change, context: Context) -> str | None:
    """What is wrong if a second repair changes something."""
    again = context.engine(change.result, context.schema)
    if is_same(again.arguments, change.result):
        return None
    return "a second repair changes the result"


def judge_disagrees(change: Change, context: Context) -> str | None:
    """What is wrong if a second validator rejects a fixed call."""
    if change.outcome is not Outcome.FIXED:
        return None
    for judge in context.second_judges:
        try:
            if not judge.is_valid(change.result):
                return f"{judge.name} rejects the result"
        except JudgeLimitError:
            continue
    return None


def _place(rewrite: Rewrite) -> Path:
    keys = rewrite.given or tuple(key for key, _ in rewrite.taken)
    return (*rewrite.path, keys[0]) if keys else rewrite.path


def _shown(path: Path) -> str:
    return to_pointer(path) or "the root"
