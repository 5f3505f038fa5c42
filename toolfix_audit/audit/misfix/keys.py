"""The checks of renamed keys, and of a renamed tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolfix_audit.audit.misfix.change import Change
from toolfix_audit.audit.misfix.difference import has_same_content
from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.names import are_related, bare_names, is_same_tool
from toolfix_audit.audit.misfix.rewrites import Kind, Rewrite
from toolfix_audit.audit.misfix.schema_nodes import declared_names, declares
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path, to_pointer, value_at

_RENAME = "rename:"
_ARROW = "→"


def unrelated(found: Sequence[Rewrite], change: Change) -> Iterator[tuple[Path, str]]:
    """Every rename whose two names mean different things."""
    for rewrite in found:
        if rewrite.kind is Kind.RENAME:
            source, target = rewrite.taken[0][0], rewrite.given[0]
            if not are_related(source, target):
                place = (*rewrite.path, target)
                yield place, f"{to_pointer(place)}: {source!r} does not mean {target!r}"
    for step in change.steps:
        source, arrow, target = step.action.removeprefix(_RENAME).partition(_ARROW)
        is_rename = step.action.startswith(_RENAME) and bool(arrow)
        if is_rename and not are_related(source, target):
            yield (), f"{step.pointer or 'the root'}: {source!r} does not mean {target!r}"


def has_other_tool(change: Change) -> bool:
    """Whether the tool's name was changed."""
    return None not in (change.tool, change.resolved) and change.tool != change.resolved


def unrelated_tool(change: Change) -> str | None:
    """What is wrong if the called name is no drifted spelling of the tool that was taken."""
    if is_same_tool(change.tool or "", change.resolved or ""):
        return None
    return f"the tool {change.tool!r} is not {change.resolved!r}"


def crossed_tool(change: Change) -> str | None:
    """What is wrong if the called name could as well be another available tool."""
    called, taken = change.tool or "", change.resolved or ""
    if taken in bare_names(called):
        return None
    rivals = (name for name in change.tools if name != taken and is_same_tool(called, name))
    rival = next(rivals, None)
    return None if rival is None else f"the tool {called!r} could as well be {rival!r}"


def crossed(found: Sequence[Rewrite], change: Change) -> Iterator[tuple[Path, str]]:
    """Every rename onto a key that was there, or that another key could have claimed."""
    spelled = {one.path: one.sent for one in found if one.kind is Kind.SPELLING}
    for rewrite in found:
        if rewrite.kind is Kind.DROP:
            yield from _overwritten(rewrite, spelled, change.result)
        if rewrite.kind is not Kind.RENAME:
            continue
        source, target = rewrite.taken[0][0], rewrite.given[0]
        place = (*rewrite.path, target)
        rival = _rival_source(rewrite, found, source, target)
        if rival is not None:
            yield place, f"{to_pointer(place)}: {rival!r} could claim it as well as {source!r}"
        other = _rival_target(rewrite, source, target)
        if other is not None:
            yield place, f"{to_pointer(place)}: {source!r} could as well be {other!r}"


def _overwritten(
    rewrite: Rewrite, spelled: dict[Path, Json], result: Json
) -> Iterator[tuple[Path, str]]:
    """A key that went while its value overwrote another key's."""
    source, sent = rewrite.taken[0]
    for key in rewrite.keys:
        place = (*rewrite.path, key)
        if place not in spelled or key == source or is_same(spelled[place], sent):
            continue
        if sent not in (None, "", {}) and has_same_content(sent, value_at(result, place)):
            yield place, f"{to_pointer(place)}: was present and took the value of {source!r}"


def _rival_source(
    rewrite: Rewrite, found: Sequence[Rewrite], source: str, target: str
) -> str | None:
    nodes = list(rewrite.nodes)
    packed = {
        key
        for other in found
        if other.path == rewrite.path and other.kind in (Kind.MERGE, Kind.UNFLATTEN)
        for key, _ in other.taken
    }
    return next(
        (
            key
            for key in rewrite.keys
            if key not in (source, target)
            and key not in packed
            and not declares(nodes, key)
            and are_related(key, target)
        ),
        None,
    )


def _rival_target(rewrite: Rewrite, source: str, target: str) -> str | None:
    return next(
        (
            name
            for name in declared_names(list(rewrite.nodes))
            if name != target and name not in rewrite.keys and are_related(source, name)
        ),
        None,
    )
