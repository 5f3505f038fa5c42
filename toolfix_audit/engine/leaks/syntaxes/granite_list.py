"""Granite 3: a token and a JSON list, and no closer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, cut_name, read_body
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, WrittenCall, find_blocks
from toolfix_audit.engine.leaks.words import Place, Reason

_OPENER: Final = re.compile(r"(?:<\|tool_call\|>|<tool_call>)\s*+(?=\[)")
_CLOSER: Final = re.compile(r"\s*+</tool_call>")


def find(text: str) -> Iterator[Block]:
    """Lists behind the token; they must end the message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    body = read_body(text, match.end())
    if body is None:
        return None
    name = cut_name(text, match.end()) if body.is_cut else None
    if name is not None:
        cut = (WrittenCall(name, None),)
        return Block(match.start(), body.end, cut, Place.TERMINAL, Reason.UNTERMINATED)
    calls = () if body.is_cut else calls_in(body.value, strict=True)
    if not calls:
        return None
    closer = _CLOSER.match(text, body.end)
    return Block(match.start(), closer.end() if closer else body.end, calls, Place.TERMINAL)


SYNTAX = Syntax(
    name="granite_list",
    summary="`<|tool_call|>[{name, arguments}]`",
    source="Granite 3 chat templates; vLLM granite parser",
    find=find,
    markers=("<|tool_call|>",),
    examples=(
        Example(
            "two",
            '<|tool_call|>[{"name":"read","arguments":{"path":"a"}},{"name":"ping","arguments":{}}]',
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example(
            "cut",
            '<tool_call>[{"name": "read", "arguments": {"path": "a',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("an object", '<|tool_call|>{"path": "a"}'),
        Example("empty", "<|tool_call|>[]"),
        Example("unknown tool", '<|tool_call|>[{"name":"fetch","arguments":{}}]'),
        Example("prose after", '<|tool_call|>[{"name":"ping","arguments":{}}] is the form.'),
    ),
)
