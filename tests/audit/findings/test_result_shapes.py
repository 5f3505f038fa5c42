"""Family J over a store: odd results, and pairs that do not match."""

from __future__ import annotations

from pathlib import Path

import pytest

from .made import call, found_in, only, result, text, told


def test_a_whole_session_has_no_fault(tmp_path: Path) -> None:
    lines = [call("a"), call("b"), result("b"), result("a"), text("Done."), call("c")]
    assert told(found_in(tmp_path, lines), "J") == []


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ([call("a"), text("On.")], "missing_result"),
        ([call("a"), result("a"), result("a")], "duplicate_result"),
        ([call("a"), result("a"), result("x")], "orphan_result"),
        ([call("a"), result("a"), call("a"), result("a")], "reused_id"),
    ],
)
def test_faults_of_pairs_are_reported_and_nothing_is_proposed(
    tmp_path: Path, lines: list[dict[str, object]], kind: str
) -> None:
    found = found_in(tmp_path, lines)
    assert told(found, "J") == [(kind, "", 1, 0)]
    row = only(found, "J")
    assert row.says.endswith("reported only")
    assert (row.tool, row.call is None) == ((None, True) if kind == "orphan_result" else
        ("read", False))  # fmt: skip


def test_an_early_result_has_one_place(tmp_path: Path) -> None:
    found = found_in(tmp_path, [result("a"), call("a"), text("Done.")])
    row = only(found, "J")
    assert (row.kind, row.repairable) == ("result_before_call", 1)
    assert row.says == "a result before its call; put behind its call"


def test_an_id_is_proposed_where_only_one_is_possible(tmp_path: Path) -> None:
    found = found_in(tmp_path, [call("a"), result(None), text("Done.")])
    row = only(found, "J")
    assert (row.kind, row.repairable) == ("missing_id", 1)
    assert row.says.endswith("its id can only be a")
    found = found_in(tmp_path, [call("a"), call("b"), result(None), text("Done.")])
    kinds = {row.kind: row.repairable for row in found.rows if row.family == "J"}
    assert kinds["missing_id"] == 0


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ([{"query": "a", "result": "b"}], "untyped_objects"),
        ({"content": [], "structuredContent": {"n": 1}}, "content_empty_structured_present"),
    ],
)
def test_odd_contents(tmp_path: Path, content: object, kind: str) -> None:
    found = found_in(tmp_path, [call("a"), result("a", content)])
    assert told(found, "J") == [(kind, "", 1, 1)]
    assert only(found, "J").tool == "read"


@pytest.mark.parametrize(
    "content",
    [
        "words",
        "",
        [{"type": "text", "text": "a"}, {"type": "image", "data": "x"}],
        {"stdout": "a", "exitCode": 0},
        {"content": [{"type": "text", "text": "a"}], "structuredContent": {"n": 1}},
    ],
    ids=["text", "empty", "blocks", "an object", "content that renders"],
)
def test_contents_that_are_fine(tmp_path: Path, content: object) -> None:
    assert told(found_in(tmp_path, [call("a"), result("a", content)]), "J") == []


def test_a_session_in_two_files_is_told_once(tmp_path: Path) -> None:
    log = [call("a"), result("a"), result("a"), text("Done.")]
    assert told(found_in(tmp_path, log, [*log, text("more")]), "J") == [
        ("duplicate_result", "", 1, 0)
    ]
