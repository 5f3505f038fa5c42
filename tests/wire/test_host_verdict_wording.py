"""The wording of each host: what it writes, and what must not be taken for it."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.wire import host_verdict as package
from toolfix_audit.wire.host_verdict import WORDINGS, host_verdict
from toolfix_audit.wire.host_verdict.wording import Wording

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "host_wording.jsonl").read_text().splitlines()
]
RAN = ("accepted", "failed")
FAMILIES = {
    "valid": "right",
    "N_extra_root": "right",
    "C": "C",
    "G": "G",
    "stream_error": "stream_error",
}
REFUSALS = [case for case in CASES if case["verdict"] not in RAN and case["text"]]


def verdict(case: dict[str, Any], **changes: Any) -> str:
    fields = {**case, **changes}
    return host_verdict(
        fields["harness"],
        True,
        fields["is_error"],
        fields["text"],
        fields["code"],
        tool=fields["tool"],
    ).value


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_case(case: dict[str, Any]) -> None:
    assert verdict(case) == case["verdict"]


def test_twice_as_many_cases_are_no_refusal_in_every_group() -> None:
    refusals = Counter(case["group"] for case in CASES if case["verdict"] not in RAN)
    others = Counter(case["group"] for case in CASES if case["verdict"] in RAN)
    assert {group: count for group, count in refusals.items() if others[group] < 2 * count} == {}
    assert len(refusals) == 15


@pytest.mark.parametrize("case", REFUSALS, ids=[case["id"] for case in REFUSALS])
@pytest.mark.parametrize(
    "head",
    ["     1→", "Exit code 1\n", "Output:\n", "cat log.txt:\n", "Process exited with code 1\n"],
)
def test_a_refusal_that_a_tool_quotes_is_none(case: dict[str, Any], head: str) -> None:
    """Whatever printed it, and whether that is an error."""
    text = head + case["text"]
    assert verdict(case, text=text, is_error=False, code=None) == "accepted"
    if head == "Exit code 1\n":
        assert verdict(case, text=text, is_error=True, code=None) == "failed"


@pytest.mark.parametrize("case", REFUSALS, ids=[case["id"] for case in REFUSALS])
def test_a_host_that_marks_errors_is_believed(case: dict[str, Any]) -> None:
    if case["is_error"] and case["harness"] not in {"codex", "roo-code"}:
        assert verdict(case, is_error=False, code=None) == "accepted"


def test_the_verdicts_on_a_real_opencode(shared: Path) -> None:
    """Planted defects, of which the family says what became of each; `C` went both ways."""
    log = (shared / "corpora" / "opencode-host" / "truth.jsonl").read_text("utf-8")
    seen: Counter[tuple[str, str]] = Counter()
    for row in map(json.loads, log.splitlines()):
        is_error = row["status"] == "error"
        text = row["error"] if is_error else row["output"]
        tool = row["recorded_tool"]
        has_result = row["status"] in {"error", "completed"}
        verdict = host_verdict("opencode", has_result, is_error, text, None, tool=tool)
        seen[FAMILIES.get(row["family"], "wrong"), verdict.value] += 1
    assert seen == {
        ("right", "accepted"): 57,
        ("wrong", "rejected_arguments"): 28,
        ("C", "accepted"): 1,
        ("C", "failed"): 1,
        ("C", "rejected_arguments"): 1,
        ("G", "missing"): 1,
        ("stream_error", "failed"): 1,
    }


def test_without_a_tool_name_the_wording_alone_decides() -> None:
    assert host_verdict("pi", True, True, "Tool bash2 not found", None) == "rejected_name"


def test_every_module_of_a_host_is_in_the_registry() -> None:
    assert package.__file__
    found = [
        module.WORDING
        for path in sorted(Path(package.__file__).parent.glob("*.py"))
        if path.stem != "__init__"
        for module in [importlib.import_module(f"{package.__name__}.{path.stem}")]
        if hasattr(module, "WORDING")
    ]
    assert all(isinstance(wording, Wording) for wording in found)
    assert sorted(map(id, found)) == sorted(map(id, WORDINGS))
    names = [name for wording in WORDINGS for name in wording.harnesses]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "wording", [*WORDINGS, None], ids=lambda one: one.harnesses[0] if one else ""
)
@pytest.mark.parametrize(
    "text",
    [
        "Tool " * 100_000,
        '{"error":"' * 50_000,
        "(" * 500_000,
        "x " * 300_000,
        "MCP error " * 50_000,
    ],
)
def test_long_texts_take_no_time(wording: Wording | None, text: str) -> None:
    harness = wording.harnesses[0] if wording else None
    assert host_verdict(harness, True, True, text, None) == "failed"
    assert host_verdict(harness, True, False, text, None) == "accepted"
