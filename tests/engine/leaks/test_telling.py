"""The pattern that texts are searched by: no leak is ever passed over."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.engine.leaks import SYNTAXES, Message, StructuredCall, detect
from toolfix_audit.engine.leaks.cases import message_of
from toolfix_audit.engine.leaks.syntax import EXAMPLE_TOOLS
from toolfix_audit.engine.leaks.telling import TELLING, TELLING_CALL

BLANKS = ("", " \n", "\u00a0", "\u3000\t", "\x0b", "\x1f")
TEXTS = [(syntax.name, example.text) for syntax in SYNTAXES for example in syntax.examples]
CALL = StructuredCall("read", {"path": "a"})


@pytest.fixture(scope="module")
def searched() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def _matches(searched: duckdb.DuckDBPyConnection, text: str, pattern: str = TELLING) -> bool:
    row = searched.execute("SELECT regexp_matches(?, ?)", [text, pattern]).fetchone()
    return bool(row and row[0])


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_every_example_of_a_leak_is_found(
    searched: duckdb.DuckDBPyConnection, name: str, text: str
) -> None:
    for blank in BLANKS:
        whole = f"{blank}{text}{blank}"
        message = Message(whole, calls=(CALL,))
        if detect(Message(whole), EXAMPLE_TOOLS).leaks or detect(message, EXAMPLE_TOOLS).leaks:
            assert _matches(searched, whole), name


def test_every_case_of_a_leak_is_found(searched: duckdb.DuckDBPyConnection, shared: Path) -> None:
    leaks = 0
    for line in (shared / "cases" / "streams.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if not case["family"].startswith("G") or not case["expected"]["leak"]:
            continue
        message, tools = message_of(case["input"]["message"]), case["input"]["tools"]
        texts = [text for text in (message.text, message.reasoning) if text]
        if detect(Message(message.text, message.reasoning), tools).leaks:
            leaks += 1
            assert any(_matches(searched, text) for text in texts), case["id"]
        for call in message.calls:
            if detect(Message(calls=(call,)), tools).leaks:
                told = f"{call.name} {json.dumps(call.arguments)}"
                assert _matches(searched, told, TELLING_CALL), case["id"]
    assert leaks


@pytest.mark.parametrize("marker", sorted({one for syntax in SYNTAXES for one in syntax.markers}))
def test_every_marker_is_found_even_cut(searched: duckdb.DuckDBPyConnection, marker: str) -> None:
    for size in range(4, len(marker) + 1):
        text = f"Now this. {marker[:size]}"
        if detect(Message(text, calls=(CALL,)), EXAMPLE_TOOLS).leaks:
            assert _matches(searched, text)


PIECES = st.sampled_from(
    ["<tool_call>", "</tool_call>", "```", "\n", " ", "read", "(", ")", "{", "}", '"path": "a"',
     "<read>", "</read>", "<path>a</path>", 'path="a"', "<|python_tag|>", "[TOOL_CALLS]", "~~~",
     '{"name": "read", "arguments": {"path": "a"}}', "to=functions.read", "commentary", "\u00a0",
     "json", "</s>", "words"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=8).map("".join))
def test_what_is_not_found_holds_no_leak(text: str) -> None:
    found = detect(Message(text, calls=(CALL,)), EXAMPLE_TOOLS).leaks
    if found or detect(Message(text), EXAMPLE_TOOLS).leaks:
        assert _matches(duckdb.default_connection(), text)


@pytest.mark.parametrize(
    "text",
    [
        "All tests pass.",
        "I read src/main.py (line 4) and saw `x < y`.",
        "Done: {a, b}.",
        "- one\n- two",
    ],
)
def test_plain_words_are_not_looked_at(searched: duckdb.DuckDBPyConnection, text: str) -> None:
    assert not _matches(searched, text)
