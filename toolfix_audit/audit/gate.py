"""The gate: integers against limits, and the one verdict that CI trusts. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import IntEnum

from toolfix_audit.audit.policy import DEFAULT, REGRESSIONS, RULES, Level, Policy, Rule
from toolfix_audit.model.report import PolicyResult, Report, Verdict

_PROBED = frozenset({"unprobed", "power"})


class ExitCode(IntEnum):
    """What the process says when it ends; if several hold, 4 > 2 > 3 > 1."""

    PASSED = 0
    FAILED = 1
    USAGE = 2
    NOTHING_CHECKED = 3
    INTERNAL = 4
    INTERRUPTED = 130


def decided(
    report: Report,
    *,
    is_probed: bool = True,
    policy: Policy = DEFAULT,
    regressions: int | None = None,
) -> Report:
    """The report with the verdict on its figures; the exit code is the worst that any policy asks
    for. Without probes nothing is said of them. `regressions` are those against another report;
    None: those of the earlier report that it was made beside, if any."""
    rules = [rule for rule in RULES if is_probed or rule.name not in _PROBED]
    judged = [(rule, result) for rule in rules for result in _result(rule, report, policy)]
    if regressions is None and report.earlier is not None:
        regressions = report.earlier.regressed
    if regressions is not None:
        limit = policy.of(REGRESSIONS)
        number = 0 if limit is None else limit.limit
        level = Level.ERROR if limit is None else limit.level
        judged.append((REGRESSIONS, _compared(REGRESSIONS, level, regressions, number)))
    return replace(report, verdict=_verdict(judged))


def _result(rule: Rule, report: Report, policy: Policy) -> Iterator[PolicyResult]:
    limit = policy.of(rule)
    if limit is not None:
        actual, number = rule.figures(report, policy)
        yield _compared(rule, limit.level, actual, number)


def _compared(rule: Rule, level: str, actual: int, limit: int) -> PolicyResult:
    holds = actual <= limit if rule.relation == "<=" else actual >= limit
    return PolicyResult(rule.name, str(level), actual, rule.relation, limit, holds)


def _verdict(judged: Iterable[tuple[Rule, PolicyResult]]) -> Verdict:
    results = list(judged)
    broken = [(rule, result) for rule, result in results if not result.holds]
    unchecked = [one for one in broken if one[0].proves and one[1].level == Level.ERROR]
    failed = [one for one in broken if not one[0].proves and one[1].level == Level.ERROR]
    warned = [one for one in broken if one[1].level != Level.ERROR]
    code = ExitCode.PASSED
    if unchecked:
        code = ExitCode.NOTHING_CHECKED
    elif failed:
        code = ExitCode.FAILED
    reasons = tuple(_reason(rule, result) for rule, result in (*unchecked, *failed, *warned))
    status = "pass" if code is ExitCode.PASSED else "fail"
    return Verdict(status, int(code), reasons, tuple(result for _, result in results))


def _reason(rule: Rule, result: PolicyResult) -> str:
    compared = f"{result.actual} {'>' if result.relation == '<=' else '<'} {result.limit}"
    return f"{result.policy}: {rule.meaning} ({compared})"
