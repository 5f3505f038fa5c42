"""Two reports: what was fixed in the earlier one and is not any more in the later. Pure.

A kind of call is the same tool, schema and shape of the arguments. It regressed if fewer of its
calls are fixed than before and more are left with violations: then at least the smaller of the two
numbers went from fixed to not fixed. Kinds that do not occur any more say nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, TypeAlias

from toolfix_audit.model.report import KindRow, Report
from toolfix_audit.model.report_groups import Earlier, Regression
from toolfix_audit.model.words import Outcome

_Place: TypeAlias = tuple[str, str | None, str]
_FIXED: Final = frozenset({Outcome.FIXED.value, Outcome.SWALLOWED.value})


REGRESSIONS_KEPT: Final = 200


def compared(before: Report, after: Report) -> Earlier:
    """The figures of the earlier report, and what got worse since."""
    worse = regressions(before, after)
    return Earlier(
        tool_version=before.tool_version,
        calls=before.corpus.calls,
        unreadable=before.corpus.unreadable,
        outcomes=before.outcomes,
        misfixes=before.misfixes.count,
        probes=before.misfixes.probes,
        fixed={row.code: row.fixed + row.swallowed for row in before.families if row.calls},
        regressed=sum(one.calls for one in worse),
        regressions=worse[:REGRESSIONS_KEPT],
    )


def regressions(before: Report, after: Report) -> tuple[Regression, ...]:
    """Every regression, those with the most calls first."""
    was_fixed, is_fixed = _calls(before, fixed=True), _calls(after, fixed=True)
    was_left, is_left = _calls(before, fixed=False), _calls(after, fixed=False)
    families = _families(before)
    found = (
        Regression(
            *place,
            families=families[place],
            calls=min(number - is_fixed[place], is_left[place] - was_left[place]),
        )
        for place, number in was_fixed.items()
    )
    worse = [one for one in found if one.calls > 0]
    return tuple(sorted(worse, key=lambda one: (-one.calls, one.tool, one.shape)))


def _place(row: KindRow) -> _Place:
    return row.tool, row.schema, row.shape


def _calls(report: Report, *, fixed: bool) -> Counter[_Place]:
    counts: Counter[_Place] = Counter()
    for row in report.kinds:
        if (row.outcome in _FIXED) == fixed:
            counts[_place(row)] += row.calls
    return counts


def _families(report: Report) -> dict[_Place, tuple[str, ...]]:
    """The families that fixed the calls of a kind."""
    found: dict[_Place, set[str]] = {}
    for row in report.kinds:
        if row.outcome in _FIXED:
            found.setdefault(_place(row), set()).update(row.families)
    return {place: tuple(sorted(codes)) for place, codes in found.items()}
