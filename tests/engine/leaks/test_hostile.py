"""Hostile and random texts: linear, deterministic, never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.engine.leaks import SYNTAXES, Message, StructuredCall, detect
from toolfix_audit.engine.leaks.syntax import EXAMPLE_TOOLS, Syntax
from toolfix_audit.model.json import Json

MEGABYTE = 1_000_000
OPENERS = ["<tool_call>", '<tool_call>["', "<function=read><parameter=path>", "[", "`` ``` "]
UNITS = [
    *OPENERS, '<tool_call>{"name":"read","arguments":{', "<tool_call>[", "<function=read>",
    '<invoke name="read"><parameter name="path">', "</invoke>", "<read>\n<path>", "`", "```\n",
    "> ", "    x\n\n", "{", "[1,", '{"a":', "(", "read(", "<|tool_call>call:read{a:", "<", "\n",
    "x", " ",
    "<｜tool▁call▁begin｜>", "[TOOL_CALLS][", '<｜DSML｜invoke name="read">', "```tool_code\nread(",
    "commentary to=functions.read json{", "court\n", "<tool_call>read<arg_key>",
    '<tool_calls>{"name":"ping","arguments":{}}\n',
]  # fmt: skip
WORDS = [
    *UNITS, "</tool_call>", "</function>", "</parameter>", "<parameter=path>", "a", "ping", "read",
    '{"name":"ping","arguments":{}}', '{"name":"read","arguments":{"path":"a"}}', "}", "]", ")",
    "'", '"', "\\", "<tool_call|>", '<|"|>', "<arg_key>path</arg_key>", "<arg_value>a</arg_value>",
    "</arg_value>", "<function_calls>", "</function_calls>", "<|tool_call_begin|>functions.read:0",
    "<|tool_call_argument_begin|>", "<|tool_call_end|>", "\ud800", "path=", "None", ":", "</read>",
    "<path>", "</path>", "true", "1e999", "-0", "\x00", ",",
]  # fmt: skip


@pytest.mark.parametrize("unit", OPENERS)
def test_a_megabyte_of_one_thing_ends(unit: str) -> None:
    assert detect(Message(unit * (MEGABYTE // len(unit))), EXAMPLE_TOOLS).text


@pytest.mark.parametrize("lead", ["", "read(", "```json\n", '<tool_call>{"name":"read","x":"'])
@pytest.mark.parametrize("unit", UNITS)
def test_a_long_row_of_one_thing_ends(unit: str, lead: str) -> None:
    assert detect(Message(lead + unit * (50_000 // len(unit))), EXAMPLE_TOOLS).text


@pytest.mark.parametrize(
    "opener",
    [
        "<｜tool▁call▁begin｜>", "<|channel|>commentary to=functions.read",
        "commentary to=functions.read", "<|tool_call_begin|>", "<|tool_call_begin|>functions.read",
        "<tool_call>read", "<|python_tag|>", "[TOOL_CALLS]read", "```tool_code\n",
        "[tool_code:read{a:",
    ],
)  # fmt: skip
@pytest.mark.parametrize("close", ["x", "{", ""])
def test_a_long_row_of_line_ends_is_read_once(opener: str, close: str) -> None:
    detect(Message(opener + "\n" * 200_000 + close), EXAMPLE_TOOLS)


@pytest.mark.parametrize("syntax", SYNTAXES, ids=lambda syntax: syntax.name)
def test_a_long_row_of_leaks_ends(syntax: Syntax) -> None:
    for example in syntax.examples:
        if example.leaks:
            text = f"{example.text}\nand\n" * (20_000 // len(example.text))
            detect(Message(text), EXAMPLE_TOOLS)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_any_text_is_read_the_same_way_twice(text: str) -> None:
    message = Message(text, text[::-1], (StructuredCall(text[:20], text),))
    found = detect(message, EXAMPLE_TOOLS)
    assert detect(message, EXAMPLE_TOOLS) == found
    for channel in ("text", "reasoning"):
        end = 0
        for leak in found.leaks:
            if leak.channel == channel:
                assert end <= leak.start < leak.end <= len(text)
                end = leak.end
    for leak in found.leaks:
        assert all(call.name in EXAMPLE_TOOLS for call in leak.calls if leak.is_repairable)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_text_without_a_tools_name_leaks_nothing(text: str) -> None:
    tools: dict[str, Json] = {"a_name_that_no_text_holds": {}}
    assert detect(Message(text, text), tools).leaks == ()


@pytest.mark.parametrize("syntax", SYNTAXES, ids=lambda syntax: syntax.name)
def test_a_leak_cut_anywhere_never_becomes_another_call(syntax: Syntax) -> None:
    """A prefix of a leak is that leak's own calls from the first on, or is not repairable."""
    for example in syntax.examples:
        for end in range(len(example.text) if example.leaks else 0):
            for leak in detect(Message(example.text[:end]), EXAMPLE_TOOLS).leaks:
                calls = tuple((call.name, call.arguments) for call in leak.calls)
                assert not leak.is_repairable or calls == example.calls[: len(calls)]
