"""Llama 3.x: JSON behind the python tag."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, cut_name, read_body
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, WrittenCall, find_blocks
from toolfix_audit.engine.leaks.words import Place, Reason

_OPENER: Final = re.compile(r"<\|python_tag\|>\s*+(?=[{\[])")
_NEXT: Final = re.compile(r"\s*+(?:;|<\|python_tag\|>)\s*+(?=\{)")


def find(text: str) -> Iterator[Block]:
    """Calls behind the tag, several with semicolons between them; they must end the message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    calls: list[WrittenCall] = []
    position, following = match.end(), _NEXT.match(text, match.end())
    while True:
        body = read_body(text, position)
        name = cut_name(text, position) if body is not None and body.is_cut else None
        if body is not None and name is not None:
            calls.append(WrittenCall(name, None))
            fault = Reason.UNTERMINATED
            return Block(match.start(), body.end, tuple(calls), Place.TERMINAL, fault)
        found = calls_in(body.value) if body is not None else ()
        if body is None or not found:
            return None
        calls.extend(found)
        following = _NEXT.match(text, body.end)
        if following is None:
            return Block(match.start(), body.end, tuple(calls), Place.TERMINAL)
        position = following.end()


SYNTAX = Syntax(
    name="llama3_json",
    summary="`<|python_tag|>{name, parameters}`",
    source="Llama 3.1 prompt format; vLLM llama3_json parser",
    find=find,
    markers=("<|python_tag|>",),
    examples=(
        Example(
            "two",
            '<|python_tag|>{"name": "read", "parameters": {"path": "a"}}; '
            '{"name": "ping", "parameters": {}}<|eom_id|>',
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example(
            "cut",
            '<|python_tag|>{"name": "read", "parameters": {"pa',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("code", "<|python_tag|>print(1)"),
        Example("data", '<|python_tag|>{"path": "a"}'),
        Example("unknown tool", '<|python_tag|>{"name": "fetch", "parameters": {}}'),
        Example("prose after", '<|python_tag|>{"name": "ping", "parameters": {}} is a call.'),
    ),
)
