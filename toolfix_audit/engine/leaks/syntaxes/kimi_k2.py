"""Kimi K2: sections of special tokens, the name inside a call id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.named_json import Shape, read_run
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Reason

_SHAPE: Final = Shape(
    opener=re.compile(
        r"(?:<\|tool_calls_section_begin\|>\s*+)?<\|tool_call_begin\|>\s*+"
        r"(?:functions\.)?(?P<name>[\w./-]{1,200}?)(?::\d{1,9})?\s*+<\|tool_call_argument_begin\|>"
    ),
    closer=re.compile(r"<\|tool_call_end\|>"),
    end=re.compile(r"<\|tool_calls_section_end\|>"),
)


def find(text: str) -> Iterator[Block]:
    """Sections, or calls whose section tokens are gone."""
    return find_blocks(text, _SHAPE.opener, lambda text, match: read_run(text, match, _SHAPE))


SYNTAX = Syntax(
    name="kimi_k2",
    summary="`<|tool_call_begin|>functions.N:0<|tool_call_argument_begin|>{}<|tool_call_end|>`",
    source="Kimi K2 chat template; vLLM kimi_k2 parser",
    find=find,
    markers=(
        "<|tool_calls_section_begin|>",
        "<|tool_calls_section_end|>",
        "<|tool_call_begin|>",
        "<|tool_call_argument_begin|>",
        "<|tool_call_end|>",
    ),
    examples=(
        Example(
            "section of two",
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0"
            '<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_call_begin|>'
            "functions.ping:1<|tool_call_argument_begin|>{}<|tool_call_end|>"
            "<|tool_calls_section_end|>",
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example(
            "cut",
            '<|tool_call_begin|>functions.read:3<|tool_call_argument_begin|>{"path": "sr',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example(
            "unknown tool",
            "<|tool_call_begin|>functions.fetch:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
        ),
        Example("one token", "The token <|tool_call_begin|> opens a call."),
        Example(
            "no JSON",
            "<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>a<|tool_call_end|>",
        ),
        Example("an id in prose", "It was functions.read:0 that failed."),
    ),
)
