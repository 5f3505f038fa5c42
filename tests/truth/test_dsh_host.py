"""Logs of a real harness against what was planted in them, call by call (families A to D)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .audited import Audit, Audited, audit, counted, same
from .conftest import Once

LEGAL = ("valid", "legal_json_text", "legal_empty")


@dataclass(frozen=True, slots=True)
class Host:
    """The audit beside the truth; `by_place` are the model's own calls."""

    audit: Audit
    truth: list[dict[str, Any]]
    by_place: dict[tuple[str, int], Audited]

    def of(self, *families: str) -> list[tuple[dict[str, Any], Audited]]:
        """The recorded calls of planted families, truth and outcome."""
        return [
            (line, self.by_place[line["session"], line["call_seq"]])
            for line in self.truth
            if line["family"] in families and line.get("call_seq") is not None
        ]


@pytest.fixture(scope="module")
def host(shared: Path, once: Once) -> Host:
    folder = shared / "corpora" / "dsh-host"
    done, _ = once("dsh-host", lambda _: audit([folder / "sessions"]))
    with (folder / "truth.jsonl").open(encoding="utf-8") as lines:
        truth = [json.loads(line) for line in lines]
    places = {
        (call.session, call.event): call
        for call in done.calls
        if call.event is not None and not call.dispatched
    }
    return Host(done, truth, places)


def test_the_truth_has_the_counts_of_its_readme(host: Host) -> None:
    families = Counter(line["family"] for line in host.truth)
    assert len(host.truth) == 3_996
    assert families == {
        "valid": 3_462, "legal_json_text": 116, "legal_empty": 128, "A": 103, "B": 18, "C": 5,
        "D": 7, "E": 10, "F": 17, "D_optional": 13, "omission": 24, "empty": 11,
        "empty_wrapped": 1, "invalid_json": 13, "truncated": 11, "wrong_root": 2, "tool_name": 14,
        "N_null_optional": 2, "N_enum": 6, "N_extra_root": 6, "N_extra_nested": 4,
        "N_number_for_string": 2, "A_inner": 2, "D_inner": 2, "G": 9, "stream_error": 6,
        "premature_stop": 2,
    }  # fmt: skip


def test_every_call_is_there_once(host: Host) -> None:
    report = host.audit.report
    assert len(host.audit.calls) == report.corpus.calls == 4_000
    assert report.corpus.sources == 52
    assert report.corpus.duplicates == 12
    assert report.corpus.unreadable == 0
    recorded = [line for line in host.truth if line.get("call_seq") is not None]
    assert len(recorded) == len(host.by_place) == 3_978
    for line in recorded:
        call = host.by_place[line["session"], line["call_seq"]]
        assert (call.call_id, call.tool) == (line["call_id"], line["tool"])
        text = line["recorded_args"] or line["emitted_args"]
        assert call.arguments == text
    assert sum(call.dispatched for call in host.audit.calls) == 22


def test_outcomes_in_all(host: Host) -> None:
    expected = {"valid": 3_767, "swallowed": 4, "fixed": 109, "untouched": 120}
    assert host.audit.outcomes == expected
    assert host.audit.report.outcomes == {**expected, "still_failing": 0, "unjudged": 0}


@pytest.mark.parametrize("family", LEGAL)
def test_what_was_planted_legal_is_never_touched(host: Host, family: str) -> None:
    touched = [line for line, call in host.of(family) if call.after is not None]
    assert touched == []
    assert {call.outcome for _, call in host.of(family)} <= {"valid", "untouched"}


def test_family_a(host: Host) -> None:
    calls = host.of("A")
    outcomes = Counter(call.outcome for _, call in calls)
    assert outcomes == {"fixed": 93, "swallowed": 2, "valid": 7, "untouched": 1}
    changed = [(line, call) for line, call in calls if call.after is not None]
    assert [line for line, call in changed if not call.has_fixed(line["intended"])] == []
    assert all(call.families == ("A",) for _, call in changed)
    kept = [call for _, call in calls if call.outcome == "valid"]
    assert all("wrapper-kept" in call.suspicions for call in kept)


def test_family_b(host: Host) -> None:
    calls = host.of("B")
    outcomes = Counter(call.outcome for _, call in calls)
    assert outcomes == {"fixed": 5, "valid": 13}
    fixed = [(line, call) for line, call in calls if call.outcome == "fixed"]
    other = [(line, call) for line, call in fixed if not call.has_fixed(line["intended"])]
    assert len(other) == 1
    ((line, call),) = other
    assert line["tool"] == "subagent_fork"
    assert same(call.result, json.loads(line["emitted_args"])["args"])
    kept = [call for _, call in calls if call.outcome == "valid"]
    assert all("wrapper-kept" in call.suspicions for call in kept)


def test_family_c(host: Host) -> None:
    calls = host.of("C")
    assert Counter(call.outcome for _, call in calls) == {"fixed": 3, "valid": 2}
    fixed = [(line, call) for line, call in calls if call.outcome == "fixed"]
    other = [(line, call) for line, call in fixed if not call.has_fixed(line["intended"])]
    assert len(other) == 1
    ((line, call),) = other
    reason = json.loads(line["emitted_args"])["reason"]
    assert same(call.result, {**line["intended"], "reason": reason})
    assert all(call.families == ("C",) for _, call in fixed)


def test_family_d(host: Host) -> None:
    calls = host.of("D")
    assert counted(call for _, call in calls) == {
        ("fixed", None): 4,
        ("untouched", "unrelated-key"): 3,
    }
    fixed = [(line, call) for line, call in calls if call.outcome == "fixed"]
    assert all(call.has_fixed(line["intended"]) for line, call in fixed)
    assert all(call.families == ("D",) for _, call in fixed)


def test_an_alias_of_an_optional_key_is_valid(host: Host) -> None:
    calls = host.of("D_optional")
    assert Counter(call.outcome for _, call in calls) == {"valid": 13}
    assert sum("ignored-key" in call.suspicions for _, call in calls) == 1


def test_calls_of_other_families_are_not_changed(host: Host) -> None:
    planted = {line["family"] for line in host.truth} - {"A", "B", "C", "D"}
    changed = [line for line, call in host.of(*planted) if call.after is not None]
    assert changed == []


def test_reasons_of_what_stays(host: Host) -> None:
    wanted = {
        "empty": {"empty-arguments"},
        "empty_wrapped": {"empty-arguments"},
        "wrong_root": {"other"},
        "tool_name": {"unknown-tool"},
        "N_null_optional": {"other"},
        "N_enum": {"other"},
        "N_number_for_string": {"other"},
    }
    for family, reasons in wanted.items():
        left = [call for _, call in host.of(family) if call.outcome == "untouched"]
        assert left, family
        assert {call.reason for call in left} == reasons, family


def test_code_dispatch(host: Host) -> None:
    """The same eleven calls twice: once the header in force has their schemas, once it has not,
    and the catalogue that ships for the harness stands in."""
    calls = [call for call in host.audit.calls if call.dispatched]
    outcomes = Counter(call.outcome for call in calls)
    assert outcomes == {"valid": 2 * 8, "fixed": 2 * 2, "swallowed": 2 * 1}
    assert host.audit.report.schemas["catalogue"] == 11


def _is_mcp(call: Audited) -> bool:
    return call.tool.startswith("mcp__")


def test_the_judge_agrees_with_the_host_on_native_tools(host: Host) -> None:
    rejected = {
        (line["session"], line["call_seq"])
        for line in host.truth
        if line["host"] == "rejected_args"
    }
    native = {
        place: call
        for place, call in host.by_place.items()
        if not _is_mcp(call) and call.reason != "unknown-tool"
    }
    violated = {place for place, call in native.items() if call.violations}
    assert violated == rejected
    assert (len(violated), len(native) - len(violated)) == (201, 3_723)


def test_the_host_verdict_is_read_as_it_was(host: Host) -> None:
    names = {
        "accepted": "accepted",
        "accepted_then_failed": "failed",
        "rejected_args": "rejected_arguments",
        "rejected_unknown_tool": "rejected_name",
    }
    recorded = [line for line in host.truth if line.get("call_seq") is not None]
    told = {
        (line["session"], line["call_seq"]): names[line["host"]]
        for line in recorded
        if line["host"] in names
    }
    wrong = {place for place, verdict in told.items() if host.by_place[place].host != verdict}
    assert wrong == set()


def test_the_host_does_not_validate_mcp_calls(host: Host) -> None:
    known = [call for call in host.by_place.values() if call.reason != "unknown-tool"]
    calls = [call for call in known if _is_mcp(call)]
    violated = [call for call in calls if call.violations]
    assert (len(calls), len(violated)) == (40, 10)
    assert {call.host for call in violated} == {"accepted"}


def test_unknown_tools(host: Host) -> None:
    unknown = [call for call in host.audit.calls if call.reason == "unknown-tool"]
    assert len(unknown) == 14
    assert {call.host for call in unknown} == {"rejected_name"}


def test_no_change_is_convicted(host: Host) -> None:
    misfixes = host.audit.report.misfixes
    assert [(one.tool, one.kind, one.detail) for one in misfixes.examples] == []
    assert misfixes.count == 0
    assert misfixes.probes > 0
    assert host.audit.report.verdict.status == "pass"
