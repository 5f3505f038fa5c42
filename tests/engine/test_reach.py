"""The reach of a schema: never less than what a validator visits."""

from __future__ import annotations

from typing import Any

import pytest

from toolfix_audit.engine.judges.effort import MAX_CHECKS, limited, spend
from toolfix_audit.engine.judges.pair import PairJudge, compile_pair
from toolfix_audit.engine.judges.python import PythonJudge
from toolfix_audit.engine.judges.reach import reach_of
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import JudgeLimitError, Unusable
from toolfix_audit.model.words import UntouchedReason


def _fan(levels: int, keyword: str = "allOf") -> Json:
    """Each level applies the next one twice."""
    defs: dict[str, Json] = {
        f"a{i}": {keyword: [{"$ref": f"#/$defs/a{i + 1}"}, {"$ref": f"#/$defs/a{i + 1}"}]}
        for i in range(levels)
    }
    defs[f"a{levels}"] = {"type": "integer"}
    return {"properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": defs}


def _tree(node: Json) -> Json:
    return {"$ref": "#/$defs/n", "$defs": {"n": node}}


AGAIN: Json = {"$ref": "#/$defs/n"}


@pytest.mark.parametrize(
    ("schema", "growth"),
    [
        (_tree({"properties": {"left": AGAIN, "right": AGAIN}}), 1),
        (_tree({"properties": {"children": {"items": AGAIN}}}), 1),
        (_tree({"properties": {"x": {"allOf": [AGAIN, AGAIN]}}}), 2),
        (_tree({"items": AGAIN, "contains": AGAIN}), 2),
        (_tree({"anyOf": [{"properties": {"and": AGAIN}}, {"properties": {"or": AGAIN}}]}), 2),
    ],
)
def test_recursion_grows_by_what_applies_to_one_part(schema: Json, growth: int) -> None:
    reach = reach_of(schema)
    assert reach.growth >= growth
    assert (reach.growth == 1) is (growth == 1)


@pytest.mark.parametrize("levels", [1, 2, 5, 10])
def test_a_fan_doubles_with_each_level(levels: int) -> None:
    assert reach_of(_fan(levels)).allows(1, 1, 2**levels - 1) is False
    assert reach_of(_fan(levels)).allows(1, 1, 2 ** (levels + 2)) is True


@pytest.mark.parametrize(
    ("schema", "judge"),
    [
        (_fan(10), PairJudge),
        (_fan(30), PythonJudge),
        (_fan(200), PythonJudge),
        (_tree({"properties": {"x": AGAIN}}), PairJudge),
        (True, PairJudge),
    ],
)
def test_the_fast_judge_is_asked_only_where_its_visits_are_few(schema: Json, judge: Any) -> None:
    assert type(compile_pair(schema)) is judge


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_judgement_that_takes_too_much_is_a_limit(keyword: str) -> None:
    judge = compile_pair(_fan(25, keyword))
    assert not isinstance(judge, Unusable)
    with pytest.raises(JudgeLimitError) as caught:
        judge.violations({"x": "1"})
    assert caught.value.reason is UntouchedReason.LIMIT
    assert judge.is_valid({"y": 1})


def test_a_deep_value_under_a_doubling_schema_is_a_limit() -> None:
    judge = compile_pair(_tree({"properties": {"x": {"allOf": [AGAIN, AGAIN]}}}))
    value: Json = {}
    for _ in range(4):
        value = {"x": value}
    assert not isinstance(judge, Unusable)
    assert judge.is_valid(value)
    for _ in range(56):
        value = {"x": value}
    with pytest.raises(JudgeLimitError):
        judge.is_valid(value)


def test_effort_counts_for_the_surrounding_block_whose_limit_holds_inside() -> None:
    with limited(10) as outer:
        with limited(MAX_CHECKS):
            spend(4)
        with pytest.raises(JudgeLimitError), limited(MAX_CHECKS):
            spend(7)
    assert outer.spent == 11
    spend(10**9)  # outside of any block nothing counts
