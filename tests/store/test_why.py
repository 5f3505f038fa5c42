"""Rates by trait and imitation, against numbers counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.model.report import Report
from toolfix_audit.store.store import Store

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "items": {"type": "array"}},
    "required": ["path"],
}


def _session(name: str, depths: list[int], *, text: str = "a.md") -> list[dict[str, Any]]:
    """A session whose calls are wrapped so many times."""
    rows: list[dict[str, Any]] = [
        {"type": "session", "session": name},
        {"type": "tools", "session": name, "tools": [{"name": "read", "input_schema": SCHEMA}]},
    ]
    for number, depth in enumerate(depths):
        arguments: Any = {"path": text}
        for _ in range(depth):
            arguments = {"arguments": arguments}
        rows.append(
            {
                "type": "tool/call",
                "session": name,
                "id": f"c{number}",
                "tool": "read",
                "arguments": arguments,
                "model": "m",
                "provider": "p",
            }
        )
    return rows


def _report(tmp_path: Path, *sessions: list[dict[str, Any]]) -> Report:
    log = tmp_path / "log.jsonl"
    rows = [row for session in sessions for row in session]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with Store.temporary() as store:
        ingest(store, [str(log)])
        return dry_run(store, Request(), render=lambda _: "")


def test_runs_and_what_stands_before(tmp_path: Path) -> None:
    #          0 0 1 2 3 0 1 -> runs of 3 and 1;  1 0 -> a run that opens the session
    found = _report(tmp_path, _session("a", [0, 0, 1, 2, 3, 0, 1]), _session("b", [1, 0])).imitation
    assert (found.after_wrapped, found.after_wrapped_of) == (2, 4)
    assert (found.after_other, found.after_other_of) == (2, 3)
    assert (found.first, found.first_of) == (1, 2)
    assert (found.runs, found.longest_run) == (3, 3)
    places = {row.place: row for row in found.places}
    assert (places["1"].calls, places["1"].wrapped, places["1"].layers) == (2, 1, 1)
    assert (places["2 to 10"].calls, places["2 to 10"].wrapped) == (7, 4)
    assert (places["2 to 10"].layers, places["2 to 10"].deepest) == (7, 3)


def test_rates_count_every_call_of_a_group(tmp_path: Path) -> None:
    report = _report(
        tmp_path,
        _session("plain", [0] * 25 + [1] * 15),
        _session("cjk", [0] * 20 + [1] * 10, text="源代码文件.md"),
    )
    rates = {(row.by, row.value, row.family): (row.calls, row.touched) for row in report.rates}
    assert rates["model", "p/m", "A"] == (70, 25)
    assert rates["tool", "read", "A"] == (70, 25)
    assert rates["CJK text", "none", "A"] == (40, 15)
    assert rates["CJK text", "10 % and more", "A"] == (30, 10)
    assert rates["schema depth", "2", "A"] == (70, 25)
    assert rates["longest array", "no array", "A"] == (70, 25)


def test_a_group_of_fewer_than_thirty_is_left_out(tmp_path: Path) -> None:
    report = _report(tmp_path, _session("few", [0] * 19 + [1] * 10))
    assert report.rates == ()
    assert report.imitation.runs == 1


def test_hostile_keys_and_texts_are_values_like_others(tmp_path: Path) -> None:
    rows = _session("odd", [1] * 35, text="x")
    for row in rows[2:]:
        row["arguments"] = {"arguments": {"path": "x", "a\"'$.[*]": [1, 2], "": {"$": []}}}
        row["model"] = "'; drop table calls; --"
    rates = _report(tmp_path, rows).rates
    assert {row.calls for row in rates} == {35}
