"""Logs of a real harness against what was planted in them: families E, F and K to O."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.engine import SAFE

from .audited import Audit, Audited, audit
from .conftest import Once

Planted = list[tuple[dict[str, Any], Audited]]

COUNTED = {
    "E": {("fixed", "E"): 6, ("untouched", ""): 4},
    "F": {("fixed", "F"): 8, ("untouched", ""): 9},
    "N_enum": {("fixed", "O"): 1, ("untouched", ""): 5},
    "N_null_optional": {("fixed", "M"): 2},
    "N_extra_root": {("valid", ""): 6},
    "N_extra_nested": {("untouched", ""): 4},
    "N_number_for_string": {("untouched", ""): 2},
    "wrong_root": {("fixed", "L"): 1, ("untouched", ""): 1},
    "invalid_json": {("fixed", "L"): 10, ("untouched", ""): 3},
    "tool_name": {("fixed", "K"): 7, ("untouched", ""): 7},
    "omission": {("untouched", ""): 24},
    "empty": {("untouched", ""): 11},
    "empty_wrapped": {("untouched", ""): 1},
    "truncated": {("untouched", ""): 10},
    "valid": {("valid", ""): 3_462},
    "legal_json_text": {("valid", ""): 116},
    "legal_empty": {("valid", ""): 128},
    "D_optional": {("valid", ""): 13},
}
"""Counted by hand over the truth: outcome and families of the planted calls that were recorded."""


@pytest.fixture(scope="module")
def planted(shared: Path, once: Once) -> dict[str, Planted]:
    """Truth and outcome of the recorded calls, by planted family."""
    folder = shared / "corpora" / "dsh-host"
    done = _done(shared, once)
    calls = {
        (call.session, call.event): call
        for call in done.calls
        if call.event is not None and not call.dispatched
    }
    found: dict[str, Planted] = {}
    with (folder / "truth.jsonl").open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if line.get("call_seq") is not None:
                call = calls[line["session"], line["call_seq"]]
                found.setdefault(line["family"], []).append((line, call))
    return found


def _done(shared: Path, once: Once) -> Audit:
    sessions = shared / "corpora" / "dsh-host" / "sessions"
    done, _ = once("dsh-host-all", lambda _: audit([sessions], families=sorted(SAFE)))
    return done


@pytest.mark.parametrize("family", COUNTED)
def test_as_many_are_fixed_as_were_counted(planted: dict[str, Planted], family: str) -> None:
    found = Counter((call.outcome, "".join(call.families)) for _, call in planted[family])
    assert found == COUNTED[family]


@pytest.mark.parametrize("family", ["E", "N_null_optional", "wrong_root", "invalid_json"])
def test_what_is_fixed_is_what_was_meant(planted: dict[str, Planted], family: str) -> None:
    changed = [(line, call) for line, call in planted[family] if call.after is not None]
    assert changed
    assert [line for line, call in changed if not call.has_fixed(line["intended"])] == []


def test_scalars_are_what_was_meant_as_numbers(planted: dict[str, Planted]) -> None:
    """The model wrote `"30000.0"` twice: the same number, with the spelling that it chose."""
    for line, call in planted["F"]:
        if call.after is not None:
            assert _exactly(call.after) == _exactly(json.dumps(line["intended"]))


def _exactly(text: str) -> Any:
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def test_an_enum_member_keeps_what_the_model_said(planted: dict[str, Planted]) -> None:
    (call,) = [call for _, call in planted["N_enum"] if call.after is not None]
    sent = json.loads(call.before)
    assert [todo["status"] for todo in sent["todos"]].count("In_Progress") == 1
    for todo in sent["todos"]:
        todo["status"] = todo["status"].replace("In_Progress", "in_progress")
    assert call.result == sent


def test_a_name_becomes_the_tool_that_was_meant(planted: dict[str, Planted]) -> None:
    for line, call in planted["tool_name"]:
        if call.outcome == "fixed":
            assert call.resolved == line["intended_tool"]
            assert json.loads(call.after or "null") == line["intended"]
        else:
            assert (call.reason, call.resolved) == ("unknown-tool", call.tool)


def test_nothing_legal_is_touched(planted: dict[str, Planted]) -> None:
    legal = ("valid", "legal_json_text", "legal_empty", "D_optional", "N_extra_root")
    touched = [line for name in legal for line, call in planted[name] if call.after is not None]
    assert touched == []


def test_nothing_is_convicted(shared: Path, once: Once) -> None:
    report = _done(shared, once).report
    assert report.misfixes.probes > 0
    assert report.misfixes.count == 0
