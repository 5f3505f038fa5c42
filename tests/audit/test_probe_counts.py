"""The probes of a report add up: by kind to the total, by family with every retry among them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.spec import Spec
from toolfix_audit.model.report import Report
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

from .calls import READ

Call = tuple[dict[str, Any], bool]


def report_of(folder: Path, calls: list[Call]) -> Report:
    rows: list[dict[str, Any]] = [
        {"type": "session", "session": "s"},
        {"type": "tools", "session": "s", "tools": [{"name": "read", "input_schema": READ}]},
    ]
    for number, (arguments, is_error) in enumerate(calls):
        head = {"session": "s", "id": f"c{number}"}
        rows.append({"type": "tool/call", **head, "tool": "read", "arguments": arguments})
        said = "invalid arguments: missing required property" if is_error else "ok"
        rows.append({"type": "tool/result", **head, "is_error": is_error, "content": said})
    log = folder / "log.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with Store.temporary() as store:
        ingest(store, [str(log)])
        return dry_run(store, Request(spec=Spec()), render=render)


def by_family(report: Report) -> dict[str, tuple[int, int]]:
    return {row.code: (row.probes, row.misfixes) for row in report.families if row.calls}


@pytest.mark.parametrize("last", [{"path": "a"}, {"path": "other"}])
def test_a_retry_is_a_probe_of_its_family(tmp_path: Path, last: dict[str, Any]) -> None:
    report = report_of(tmp_path, [({"file_path": "a"}, True), (last, False)])
    misfixes = report.misfixes
    assert misfixes.probes == sum(misfixes.probes_by_kind.values())
    assert misfixes.probes_by_kind.get("retry-contradicts", 0) == (1 if last["path"] == "a" else 0)
    assert by_family(report) == {"D": (misfixes.probes, 0)}


def test_a_retry_that_contradicts_is_a_mis_fix_of_its_family(tmp_path: Path) -> None:
    sent = {"path": "a", "limit": "5"}
    report = report_of(tmp_path, [(sent, True), ({"path": "a", "limit": 6}, False)])
    assert report.misfixes.by_kind == {"retry-contradicts": 1}
    assert by_family(report) == {"F": (report.misfixes.probes, 1)}


def test_a_probe_of_two_families_counts_in_both(tmp_path: Path) -> None:
    report = report_of(tmp_path, [({"arguments": {"path": "a", "limit": "5"}}, True)])
    found = by_family(report)
    assert set(found) == {"A", "F"}
    total = report.misfixes.probes
    assert all(probes <= total for probes, _ in found.values())
    assert sum(probes for probes, _ in found.values()) > total
