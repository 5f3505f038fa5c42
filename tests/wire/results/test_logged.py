"""Family J in a log: the reader's pairs stand; what is left is told."""

from __future__ import annotations

from toolfix_audit.model.records import ArgumentsForm, AssistantText, Call, Record, Result
from toolfix_audit.wire.results.logged import log_faults
from toolfix_audit.wire.results.pairing import PairingDefect


def _call(position: int, call_id: str | None = "a") -> Call:
    return Call("s", position, call_id, "read", "{}", ArgumentsForm.TEXT)


def _result(position: int, call: int | None, call_id: str | None = "a") -> Result:
    return Result("s", position, call, call_id, False, "ok")


def _text(position: int) -> AssistantText:
    return AssistantText("s", position, "words")


def _told(*records: Record) -> list[tuple[str, int, str | None]]:
    return [(fault.defect.value, fault.index, fault.call_id) for fault in log_faults(records)]


def test_a_whole_log_has_no_fault() -> None:
    assert _told() == []
    assert _told(_text(0), _call(1), _result(2, 1), _text(3)) == []
    assert _told(_call(0), _call(1, "b"), _text(2), _result(3, 1, "b"), _result(4, 0)) == []


def test_the_pairs_of_the_format_stand_whatever_the_ids_say() -> None:
    assert _told(_call(0, None), _result(1, 0, None)) == []
    assert _told(_call(0, None), _result(1, 0, "t1")) == []
    assert _told(_call(0, "x"), _result(1, 0, "y")) == []


def test_calls_that_a_log_ends_with_are_not_missed() -> None:
    assert _told(_call(0)) == []
    assert _told(_text(0), _call(1), _call(2, "b")) == []


def test_a_call_without_result_before_more_is_missed() -> None:
    assert _told(_call(4), _text(5)) == [("missing_result", 4, "a")]
    assert _told(_call(4), _call(5, "b"), _result(6, 5, "b")) == [("missing_result", 4, "a")]


def test_orphans_duplicates_and_early_results() -> None:
    assert _told(_result(0, None, "x")) == [("orphan_result", 0, "x")]
    assert _told(_call(0), _result(1, 0), _result(2, 0)) == [("duplicate_result", 2, "a")]
    assert _told(_call(0), _result(1, 0), _result(2, None)) == [("duplicate_result", 2, "a")]
    assert _told(_result(0, None), _call(1)) == [("result_before_call", 0, "a")]
    assert _told(_result(0, None, None), _text(1)) == [("missing_id", 0, None)]


def test_an_id_that_is_used_again_is_told_once_for_each_use() -> None:
    records = (_call(0), _result(1, 0), _call(2), _result(3, 2), _call(4), _result(5, 4))
    assert _told(*records) == [("reused_id", 2, "a"), ("reused_id", 4, "a")]
    assert {fault.defect for fault in log_faults(records)} == {PairingDefect.REUSED_ID}
