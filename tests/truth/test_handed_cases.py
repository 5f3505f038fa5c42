"""The public cases as a log: no right fix is convicted, by default or with the opt-in families."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.spec import Spec
from toolfix_audit.engine import ALL, SAFE
from toolfix_audit.model.report import Report
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

from .audited import same

Row = tuple[str, str, str | None, str]
"""Outcome, resolved tool, arguments after the repair, arguments before."""


def cases(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "cases" / "args.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def as_log(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A session of one call, with its own tools."""
    name, tool = case["id"], case.get("tool")
    called = tool["called"] if tool else "tool"
    available = tool["available"] if tool else ["tool"]
    text = case["args_text"] if "args_text" in case else json.dumps(case["args"])
    yield {"type": "session", "session": name}
    tools = [{"name": one, "input_schema": case["schema"]} for one in available]
    yield {"type": "tools", "session": name, "tools": tools}
    yield {
        "type": "tool/call",
        "session": name,
        "id": name,
        "tool": called,
        "arguments": text,
    }


@pytest.fixture(scope="module", params=["safe", "opt-in"])
def audited(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Report, dict[str, Row]]:
    log = tmp_path_factory.mktemp("cases") / "cases.jsonl"
    rows = (json.dumps(row) for case in cases(shared) for row in as_log(case))
    log.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    families = tuple(sorted(ALL if request.param == "opt-in" else SAFE))
    with Store.temporary() as store:
        ingest(store, [str(log)])
        report = dry_run(store, Request(spec=Spec(families=families)), render=render)
        found = store.query("SELECT session, outcome, resolved, after, before FROM outcomes").rows
    by_name = {str(name): cast("Row", tuple(rest)) for name, *rest in found}
    return str(request.param), report, by_name


def test_no_right_fix_is_convicted(audited: tuple[str, Report, dict[str, Row]]) -> None:
    _, report, _ = audited
    examples = [(one.session, one.kind, one.detail) for one in report.misfixes.examples]
    assert examples == []
    assert report.misfixes.count == 0
    assert report.misfixes.probes > 500
    assert report.verdict.exit_code == 0, report.verdict.reasons


def test_every_case_ends_as_it_should(
    audited: tuple[str, Report, dict[str, Row]], shared: Path
) -> None:
    tier, _, rows = audited
    wrong = []
    for case in cases(shared):
        outcome, resolved, after, _ = rows[case["id"]]
        want, value = case["expected"]["outcome"], case["expected"].get("value")
        changed = outcome in {"fixed", "swallowed", "still_failing"}
        is_renamed = changed and resolved != case.get("tool", {}).get("called", "tool")
        made = json.loads(after) if after is not None else value
        is_right = changed and (same(made, value) or is_renamed)
        if want in {"untouched", "unsafe_fix_only"}:
            is_right = not changed or (tier == "opt-in" and want != "untouched" and is_right)
        if not is_right:
            wrong.append((case["id"], want, outcome, after))
    assert wrong == []


def test_the_opt_in_families_act(audited: tuple[str, Report, dict[str, Row]]) -> None:
    tier, report, rows = audited
    acted = {name for name in ("args-025", "args-067", "extra-07") if rows[name][0] == "fixed"}
    assert acted == ({"args-025", "args-067", "extra-07"} if tier == "opt-in" else set())
    assert report.untouched.get("opt-in", 0) == (0 if tier == "opt-in" else 2)
    assert report.engine.families == tuple(sorted(ALL if tier == "opt-in" else SAFE))
