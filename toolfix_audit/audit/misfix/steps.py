"""The steps of a change, replayed on the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from toolfix_audit.audit.misfix.difference import Place, outermost
from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.shapes import WRAPPERS
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path, starts_with, value_at, with_value
from toolfix_audit.model.repair import Step

MAX_REPLAYED: Final = 200


@dataclass(frozen=True, slots=True)
class Stage:
    """One step with the whole value as it stood before it, and the places that it touched."""

    step: Step
    value: Json
    places: tuple[Place, ...]


def stages(original: Json, steps: Sequence[Step]) -> tuple[Stage, ...]:
    """Replay the steps as far as they tell what really happened; the first few hundred at most."""
    found: list[Stage] = []
    value = original
    for step in steps[:MAX_REPLAYED]:
        if step.family == "L":
            continue
        path = resolve(step.pointer, value)
        if path is None or not _is_before(value, path, step):
            break
        places = tuple(
            Place((*path, *place.path), place.sent, place.went) for place in _places(step)
        )
        found.append(Stage(step, value, places))
        try:
            value = with_value(value, path, step.after)
        except KeyError:
            break
    return tuple(found)


def named_keys(steps: Sequence[Step]) -> set[str]:
    """The keys that steps are about: in their action, their place, or what they took out."""
    named: set[str] = set()
    for step in steps[:MAX_REPLAYED]:
        named.add(step.action.partition(":")[2].partition("→")[0])
        named.add(step.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~"))
        for place in _places(step):
            named.update(part for part in place.path[-1:] if isinstance(part, str))
    return named


def families_at(steps: Sequence[Step], result: Json, path: Path) -> tuple[str, ...]:
    """The families of the steps that touched a place of the result; all, if none is known to."""
    near = {step.family for step in steps if _is_near(step, result, path)}
    return tuple(sorted(near or {step.family for step in steps}))


def all_families(steps: Sequence[Step]) -> tuple[str, ...]:
    """The families of all steps, each once."""
    return tuple(sorted({step.family for step in steps}))


def resolve(pointer: str, value: Json) -> Path | None:
    """The path that a JSON Pointer means in a value; None if nothing is there."""
    path: list[str | int] = []
    for raw in pointer.split("/")[1:]:
        name = raw.replace("~1", "/").replace("~0", "~")
        part: str | int = name
        if isinstance(value, list):
            if not (name.isdecimal() and name.isascii()):
                return None
            part = int(name)
        try:
            value = value_at(value, (part,))
        except KeyError:
            return None
        path.append(part)
    return tuple(path)


def _places(step: Step) -> tuple[Place, ...]:
    """The outermost places of a step: the wrapper that its action names, or all keys of an object
    that one of its members replaced, whatever the two have in common."""
    before, after = step.before, step.after
    packing = step.action.partition(":")[2]
    if isinstance(before, dict) and packing in WRAPPERS and packing in before:
        return (Place((packing,), before[packing], went=True),)
    if isinstance(before, dict) and len(before) <= 2 and isinstance(after, dict):
        inner = before.get("value") if len(before) == 2 else next(iter(before.values()), None)
        if isinstance(inner, dict) and (inner is after or is_same(inner, after)):
            return tuple(Place((key,), member, went=True) for key, member in before.items())
    return outermost(before, after)


def _is_before(value: Json, path: Path, step: Step) -> bool:
    held = value_at(value, path)
    return held is step.before or is_same(held, step.before)


def _is_near(step: Step, result: Json, path: Path) -> bool:
    place = resolve(step.pointer, result)
    return (
        place is not None
        and starts_with(path, place)
        and (bool(step.pointer) or not path or step.family not in {"A", "B", "C", "L"})
    )
