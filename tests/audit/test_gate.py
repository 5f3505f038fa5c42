"""The gate: integers against limits, and the worst exit code."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.gate import DEFAULT, Policy, decide
from toolfix_audit.model.report import Corpus, Misfixes, Verdict

NONE = Misfixes(0, 0, {}, {}, ())
GOOD = Corpus(sources=1, sessions=1, records=1_000, calls=100, results=100)


def misfixes(count: int) -> Misfixes:
    return Misfixes(10, count, {"value-lost": count}, {"value-lost": 10}, ())


def verdict(
    corpus: Corpus = GOOD,
    *,
    convicted: int = 0,
    policy: Policy = DEFAULT,
    schemas: dict[str, int] | None = None,
    **outcomes: int,
) -> Verdict:
    found = misfixes(convicted) if convicted else NONE
    return decide(corpus, outcomes, schemas or {"request": 100}, found, policy=policy)


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (verdict(), 0),
        (verdict(still_failing=5, unjudged=99), 0),
        (verdict(convicted=1), 1),
        (verdict(unjudged=100), 3),
        (verdict(unjudged=100, convicted=1), 3),
        (verdict(Corpus(records=10)), 3),
        (verdict(Corpus()), 3),
        (verdict(Corpus(records=990, calls=5, unreadable=10)), 0),
        (verdict(Corpus(records=989, calls=5, unreadable=11)), 3),
        (verdict(Corpus(records=98, calls=5, unreadable=1)), 3),
        (verdict(Corpus(records=99, calls=5, unreadable=1)), 0),
        (verdict(policy=Policy(max_still_failing=2), still_failing=2), 0),
        (verdict(policy=Policy(max_still_failing=2), still_failing=3), 1),
        (verdict(policy=Policy(max_still_failing=0), still_failing=1), 1),
        (verdict(policy=Policy(max_unjudged=0), unjudged=1), 1),
        (verdict(policy=Policy(max_unreadable_percent=0)), 0),
        (
            verdict(
                Corpus(records=99, calls=5, unreadable=1), policy=Policy(max_unreadable_percent=0)
            ),
            3,
        ),
        (verdict(policy=Policy(min_request_schema=100)), 0),
        (verdict(policy=Policy(min_request_schema=101)), 1),
    ],
)
def test_the_exit_code(made: Verdict, code: int) -> None:
    assert made.exit_code == code
    assert made.status == ("pass" if code == 0 else "fail")
    assert (made.reasons == ()) <= (code == 0)


def test_the_numbers_that_were_compared_are_there() -> None:
    made = verdict(convicted=3, still_failing=2)
    compared = {
        one.policy: (one.actual, one.relation, one.limit, one.holds) for one in made.policies
    }
    assert compared["misfix"] == (3, "<=", 0, False)
    assert compared["calls"] == (100, ">=", 1, True)
    assert compared["judged"] == (100, ">=", 1, True)
    assert all(isinstance(one.actual, int) and isinstance(one.limit, int) for one in made.policies)
    assert any("misfix" in reason and "3" in reason for reason in made.reasons)


def test_a_mis_fix_can_not_be_turned_into_a_warning() -> None:
    levels = {one.policy: one.level for one in verdict(convicted=1).policies}
    assert levels["misfix"] == "error"
    assert "misfix" not in {name.removeprefix("max_") for name in Policy.__slots__}


def test_every_reason_is_one_line() -> None:
    made = verdict(Corpus(), convicted=1, still_failing=1, unjudged=1)
    assert made.reasons
    assert all(reason and "\n" not in reason for reason in made.reasons)
