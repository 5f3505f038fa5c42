"""The planters, one a family, and the defects that are planted together."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Final, TypeAlias

from toolfix_audit.audit.inject.empties import plant_empty_value, plant_flattened
from toolfix_audit.audit.inject.names import plant_key_alias, plant_tool_name
from toolfix_audit.audit.inject.spellings import (
    plant_container_text,
    plant_enum_spelling,
    plant_scalar_text,
    plant_single_item,
)
from toolfix_audit.audit.inject.subject import Planted, Planter, Subject
from toolfix_audit.audit.inject.texts import plant_text
from toolfix_audit.audit.inject.wrappers import (
    plant_nested_wrapper,
    plant_wrapper_alias,
    plant_wrapper_siblings,
)
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path, starts_with

PLANTERS: Final[tuple[tuple[str, Planter], ...]] = (
    ("A", plant_nested_wrapper),
    ("B", plant_wrapper_alias),
    ("C", plant_wrapper_siblings),
    ("D", plant_key_alias),
    ("E", plant_container_text),
    ("F", plant_scalar_text),
    ("K", plant_tool_name),
    ("L", plant_text),
    ("M", plant_empty_value),
    ("N", plant_single_item),
    ("O", plant_enum_spelling),
    ("P", plant_flattened),
)
"""Every family that arguments can have, with its planter."""

TOGETHER: Final[tuple[tuple[str, str], ...]] = (
    ("A+E", "EA"),
    ("A+F", "FA"),
    ("B+D", "DB"),
    ("C+F", "FC"),
    ("E+D+F", "FDE"),
    ("L+A", "AL"),
)
"""Defects that are planted into one call: the label, and the families from the inside out."""

MAX_FORMS: Final = 40
MAX_TRIES: Final = 12

_PLANTER_OF: Final = dict(PLANTERS)
_PACKING: Final = frozenset("ABCEL")

_Stage: TypeAlias = tuple[Planted, ...]


def planted_alone(subject: Subject, family: str, rng: Random, *, limit: int) -> list[Planted]:
    """At most `limit` damaged copies of a call with one defect of the family, each in another
    way where there are several."""
    forms = list(islice(_PLANTER_OF[family](subject, subject.value, rng), MAX_FORMS))
    rng.shuffle(forms)
    chosen: dict[str, Planted] = {}
    for form in forms:
        chosen.setdefault(form.variant, form)
    rest = [form for form in forms if form is not chosen[form.variant]]
    return [*chosen.values(), *rest][:limit]


def planted_together(subject: Subject, label: str, rng: Random, *, limit: int) -> list[Planted]:
    """At most `limit` damaged copies with all the defects of a label of TOGETHER.

    Two defects beside each other are planted only where each adds a violation: hidden under one
    branch, neither could be proved without the other.
    """
    found: list[Planted] = []
    for _ in range(MAX_TRIES):
        if len(found) >= limit:
            break
        stages = _stages(subject, dict(TOGETHER)[label], rng)
        if stages is None:
            continue
        last = stages[-1]
        variant = ", ".join(f"{stage.family} {stage.variant}" for stage in stages)
        found.append(Planted(label, variant, last.place, last.arguments, last.tool))
    return found


def _stages(subject: Subject, families: str, rng: Random) -> _Stage | None:
    value: Json = subject.value
    stages: list[Planted] = []
    count = 0
    for family in families:
        if not isinstance(value, dict):
            return None
        forms = [form for form in _forms(subject, family, value, rng) if _is_around(form, stages)]
        if not forms:
            return None
        form = rng.choice(forms)
        after = subject.count(form.arguments)
        if after is None or not _is_seen(form, count, after):
            return None
        stages.append(form)
        value, count = form.arguments, after
    return tuple(stages)


def _forms(subject: Subject, family: str, value: dict[str, Json], rng: Random) -> list[Planted]:
    """The ways to damage a value that is damaged already. Keys beside a wrapper stay in sight,
    so the wrapper counts only where the judge would see it without the other defects."""
    state = rng.getstate()
    forms = list(islice(_PLANTER_OF[family](subject, value, rng), MAX_FORMS))
    if family != "C":
        return forms
    again = Random()  # noqa: S311 — takes over the state of a seeded one
    again.setstate(state)
    alone = islice(_PLANTER_OF[family](subject, subject.value, again), MAX_FORMS)
    pairs = zip(forms, alone, strict=False)
    return [form for form, other in pairs if subject.count(other.arguments)]


def _is_around(form: Planted, stages: list[Planted]) -> bool:
    """Whether a packing is at or above what it shall pack, and a key beside what is there."""
    inner = [stage.place for stage in stages]
    if not inner:
        return True
    if form.family == "D":
        return all(_holder(place) == form.place for place in inner)
    return all(starts_with(place, form.place) for place in inner)


def _is_seen(form: Planted, before: int, after: int) -> bool:
    """Whether the judge sees the defect (or the rules do), and sees it apart from those beside
    it."""
    if form.family in _PACKING:
        return after > 0 or form.provable_when_valid
    return after > before


def _holder(place: Path) -> Path:
    return place[:-1]
