"""Mistral before tokenizer v11: a marker and a JSON array of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, cut_name, read_body
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, WrittenCall, find_blocks
from toolfix_audit.engine.leaks.words import Reason

_OPENER: Final = re.compile(r"\[TOOL_CALLS\]\s*+(?=\[)")


def find(text: str) -> Iterator[Block]:
    """Arrays behind the marker; the array's own end is the end."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    body = read_body(text, match.end())
    if body is None:
        return None
    if body.is_cut:
        name = cut_name(text, match.end())
        calls: tuple[WrittenCall, ...] = (WrittenCall(name, None),) if name else ()
        fault: Reason | None = Reason.UNTERMINATED
    else:
        calls, fault = calls_in(body.value, strict=True), None
    return Block(match.start(), body.end, calls, fault=fault) if calls else None


SYNTAX = Syntax(
    name="mistral_array",
    summary="`[TOOL_CALLS][{name, arguments}]`",
    source="Mistral tokenizers before v11; vLLM mistral parser",
    find=find,
    markers=("[TOOL_CALLS]",),
    examples=(
        Example(
            "two",
            '[TOOL_CALLS][{"name":"read","arguments":{"path":"a"}},{"name":"ping","arguments":{}}]',
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example(
            "cut",
            '[TOOL_CALLS] [{"name": "read", "arguments": {"path": "a',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("marker alone", "[TOOL_CALLS]"),
        Example("other array", "[TOOL_CALLS][1, 2, 3]"),
        Example("empty array", "[TOOL_CALLS][]"),
        Example("unknown tool", '[TOOL_CALLS][{"name":"fetch","arguments":{}}]'),
    ),
)
