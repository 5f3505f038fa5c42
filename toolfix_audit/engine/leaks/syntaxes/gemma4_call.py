"""Gemma 4: unequal delimiters, bare keys, a token for quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.literals import LiteralError, read_braces
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, WrittenCall, find_blocks
from toolfix_audit.engine.leaks.words import Reason

_OPENER: Final = re.compile(r"<\|tool_call>\s*+call:(?P<name>[A-Za-z_][\w.-]{0,200})(?=\{)")
_CLOSER: Final = re.compile(r"\s*+<tool_call\|>")
_QUOTE: Final = '<|"|>'


def find(text: str) -> Iterator[Block]:
    """Calls between the delimiters."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    start, name = match.start(), match.group("name")
    try:
        arguments, end = read_braces(text, match.end(), _QUOTE)
    except LiteralError as error:
        cut = (WrittenCall(name, None),)
        return Block(start, len(text), cut, fault=Reason.UNTERMINATED) if error.is_cut else None
    closer = _CLOSER.match(text, end)
    calls = (WrittenCall(name, arguments),)
    if closer is None:
        return Block(start, end, calls, fault=Reason.UNTERMINATED)
    return Block(start, closer.end(), calls)


SYNTAX = Syntax(
    name="gemma4_call",
    summary='`<|tool_call>call:N{k:<|"|>s<|"|>,n:1}<tool_call|>`',
    source="Gemma 4 chat template; vLLM gemma4 parser",
    find=find,
    markers=("<|tool_call>", "<tool_call|>"),
    examples=(
        Example(
            "list and words",
            '<|tool_call>call:search{query:<|"|>a}<|"|>,tags:[<|"|>x<|"|>],deep:true}<tool_call|>',
            (("search", {"query": "a}", "tags": ["x"], "deep": True}),),
        ),
        Example(
            "cut",
            '<|tool_call>call:read{path:<|"|>src',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("delimiters alone", "<|tool_call><tool_call|>"),
        Example("bare words", "<|tool_call>call:read{path:src a}<tool_call|>"),
        Example("unknown tool", "<|tool_call>call:fetch{}<tool_call|>"),
        Example("never closed, prose", "<|tool_call>call:ping{} is the form."),
    ),
)
