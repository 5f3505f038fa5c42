"""Whether two values are equal with their types; stops at the first difference."""

from __future__ import annotations

from toolfix_audit.model.json import Json, RepeatedKeys, dump_json, same_json


def is_same(left: Json, right: Json) -> bool:
    """Whether two values are equal with their types, whatever the order of keys. Never recurses;
    what both sides share costs nothing."""
    todo: list[tuple[Json, Json]] = [(left, right)]
    while todo:
        one, other = todo.pop()
        if one is other:
            continue
        if isinstance(one, RepeatedKeys) or isinstance(other, RepeatedKeys):
            if not same_json(one, other):
                return False
        elif isinstance(one, dict):
            if not isinstance(other, dict) or one.keys() != other.keys():
                return False
            todo.extend((member, other[key]) for key, member in one.items())
        elif isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return False
            todo.extend(zip(one, other, strict=True))
        elif isinstance(other, dict | list) or not _is_same_scalar(one, other):
            return False
    return True


def _is_same_scalar(one: Json, other: Json) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return dump_json(one) == dump_json(other)
