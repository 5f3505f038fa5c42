"""The report as JUnit XML (valid by Jenkins' schema): suites for the gate, the mis-fixes, each
family, and what is left.

A mis-fix and a failed policy of level error are failures; what still fails, stays untouched or
has no verdict is skipped, with a message. Times are 0 and no host or clock is named: the same
report gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from toolfix_audit.model.report import FamilyRow, PolicyResult, Report
from toolfix_audit.model.words import Outcome
from toolfix_audit.report import wording
from toolfix_audit.report.emitter import Emitter
from toolfix_audit.report.redact import redaction_of
from toolfix_audit.report.visible import shown

_LIMIT: Final = 400
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 can't hold at all (its production `Char`); `visible` has spelled most of it."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case; `failure` or `skipped` says why it did not pass. No name holds a figure, so
    that a case keeps its history; `output` does."""

    name: str
    failure: str | None = None
    skipped: str | None = None
    output: str | None = None


@dataclass(frozen=True, slots=True)
class _Suite:
    name: str
    cases: tuple[_Case, ...]


def render(report: Report) -> str:
    """An XML document as Jenkins, GitLab and GitHub actions read it."""
    suites = [suite for suite in _suites(report) if suite.cases]
    cases = [case for suite in suites for case in suite.cases]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="toolfix-audit" {_figures(cases)}>',
    ]
    for suite in suites:
        lines.extend(_suite_lines(suite))
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suites(report: Report) -> Iterator[_Suite]:
    policies = (_policy(policy) for policy in report.verdict.policies)
    yield _Suite("gate", (*policies, _Case("redaction", output=redaction_of(report))))
    yield _Suite("mis-fixes", tuple(_misfixes(report)))
    for row in report.families:
        yield _Suite(f"family {row.code} {row.name}", tuple(_family(row)))
    yield _Suite("left as they are", tuple(_left(report)))


def _policy(policy: PolicyResult) -> _Case:
    compared = f"{policy.actual} {policy.relation} {policy.limit}"
    if policy.holds:
        return _Case(policy.policy, output=compared)
    if policy.level == "error":
        return _Case(policy.policy, failure=f"{compared} does not hold")
    return _Case(policy.policy, skipped=f"warning: {compared} does not hold")


def _misfixes(report: Report) -> Iterator[_Case]:
    convicted = {kind for kind, number in report.misfixes.by_kind.items() if number}
    for kind in sorted({*report.misfixes.probes_by_kind, *convicted}):
        number = report.misfixes.by_kind.get(kind, 0)
        details = [
            f"call {one.call}: tool {one.tool}: {one.detail}"
            for one in report.misfixes.examples
            if one.kind == kind
        ]
        why = "\n".join([wording.misfixes_of(number), *details[:20]])
        yield _Case(kind, failure=why if number else None)


def _family(row: FamilyRow) -> Iterator[_Case]:
    if row.fixed or row.swallowed:
        yield _Case("repaired", output=wording.count_of(row.fixed + row.swallowed, "call"))
    if row.still_failing:
        number = wording.count_of(row.still_failing, "call")
        yield _Case("still failing", skipped=f"{number}: violations remain after the repair")


def _left(report: Report) -> Iterator[_Case]:
    for reason, number in sorted(report.untouched.items()):
        if number:
            why = f"{wording.count_of(number, 'call')}: {wording.UNTOUCHED.get(reason, reason)}"
            yield _Case(f"untouched: {reason}", skipped=why)
    for reason, number in sorted(report.unjudged.items()):
        if number:
            why = f"{wording.count_of(number, 'call')}: {wording.OUTCOMES[Outcome.UNJUDGED]}"
            yield _Case(f"unjudged: {reason}", skipped=why)


def _suite_lines(suite: _Suite) -> Iterator[str]:
    name = _attribute(suite.name)
    skipped = sum(case.skipped is not None for case in suite.cases)
    yield f'  <testsuite name={name} {_figures(suite.cases)} skipped="{skipped}">'
    for case in suite.cases:
        yield f'    <testcase classname={name} name={_attribute(case.name)} time="0">'
        if case.failure is not None:
            first = _attribute(case.failure.split("\n", 1)[0])
            body = _text(case.failure)
            yield f'      <failure message={first} type="failure">{body}</failure>'
        if case.skipped is not None:
            yield f"      <skipped>{_text(case.skipped)}</skipped>"
        if case.output is not None:
            yield f"      <system-out>{_text(case.output)}</system-out>"
        yield "    </testcase>"
    yield "  </testsuite>"


def _figures(cases: Sequence[_Case]) -> str:
    failures = sum(case.failure is not None for case in cases)
    return f'tests="{len(cases)}" failures="{failures}" errors="0" time="0"'


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", shown(text, _LIMIT)))


def _text(text: str) -> str:
    lines = [_NOT_XML.sub("\ufffd", shown(line, _LIMIT)) for line in text.split("\n")]
    return escape("\n".join(lines))


EMITTER: Final = Emitter(
    name="junit",
    suffix=".xml",
    render=render,
    summary="JUnit XML: a mis-fix or a failed policy is a failure, what is left is skipped",
    shared=True,
)
