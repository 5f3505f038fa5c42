"""What was found beside the calls, in every format, and in reports from before."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from toolfix_audit.model.report import Corpus, Finding, Report
from toolfix_audit.model.report_findings import Found
from toolfix_audit.report import finding_tables, html, markdown, tables, text
from toolfix_audit.report.document import render
from toolfix_audit.report.load import ReportFileError, load
from toolfix_audit.report.redact import redact

from .samples import EMPTY, TYPICAL

NOTHING = replace(TYPICAL, found=Found(), findings=())


def test_the_report_is_read_back() -> None:
    assert load(render(TYPICAL)).found == TYPICAL.found


def test_a_report_from_before_has_no_finds() -> None:
    document = json.loads(render(TYPICAL))
    del document["found"]
    assert load(json.dumps(document)).found == Found()


@pytest.mark.parametrize(("key", "value"), [("family", "A"), ("count", -1), ("call", 1)])
def test_what_is_wrong_with_a_row_is_named(key: str, value: object) -> None:
    document = json.loads(render(TYPICAL))
    document["found"]["rows"][0][key] = value
    with pytest.raises(ReportFileError, match=f"/found/rows/0/{key}"):
        load(json.dumps(document))


@pytest.mark.parametrize("emitter", [text.EMITTER, markdown.EMITTER, html.EMITTER])
def test_every_family_has_a_table_where_something_was_found(emitter: object) -> None:
    page = emitter.render(TYPICAL)  # type: ignore[attr-defined]
    for name in ("G leaked-call", "H stringified-image", "I swallowed-error", "J result-shape"):
        assert page.count(f"{name}: ") == 1
    assert "looked for leaked calls" not in page.lower()


@pytest.mark.parametrize("emitter", [text.EMITTER, html.EMITTER])
def test_one_line_says_what_was_looked_through_where_nothing_was(emitter: object) -> None:
    page = emitter.render(NOTHING)  # type: ignore[attr-defined]
    assert page.lower().count("looked for leaked calls in 20,437 texts") == 1
    assert "leaked-call" not in page


def test_nothing_is_said_of_what_was_not_there() -> None:
    assert finding_tables.looked(EMPTY) is None
    assert all(not make(EMPTY).rows for make in finding_tables.FOUND)
    corpus = Corpus(texts=1, results=2)
    assert finding_tables.looked(replace(EMPTY, corpus=corpus)) == (
        "looked for leaked calls in 1 text, and for images as text and odd shapes in 2 results: "
        "none; no stream failed"
    )


def test_texts_without_tools_are_told() -> None:
    assert "3 more texts could not be judged" in finding_tables.leaks(TYPICAL).caption


def test_a_terminal_gets_the_figures_without_the_examples() -> None:
    brief = {table.key: table for table in finding_tables.brief(TYPICAL)}
    assert brief["leaks"].columns == ("written as", "tool", "model", "finds", "repairable")
    assert brief["leaks"].rows[0] == ("hermes_json", "read", "deepseek-chat", 12, 11)
    assert brief["streams"].rows[0][-1] == "429: queue full (error, at /response/error)"


def test_figures_that_could_not_be_estimated_stay_empty() -> None:
    table = finding_tables.lowering(TYPICAL)
    assert table.rows[-1] == ("mcp", 4, 0, "", "", "", "")


def test_the_findings_of_these_families_have_tables_of_their_own() -> None:
    report = replace(TYPICAL, findings=(Finding("G", "leaked-call", 14, ""), *TYPICAL.findings))
    assert tables.findings(report) == tables.findings(TYPICAL)


def test_secrets_in_finds_are_masked() -> None:
    secret = "sk-" + "a1B2" * 8
    rows = tuple(
        replace(row, shown=f"key {secret}", says=f"call {secret}", path=f"/home/ann/{secret}")
        for row in TYPICAL.found.rows
    )
    report: Report = redact(replace(TYPICAL, found=replace(TYPICAL.found, rows=rows)))
    assert secret not in render(report)
    assert "/home/ann" not in render(report)
    assert [row.count for row in report.found.rows] == [row.count for row in rows]
