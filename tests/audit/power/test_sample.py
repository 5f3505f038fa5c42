"""The sample is the same for any split and order of a run."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.audit.power import Sample
from toolfix_audit.audit.sample import MAX_CHARACTERS, PER_FAMILY, PER_OUTCOME
from toolfix_audit.audit.spec import SchemaSet, Supplied
from toolfix_audit.model.words import Origin

SCHEMAS = SchemaSet(
    texts={"d": "{}"},
    catalogs={"k": {"read": "d", "write": None}},
    supplied={"read": Supplied("d", Origin.CATALOGUE)},
)


def _row(number: int, outcome: str = "valid", **other: Any) -> dict[str, Any]:
    return {
        "call": f"c{number}",
        "tool": "read",
        "resolved": "read",
        "before": "{}",
        "schema": "d",
        "families": [],
        "outcome": outcome,
        **other,
    }


def _sample(rows: list[Mapping[str, Any]], catalog: str | None = "k") -> Sample:
    sample = Sample()
    sample.add(rows, [catalog] * len(rows))
    return sample


def _rows(count: int) -> list[Mapping[str, Any]]:
    outcomes = ("valid", "fixed", "untouched", "swallowed", "unjudged")
    rows: list[Mapping[str, Any]] = []
    for number in range(count):
        outcome = outcomes[number % 5]
        is_changed = outcome in {"fixed", "swallowed"}
        families = ["A", "F"][: 1 + number % 2] if is_changed else []
        rows.append(_row(number, outcome, families=families))
    return rows


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(1, 400), max_size=6))
def test_any_split_gives_the_same_sample(seed: int, cuts: list[int]) -> None:
    rows = _rows(1_500)
    wanted = _sample(rows).calls(SCHEMAS)
    shuffler = random.Random(seed)
    shuffler.shuffle(rows)
    parts = []
    for cut in cuts:
        parts.append(_sample(rows[:cut]))
        rows = rows[cut:]
    parts.append(_sample(rows))
    shuffler.shuffle(parts)
    total = Sample()
    for part in parts:
        total.merge(part)
    assert total.calls(SCHEMAS) == wanted


def test_every_family_that_changed_something_is_in_it() -> None:
    rows: list[Mapping[str, Any]] = [_row(number) for number in range(1_000)]
    rows += [_row(2_000 + number, "fixed", families=["A"]) for number in range(300)]
    rows.append(_row(3_000, "still_failing", families=["A", "P"]))
    calls = _sample(rows).calls(SCHEMAS)
    assert sum("A" in call.families for call in calls) >= PER_FAMILY
    assert [call.call for call in calls if "P" in call.families] == ["c3000"]
    assert sum(not call.families for call in calls) == PER_OUTCOME
    assert [call.order for call in calls] == sorted(call.order for call in calls)


def test_what_can_not_be_run_is_left_out() -> None:
    rows: list[Mapping[str, Any]] = [
        _row(1, "unjudged", schema=None),
        _row(2, schema=None),
        _row(3, before="x" * (MAX_CHARACTERS + 1)),
    ]
    assert _sample(rows).calls(SCHEMAS) == ()


def test_names_are_those_of_the_request_else_those_supplied() -> None:
    assert _sample([_row(1)]).calls(SCHEMAS)[0].names == ("read", "write")
    assert _sample([_row(1)], None).calls(SCHEMAS)[0].names == ("read",)


def test_a_renamed_call_stands_under_its_real_name() -> None:
    row = _row(1, "fixed", families=["K"], tool="functions.read")
    assert _sample([row]).calls(SCHEMAS)[0].tool == "read"
