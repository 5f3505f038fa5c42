"""`toolfix-audit gate`: the verdict of the last dry run, for CI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolfix_audit.cli.config import read_policy
from toolfix_audit.cli.console import guarded, say, write_out
from toolfix_audit.cli.options import DEFAULT_DB, Against, Db, Policies
from toolfix_audit.cli.previous import read_report
from toolfix_audit.model.errors import ConfigError, NothingCheckedError

if TYPE_CHECKING:
    from toolfix_audit.model.report import PolicyResult, Report

From = Annotated[
    Path | None, typer.Option("--from", help="Decide on a JSON report instead of the store.")
]
_SHOWN = 20

ExitZero = Annotated[
    bool, typer.Option("--exit-zero", help="End with 0 where the gate fails (still prints FAIL).")
]


@guarded
def gate(
    db: Db = None,
    source: From = None,
    against: Against = None,
    policy: Policies = None,
    exit_zero: ExitZero = False,
) -> None:
    """Fail if the last dry run changed a single call that it should not have.

    Example: toolfix-audit gate --from audit.json --against last-good.json --policy unjudged=5
    """
    from toolfix_audit.audit.compare import regressions  # noqa: PLC0415
    from toolfix_audit.audit.gate import decided  # noqa: PLC0415

    limits = read_policy(policy)
    report = read_report(source) if source else _from_store(db or DEFAULT_DB)
    _require_sums(report)
    lost = None if against is None else regressions(read_report(against), report)
    count = None if lost is None else sum(one.calls for one in lost)
    report = decided(report, policy=limits, regressions=count)
    verdict = report.verdict
    for result in verdict.policies:
        write_out(_line(result) + "\n")
    for example in report.misfixes.examples[:_SHOWN]:
        _say_out(f"mis-fix: call {example.call} ({example.tool}): {example.kind}: {example.detail}")
    for one in (lost or ())[:_SHOWN]:
        _say_out(
            f"regression: {one.calls} calls of {one.tool} ({''.join(one.families)}, "
            f"shape {one.shape}) were fixed and are not"
        )
    write_out(f"{verdict.status.upper()}  exit {verdict.exit_code}\n")
    for reason in verdict.reasons:
        say(reason)
    raise typer.Exit(0 if exit_zero and verdict.exit_code == 1 else verdict.exit_code)


def _say_out(line: str) -> None:
    """A line of stdout that holds text of a log."""
    from toolfix_audit.report.visible import shown  # noqa: PLC0415

    write_out(f"{shown(line, 1_000)}\n")


def _require_sums(report: Report) -> None:
    """Refuse a report whose figures contradict each other.

    Raises:
        ConfigError: it was edited, or made by something else.
    """
    calls = report.corpus.calls
    by_host = sum(sum(outcomes.values()) for outcomes in report.host.values())
    by_tool = sum(row.calls for row in report.tools)
    convicted = max((row.misfixes for row in report.families), default=0)
    agree = sum(report.outcomes.values()) == by_host == by_tool == calls
    if not agree or (convicted and not report.misfixes.count):
        raise ConfigError(
            "the figures of the report contradict each other",
            hint="make it again: toolfix-audit dryrun LOGS --report json=FILE",
        )


def _from_store(path: Path) -> Report:
    from toolfix_audit.report.load import load  # noqa: PLC0415
    from toolfix_audit.store.store import Store  # noqa: PLC0415

    with Store.open(path, create=False, read_only=True) as store:
        run = store.latest_run()
        calls = store.corpus_counts().calls
    if run is None or run.report is None:
        raise NothingCheckedError(
            f"{path}: no dry run in this store", hint=f"run: toolfix-audit dryrun --db {path}"
        )
    report = load(run.report)
    if report.corpus.calls != calls:
        raise NothingCheckedError(
            f"{path}: {calls:,} calls in the store, and the last dry run saw "
            f"{report.corpus.calls:,}",
            hint=f"run: toolfix-audit dryrun --db {path}",
        )
    return report


def _line(result: PolicyResult) -> str:
    mark = "ok" if result.holds else result.level
    return f"{result.policy}: {result.actual} {result.relation} {result.limit} {mark}"
