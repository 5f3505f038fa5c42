"""Llama 3.x and small local models: the message is one fence with one call in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, read_body
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks, skip_blank
from toolfix_audit.engine.leaks.words import Place

_OPENER: Final = re.compile(r"\A\s*+(?P<fence>```+)(?:json)?[ \t]*\n\s*+(?=\{)")


def find(text: str) -> Iterator[Block]:
    """The one block that is the whole message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    body = read_body(text, match.end())
    calls = () if body is None or body.is_cut else calls_in(body.value, strict=True)
    if body is None or not calls:
        return None
    end = skip_blank(text, body.end)
    fence = match.group("fence")
    if not text.startswith(fence, end):
        return None
    return Block(match.start("fence"), end + len(fence), calls, Place.WHOLE)


SYNTAX = Syntax(
    name="llama3_json_fenced",
    summary="a message that is one fence with `{name, parameters}`",
    source="seen with Llama 3.2 behind local servers",
    find=find,
    is_weak=True,
    examples=(
        Example(
            "JSON",
            '```json\n{"name": "read", "parameters": {"path": "a"}}\n```',
            (("read", {"path": "a"}),),
        ),
        Example("prose before", 'So:\n```json\n{"name": "ping", "parameters": {}}\n```'),
        Example("prose after", '```json\n{"name": "ping", "parameters": {}}\n```\nDone.'),
        Example("no arguments", '```json\n{"name": "ping"}\n```'),
        Example("other keys", '```json\n{"name": "ping", "parameters": {}, "version": 2}\n```'),
        Example("invalid", '```json\n{"name": "read", "parameters": {}}\n```'),
    ),
)
