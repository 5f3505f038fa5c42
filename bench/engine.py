"""What the engine costs: a valid call against the validator alone, and repairs per second.

Usage: python bench/engine.py [--check]   (with --check: exit 1 if the target is missed)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

import jsonschema_rs

from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Unusable
from toolfix_audit.model.words import Outcome

TARGET_MICROSECONDS: Final = 5.0
ROUNDS: Final = 60
ROUND_SECONDS: Final = 0.004

SCHEMA: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "limit": {"type": "integer"},
        "recursive": {"type": "boolean"},
    },
    "required": ["path"],
    "additionalProperties": False,
}
LISTS: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {"range": {"type": "array", "items": {"type": "integer"}}},
    "required": ["range"],
}
VALID: Final[Json] = {"path": "src/main.py", "limit": 20, "recursive": True}
DEFECTS: Final[tuple[tuple[str, Json, Json], ...]] = (
    ("A nested-wrapper, 1 layer", {"arguments": VALID}, SCHEMA),
    ("A nested-wrapper, 3 layers", {"arguments": {"arguments": {"arguments": VALID}}}, SCHEMA),
    ("D key-alias", {"file_path": "src/main.py", "limit": 20}, SCHEMA),
    ("E stringified-container", {"range": "[1, 50]"}, LISTS),
    ("F stringified-scalar, 1", {"path": "src/main.py", "limit": "20"}, SCHEMA),
    ("F stringified-scalar, 2", {"path": "a", "limit": "20", "recursive": "True"}, SCHEMA),
)


def seconds(call: Callable[[], object]) -> float:
    """Time of one call: the best of many short rounds, some of which run undisturbed."""
    count = _count(call)
    return min(_round(call, count) for _ in range(ROUNDS))


def side_by_side(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Times of two calls whose rounds alternate, so that both see the same machine."""
    counts = _count(first), _count(second)
    rounds = [(_round(first, counts[0]), _round(second, counts[1])) for _ in range(ROUNDS)]
    return min(one for one, _ in rounds), min(other for _, other in rounds)


def judge_of(schema: Json) -> Judge:
    """The compiled judge that a host keeps for each tool."""
    judge = compile_schema(schema)
    if isinstance(judge, Unusable):
        raise SystemExit(f"the benchmark's schema is unusable: {judge.detail}")
    return judge


def main() -> None:
    """Measure and print the table."""
    judge = judge_of(SCHEMA)
    validator = jsonschema_rs.validator_for(SCHEMA)
    assert validator.is_valid(VALID)
    assert repair(VALID, SCHEMA, judge=judge).arguments is VALID
    alone, with_engine = side_by_side(
        lambda: validator.is_valid(VALID), lambda: repair(VALID, SCHEMA, judge=judge)
    )
    more = (with_engine - alone) * 1e6
    print("valid call, 3 keys                   us")
    print(f"  jsonschema_rs is_valid alone  {alone * 1e6:7.2f}")
    print(f"  repair(value, schema, judge)  {with_engine * 1e6:7.2f}")
    is_met = more <= TARGET_MICROSECONDS
    verdict = "met" if is_met else "MISSED"
    print(f"  difference                    {more:7.2f}   target {TARGET_MICROSECONDS}: {verdict}")
    print("defect                            us    repairs/s")
    for name, arguments, schema in DEFECTS:
        spent = _defect_seconds(arguments, schema)
        print(f"  {name:27} {spent * 1e6:7.1f} {1 / spent:10,.0f}")
    if "--check" in sys.argv[1:] and not is_met:
        raise SystemExit(1)


def _defect_seconds(arguments: Json, schema: Json) -> float:
    judge = judge_of(schema)
    assert repair(arguments, schema, judge=judge).outcome is Outcome.FIXED
    return seconds(lambda: repair(arguments, schema, judge=judge))


def _count(call: Callable[[], object]) -> int:
    count = 1
    while _round(call, count) * count < ROUND_SECONDS:
        count *= 2
    return count


def _round(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


if __name__ == "__main__":
    main()
