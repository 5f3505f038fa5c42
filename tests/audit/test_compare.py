"""Regressions between two reports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toolfix_audit.audit.compare import regressions
from toolfix_audit.model.report import KindRow
from toolfix_audit.model.report_groups import Regression

from .test_gate import report


def kind(outcome: str, calls: int, *, tool: str = "read", families: str = "A") -> KindRow:
    return KindRow(tool, "d1", "s1", tuple(families), outcome, calls)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ([kind("fixed", 5)], [kind("fixed", 5)], 0),
        ([kind("fixed", 5)], [kind("untouched", 5, families="")], 5),
        ([kind("fixed", 5)], [kind("fixed", 3), kind("still_failing", 2)], 2),
        ([kind("swallowed", 5)], [kind("untouched", 5, families="")], 5),
        # fixed by other families is fixed
        ([kind("fixed", 5)], [kind("fixed", 5, families="B")], 0),
        ([kind("fixed", 5)], [kind("swallowed", 5)], 0),
        # a kind that does not occur any more says nothing
        ([kind("fixed", 5)], [], 0),
        ([kind("fixed", 5)], [kind("fixed", 3)], 0),
        # left calls that were left before are none
        ([kind("fixed", 5), kind("untouched", 2)], [kind("fixed", 5), kind("untouched", 2)], 0),
        ([kind("fixed", 5), kind("untouched", 2)], [kind("fixed", 4), kind("untouched", 3)], 1),
        # a larger corpus with more of both
        ([kind("fixed", 5)], [kind("fixed", 9), kind("untouched", 4)], 0),
        # another tool is another kind
        ([kind("fixed", 5)], [kind("untouched", 5, tool="write")], 0),
        ([kind("untouched", 5)], [kind("untouched", 9)], 0),
        ([], [kind("untouched", 9)], 0),
    ],
)
def test_what_was_fixed_and_is_not(before: list[KindRow], after: list[KindRow], lost: int) -> None:
    found = regressions(
        replace(report(), kinds=tuple(before)), replace(report(), kinds=tuple(after))
    )
    assert sum(one.calls for one in found) == lost


def test_a_regression_names_its_kind() -> None:
    before = replace(report(), kinds=(kind("fixed", 2), kind("fixed", 1, families="AD")))
    after = replace(report(), kinds=(kind("untouched", 3, families=""),))
    assert regressions(before, after) == (Regression("read", "d1", "s1", ("A", "D"), 3),)
