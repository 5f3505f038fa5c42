"""The shared cases of families H, I and J, all right; and what the runner must call wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.wire.results.cases import RESULT_FAMILIES, result_fault

Case = dict[str, Any]


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[Case]:
    text = (shared / "cases" / "streams.jsonl").read_text("utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    return [case for case in found if case["family"] in RESULT_FAMILIES]


def test_every_case_is_right(cases: list[Case]) -> None:
    assert len(cases) == 28
    faults = {case["id"]: result_fault(case["family"], case) for case in cases}
    assert {name: fault for name, fault in faults.items() if fault} == {}


def test_a_case_that_expects_something_else_is_wrong(cases: list[Case]) -> None:
    for case in cases:
        for key, value in case["expected"].items():
            other = "something else" if value != "something else" else None
            changed = {**case, "expected": {**case["expected"], key: other}}
            assert result_fault(case["family"], changed) is not None, (case["id"], key)


def test_a_key_that_nothing_tells_of_is_wrong(cases: list[Case]) -> None:
    for case in cases:
        changed = {**case, "expected": {**case["expected"], "unheard_of": 1}}
        assert result_fault(case["family"], changed) == "nothing tells of unheard_of"


@pytest.mark.parametrize("case", [{"input": {}}, {"expected": {}}, {"input": [], "expected": {}}])
def test_what_is_no_case_is_an_error(case: Case) -> None:
    with pytest.raises((KeyError, TypeError)):
        result_fault("H", case)
