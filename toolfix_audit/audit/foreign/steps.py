"""The steps of a change that an engine did not tell, derived from the difference.

The family letter is a guess from the shape of each rewrite; `?` is what no family does. The steps
lead from what was given to the result, as the steps of a repair do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.audit.misfix.difference import has_same_content
from toolfix_audit.audit.misfix.readings import read_arguments, read_container
from toolfix_audit.audit.misfix.rewrites import Kind, Rewrite, rewrites
from toolfix_audit.audit.misfix.schema_nodes import members
from toolfix_audit.audit.misfix.shapes import ARGUMENTS, WRAPPERS, sole_layer
from toolfix_audit.audit.misfix.steps import resolve
from toolfix_audit.audit.spec import NO_FAMILY
from toolfix_audit.model.json import Json, dump_json, kind_of, same_json
from toolfix_audit.model.pointer import Path, to_pointer, value_at, with_value
from toolfix_audit.model.repair import Step

LETTERS: Final = frozenset("ABCDEFKLMNOP")
"""The letters of the families; any other one that an engine tells is NO_FAMILY."""

MAX_STEPS: Final = 200
"""More rewrites than this are told as one."""

_Made = tuple[str, str, Json]
"""Family, action and the new value of one place."""


def told_steps(told: Json, start: Json, result: Json) -> tuple[Step, ...] | None:
    """The steps as an engine told them, if they are well formed and lead from `start` to the
    result; else None."""
    if not isinstance(told, list) or not told:
        return None
    steps: list[Step] = []
    current = start
    for one in told:
        step = _read(one)
        path = None if step is None else resolve(step.pointer, current)
        if step is None or path is None:
            return None
        steps.append(step)
        current = with_value(current, path, step.after)
    return tuple(steps) if same_json(current, result) else None


def derived_steps(given: Json, start: Json, result: Json, schema: Json) -> tuple[Step, ...]:
    """Steps from `start` (the parsed value, or the text that does not parse) to the result."""
    reading = read_arguments(given)
    current, steps = start, list[Step]()
    if reading is not None and reading.blank and result == {}:
        return (Step("M", "empty:object", "", start, result),)
    if reading is not None and not reading.blank:
        if not reading.strict:
            action = "text:double-encoded" if current is not given else "text:reread"
            steps.append(Step("L", action, "", current, reading.value))
            current = reading.value
        for rewrite in rewrites(current, result, schema)[:MAX_STEPS]:
            current = _follow(rewrite, current, result, steps)
    if not same_json(current, result):
        steps.append(Step(NO_FAMILY, "rewrite", "", current, result))
    return tuple(steps)


def _read(one: Json) -> Step | None:
    if not isinstance(one, dict) or not {"before", "after"} <= one.keys():
        return None
    family, action, pointer = (one.get(name) for name in ("family", "action", "pointer"))
    if not (isinstance(family, str) and isinstance(action, str) and isinstance(pointer, str)):
        return None
    if len(action) > 2_000:
        return None
    letter = family if family in LETTERS else NO_FAMILY
    return Step(letter, action, pointer, one["before"], one["after"])


def _follow(rewrite: Rewrite, current: Json, result: Json, steps: list[Step]) -> Json:
    """Make the steps of one rewrite; a place that is not there is left to the last step."""
    try:
        held, new = value_at(current, rewrite.path), value_at(result, rewrite.path)
        for family, action, after in _made(rewrite, held, new):
            steps.append(Step(family, action, to_pointer(rewrite.path), held, after))
            current, held = _put(current, rewrite.path, after), after
    except KeyError:
        pass
    return current


def _put(value: Json, path: Path, new: Json) -> Json:
    return with_value(value, path, new)


def _made(rewrite: Rewrite, held: Json, new: Json) -> Iterator[_Made]:
    if rewrite.kind is Kind.SPELLING:
        yield from _respelled(rewrite, held, new)
    elif isinstance(held, dict) and isinstance(new, dict):
        if rewrite.kind is Kind.UNWRAP:
            yield from _unwrapped(held, new)
        else:
            yield _rekeyed(rewrite, held, new)


def _unwrapped(held: dict[str, Json], new: dict[str, Json]) -> Iterator[_Made]:
    layer = sole_layer(held, [])
    while layer is not None and layer[0] not in new:
        key, inner = layer
        yield ("A" if key == ARGUMENTS else "B"), f"unwrap:{key}", inner
        layer = sole_layer(inner, [])


def _rekeyed(rewrite: Rewrite, held: dict[str, Json], new: dict[str, Json]) -> _Made:
    kept = {key: member for key, member in held.items() if key not in dict(rewrite.taken)}
    if rewrite.kind is Kind.ADD:
        return (
            NO_FAMILY,
            f"add:{rewrite.given[0]}",
            {**held, rewrite.given[0]: new[rewrite.given[0]]},
        )
    source, sent = rewrite.taken[0]
    if rewrite.kind is Kind.RENAME:
        target = rewrite.given[0]
        after = {target if key == source else key: member for key, member in held.items()}
        return "D", f"rename:{source}→{target}", after
    if rewrite.kind is Kind.MERGE:
        return "C", f"merge:{source}", {**kept, **_innermost(sent, new)}
    if rewrite.kind is Kind.UNFLATTEN:
        return "P", "unflatten", {**kept, **{key: new[key] for key in rewrite.given}}
    if source in WRAPPERS and isinstance(sent, dict) and not _innermost(sent, {}):
        return "C", f"merge:{source}", kept
    if sent in (None, "", {}):
        return "M", f"drop-null:{source}", kept
    return NO_FAMILY, f"drop:{source}", kept


def _innermost(sent: Json, new: dict[str, Json]) -> dict[str, Json]:
    """What a wrapper beside siblings holds, below the sole layers that the result has no more."""
    inner = read_container(sent) if isinstance(sent, str) else sent
    if not isinstance(inner, dict):
        return {}
    layer = sole_layer(inner, [])
    while layer is not None and layer[0] not in new:
        inner = layer[1]
        layer = sole_layer(inner, [])
    return inner


def _respelled(rewrite: Rewrite, held: Json, new: Json) -> Iterator[_Made]:
    inner = read_container(held) if isinstance(held, str) else None
    if isinstance(inner, dict) and isinstance(new, list):
        yield "E", "parse:object", inner
        yield "N", "wrap:array", [inner]
    elif inner is not None and type(inner) is type(new):
        yield "E", f"parse:{kind_of(inner)}", inner
    elif isinstance(new, list) and len(new) == 1 and not isinstance(held, list):
        yield "N", "wrap:array", [held]
    elif isinstance(held, str) and not isinstance(new, str) and has_same_content(held, new):
        yield "F", f"cast:{kind_of(new)}", new
    elif _is_member(rewrite, held, new):
        yield "O", f"enum:{_clipped(held)}→{_clipped(new)}", new
    else:
        yield NO_FAMILY, f"change:{kind_of(held)}→{kind_of(new)}", new


def _is_member(rewrite: Rewrite, held: Json, new: Json) -> bool:
    """Whether the new text is the enum member that the old value spells in another way."""
    if not isinstance(new, str) or new not in members(list(rewrite.nodes)):
        return False
    text = held if isinstance(held, str) else dump_json(held)
    return text.strip('"').casefold() == new.casefold()


def _clipped(value: Json) -> str:
    return (value if isinstance(value, str) else dump_json(value))[:60]
