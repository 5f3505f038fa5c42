"""Hermes and Qwen 2.5: a JSON object between `<tool_call>` tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, cut_name, read_body
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, WrittenCall, find_blocks
from toolfix_audit.engine.leaks.words import Reason

_OPENER: Final = re.compile(r"<(tool_call|function_call)>\s*+(?=\{)")
_TAIL: Final = re.compile(r"\s*+([}\]]*+)\s*+")


def find(text: str) -> Iterator[Block]:
    """Blocks of one object or several; the end is looked for behind the JSON, not inside."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    start, position, closer = match.start(), match.end(), f"</{match.group(1)}>"
    calls: list[WrittenCall] = []
    while (body := read_body(text, position)) is not None:
        if body.is_cut:
            name = cut_name(text, position)
            cut = (WrittenCall(name, None),) if name else ()
            calls.extend(cut)
            fault = Reason.UNTERMINATED
            return Block(start, body.end, tuple(calls), fault=fault) if cut else None
        found = calls_in(body.value) if isinstance(body.value, dict) else ()
        if not found:
            return None
        calls.extend(found)
        position = body.end
    if not calls:
        return None
    end = text.find("<", position)
    tail = _TAIL.fullmatch(text, position, end) if end >= 0 else None
    if tail is None or not text.startswith(closer, end):
        return Block(start, position, tuple(calls), fault=Reason.UNTERMINATED)
    strays = (tail.group(1),) if tail.group(1) else ()
    return Block(start, end + len(closer), tuple(calls), strays=strays)


SYNTAX = Syntax(
    name="hermes_json",
    summary="`<tool_call>{name, arguments}</tool_call>`",
    source="vLLM hermes parser; Qwen 2.5 chat template",
    find=find,
    markers=("<tool_call>", "</tool_call>"),
    examples=(
        Example(
            "after prose",
            'On it.\n<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>',
            (("read", {"path": "a.txt"}),),
        ),
        Example(
            "raw line end in a string, and a brace too many",
            '<tool_call>{"name":"read","arguments":{"path":"a\nb"}}}</tool_call>',
            (("read", {"path": "a\nb"}),),
        ),
        Example(
            "cut",
            '<tool_call>\n{"name": "write", "arguments": {"path": "a", "content": "on',
            (("write", None),),
            Reason.UNTERMINATED,
        ),
        Example(
            "required argument left out",
            '<tool_call>{"name": "read", "arguments": {}}</tool_call>',
            (("read", {}),),
            Reason.INVALID_ARGUMENTS,
        ),
        Example("tool of another", '<tool_call>{"name":"format","arguments":{}}</tool_call>'),
        Example("the tags alone", "Put the object between <tool_call> and </tool_call>."),
        Example(
            "in a sentence",
            'It prints <tool_call>{"name":"ping","arguments":{}}</tool_call> and stops.',
        ),
        Example("no call inside", '<tool_call>{"path": "a.txt"}</tool_call>'),
        Example("a list of numbers", "<tool_call>[1, 2]</tool_call>"),
        Example("not JSON", "<tool_call>{read the file a.txt}</tool_call>"),
        Example(
            "declaration",
            '<tool_call>{"name":"read","parameters":{"type":"object","properties":{}}}</tool_call>',
        ),
        Example(
            "placeholder values",
            '<tool_call>{"name":"read","arguments":{"path":"..."}}</tool_call>',
        ),
        Example(
            "never closed, and prose after it",
            '<tool_call>{"name":"read","arguments":{"path":"a"}}\nis how it begins.',
        ),
    ),
)
