"""Host verdicts: a table of texts, and the verdicts of a real host."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from toolfix_audit.wire.host_verdict import UNFLAGGED, WORDINGS, host_verdict

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "host_verdict.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_case_of_the_table(case: dict[str, str]) -> None:
    fields = ("harness", "has_result", "is_error", "text", "code")
    arguments = {field: case[field] for field in fields}
    assert host_verdict(**arguments) == case["verdict"]  # type: ignore[arg-type]  # from a table


def test_the_table_reaches_every_verdict() -> None:
    assert set(Counter(case["verdict"] for case in CASES)) == {
        "rejected_arguments",
        "rejected_name",
        "accepted",
        "failed",
        "denied",
        "missing",
    }


def test_what_a_success_says_matters_for_the_unflagged_hosts_alone() -> None:
    names = {name for wording in WORDINGS for name in wording.harnesses} | {None, "unheard-of"}
    texts = {str(case["text"]) for case in CASES if case["text"]} | {
        "failed to parse function arguments: x",
        "Missing value for required parameter 'path'",
        "The arguments provided to the tool are invalid: x",
    }
    by_text = {
        name
        for name in names
        for text in texts
        for tool in ("read", "invalid")
        if host_verdict(name, True, False, text, None, tool=tool) != "accepted"
    }
    assert {"codex", "cline", "opencode"} <= by_text <= set(UNFLAGGED)


@pytest.mark.parametrize("text", ["required " * 200_000, "user " * 300_000, "a" * 5_000_000])
def test_long_texts_take_no_time(text: str) -> None:
    assert host_verdict(None, True, True, text, None) == "failed"
    assert host_verdict("dsh", True, True, text, None) == "failed"
