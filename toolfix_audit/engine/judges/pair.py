"""The default judge: a fast first look by `jsonschema-rs`, and `jsonschema` for the rest.

Only the fast judge's "valid" is used, and only for schemas without the keywords in which the two
are known to differ: `multipleOf` (decimal against float arithmetic), patterns (one engine must
run them, and it must end), and references whose reading depends on the draft. A value that the
fast judge can't read is left to the reference. Every violation is the reference's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Final, cast

import jsonschema_rs

from toolfix_audit.engine.judges.python import PythonJudge, compile_python
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json
from toolfix_audit.model.repair import Unusable, Violation

NAME: Final = "jsonschema-rs+jsonschema"
VERSION: Final = f"{version('jsonschema-rs')}+{PythonJudge.version}"

MAX_DEPTH: Final = 100
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

    def __init__(self, fast: jsonschema_rs.Validator, reference: PythonJudge) -> None:
        self._looks_valid = fast.is_valid
        self._reference = reference

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        return self._is_surely_valid(value) or self._reference.is_valid(value)

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation, as the reference judge lists them."""
        return () if self._is_surely_valid(value) else self._reference.violations(value)

    def _is_surely_valid(self, value: Json) -> bool:
        if not isinstance(value, dict) or not is_plain(value):
            return False
        try:
            return self._looks_valid(value)
        except (ValueError, TypeError, OverflowError, RecursionError):
            return False


def is_plain(value: Json) -> bool:
    """Whether the fast judge reads the value as it is meant: plain Python types only (it takes a
    subclass for no JSON at all), and not so deep that its own stack would overflow."""
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        below: list[Json] = []
        for item in level:
            kind = type(item)
            if kind is dict:
                below.extend(cast("dict[str, Json]", item).values())
            elif kind is list:
                below.extend(cast("list[Json]", item))
            elif kind not in _SCALARS:
                return False
        if not below:
            return True
        level = below
    return False


def compile_pair(schema: Json) -> PairJudge | PythonJudge | Unusable:
    """Compile a schema for both; for the reference alone where the fast one is not to be trusted
    or refuses the schema. Compiled once per distinct schema."""
    if not isinstance(schema, dict | bool):
        return compile_python(schema)
    try:
        return _compile(dump_json(schema))
    except JsonError:
        return compile_python(schema)


@lru_cache(maxsize=8192)
def _compile(text: str) -> PairJudge | PythonJudge | Unusable:
    schema = parse_json(text)
    reference = compile_python(schema)
    if isinstance(reference, Unusable) or not is_trusted(schema):
        return reference
    try:
        fast = jsonschema_rs.validator_for(cast("dict[str, object] | bool", schema), offline=True)
    except (ValueError, TypeError, jsonschema_rs.ReferencingError):
        return reference
    return PairJudge(fast, reference)


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
