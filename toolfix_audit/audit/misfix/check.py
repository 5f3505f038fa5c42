"""One change in, one probe for every executed check out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from toolfix_audit.audit.misfix.change import Change, Context, Probe
from toolfix_audit.audit.misfix.conservation import compare
from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.keys import (
    crossed,
    crossed_tool,
    has_other_tool,
    unrelated,
    unrelated_tool,
)
from toolfix_audit.audit.misfix.probing import alternate_probes
from toolfix_audit.audit.misfix.readings import Reading, first_object, read_arguments
from toolfix_audit.audit.misfix.rewrites import Kind, Rewrite, rewrites
from toolfix_audit.audit.misfix.rules import (
    bad_values,
    count_of,
    judge_disagrees,
    needless,
    not_better,
    not_idempotent,
    swallow_unproven,
    touched_valid,
)
from toolfix_audit.audit.misfix.steps import all_families, families_at
from toolfix_audit.model.pointer import Path
from toolfix_audit.model.words import MisfixKind, Outcome

MAX_CONVICTIONS: Final = 20
"""So many convictions of one kind are told for one call."""


def check(change: Change, context: Context) -> tuple[Probe, ...]:
    """Execute every check of one changed call; one probe each, convicted or not.

    Shares no code with any engine: the engine and the judge are those of the context. Never
    raises on bad data, whatever the arguments hold and however deep they are nested.
    """
    reading = read_arguments(change.arguments)
    if reading is None:
        return (_unreadable(change),)
    if is_same(reading.value, change.result) and reading.strict:
        return check_name(change) if has_other_tool(change) else ()
    found = rewrites(reading.value, change.result, context.schema, context.licences)
    return (
        *(check_name(change) if has_other_tool(change) else ()),
        *_whole(reading, found, change, context),
        *_conserved(reading, found, change, context),
        *_placed(MisfixKind.NEEDLESS, needless(found, change, context), change),
        *_keys(found, change, context),
        *_probed(reading, change, context),
    )


def check_name(change: Change) -> tuple[Probe, ...]:
    """Execute every check of a tool's name that was changed; its arguments are not looked at."""
    found = (
        (MisfixKind.KEY_UNRELATED, unrelated_tool(change)),
        (MisfixKind.KEY_CROSSED, crossed_tool(change)),
    )
    return tuple(Probe(kind, ("K",), fault is not None, fault or "") for kind, fault in found)


def _unreadable(change: Change) -> Probe:
    """A text without one reading was made into something."""
    families = all_families(change.steps)
    first = first_object(change.arguments) if isinstance(change.arguments, str) else None
    if first is not None and is_same(first, change.result):
        detail = "the root: what follows the first object of the text was thrown away"
        return Probe(MisfixKind.VALUE_LOST, families, convicted=True, detail=detail)
    detail = "the root: the text spells no single complete object"
    return Probe(MisfixKind.VALUE_INVENTED, families, convicted=True, detail=detail)


def _whole(
    reading: Reading, found: tuple[Rewrite, ...], change: Change, context: Context
) -> Iterator[Probe]:
    verdicts = [
        (MisfixKind.TOUCHED_VALID, touched_valid(reading, change, context)),
        (MisfixKind.NOT_BETTER, not_better(reading, found, change, context)),
        (MisfixKind.NOT_IDEMPOTENT, not_idempotent(change, context)),
    ]
    if change.outcome is Outcome.SWALLOWED:
        unproven = swallow_unproven(reading, change, context)
        verdicts.append((MisfixKind.SWALLOW_UNPROVEN, unproven))
    if context.second_judges and change.outcome is Outcome.FIXED:
        verdicts.append((MisfixKind.JUDGE_DISAGREES, judge_disagrees(change, context)))
    families = all_families(change.steps)
    for kind, fault in verdicts:
        yield Probe(kind, families, fault is not None, fault or "")


def _conserved(
    reading: Reading, found: tuple[Rewrite, ...], change: Change, context: Context
) -> Iterator[Probe]:
    families = all_families(change.steps)
    if reading.blank:
        fault = None
        if change.result != {} or not _accepts_nothing(context):
            fault = "the root: nothing was sent, and the tool needs more than nothing"
        yield Probe(MisfixKind.VALUE_INVENTED, families, fault is not None, fault or "")
        return
    losses = compare(
        reading.value,
        change.result,
        context.schema,
        steps=change.steps,
        found=found,
        licences=context.licences,
    )
    for kind, faults in (
        (MisfixKind.VALUE_LOST, losses.lost),
        (MisfixKind.VALUE_INVENTED, losses.invented),
        (MisfixKind.MISPLACED, losses.misplaced),
    ):
        yield Probe(kind, families, bool(faults), faults[0] if faults else "")


def _accepts_nothing(context: Context) -> bool:
    return count_of({}, context) == 0


def _keys(found: tuple[Rewrite, ...], change: Change, context: Context) -> Iterator[Probe]:
    if any(one.kind not in (Kind.SPELLING, Kind.UNWRAP) for one in found):
        yield from _placed(MisfixKind.KEY_UNRELATED, unrelated(found, change), change)
        yield from _placed(MisfixKind.KEY_CROSSED, crossed(found, change), change)
        yield from _placed(MisfixKind.BAD_VALUE, bad_values(found, change, context), change)


def _probed(reading: Reading, change: Change, context: Context) -> tuple[Probe, ...]:
    return () if reading.blank else alternate_probes(reading.value, change, context)


def _placed(
    kind: MisfixKind, faults: Iterable[tuple[Path, str]], change: Change
) -> Iterator[Probe]:
    """One probe per fault, with the families of the steps at its place; one that convicts
    nothing where there is none."""
    count = 0
    for path, detail in faults:
        families = families_at(change.steps, change.result, path)
        yield Probe(kind, families, convicted=True, detail=detail)
        count += 1
        if count >= MAX_CONVICTIONS:
            return
    if not count:
        yield Probe(kind, all_families(change.steps), convicted=False, detail="")
