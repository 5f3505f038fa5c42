"""Partial reports: any split, any order, the same counts and examples."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from typing import Any

import pytest

from toolfix_audit.audit.fold import EXAMPLES_PER_KIND, Partial, fold
from toolfix_audit.audit.kernel import audit_batch
from toolfix_audit.audit.shape import shape_digest
from toolfix_audit.audit.spec import Spec
from toolfix_audit.model.json import Json, parse_json

from .calls import ABCD, SCHEMAS, batch, row


def _rows() -> list[dict[str, Any]]:
    """Outcomes of every kind, with more groups of examples than are kept."""
    calls = []
    for number in range(240):
        wrapped: dict[str, Any] = {"path": "a", **{f"k{index}": 1 for index in range(number % 40)}}
        arguments = [
            {"arguments": wrapped},
            {"path": str(number)},
            {"args": {"path": "a"}, f"x{number % 31}": 1},
            {f"other{number}": 1},
            {"arguments": {"scope": "s"}},
        ][number % 5]
        tool = "list" if number % 5 == 4 else ("unheard_of" if number % 11 == 0 else "read")
        model = f"m{number % 3}"
        calls.append(row(number, tool, json.dumps(arguments), model=model))
    found = audit_batch(batch(calls), SCHEMAS, Spec(families=ABCD)).to_pylist()
    # A third of the fixes counts as convicted here, so that mis-fixes fold as well.
    for index, outcome in enumerate(found):
        for probe in outcome["probes"][: index % 3]:
            probe["convicted"] = True
    return list(found)


ROWS = _rows()


def told(partial: Partial) -> dict[str, Any]:
    """Every field, in one order."""
    return {
        name: sorted(map(repr, value.items())) if isinstance(value, dict) else value
        for name, value in asdict(partial).items()
    }


def merged(parts: list[list[dict[str, Any]]]) -> Partial:
    total = Partial()
    for part in parts:
        total.merge(fold(part))
    return total


def test_the_rows_are_worth_folding() -> None:
    whole = fold(ROWS)
    assert len(whole.outcomes) >= 4
    assert whole.misfixed_calls
    kinds = [kind for kind, _ in whole.examples]
    assert max(kinds.count(kind) for kind in kinds) == EXAMPLES_PER_KIND


@pytest.mark.parametrize("seed", range(6))
def test_any_split_and_order_folds_to_the_same(seed: int) -> None:
    rng = random.Random(seed)
    rows = ROWS[:]
    rng.shuffle(rows)
    cuts = sorted(rng.sample(range(len(rows)), 5))
    parts = [rows[start:end] for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
    assert told(merged(parts)) == told(fold(ROWS))


def test_plain_outcomes_count_as_if_they_were_counted_one_by_one() -> None:
    one_by_one = Partial()
    for outcome in ROWS:
        one_by_one.add(outcome)
    assert told(fold(ROWS)) == told(one_by_one)


def test_merging_is_associative() -> None:
    one, two, three = (fold(ROWS[start::3]) for start in range(3))
    left = Partial()
    left.merge(one)
    left.merge(two)
    left.merge(three)
    right, tail = Partial(), Partial()
    tail.merge(two)
    tail.merge(three)
    right.merge(one)
    right.merge(tail)
    assert told(left) == told(right)


def test_a_call_counts_once_in_outcomes_and_once_in_each_family() -> None:
    rows = audit_batch(
        batch([row(1, "read", '{"arguments":{"args":{"file_path":"a"}}}')]),
        SCHEMAS,
        Spec(families=ABCD),
    ).to_pylist()
    partial = fold(rows)
    assert partial.outcomes == {"fixed": 1}
    assert partial.families == {("A", "fixed"): 1, ("B", "fixed"): 1, ("D", "fixed"): 1}
    assert partial.depth == {2: 1}


def test_every_count_is_over_the_calls() -> None:
    whole = fold(ROWS)
    for counter in (whole.outcomes, whole.host, whole.tools, whole.models):
        assert sum(counter.values()) == len(ROWS)
    judged = len(ROWS) - whole.outcomes["unjudged"]
    assert sum(whole.schemas.values()) == judged
    assert sum(whole.untouched.values()) == whole.outcomes["untouched"]
    assert sum(whole.unjudged.values()) == whole.outcomes["unjudged"]


def shape(text: str) -> str:
    return shape_digest(parse_json(text))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ('{"a":1,"b":"x"}', '{"b":"y","a":2}'),
        ("[1,2,3]", "[4]"),
        ('{"a":[{"b":1},{"b":2}]}', '{"a":[{"b":9}]}'),
    ],
)
def test_values_do_not_change_the_shape(left: str, right: str) -> None:
    assert shape(left) == shape(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ('{"a":1}', '{"a":"1"}'),
        ('{"a":1}', '{"b":1}'),
        ("[1]", "[]"),
        ("{}", "[]"),
        ('{"a":null}', "{}"),
    ],
)
def test_keys_and_types_do(left: str, right: str) -> None:
    assert shape(left) != shape(right)


def test_the_shape_of_anything() -> None:
    deep: Json = parse_json('{"a":[' * 20_000 + "]}" * 20_000)
    for value in (deep, None, parse_json('{"\\ud800":1}')):
        digest = shape_digest(value)
        assert len(digest) == 16
        int(digest, 16)
