"""The gate: integers against limits, and the worst exit code."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.gate import decided
from toolfix_audit.audit.policy import DEFAULT, Level, Limit, Policy, read_limit
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.report import (
    Corpus,
    Counts,
    EngineInfo,
    FamilyRow,
    Finding,
    JudgeInfo,
    Misfixes,
    Report,
    Verdict,
)

NONE = Misfixes(0, 0, {}, {}, ())
GOOD = Corpus(sources=1, sessions=1, records=1_000, calls=100, results=100)


def misfixes(count: int) -> Misfixes:
    return Misfixes(10, count, {"value-lost": count}, {"value-lost": 10}, ())


def report(
    corpus: Corpus = GOOD,
    *,
    outcomes: Counts | None = None,
    schemas: Counts | None = None,
    found: Misfixes = NONE,
    families: tuple[FamilyRow, ...] = (),
    power: dict[str, dict[str, dict[str, int]]] | None = None,
    findings: tuple[Finding, ...] = (),
) -> Report:
    """A report with those figures and nothing else."""
    return Report(
        tool_version="1",
        engine=EngineInfo("toolfix", "1", ()),
        judge=JudgeInfo("jsonschema", "4"),
        labels={},
        verdict=Verdict("fail", 0, ()),
        corpus=corpus,
        schemas=schemas or {"request": 100},
        outcomes=outcomes or {},
        host={},
        families=families,
        wrapper_depth={},
        untouched={},
        unjudged={},
        left_alone={},
        suspicions={},
        findings=findings,
        misfixes=found,
        power=power or {},
        confirmations=(),
        tools=(),
        models=(),
        sources=(),
        unreadable=(),
        unjudged_tools=(),
        examples=(),
    )


def verdict(
    corpus: Corpus = GOOD,
    *,
    convicted: int = 0,
    policy: Policy = DEFAULT,
    schemas: Counts | None = None,
    **outcomes: int,
) -> Verdict:
    found = misfixes(convicted) if convicted else NONE
    made = report(corpus, outcomes=outcomes, schemas=schemas, found=found)
    return decided(made, policy=policy).verdict


def limits(**values: object) -> Policy:
    """The policies as a user writes them."""
    return Policy({name: read_limit(name, value, "test") for name, value in values.items()})


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
        (verdict(policy=limits(still_failing=2), still_failing=2), 0),
        (verdict(policy=limits(still_failing=2), still_failing=3), 1),
        (verdict(policy=limits(still_failing=0), still_failing=1), 1),
        (verdict(policy=limits(unjudged=0), unjudged=1), 1),
        (verdict(policy=limits(unreadable=0)), 0),
        (
            verdict(Corpus(records=99, calls=5, unreadable=1), policy=limits(unreadable=0)),
            3,
        ),
        (verdict(policy=limits(min_request_schema=100)), 0),
        (verdict(policy=limits(min_request_schema=101)), 1),
        (verdict(policy=limits(min_request_schema="warn:101")), 0),
        (verdict(policy=limits(still_failing="error"), still_failing=1), 1),
        (verdict(policy=limits(still_failing="warn:1"), still_failing=9), 0),
        (verdict(Corpus(records=50, calls=5, unreadable=50), policy=limits(unreadable=50)), 0),
        (
            verdict(Corpus(records=50, calls=5, unreadable=50), policy=limits(unreadable="warn:1")),
            0,
        ),
        (verdict(schemas={"inferred": 100}), 3),
        (verdict(schemas={"inferred": 99, "catalogue": 1}), 0),
        (verdict(schemas={"inferred": 100}, policy=limits(count_inferred=1)), 0),
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
    with pytest.raises(ConfigError, match="misfix can't be changed"):
        limits(misfix="warn")


def family(code: str, probes: int = 5) -> FamilyRow:
    return FamilyRow(code, "name", 1, 1, 0, 0, 0, probes, 0)


@pytest.mark.parametrize(
    ("rows", "power", "failed"),
    [
        ([family("A")], {"A": {"misplaced": {"wrong": 2, "convicted": 1}}}, []),
        ([family("A")], {"A": {"misplaced": {"wrong": 2, "convicted": 0}}}, ["power"]),
        ([family("A")], {"B": {"misplaced": {"wrong": 2, "convicted": 2}}}, ["power"]),
        ([family("A")], {}, ["power"]),
        ([family("A", 0)], {"A": {"misplaced": {"wrong": 1, "convicted": 1}}}, ["unprobed"]),
        ([family("?")], {"B": {"misplaced": {"wrong": 2, "convicted": 2}}}, []),
        ([family("?")], {"B": {"misplaced": {"wrong": 2, "convicted": 0}}}, ["power"]),
    ],
)
def test_what_changed_something_needs_checks_that_convict(
    rows: list[FamilyRow], power: dict[str, dict[str, dict[str, int]]], failed: list[str]
) -> None:
    made = decided(report(families=tuple(rows), power=power)).verdict
    assert [one.policy for one in made.policies if not one.holds] == failed
    assert made.exit_code == (1 if failed else 0)


def test_without_probes_nothing_is_said_of_them() -> None:
    made = decided(report(families=(family("A", 0),)), is_probed=False).verdict
    assert {"unprobed", "power"} & {one.policy for one in made.policies} == set()
    assert made.exit_code == 0


@pytest.mark.parametrize(
    ("number", "policy", "code"),
    [
        (0, DEFAULT, 0),
        (1, DEFAULT, 1),
        (1, limits(regressions=1), 0),
        (2, limits(regressions=1), 1),
        (2, limits(regressions="warn"), 0),
    ],
)
def test_regressions(number: int, policy: Policy, code: int) -> None:
    assert decided(report(), policy=policy, regressions=number).verdict.exit_code == code
    assert "regressions" not in {one.policy for one in decided(report()).verdict.policies}


@pytest.mark.parametrize(
    ("value", "limit"),
    [
        (5, Limit(Level.ERROR, 5)),
        ("5", Limit(Level.ERROR, 5)),
        ("warn", Limit(Level.WARN, 0)),
        ("warn:5", Limit(Level.WARN, 5)),
        ("error:5", Limit(Level.ERROR, 5)),
        ({"level": "warn", "max": 5}, Limit(Level.WARN, 5)),
        ({"max": 5}, Limit(Level.ERROR, 5)),
    ],
)
def test_a_limit_as_it_is_written(value: object, limit: Limit) -> None:
    assert read_limit("still_failing", value, "test") == limit


@pytest.mark.parametrize(
    "value",
    [
        *(-1, 1.0, True, None, "", "off", "5%", "-1", "warn:", "warn:x", "٣", [], 10**16),
        *({"level": "off"}, {"max": 1, "min": 1}, {"maximum": 1}, {"max": "1"}),
    ],
)
def test_what_is_no_limit(value: object) -> None:
    with pytest.raises(ConfigError, match="is no limit"):
        read_limit("still_failing", value, "test")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("still-failing", "did you mean still_failing?"),
        ("stil_failing", "did you mean still_failing?"),
        ("regression", "did you mean regressions?"),
        ("zzz", "known policies: "),
    ],
)
def test_an_unknown_policy_names_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(ConfigError, match="unknown policy") as caught:
        read_limit(name, 1, "test")
    assert (caught.value.hint or "").startswith(hint)


def test_calls_without_an_answer_fail_the_gate() -> None:
    finding = Finding("engine-unanswered", "engine-unanswered", 1, "no answer")
    made = decided(report(findings=(finding,))).verdict
    assert (made.exit_code, made.status) == (1, "fail")
    assert made.reasons[0].startswith("unanswered: calls for which the engine or the judge gave no")


def test_every_reason_is_one_line() -> None:
    made = verdict(Corpus(), convicted=1, still_failing=1, unjudged=1)
    assert made.reasons
    assert all(reason and "\n" not in reason for reason in made.reasons)
