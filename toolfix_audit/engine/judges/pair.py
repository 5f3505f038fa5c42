"""The default judge: a fast first look by `jsonschema-rs`, and `jsonschema` for the rest.

Only the fast judge's "valid" is used, and only for schemas without the keywords in which the two
are known to differ: `multipleOf` (decimal against float arithmetic), patterns (one engine must
run them, and it must end), and references whose reading depends on the draft. A value that the
fast judge can't read, or might visit too often, is left to the reference, which has limits. Every
violation is the reference's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from math import isfinite
from typing import Final, cast

import jsonschema_rs

from toolfix_audit.engine.judges.parts import Division
from toolfix_audit.engine.judges.python import PartJudge, PythonJudge, compile_python
from toolfix_audit.engine.judges.reach import Reach, reach_of
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.json_fast import dump_value
from toolfix_audit.model.repair import Unusable, Violation

NAME: Final = "jsonschema-rs+jsonschema"
VERSION: Final = f"{version('jsonschema-rs')}+{PythonJudge.version}"

MAX_DEPTH: Final = 100
MAX_VISITS: Final = 20_000_000
"""Schemas that the fast judge may apply to one value; it is quick, but can't be stopped."""

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
_NOT_TRUSTED: Final = frozenset(
    {
        "multipleOf",
        "pattern",
        "patternProperties",
        "format",
        "contentMediaType",
        "contentEncoding",
        "$dynamicRef",
        "$recursiveRef",
        "$id",
        "id",
        "$schema",
        "unevaluatedProperties",
        "unevaluatedItems",
        "dependencies",
    }
)


class PairJudge:
    """Both judges for one schema; see the protocol `Judge`."""

    name = NAME
    version = VERSION

    def __init__(self, fast: jsonschema_rs.Validator, reference: PythonJudge, reach: Reach) -> None:
        self._looks_valid = fast.is_valid
        self._reach = reach
        self._always_few = MAX_VISITS / reach.width if reach.growth == 1.0 else 0.0
        self._reference = reference

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        return self._is_surely_valid(value) or self._reference.is_valid(value)

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation, as the reference judge lists them."""
        return () if self._is_surely_valid(value) else self._reference.violations(value)

    @property
    def division(self) -> Division | None:
        """How the schema divides among the arguments; None where it doesn't."""
        return self._reference.division

    def of_part(self, part: str | int) -> PartJudge | None:
        """The judge of one of the arguments, where the schema divides."""
        return self._reference.of_part(part)

    def _is_surely_valid(self, value: Json) -> bool:
        if not isinstance(value, dict):
            return False
        count, depth = plain_size(value)
        if not count:
            return False
        if count > self._always_few and not self._reach.allows(count, depth, MAX_VISITS):
            return False
        try:
            return self._looks_valid(value)
        except (ValueError, TypeError, OverflowError, RecursionError):
            return False


def is_plain(value: Json) -> bool:
    """Whether the fast judge reads the value as it is meant: plain Python types only (it takes a
    subclass for no JSON at all), and not so deep that its own stack would overflow."""
    return plain_size(value)[0] > 0


def _is_json(scalar: Json) -> bool:
    """Whether JSON has the value; the fast judge takes any number that it has not for null."""
    return not isinstance(scalar, float) or isfinite(scalar)


def plain_size(value: Json) -> tuple[int, int]:
    """How many values there are inside a plain value, and on how many levels; no value at all
    where the fast judge would not read it as it is meant."""
    if type(value) is dict:
        kinds = set(map(type, value.values()))
        if kinds <= _SCALARS and (float not in kinds or all(map(_is_json, value.values()))):
            return len(value) + 1, 1  # nearly all calls
    level: list[Json] = [value]
    count = 0
    for depth in range(MAX_DEPTH):
        below: list[Json] = []
        for item in level:
            kind = type(item)
            if kind in _SCALARS and _is_json(item):
                continue
            if kind is dict:
                below += item.values()  # type: ignore[union-attr]  # a cast takes time
            elif kind is list:
                below += item  # type: ignore[arg-type]
            else:
                return 0, depth
        count += len(level)
        if not below:
            return count, depth
        level = below
    return 0, MAX_DEPTH


def compile_pair(schema: Json) -> PairJudge | PythonJudge | Unusable:
    """Compile a schema for both; for the reference alone where the fast one is not to be trusted
    or refuses the schema. Compiled once per distinct schema."""
    if not isinstance(schema, dict | bool):
        return compile_python(schema)
    try:
        return _compile(dump_value(schema))
    except JsonError:
        return compile_python(schema)


@lru_cache(maxsize=8192)
def _compile(text: str) -> PairJudge | PythonJudge | Unusable:
    schema = parse_json(text)
    reference = compile_python(schema)
    if isinstance(reference, Unusable) or not is_trusted(schema):
        return reference
    reach = reach_of(schema)
    if not reach.allows(1, 0, MAX_VISITS):
        return reference
    try:
        fast = jsonschema_rs.validator_for(cast("dict[str, object] | bool", schema), offline=True)
    except (ValueError, TypeError, jsonschema_rs.ReferencingError):
        return reference
    return PairJudge(fast, reference, reach)


def is_trusted(schema: Json) -> bool:
    """Whether the fast judge's "valid" counts for a schema: no key anywhere in it is one of the
    keywords that the two read differently (a property of that name is refused as well)."""
    return not any(key in _NOT_TRUSTED for key in _keys(schema))


def _keys(schema: Json) -> Iterator[str]:
    todo: list[Json] = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            yield from item
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
