"""No envelope: the message is one JSON object that names a tool and its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, read_body, wrapped_call
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place

_OPENER: Final = re.compile(r"\A\s*+(?=\{)")


def find(text: str) -> Iterator[Block]:
    """The one block that is the whole message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    body = read_body(text, match.end())
    if body is None or body.is_cut or wrapped_call(body.value):
        return None
    calls = calls_in(body.value, strict=True)
    return Block(match.end(), body.end, calls, Place.WHOLE) if calls else None


SYNTAX = Syntax(
    name="bare_json",
    summary="a message that is `{name, arguments}`",
    source="Llama 3.x and small local models",
    find=find,
    is_weak=True,
    examples=(
        Example(
            "whole message",
            '{"name": "read", "parameters": {"path": "a"}}',
            (("read", {"path": "a"}),),
        ),
        Example("prose before", 'It is {"name": "read", "arguments": {"path": "a"}}'),
        Example("prose after", '{"name": "read", "arguments": {"path": "a"}} reads it.'),
        Example("no arguments", '{"name": "ping"}'),
        Example("other keys", '{"name": "ping", "arguments": {}, "version": 1}'),
        Example("unknown tool", '{"name": "fetch", "arguments": {}}'),
        Example("invalid", '{"name": "read", "arguments": {"file": 1}}'),
        Example(
            "declaration", '{"name": "ping", "parameters": {"type": "object", "properties": {}}}'
        ),
    ),
)
