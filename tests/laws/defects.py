"""Defects that a model makes, put into valid arguments on purpose, with what must come back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from toolfix_audit.model.json import Json, dump_json
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


def with_texts(
    value: Json, schema: Json, paths: list[Path], rng: Random
) -> tuple[Json, list[Path]]:
    """The value with one to four of the places sent as text; none inside another. Also which."""
    chosen: list[Path] = []
    most = rng.randint(1, 4)
    for path in rng.sample(paths, len(paths)):
        if any(one[: len(path)] == path or path[: len(one)] == one for one in chosen):
            continue
        text = _text_of(value_at(value, path), at_path(schema, path) or [], rng)
        if text is None:
            continue
        value = with_value(value, path, text)
        chosen.append(path)
        if len(chosen) >= most:
            break
    return value, chosen


def _text_of(item: Json, found: list[Leafs], rng: Random) -> str | None:
    if isinstance(item, dict | list):
        return encoded(dump_json(item), rng.randrange(3))
    return spelled(item, found, rng) if is_castable(item, found) else None


def is_castable(value: Json, found: list[Leafs]) -> bool:
    """Whether F has a spelling for the value: no string, no container, no negative zero, and no
    float where only integers may be."""
    if isinstance(value, float):
        is_negative_zero = value == 0 and dump_json(value).startswith("-")
        return not is_negative_zero and any(may_be(leafs, "number") for leafs in found)
    return value is None or isinstance(value, int)


def spelled(value: Json, found: list[Leafs], rng: Random) -> str:
    """A text for which F gives back exactly that scalar, under what governs its place."""
    if isinstance(value, bool):
        word = "true" if value else "false"
        return rng.choice((word, word.upper(), word.capitalize(), word[0] + word[1:].upper()))
    if isinstance(value, int):
        takes_fractions = any(may_be(leafs, "number") for leafs in found)
        return f"{value}{rng.choice(('', '.0', '.000')) if not takes_fractions else ''}"
    return dump_json(value)


def encoded(text: str, times: int) -> str:
    """The text as a JSON string inside a JSON string, so many times."""
    for _ in range(times):
        text = json.dumps(text)
    return text


def split(value: dict[str, Json], name: str, rng: Random) -> dict[str, Json]:
    """Some of the keys, but never all of them, moved into a wrapper beside the others."""
    inside = set(rng.sample(list(value), rng.randrange(len(value))))
    sent = {key: member for key, member in value.items() if key not in inside}
    sent[name] = {key: value[key] for key in value if key in inside}
    return sent


FENCES = ("```json\n{}\n```", "```\n{}\n```", "\n```JSON \n{}\n ```\n")
JUNK = ("}", " }}", "<|end|>", "]", ' ""', "\nDone.")


def drifted_text(value: dict[str, Json], rng: Random) -> str:
    """A text of an object that is no JSON and yet has that one reading."""
    text = dump_json(value)
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice(FENCES).replace("{}", text)
    if kind == 1:
        return text + rng.choice(JUNK)
    if kind == 2:
        return text + rng.choice(("", " ", "\n")) + text
    if kind == 3 and value:
        return text[:-1] + rng.choice((",}", " , }"))
    return text[:1] + rng.choice(("\\n", "\\n\\t", "\\r\\n")) + text[1:]
