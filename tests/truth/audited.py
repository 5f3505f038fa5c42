"""One audit of a corpus, call by call, beside what is known about each call."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.spec import Spec
from toolfix_audit.logs.tool_definitions import load_definitions
from toolfix_audit.model.report import Report
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

ABCD = ("A", "B", "C", "D")

_ROWS = """
SELECT kept_calls.session, kept_calls.event, kept_calls.call_id, kept_calls.dispatched,
    outcomes.tool, outcomes.resolved, outcomes.outcome, outcomes.reason, outcomes.host,
    outcomes.families,
    outcomes.depth, outcomes.before, outcomes.after, outcomes.suspicions,
    len(outcomes.violations_before) AS violations, kept_calls.arguments
FROM outcomes JOIN kept_calls ON kept_calls.call = outcomes.call
"""


@dataclass(frozen=True, slots=True)
class Audited:
    """One call as it came out."""

    session: str
    event: int | None
    call_id: str | None
    dispatched: bool
    tool: str
    resolved: str
    outcome: str
    reason: str | None
    host: str
    families: tuple[str, ...]
    depth: int
    before: str
    after: str | None
    suspicions: tuple[str, ...]
    violations: int
    arguments: str

    @property
    def result(self) -> Any:
        """The arguments after the repair."""
        return None if self.after is None else json.loads(self.after)

    def has_fixed(self, intended: object) -> bool:
        """Whether the outcome is a fix (or a swallowed wrapper taken off) that gives this."""
        return self.outcome in {"fixed", "swallowed"} and same(self.result, intended)


@dataclass(frozen=True, slots=True)
class Audit:
    """All calls and the report."""

    calls: tuple[Audited, ...]
    report: Report

    @property
    def outcomes(self) -> Counter[str]:
        """Calls by outcome."""
        return Counter(call.outcome for call in self.calls)


def audit(
    paths: Sequence[Path],
    schemas: Sequence[Path] = (),
    *,
    probes: bool = True,
    families: Sequence[str] = ABCD,
) -> Audit:
    """Read logs and dry-run families over them, A to D unless told otherwise."""
    definitions = [one for path in schemas for one in load_definitions(path)]
    request = Request(spec=Spec(families=tuple(families), probes=probes), definitions=definitions)
    with Store.temporary() as store:
        ingest(store, [str(path) for path in paths])
        report = dry_run(store, request, render=render)
        rows = store.query(_ROWS).rows
    return Audit(tuple(_audited(row) for row in rows), report)


def _audited(row: tuple[Any, ...]) -> Audited:
    cells: list[Any] = [tuple(cell) if isinstance(cell, list) else cell for cell in row]
    return Audited(*cells)


def same(left: object, right: object) -> bool:
    """Whether two parsed values are equal with their types."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def counted(calls: Iterable[Audited]) -> Counter[tuple[str, str | None]]:
    """Calls by outcome and reason."""
    return Counter((call.outcome, call.reason) for call in calls)
