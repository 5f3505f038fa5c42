"""JSON values as indented lines: lossless, of any depth, and never more lines than asked for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from toolfix_audit.model.json import Json, RepeatedKeys, dump_json

_INDENT: Final = "  "
_DEEPEST_INDENT: Final = 16
"""Lines of deeper values are indented no further."""


def pretty_lines(value: Json, limit: int) -> tuple[list[str], bool]:
    """At most `limit` lines of the value, and whether lines were left off.

    A value that is a string at its root is shown as the raw text, line by line: arguments that
    do not parse are recorded as such.
    """
    source = _text_lines(value) if isinstance(value, str) else _lines(value)
    lines = list(islice(source, limit + 1))
    return lines[:limit], len(lines) > limit


def _text_lines(text: str) -> Iterator[str]:
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _lines(value: Json) -> Iterator[str]:
    """Walks with a stack of its own. An entry is (indent, text before, value, text after)."""
    todo: list[tuple[int, str, Json, str]] = [(0, "", value, "")]
    while todo:
        depth, lead, item, tail = todo.pop()
        margin = _INDENT * min(depth, _DEEPEST_INDENT)
        if isinstance(item, _Closer):
            yield f"{margin}{item}{tail}"
        elif isinstance(item, dict | list) and item:
            opener, closer = "{}" if isinstance(item, dict) else "[]"
            yield f"{margin}{lead}{opener}"
            todo.append((depth, "", _Closer(closer), tail))
            todo.extend(reversed(_members(item, depth + 1)))
        else:
            yield f"{margin}{lead}{dump_json(item)}{tail}"


class _Closer(str):
    """A bracket that closes what was opened; no value."""

    __slots__ = ()


def _members(item: dict[str, Json] | list[Json], depth: int) -> list[tuple[int, str, Json, str]]:
    if isinstance(item, list):
        pairs = [("", member) for member in item]
    else:
        written = item.pairs if isinstance(item, RepeatedKeys) else item.items()
        pairs = [(f"{dump_json(key)}: ", member) for key, member in written]
    last = len(pairs) - 1
    return [
        (depth, lead, member, "" if place == last else ",")
        for place, (lead, member) in enumerate(pairs)
    ]
