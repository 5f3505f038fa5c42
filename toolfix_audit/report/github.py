"""Annotations of GitHub Actions: workflow commands, one a line, mis-fixes first.

GitHub shows ten annotations of a level for a step, so no more are written; what is left off is
counted in the last one. Escapes are those of the runner's own toolkit (`actions/toolkit`,
`packages/core/src/command.ts`): `%`, CR and LF in a message, also `:` and `,` in a property.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from toolfix_audit.model.report import Report
from toolfix_audit.report import facts
from toolfix_audit.report.emitter import Emitter
from toolfix_audit.report.redact import redaction_of
from toolfix_audit.report.visible import shown

MAX_OF_LEVEL: Final = 10
_LIMIT: Final = 400


@dataclass(frozen=True, slots=True)
class _Annotation:
    """One line; `level` is `error`, `warning` or `notice`."""

    level: str
    title: str
    message: str


def render(report: Report) -> str:
    """At most ten errors, ten warnings and one notice, which is the verdict."""
    note = redaction_of(report)
    found = [
        *_convictions(report),
        *_policies(report),
        _Annotation("notice", "toolfix-audit", f"{facts.verdict_line(report)} ({note})"),
    ]
    lines: list[str] = []
    for _, group in groupby(sorted(found, key=_rank), key=_rank):
        lines.extend(_line(one) for one in _limited(list(group)))
    return "\n".join(lines) + "\n"


def _convictions(report: Report) -> Iterator[_Annotation]:
    for example in report.misfixes.examples:
        words = (f"call {example.call}", f"tool {example.tool}", example.detail)
        yield _Annotation("error", f"mis-fix: {example.kind}", ": ".join(words))


def _policies(report: Report) -> Iterator[_Annotation]:
    for policy in report.verdict.policies:
        if not policy.holds:
            level = "error" if policy.level == "error" else "warning"
            compared = f"{policy.actual} {policy.relation} {policy.limit} does not hold"
            yield _Annotation(level, f"gate: {policy.policy}", compared)


def _rank(annotation: _Annotation) -> int:
    return ("error", "warning", "notice").index(annotation.level)


def _limited(found: list[_Annotation]) -> list[_Annotation]:
    if len(found) <= MAX_OF_LEVEL:
        return found
    kept = found[: MAX_OF_LEVEL - 1]
    left = f"and {len(found) - len(kept):,} more; the other reports have them"
    return [*kept, _Annotation(found[0].level, "toolfix-audit", left)]


def _line(annotation: _Annotation) -> str:
    title = _escaped(shown(annotation.title, _LIMIT)).replace(":", "%3A").replace(",", "%2C")
    return f"::{annotation.level} title={title}::{_escaped(shown(annotation.message, _LIMIT))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


EMITTER: Final = Emitter(
    name="github",
    suffix=".annotations",
    render=render,
    summary="annotations for GitHub Actions, on stdout; mis-fixes first",
    shared=True,
    to_stdout=True,
)
