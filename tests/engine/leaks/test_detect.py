"""Leaked calls: the syntaxes' own examples, handed cases, real logs, hostile texts."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.engine.leaks import SYNTAXES, Leak, Message, detect, syntaxes
from toolfix_audit.engine.leaks.cases import leak_fault
from toolfix_audit.engine.leaks.syntax import EXAMPLE_TOOLS, Example, Syntax
from toolfix_audit.logs.detect import detect as detect_log
from toolfix_audit.logs.sources import find_logs
from toolfix_audit.model.json import Json, parse_json, same_json
from toolfix_audit.model.records import AssistantText, Call, ToolCatalog

EXAMPLES = [
    pytest.param(syntax, example, id=f"{syntax.name}-{number}")
    for syntax in SYNTAXES
    for number, example in enumerate(syntax.examples)
]


@pytest.mark.parametrize(("syntax", "example"), EXAMPLES)
def test_an_example_is_what_it_says(syntax: Syntax, example: Example) -> None:
    found = detect(Message(text=example.text), EXAMPLE_TOOLS)
    calls = [(call.name, call.arguments) for leak in found.leaks for call in leak.calls]
    assert [name for name, _ in calls] == [name for name, _ in example.calls]
    assert all(
        same_json(left, right) for (_, left), (_, right) in zip(calls, example.calls, strict=True)
    )
    if example.leaks:
        assert found.leaks[0].syntax == syntax.name
        assert found.leaks[0].reason == example.reason


@pytest.mark.parametrize("syntax", SYNTAXES, ids=lambda syntax: str(syntax.name))
def test_twice_as_many_examples_are_none(syntax: Syntax) -> None:
    leaks = sum(example.leaks for example in syntax.examples)
    assert leaks >= 1
    assert len(syntax.examples) - leaks >= 2 * leaks


def test_every_module_is_registered_once() -> None:
    modules = [one.name for one in pkgutil.iter_modules(syntaxes.__path__)]
    found = [
        value
        for name in modules
        for value in vars(importlib.import_module(f"{syntaxes.__name__}.{name}")).values()
        if isinstance(value, Syntax)
    ]
    assert {id(one) for one in found} == {id(one) for one in SYNTAXES}
    assert len({one.name for one in SYNTAXES}) == len(SYNTAXES)


def test_the_handed_cases_are_right(shared: Path) -> None:
    lines = (shared / "cases/streams.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for line in lines if (case := parse_json(line)) and isinstance(case, dict)]
    leaks = [case for case in cases if case.get("family") == "G"]
    assert len(leaks) > 20
    for case in leaks:
        expected = case["expected"]
        assert isinstance(expected, dict)
        assert leak_fault(case, expected) is None, case["id"]


def _leaks_of(folder: Path) -> Iterator[tuple[str, str, Leak]]:
    """The leaks in the texts of real logs: session, text, leak. Where a log declares no tools,
    those that the session calls are known, with any arguments."""
    for file in find_logs([str(folder)]):
        reader = detect_log(file).reader
        records = (
            [record for unit in reader.read(file) for record in unit.records] if reader else []
        )
        tools: dict[str, dict[str, Json]] = defaultdict(dict)
        for record in records:
            if isinstance(record, Call):
                tools[record.session].setdefault(record.tool, {})
            elif isinstance(record, ToolCatalog):
                for tool in record.tools:
                    schema = parse_json(tool.schema) if tool.schema else {}
                    tools[record.session][tool.name] = schema
        for record in records:
            if isinstance(record, AssistantText):
                message = (
                    Message(reasoning=record.text)
                    if record.reasoning
                    else Message(text=record.text)
                )
                for leak in detect(message, tools[record.session]).leaks:
                    yield record.session, record.text, leak


@pytest.mark.parametrize(
    "corpus",
    ["claude-code", "codex", "pi", "openhands", "tau-bench", "inspect-ai", "cline"],
)
def test_no_leak_in_real_sessions_without_any(corpus: str, shared: Path) -> None:
    assert list(_leaks_of(shared / "corpora" / corpus)) == []


def test_the_planted_leaks_and_nothing_else(shared: Path) -> None:
    folder = shared / "corpora/dsh-host"
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    planted = [row for line in lines if (row := json.loads(line))["family"] == "G"]
    found = list(_leaks_of(folder / "sessions"))
    assert len(found) == len(planted) == 9
    assert sorted((session, leak.name) for session, _, leak in found) == sorted(
        (row["session"], row["tool"]) for row in planted
    )
    wanted = {(row["session"], row["emitted_text"].strip()): row["intended"] for row in planted}
    for session, text, leak in found:
        intended = wanted[session, text[leak.start : leak.end].strip()]
        assert leak.is_repairable
        assert same_json(leak.arguments, intended)


MARKS = st.sampled_from(
    [
        *("<tool_call>", "</tool_call>", "<function=", ">", "</function>", "<parameter=path>"),
        *("{", "}", '"name":', '"read"', "[", "]", "```", "\n", "<|tool▁call▁begin|>", "<invoke"),
        *("read(", "a"),
    ]
)


@given(st.lists(MARKS | st.text(max_size=5), max_size=60))
def test_no_text_raises_and_places_lie_in_it(parts: list[str]) -> None:
    text = "".join(parts)
    found = detect(Message(text=text), EXAMPLE_TOOLS)
    assert found == detect(Message(text=text), EXAMPLE_TOOLS)
    places = [(one.start, one.end) for one in found.leaks]
    places += [(one.start, one.end) for one in found.refusals]
    assert all(0 <= start <= end <= len(text) for start, end in places)
    if not found.leaks:
        assert found.text == text


@pytest.mark.parametrize(
    "part",
    [
        *(
            "<tool_call>",
            "<function=read>",
            "{",
            "[",
            '{"name": "read", ',
            "```\n",
            "<invoke name=",
        ),
        *("<|tool▁calls▁begin|>", "[TOOL_CALLS]", "read(", "<read>", "<parameter=x>"),
        "to=functions.",
    ],
)
def test_a_hundred_thousand_openers_end(part: str) -> None:
    assert detect(Message(text=part * 100_000), EXAMPLE_TOOLS).leaks == ()


def test_without_tools_nothing_is_a_leak() -> None:
    text = next(one.text for syntax in SYNTAXES for one in syntax.examples if one.leaks)
    assert detect(Message(text=text), {}).leaks == ()
    assert detect(Message(text=text), EXAMPLE_TOOLS, may_call=False).leaks == ()
