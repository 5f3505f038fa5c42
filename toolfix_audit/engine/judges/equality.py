"""Equality as JSON Schema means it (`1` is `1.0`, `true` is not `1`), by texts that compare.

Two values are equal exactly if their texts are; so sets do what would take a comparison of each
with each.
"""

from __future__ import annotations

from functools import cached_property
from typing import cast

from toolfix_audit.model.json import Json


def equality_text(value: Json) -> str:
    """A text that equal values share, and no others."""
    out: list[str] = []
    todo: list[Json | _Mark] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, _Mark):
            out.append(item)
        elif isinstance(item, dict):
            out.append("{")
            todo.append(_Mark("}"))
            for key in sorted(item, reverse=True):
                todo.extend((item[key], _Mark(f"{key!r}:")))
        elif isinstance(item, list):
            out.append("[")
            todo.append(_Mark("]"))
            todo.extend(reversed(item))
        else:
            out.append(_scalar_text(item))
    return "".join(out)


class Members(list[Json]):
    """The members of an `enum`, found at once however many they are."""

    @cached_property
    def _texts(self) -> frozenset[str]:
        return frozenset(map(equality_text, self))

    def admit(self, value: Json) -> bool:
        """Whether the value equals a member."""
        return equality_text(value) in self._texts


def are_unique(items: list[Json]) -> bool:
    """Whether no two items are equal."""
    return len(set(map(equality_text, items))) == len(items)


class _Mark(str):
    """A piece of the text itself, no string of the value."""

    __slots__ = ()


def _scalar_text(value: Json) -> str:
    if isinstance(value, str):
        return f"{value!r},"
    if value is None or isinstance(value, bool):
        return f"{value},"
    number = cast("int | float", value)
    if isinstance(number, float) and not number.is_integer():
        return f"{float(number)!r},"  # also the infinite ones, which a text may spell
    return f"{int(number):x},"
