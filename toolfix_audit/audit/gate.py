"""The gate: integers against limits, and the one verdict that CI trusts. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from toolfix_audit.model.report import (
    Corpus,
    Counts,
    FamilyRow,
    Misfixes,
    PolicyResult,
    Verdict,
)


class ExitCode(IntEnum):
    """What the process says when it ends; if several hold, 4 > 2 > 3 > 1."""

    PASSED = 0
    FAILED = 1
    USAGE = 2
    NOTHING_CHECKED = 3
    INTERNAL = 4
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Policy:
    """The limits. A mis-fix is always an error and its limit always 0."""

    max_still_failing: int | None = None
    max_unjudged: int | None = None
    max_unreadable_percent: int = 1
    min_request_schema: int | None = None


DEFAULT: Final = Policy()


def decide(
    corpus: Corpus,
    outcomes: Mapping[str, int],
    schemas: Mapping[str, int],
    misfixes: Misfixes,
    *,
    families: Sequence[FamilyRow] = (),
    power: Mapping[str, Mapping[str, Counts]] | None = None,
    policy: Policy = DEFAULT,
) -> Verdict:
    """The verdict over one run; the exit code is the worst that any policy asks for.

    `power` None says that it was not measured.
    """
    judged = corpus.calls - outcomes.get("unjudged", 0)
    checked = _checked(corpus, judged, policy)
    gated = (*_gated(outcomes, schemas, misfixes, policy), *_proven(families, power))
    unchecked = [result for result in checked if not result.holds]
    failed = [result for result in gated if not result.holds and result.level == "error"]
    code = ExitCode.PASSED
    if unchecked:
        code = ExitCode.NOTHING_CHECKED
    elif failed:
        code = ExitCode.FAILED
    warned = [result for result in gated if not result.holds and result.level == "warn"]
    reasons = tuple(_reason(result) for result in (*unchecked, *failed, *warned))
    status = "pass" if code is ExitCode.PASSED else "fail"
    return Verdict(status, int(code), reasons, (*checked, *gated))


def _checked(corpus: Corpus, judged: int, policy: Policy) -> tuple[PolicyResult, ...]:
    total = corpus.records + corpus.unreadable
    percent = policy.max_unreadable_percent
    return (
        _at_least("calls", corpus.calls, 1),
        _at_least("judged", judged, 1),
        _at_most("unreadable", 100 * corpus.unreadable, percent * total),
    )


def _gated(
    outcomes: Mapping[str, int],
    schemas: Mapping[str, int],
    misfixes: Misfixes,
    policy: Policy,
) -> tuple[PolicyResult, ...]:
    results = [_at_most("misfix", misfixes.count, 0)]
    for name, limit in (
        ("still_failing", policy.max_still_failing),
        ("unjudged", policy.max_unjudged),
    ):
        level = "warn" if limit is None else "error"
        results.append(_at_most(name, outcomes.get(name, 0), limit or 0, level))
    if policy.min_request_schema is not None:
        results.append(
            _at_least("min_request_schema", schemas.get("request", 0), policy.min_request_schema)
        )
    return tuple(results)


def _proven(
    families: Sequence[FamilyRow], power: Mapping[str, Mapping[str, Counts]] | None
) -> tuple[PolicyResult, ...]:
    """A family that changed something must have been probed, by checks that convict."""
    changed = [row for row in families if row.calls]
    results = [_at_most("unprobed", sum(not row.probes for row in changed), 0)]
    if power is not None:
        powerless = [row for row in changed if not _convicted(power.get(row.code, {}))]
        results.append(_at_most("power", len(powerless), 0))
    return tuple(results)


def _convicted(kinds: Mapping[str, Counts]) -> int:
    return sum(counts["convicted"] for counts in kinds.values())


def _at_most(policy: str, actual: int, limit: int, level: str = "error") -> PolicyResult:
    return PolicyResult(policy, level, actual, "<=", limit, actual <= limit)


def _at_least(policy: str, actual: int, limit: int, level: str = "error") -> PolicyResult:
    return PolicyResult(policy, level, actual, ">=", limit, actual >= limit)


_MEANINGS: Final = {
    "calls": "no tool call was found",
    "judged": "no call could be judged: give the tool schemas with --schemas",
    "unreadable": "too much could not be read (hundredfold, against percent times all units)",
    "unprobed": "families changed something, and no probe looked at it",
    "power": "families changed something, and the checks convict no broken engine of them",
    "misfix": "the engine changed what it should not have",
    "still_failing": "calls still fail after their repair",
    "unjudged": "calls could not be judged",
    "min_request_schema": "too few calls were judged by the request's own schema",
}


def _reason(result: PolicyResult) -> str:
    compared = f"{result.actual} {'>' if result.relation == '<=' else '<'} {result.limit}"
    return f"{result.policy}: {_MEANINGS[result.policy]} ({compared})"
