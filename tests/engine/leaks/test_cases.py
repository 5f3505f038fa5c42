"""The handed cases of family G, and that a case which is not met is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolfix_audit.engine.leaks.cases import leak_fault, message_of
from toolfix_audit.model.json import Json, parse_json

CALL = '<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>'
READ: dict[str, Json] = {"read": {"type": "object", "required": ["path"]}}


def _case(text: str, **more: Json) -> dict[str, Json]:
    return {"input": {"message": {"role": "assistant", "content": text}, "tools": READ, **more}}


def test_every_handed_case_is_right(shared: Path) -> None:
    lines = (shared / "cases" / "streams.jsonl").read_text(encoding="utf-8").splitlines()
    faults: dict[str, str] = {}
    seen = 0
    for line in lines:
        case = parse_json(line)
        assert isinstance(case, dict)
        if case["family"] != "G":
            continue
        expected = case["expected"]
        assert isinstance(expected, dict)
        seen += 1
        fault = leak_fault(case, expected)
        if fault is not None:
            faults[str(case["id"])] = fault
    assert faults == {}
    assert seen == 42


WRONG: list[dict[str, Json]] = [
    {"leak": False},
    {"leak": True, "name": "write"},
    {"leak": True, "arguments": {"path": "b"}},
    {"leak": True, "syntax": "bare_json"},
    {"leak": True, "kind": "residue_only"},
    {"leak": True, "channel": "reasoning"},
    {"leak": True, "repairable": False},
    {"leak": True, "reason": "unterminated"},
    {"leak": True, "residual_text": "Now."},
    {"leak": True, "stray_token": "call"},
    {"leak": True, "stripped": ["</tool_call>"]},
    {"leak": True, "strip": "x"},
    {"leak": True, "calls": []},
    {"leak": True, "calls_added": 2},
    {"leak": True, "whole_message": False},
    {"leak": True, "needs_registry": True},
    {"leak": True, "repair_note": "a brace was added"},
]


@pytest.mark.parametrize("expected", WRONG, ids=lambda expected: [*expected][-1])
def test_a_wrong_expectation_is_told(expected: dict[str, Json]) -> None:
    fault = leak_fault(_case(CALL), expected)
    assert fault is not None
    assert [*expected][-1] in fault


def test_a_right_expectation_has_no_fault() -> None:
    expected: dict[str, Json] = {
        "leak": True, "name": "read", "arguments": {"path": "a"}, "syntax": "hermes_json",
        "kind": "leaked_call", "channel": "text", "repairable": True, "reason": None,
        "residual_text": "", "stray_token": None, "stripped": [], "calls_added": 1,
        "calls": [{"name": "read", "arguments": {"path": "a"}}], "whole_message": True,
        "needs_registry": False,
    }  # fmt: skip
    assert leak_fault(_case(CALL), expected) is None


def test_a_request_that_forbids_calls_has_no_leak() -> None:
    assert leak_fault(_case(CALL, tool_choice="none"), {"leak": False}) is None


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"input": 1},
        {"input": {"tools": READ}},
        {"input": {"message": {}, "tools": []}},
        {"input": {"message": "text", "tools": READ}},
    ],
)
def test_what_is_no_case_is_refused(case: dict[str, Json]) -> None:
    with pytest.raises((KeyError, TypeError)):
        leak_fault(case, {"leak": False})


def test_an_unknown_expectation_is_refused() -> None:
    with pytest.raises(KeyError):
        leak_fault(_case(CALL), {"leak": True, "colour": "red"})


def test_messages_of_both_apis() -> None:
    blocks: Json = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "one"},
        {"type": "text", "text": "two"},
        {"type": "tool_use", "id": "t", "name": "read", "input": {"path": "a"}},
    ]
    message = message_of({"role": "assistant", "content": blocks})
    assert (message.text, message.reasoning) == ("one\ntwo", "hm")
    assert [(call.name, call.arguments) for call in message.calls] == [("read", {"path": "a"})]
    plain = message_of(
        {
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [{"function": {"name": "read", "arguments": "{}"}}],
        }
    )
    assert (plain.text, plain.reasoning) == ("", "hm")
    assert [(call.name, call.arguments) for call in plain.calls] == [("read", "{}")]
