"""All findings of a store: the same whatever the order and the pages, and never too many."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.findings import find, found_rows
from toolfix_audit.audit.findings.sightings import MAX_ROWS, Sighting, Sightings
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.model.records import (
    ArgumentsForm,
    AssistantText,
    Call,
    Record,
    Result,
    Session,
    ToolCatalog,
    ToolDefinition,
    Unit,
)
from toolfix_audit.model.report_findings import Found, FoundRow
from toolfix_audit.report.document import render
from toolfix_audit.report.load import load
from toolfix_audit.store import finding_rows
from toolfix_audit.store.entries import SourceInfo
from toolfix_audit.store.load import load_source
from toolfix_audit.store.store import Store

from .made import LEAK, PNG, READ, Line, call, failed, result, stored, text, tools

IMAGE = json.dumps([{"type": "image", "data": PNG, "mimeType": "image/png"}])


def _log(session: str, *more: Line) -> list[Line]:
    return [
        tools(session),
        text(LEAK, session),
        text("Again.", session),
        call("a", session),
        result("a", IMAGE, session),
        result("a", "more", session),
        failed("terminated", session),
        *more,
    ]


LOGS = (
    _log("s"),
    _log("s", text("On.", "s"), text(LEAK, "s", reasoning=True)),
    _log("t", text(LEAK, "t", model="other")),
)


def _files(folder: Path) -> list[str]:
    paths = [folder / f"{number}.jsonl" for number in range(len(LOGS))]
    for path, lines in zip(paths, LOGS, strict=True):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return [str(path) for path in paths]


def _found(paths: list[str]) -> Found:
    with Store.temporary() as store:
        for path in paths:
            ingest(store, [path])
        return find(store, schema_set(store, Request()))


def test_the_order_of_the_files_makes_no_difference(tmp_path: Path) -> None:
    paths = _files(tmp_path)
    found = [asdict(_found(list(order))) for order in permutations(paths)]
    assert all(one == found[0] for one in found[1:])
    counts = {
        family: sum(row["count"] for row in found[0]["rows"] if row["family"] == family)
        for family in "GHIJ"
    }
    assert counts == {"G": 4, "H": 2, "I": 2, "J": 2}


@pytest.mark.parametrize("rows", [1, 2])
def test_the_size_of_a_page_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    paths = _files(tmp_path)
    whole = _found(paths)
    monkeypatch.setattr(finding_rows, "PAGE_ROWS", rows)
    monkeypatch.setattr(finding_rows, "PAGE_SESSIONS", rows)
    assert _found(paths) == whole
    monkeypatch.setattr(finding_rows, "PAGE_CHARACTERS", 1)
    assert _found(paths) == whole


def test_a_copy_of_a_parent_s_history_is_no_new_find() -> None:
    header = Session("f", parent="s", seed_length=99)
    fork = [header, *_records("f", 0, inherited=True)]
    assert _counts(_records("s", 0)) == EACH_ONCE
    assert _counts(_records("s", 0), fork) == EACH_ONCE
    assert _counts(fork, _records("s", 0)) == EACH_ONCE
    assert _counts(fork) == EACH_ONCE


def test_history_that_every_request_repeats_counts_once() -> None:
    first, second = _records("s", 0), _records("s", 10, inherited=True)
    assert _counts([*first, *second]) == EACH_ONCE
    assert _counts([*first, *second, *_records("s", 20, inherited=True)]) == EACH_ONCE
    assert _counts([*second, *_records("s", 20, inherited=True)]) == EACH_ONCE


EACH_ONCE = {"G": 1, "H": 1, "J": 1}


def _records(session: str, start: int, *, inherited: bool = False) -> list[Record]:
    """A leak, a call with an image as text, and a call that is never answered."""
    offered = ToolCatalog(
        session, start, (ToolDefinition("read", json.dumps(READ["input_schema"])),)
    )
    says = AssistantText(session, start + 1, LEAK, finish_reason="stop", inherited=inherited)
    calls = [
        Call(session, start + place, name, "read", "{}", ArgumentsForm.TEXT, inherited=inherited,
             event=place)
        for place, name in ((2, "a"), (3, "b"))
    ]  # fmt: skip
    answer = Result(session, start + 4, start + 2, "a", False, IMAGE, inherited=inherited)
    after = AssistantText(session, start + 5, "Done.", finish_reason="stop", inherited=inherited)
    return [offered, says, *calls, answer, after]


def _counts(*logs: list[Record]) -> dict[str, int]:
    with Store.temporary() as store:
        for number, records in enumerate(logs):
            info = SourceInfo(f"{number}" * 64, f"{number}.jsonl", "native", 1)
            load_source(store, info, (Unit(records=(record,)) for record in records))
        found = find(store, schema_set(store, Request()))
    return {row.family: row.count for row in found.rows}


def test_the_dry_run_reports_them_and_the_report_is_read_back(tmp_path: Path) -> None:
    with stored(tmp_path, *LOGS) as store:
        made = dry_run(store, Request(), render=render)
        assert made.found == find(store, schema_set(store, Request()))
    codes = [(one.code, one.name, one.count) for one in made.findings if one.code in set("GHIJ")]
    assert codes == [
        ("G", "leaked-call", 4),
        ("H", "stringified-image", 2),
        ("I", "swallowed-error", 2),
        ("J", "result-shape", 2),
    ]
    again = load(render(made))
    assert again.found == made.found
    assert render(again) == render(made)


def test_nothing_found_is_no_finding() -> None:
    assert found_rows(Found()) == ()


ROW = FoundRow("G", "leaked_call", "hermes_json", "t", "m", 1, 1, "s", "p", None, "shown", "says")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30), st.booleans()), max_size=40))
def test_sightings_count_alike_in_any_order(finds: list[tuple[str, int, bool]]) -> None:
    made = [
        Sighting(f"{key:02}", replace(ROW, tool=tool, repairable=int(is_good), shown=str(key)))
        for tool, key, is_good in finds
    ]
    rows = _rows(made)
    assert _rows(sorted(made, key=lambda one: one.key)) == rows
    assert _rows(made[::-1]) == rows
    assert sum(row.count for row in rows) == len(finds)
    assert sum(row.repairable for row in rows) == sum(is_good for _, _, is_good in finds)
    for row in rows:
        assert int(row.shown) == min(key for tool, key, _ in finds if tool == row.tool)


def _rows(sightings: list[Sighting]) -> tuple[FoundRow, ...]:
    counted = Sightings()
    for one in sightings:
        counted.add(one)
    return counted.rows()[0]


def test_rows_are_bounded_and_the_rest_is_counted() -> None:
    counted = Sightings()
    for number in range(MAX_ROWS + 7):
        for _ in range(2):
            counted.add(Sighting("k", replace(ROW, tool=f"tool {number}")))
    rows, more = counted.rows()
    assert (len(rows), more) == (MAX_ROWS, 14)


def test_hostile_texts_are_cut(tmp_path: Path) -> None:
    leak = LEAK.replace('"a"', f'"{"x" * 100_000}"')
    with stored(tmp_path, [tools(), text(leak)]) as store:
        found = find(store, schema_set(store, Request()))
    (row,) = found.rows
    assert len(row.shown) < 700
    assert len(row.says) < 700
