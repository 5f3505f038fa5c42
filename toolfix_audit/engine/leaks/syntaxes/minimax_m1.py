"""MiniMax M1: one JSON object a line between `<tool_calls>` tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, cut_name, read_body
from toolfix_audit.engine.leaks.syntax import (
    Block,
    Example,
    Syntax,
    WrittenCall,
    find_blocks,
    skip_blank,
)
from toolfix_audit.engine.leaks.words import Reason

_OPENER: Final = re.compile(r"<tool_calls>\s*+(?=\{)")
_CLOSER: Final = "</tool_calls>"


def find(text: str) -> Iterator[Block]:
    """Blocks of one object or several."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    calls: list[WrittenCall] = []
    position = match.end()
    while (body := read_body(text, position)) is not None:
        name = cut_name(text, position) if body.is_cut else None
        found = (WrittenCall(name, None),) if name else calls_in(body.value, strict=True)
        if not found:
            return None
        calls.extend(found)
        position = body.end
        if body.is_cut:
            break
    position = skip_blank(text, position)
    if not calls:
        return None
    if text.startswith(_CLOSER, position):
        return Block(match.start(), position + len(_CLOSER), tuple(calls))
    return Block(match.start(), position, tuple(calls), fault=Reason.UNTERMINATED)


SYNTAX = Syntax(
    name="minimax_m1",
    summary="`<tool_calls>` and one `{name, arguments}` a line",
    source="MiniMax M1 function call guide; vLLM minimax parser",
    find=find,
    markers=("<tool_calls>", "</tool_calls>"),
    examples=(
        Example(
            "two",
            '<tool_calls>\n{"name": "read", "arguments": {"path": "a"}}\n'
            '{"name": "ping", "arguments": {}}\n</tool_calls>',
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example(
            "not closed",
            '<tool_calls>\n{"name": "read", "arguments": {"path": "a"}}\n',
            (("read", {"path": "a"}),),
            Reason.UNTERMINATED,
        ),
        Example("empty", "<tool_calls></tool_calls>"),
        Example("data", '<tool_calls>\n{"count": 2}\n</tool_calls>'),
        Example("unknown tool", '<tool_calls>{"name":"fetch","arguments":{}}</tool_calls>'),
        Example("in a sentence", 'So <tool_calls>{"name":"ping","arguments":{}}</tool_calls> is.'),
    ),
)
