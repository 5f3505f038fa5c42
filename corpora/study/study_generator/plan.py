"""Which session holds which kind of call, and where: decided before a single argument is made."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from study_generator import figures

MODELS: Final = (
    ("alder", "alder-small"),
    ("alder", "alder-large"),
    ("birch", "birch-mini"),
    ("birch", "birch-chat"),
    ("cedar", "cedar-flash"),
    ("cedar", "cedar-pro"),
)
_SMALL_MODELS: Final = (MODELS[0], MODELS[2], MODELS[4])
_LEAST, _MOST = 34, 131


@dataclass(frozen=True, slots=True)
class Slot:
    """One call to come: its kind in the truth, its wrapper layers, a detail, perhaps its tool."""

    kind: str
    depth: int = 0
    detail: str = ""
    tool: str = ""


VALID: Final = Slot("valid")
RETRIED: Final = frozenset(
    {"wrapped", "alias-wrapper", "siblings", "renamed", "empty", "omission", "nested-gap"}
)


@dataclass(slots=True)
class SessionPlan:
    """The calls of one session, in order; the first one stays valid."""

    provider: str
    model: str
    slots: list[Slot]
    spiral: bool = False
    retry_of: dict[int, int] = field(default_factory=dict)

    def free(self) -> list[int]:
        """The places that still hold an ordinary call; never the first."""
        return [n for n, slot in enumerate(self.slots) if n and slot is VALID]


def make_plan(rng: Random) -> list[SessionPlan]:
    """Plans of all sessions; the figures hold for any state of the generator."""
    plans = [_empty_plan(rng, size) for size in _sizes(rng)]
    _place_wrapped(rng, plans)
    others = list(_other_slots())
    rng.shuffle(others)
    calm = [plan for plan in plans if not plan.spiral]
    for slot in others:
        # Outside the spirals, so that their depths are those of one chain of imitation.
        plan = rng.choice(calm)
        plan.slots[rng.choice(plan.free())] = slot
    for plan in plans:
        _place_retries(rng, plan)
    return plans


def _sizes(rng: Random) -> list[int]:
    sizes = [rng.randint(_LEAST, _MOST) for _ in range(figures.SESSIONS)]
    gap = figures.CALLS - sum(sizes)
    step = 1 if gap > 0 else -1
    while gap:
        index = rng.randrange(len(sizes))
        if _LEAST <= sizes[index] + step <= _MOST:
            sizes[index] += step
            gap -= step
    return sizes


def _empty_plan(rng: Random, size: int) -> SessionPlan:
    provider, model = rng.choice(MODELS)
    return SessionPlan(provider, model, [VALID] * size)


def _place_wrapped(rng: Random, plans: list[SessionPlan]) -> None:
    kinds = ["wrapped"] * figures.WRAPPED
    kinds += ["swallowed"] * figures.SWALLOWED
    kinds += ["still-failing"] * figures.STILL_FAILING
    rng.shuffle(kinds)
    shapes = _depths(rng)
    chosen = rng.sample(plans, len(shapes))
    for plan, (depths, spiral) in zip(chosen, shapes, strict=True):
        plan.spiral = spiral
        if spiral:
            plan.provider, plan.model = rng.choice(_SMALL_MODELS)
        for place, depth in zip(_places(rng, len(plan.slots), depths), depths, strict=True):
            plan.slots[place] = Slot(kinds.pop(), depth)


def _depths(rng: Random) -> list[tuple[list[int], bool]]:
    spirals = list(figures.SPIRALS)
    spirals.remove(len(figures.NAMED_DEPTHS))
    shapes = [(list(figures.NAMED_DEPTHS), True)]
    shapes += [(_rising(rng, count), True) for count in spirals]
    shapes += [(_falling(rng, count), False) for count in figures.RELAPSES]
    shapes += [([rng.choice((1, 1, 1, 2))], False) for _ in figures.LONE]
    return shapes


def _rising(rng: Random, count: int) -> list[int]:
    strides = rng.choice(((0, 0, 1), (0, 1, 1, 2), (0, 1, 2, 3, 5), (1, 3, 5, 8)))
    depths = [1]
    while len(depths) < count:
        depths.append(min(figures.DEEPEST, depths[-1] + rng.choice(strides)))
    return depths


def _falling(rng: Random, count: int) -> list[int]:
    depths = [rng.randint(1, 4) for _ in range(count)]
    depths[1] = depths[0] + 1
    depths[2] = 1
    return depths


def _places(rng: Random, size: int, depths: list[int]) -> list[int]:
    """Rising places, near each other as in a model that imitates its own history."""
    width = min(size - 1, 3 * len(depths))
    start = rng.randint(1, size - width)
    return sorted(rng.sample(range(start, start + width), len(depths)))


def _other_slots() -> Iterator[Slot]:
    yield from (Slot("alias-wrapper", 1, name) for name in figures.ALIAS_WRAPPERS)
    yield from (Slot("siblings") for _ in range(figures.SIBLINGS))
    for pair, tools in figures.RENAMED.items():
        yield from (Slot("renamed", detail=pair, tool=tool) for tool in tools)
    yield from (Slot("empty", detail=str(n)) for n in range(figures.EMPTY))
    yield from (Slot("omission", detail=str(n)) for n in range(figures.OMITTED))
    yield from (Slot("nested-gap", detail=str(n)) for n in range(figures.NESTED_GAPS))
    yield from (Slot("json-text") for _ in range(figures.JSON_TEXTS))
    for family, count in figures.LOOK_ALIKES.items():
        yield from (Slot(f"look-alike:{family}", detail=str(n)) for n in range(count))


def _place_retries(rng: Random, plan: SessionPlan) -> None:
    """Let the model repeat some rejected calls without the damage, a little later."""
    percent = 10 if plan.spiral else 75
    for place, slot in enumerate(list(plan.slots)):
        later = [n for n in range(place + 1, place + 4) if n in plan.free()]
        if slot.kind in RETRIED and later and rng.randrange(100) < percent:
            plan.slots[later[0]] = Slot("retry")
            plan.retry_of[later[0]] = place
