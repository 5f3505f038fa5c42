"""Defects that a model makes, put into valid arguments on purpose, with what must come back."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import strategies as st

from toolfix_audit.model.json import Json, dump_json, kind_of
from toolfix_audit.model.pointer import Path, value_at, with_value

from .governing import Leafs, at_path, may_be

ALIASES = (
    "args", "parameters", "params", "input", "inputs", "kwargs", "tool_input", "tool_arguments",
    "function_arguments", "_",
)  # fmt: skip
WRAPPERS = ("arguments", *ALIASES)


def wrapped(value: Json, names: list[str]) -> Json:
    """The value inside wrapper keys; the last name is the outermost."""
    for name in names:
        value = {name: value}
    return value


def places(value: Json) -> Iterator[Path]:
    """Every place but the root, in document order."""
    todo: list[Path] = [()]
    while todo:
        path = todo.pop()
        item = value_at(value, path)
        if path:
            yield path
        below: list[str | int] = []
        if isinstance(item, dict):
            below = list(item)
        elif isinstance(item, list):
            below = list(range(len(item)))
        todo.extend((*path, part) for part in reversed(below))


def textless(value: Json, schema: Json) -> list[Path]:
    """The places where every alternative of the schema excludes strings, provably."""
    return [
        path
        for path in places(value)
        if (found := at_path(schema, path)) is not None
        and found
        and not any(may_be(leafs, "string") for leafs in found)
    ]


def spellings(value: Json, found: list[Leafs]) -> st.SearchStrategy[str]:
    """The texts for which F gives back exactly that scalar, under what governs its place."""
    if isinstance(value, bool):
        word = "true" if value else "false"
        return st.sampled_from((word, word.upper(), word.capitalize(), word[0] + word[1:].upper()))
    if isinstance(value, int):
        takes_fractions = any(may_be(leafs, "number") for leafs in found)
        tails = ("",) if takes_fractions else ("", ".0", ".000")
        return st.sampled_from(tails).map(lambda tail: f"{value}{tail}")
    return st.just(dump_json(value))


def is_castable(value: Json) -> bool:
    """Whether F has a spelling for the value: no string, no container, no negative zero."""
    if isinstance(value, float):
        return not (value == 0 and dump_json(value).startswith("-"))
    return value is None or isinstance(value, int)


@st.composite
def with_texts(
    draw: st.DrawFn, value: Json, schema: Json, paths: list[Path]
) -> tuple[Json, list[Path]]:
    """The value with some of the places sent as text; none inside another. Also which."""
    chosen: list[Path] = []
    for path in draw(st.permutations(paths)):
        if any(one[: len(path)] == path or path[: len(one)] == one for one in chosen):
            continue
        item = value_at(value, path)
        text = draw(_text_of(item, at_path(schema, path) or []))
        if text is None:
            continue
        value = with_value(value, path, text)
        chosen.append(path)
        if len(chosen) >= draw(st.integers(1, 4)):
            break
    return value, chosen


def _text_of(item: Json, found: list[Leafs]) -> st.SearchStrategy[str | None]:
    if isinstance(item, dict | list):
        encodings = st.integers(1, 3)
        return encodings.map(lambda times: encoded(dump_json(item), times - 1))
    if kind_of(item) == "string" or not is_castable(item):
        return st.none()
    return spellings(item, found)


def encoded(text: str, times: int) -> str:
    """The text as a JSON string inside a JSON string, so many times."""
    for _ in range(times):
        text = json.dumps(text)
    return text
