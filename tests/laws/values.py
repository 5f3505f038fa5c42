"""Random values: the words, numbers and keys in which spelling matters, and any others."""

from __future__ import annotations

import struct
from math import isfinite
from random import Random
from typing import Any, TypeAlias

from hypothesis import strategies as st

from toolfix_audit.model.json import Json

NAMES = (
    "path", "file_path", "name", "skill_name", "old_text", "new_text", "id", "query", "queries",
    "limit", "command", "cmd", "arguments", "args", "input", "parameters", "type", "value", "_",
    "options", "items", "a.b", "edits", "x",
)  # fmt: skip
WORDS = (
    "", "a", "main.py", "5", "-1", "true", "False", "null", "None", "[1, 2]", '{"a": 1}', "007",
    "new york", "a,b", '"quoted"', "{}", "[]", "é", "0.5", "arguments",
)  # fmt: skip
LETTERS = "abz01 -_.,:;'\"`\\/[]{}<|>\n\t\x00é\u00df\u212a中\u200b\U0001f600"

Values: TypeAlias = st.SearchStrategy[Any]

texts: Values = st.one_of(st.sampled_from(WORDS), st.text(max_size=6))
integers: Values = st.one_of(st.integers(-3, 12), st.integers(-(2**70), 2**70))
floats: Values = st.floats(allow_nan=False, allow_infinity=False)
scalars: Values = st.one_of(st.none(), st.booleans(), integers, floats, texts)
keys: Values = st.one_of(st.sampled_from(NAMES), st.text(max_size=4))
anything: Values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=6,
)


def text_value(rng: Random) -> str:
    """A word with a second reading, or a few letters."""
    if rng.random() < 0.5:
        return rng.choice(WORDS)
    return "".join(rng.choices(LETTERS, k=rng.randrange(7)))


def integer_value(rng: Random) -> int:
    """A small integer, or one beyond a float."""
    return rng.randint(-3, 12) if rng.random() < 0.6 else rng.randint(-(2**70), 2**70)


def float_value(rng: Random) -> float:
    """A short fraction, or any finite double."""
    if rng.random() < 0.4:
        return rng.choice((0.0, -0.0, 0.1, 0.5, 1.0, -2.5, 140.0, 1e16, 1e-7, 5e-324, 1e308))
    number: float = struct.unpack("<d", rng.randbytes(8))[0]
    return number if isfinite(number) else 0.25


def key_value(rng: Random) -> str:
    """A usual name, or a few letters."""
    return rng.choice(NAMES) if rng.random() < 0.6 else text_value(rng)


def any_value(rng: Random, depth: int = 2) -> Json:
    """Any value: scalars mostly, arrays and objects of at most three."""
    kind = rng.randrange(8 if depth else 5)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind <= 2:
        return rng.choice((integer_value, float_value))(rng)
    if kind <= 4:
        return text_value(rng)
    size = rng.randrange(4)
    if kind == 5:
        return [any_value(rng, depth - 1) for _ in range(size)]
    return {key_value(rng): any_value(rng, depth - 1) for _ in range(size)}
