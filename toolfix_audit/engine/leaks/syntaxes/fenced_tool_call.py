"""A fence whose language is `tool_call`, with one call in JSON."""

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
from toolfix_audit.engine.leaks.words import Place, Reason

_OPENER: Final = re.compile(
    r"^[ \t]*(?P<fence>```+)(?:tool_calls?|function_calls?)[ \t]*\n\s*+(?=[{\[])", re.MULTILINE
)


def find(text: str) -> Iterator[Block]:
    """Fences that call themselves tool calls; they must end the message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    body = read_body(text, match.end())
    if body is None:
        return None
    start, name = match.start("fence"), cut_name(text, match.end())
    if body.is_cut:
        cut = (WrittenCall(name, None),) if name else ()
        place, fault = Place.TERMINAL, Reason.UNTERMINATED
        return Block(start, body.end, cut, place, fault) if cut else None
    calls = calls_in(body.value, strict=True)
    end = skip_blank(text, body.end)
    if not calls or not text.startswith(match.group("fence"), end):
        return None
    return Block(start, end + len(match.group("fence")), calls, Place.TERMINAL)


SYNTAX = Syntax(
    name="fenced_tool_call",
    summary="a `tool_call` fence with `{name, arguments}`",
    source="models behind prompts that describe tools in text",
    find=find,
    examples=(
        Example(
            "after prose",
            'Now.\n\n```tool_call\n{"name": "read", "arguments": {"path": "a"}}\n```',
            (("read", {"path": "a"}),),
        ),
        Example("prose after", '```tool_call\n{"name":"ping","arguments":{}}\n```\npings.'),
        Example("unknown tool", '```tool_call\n{"name":"fetch","arguments":{}}\n```'),
        Example("data", '```tool_call\n{"count": 1}\n```'),
        Example(
            "in a longer fence",
            'As in\n````markdown\n```tool_call\n{"name":"ping","arguments":{}}\n```\n````',
        ),
    ),
)
