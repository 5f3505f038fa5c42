"""Family I over a store."""

from __future__ import annotations

from pathlib import Path

from toolfix_audit.audit.findings import found_rows

from .made import failed, found_in, only, text, told


def test_a_hidden_cause_is_told_with_its_place_and_class(tmp_path: Path) -> None:
    raw = {"response": {"error": {"code": "server_error", "message": "fault in zone 4"}}}
    lines = [text("Well."), failed("OpenAI Responses response failed", raw=raw)]
    row = only(found_in(tmp_path, lines), "I")
    assert (row.kind, row.variant, row.model) == ("hidden_cause", "server server_error", "m")
    assert row.shown == "OpenAI Responses response failed"
    assert row.says == "server_error: fault in zone 4 (error, at /response/error)"


def test_an_early_end_is_a_class_of_its_own(tmp_path: Path) -> None:
    raw = {
        "type": "response.incomplete",
        "response": {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
    }
    row = only(found_in(tmp_path, [failed("Please try again.", raw=raw)]), "I")
    assert (row.kind, row.model) == ("hidden_cause", None)
    assert row.says.endswith("(incomplete, at /response/incomplete_details/reason)")


def test_a_lost_cause_is_said_to_be_lost(tmp_path: Path) -> None:
    found = found_in(tmp_path, [failed("stream closed", code="STREAM_CLOSED")])
    row = only(found, "I")
    assert (row.kind, row.variant) == ("lost_cause", "other STREAM_CLOSED")
    assert row.says == "the log has lost the cause (STREAM_CLOSED)"
    assert [(one.code, one.count) for one in found_rows(found)] == [("I", 1)]


def test_a_cause_that_was_shown_is_counted_and_is_no_finding(tmp_path: Path) -> None:
    found = found_in(tmp_path, [failed("rate limit reached for this key")])
    assert told(found, "I") == [("told_cause", "rate-limit", 1, 0)]
    assert (found.streams, found_rows(found)) == (1, ())


def test_streams_of_a_kind_are_counted_together_and_once(tmp_path: Path) -> None:
    log = [failed("terminated"), failed("terminated"), failed("fetch failed")]
    found = found_in(tmp_path, log, [*log, text("more")])
    assert told(found, "I") == [("lost_cause", "other", 3, 0)]
    assert found.streams == 3
