"""The policies on findings: warnings by default, errors where asked."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.gate import ExitCode, decided
from toolfix_audit.audit.policy import Policy, read_limit
from toolfix_audit.model.report import Finding, Report
from toolfix_audit.report import github, junit

from ..test_gate import report

POLICIES = {
    "leaked_calls": "G",
    "stringified_images": "H",
    "swallowed_errors": "I",
    "result_shapes": "J",
}


def _found(*codes: str) -> Report:
    return report(findings=tuple(Finding(code, code, 3, "") for code in codes))


def test_without_finds_every_policy_holds() -> None:
    clean = decided(_found())
    assert clean.verdict.reasons == ()
    held = {one.policy: (one.level, one.actual, one.holds) for one in clean.verdict.policies}
    assert {name: held[name] for name in POLICIES} == dict.fromkeys(POLICIES, ("warn", 0, True))


@pytest.mark.parametrize(("policy", "code"), POLICIES.items())
def test_finds_warn_and_the_gate_passes(policy: str, code: str) -> None:
    warned = decided(_found(code))
    assert (warned.verdict.status, warned.verdict.exit_code) == ("pass", ExitCode.PASSED)
    (reason,) = warned.verdict.reasons
    assert reason.startswith(f"{policy}: ")
    assert reason.endswith("(3 > 0)")
    assert f"::warning title=gate%3A {policy}::3 <= 0 does not hold" in github.EMITTER.render(
        warned
    )
    assert "<skipped>warning: 3 &lt;= 0 does not hold</skipped>" in junit.EMITTER.render(warned)


@pytest.mark.parametrize(("policy", "code"), POLICIES.items())
def test_a_limit_that_is_given_makes_an_error(policy: str, code: str) -> None:
    for written, exit_code in (("3", ExitCode.PASSED), ("2", ExitCode.FAILED)):
        limits = Policy({policy: read_limit(policy, written, "here")})
        assert decided(_found(code), policy=limits).verdict.exit_code == exit_code
    limits = Policy({policy: read_limit(policy, "warn:1", "here")})
    assert decided(_found(code), policy=limits).verdict.exit_code == ExitCode.PASSED
