"""The damage done to a copy of the intended arguments, and what the rules allow to come of it."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final, NamedTuple

from study_generator.plan import Slot
from study_generator.schemas import Arguments
from study_generator.words import Words

# The tools that a wrapped call may go to: native, something required, no union, and no declared
# key that is named like a wrapper; with the weight of each.
WRAPPABLE: Final = {
    "bash": 30,
    "read": 30,
    "edit": 14,
    "grep": 12,
    "glob": 8,
    "write": 10,
    "str_replace_editor": 8,
    "todo_write": 8,
    "run_code": 6,
    "list_dir": 5,
    "web_search": 5,
    "job_output": 4,
    "send_message": 3,
    "skill": 3,
    "spawn_agent": 2,
    "fetch_url": 2,
    "plan_update": 2,
    "ask_user": 2,
    "job_stop": 2,
}
# Open, nothing required, something declared: the host runs these with nothing.
SWALLOWING: Final = ("job_list", "get_goal", "list_agents", "repo_status")
EMPTIED: Final = ("bash", "read", "todo_write", "web_search", "skill", "run_code")
OMITTED: Final = (
    ("run_code", "description"),
    ("run_code", "description"),
    ("run_code", "description"),
    ("write", "content"),
    ("edit", "new_string"),
    ("send_message", "message"),
    ("spawn_agent", "prompt"),
    ("plan_update", "title"),
)
GAPS: Final[tuple[tuple[str, tuple[str | int, ...]], ...]] = (
    ("todo_write", ("todos", 3, "status")),
    ("todo_write", ("todos", 0, "content")),
    ("plan_update", ("steps", 0, "checks", 1, "done")),
    ("ask_user", ("questions", 0, "options")),
)
_ALIAS_WRAPPED: Final = {"args": "bash", "parameters": "write"}


class Damage(NamedTuple):
    """What is sent instead of what was intended, and the verdict that the rules lead to."""

    sent: Arguments
    family: str | None
    outcome: str
    reason: str | None = None
    expected: Arguments | None = None


def target_tool(slot: Slot, words: Words) -> str:
    """The tool that a call to be damaged goes to."""
    if slot.kind == "wrapped":
        return words.rng.choices(tuple(WRAPPABLE), tuple(WRAPPABLE.values()))[0]
    return words.pick(_targets(slot))


def _targets(slot: Slot) -> tuple[str, ...]:
    match slot.kind:
        case "swallowed":
            return SWALLOWING
        case "still-failing":
            return ("glob",)
        case "alias-wrapper":
            return (_ALIAS_WRAPPED[slot.detail],)
        case "siblings":
            return ("read",)
        case "renamed":
            return (slot.tool,)
        case "empty":
            return (EMPTIED[int(slot.detail)],)
        case "omission":
            return (OMITTED[int(slot.detail)][0],)
        case _:
            return (GAPS[int(slot.detail)][0],)


def fit(slot: Slot, arguments: Arguments, words: Words) -> Arguments:
    """The intended arguments, with what the damage needs in order to be possible."""
    match slot.kind:
        case "still-failing":
            return {"pattern": arguments["pattern"]}
        case "siblings":
            return {"file_path": arguments["file_path"], "offset": 5}
        case "nested-gap" if "todos" in arguments:
            while len(arguments["todos"]) < 4:
                arguments["todos"].append({"content": words.task(), "status": "pending"})
    return arguments


def damage(slot: Slot, intended: Arguments) -> Damage:
    """Damage a copy; the intended arguments stay as they are."""
    return _DAMAGES[slot.kind](slot, deepcopy(intended))


def _wrap(arguments: Arguments, depth: int) -> Arguments:
    for _ in range(depth):
        arguments = {"arguments": arguments}
    return arguments


def _wrapped(slot: Slot, copy: Arguments) -> Damage:
    return Damage(_wrap(copy, slot.depth), "A", "fixed")


def _swallowed(slot: Slot, copy: Arguments) -> Damage:
    return Damage(_wrap(copy, slot.depth), "A", "swallowed")


def _still_failing(slot: Slot, copy: Arguments) -> Damage:
    wrong = {"file_path": copy["pattern"]}
    return Damage(_wrap(wrong, slot.depth), "A", "still_failing", expected=wrong)


def _alias_wrapper(slot: Slot, copy: Arguments) -> Damage:
    return Damage({slot.detail: copy}, "B", "fixed")


def _siblings(_slot: Slot, copy: Arguments) -> Damage:
    offset = copy.pop("offset")
    return Damage({"arguments": copy, "offset": offset}, "C", "fixed")


def _renamed(slot: Slot, copy: Arguments) -> Damage:
    source, target = slot.detail.split(">")
    sent = {source if key == target else key: value for key, value in copy.items()}
    return Damage(sent, "D", "fixed")


def _empty(_slot: Slot, _copy: Arguments) -> Damage:
    return Damage({}, None, "untouched", "empty-arguments", {})


def _omission(slot: Slot, copy: Arguments) -> Damage:
    del copy[OMITTED[int(slot.detail)][1]]
    return Damage(copy, None, "untouched", "omitted-required", copy)


def _nested_gap(slot: Slot, copy: Arguments) -> Damage:
    *steps, key = GAPS[int(slot.detail)][1]
    place: Any = copy
    for step in steps:
        place = place[step]
    del place[key]
    return Damage(copy, None, "untouched", "omitted-required", copy)


_DAMAGES: Final[dict[str, Callable[[Slot, Arguments], Damage]]] = {
    "wrapped": _wrapped,
    "swallowed": _swallowed,
    "still-failing": _still_failing,
    "alias-wrapper": _alias_wrapper,
    "siblings": _siblings,
    "renamed": _renamed,
    "empty": _empty,
    "omission": _omission,
    "nested-gap": _nested_gap,
}
DAMAGED_KINDS: Final = frozenset(_DAMAGES)
