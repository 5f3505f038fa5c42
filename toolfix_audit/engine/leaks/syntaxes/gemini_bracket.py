"""Gemini: a bracketed `tool_code` with a brace object and control tokens for quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.literals import LiteralError, read_braces
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, WrittenCall, find_blocks

_OPENER: Final = re.compile(r"\[tool_code:(?P<name>[A-Za-z_][\w.-]{0,200})(?=\{)")
_QUOTE: Final = "<ctrl46>"


def find(text: str) -> Iterator[Block]:
    """Bracketed calls."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    try:
        arguments, end = read_braces(text, match.end(), _QUOTE)
    except LiteralError:
        return None
    if not text.startswith("]", end):
        return None
    return Block(match.start(), end + 1, (WrittenCall(match.group("name"), arguments),))


SYNTAX = Syntax(
    name="gemini_bracket",
    summary="`[tool_code:N{k:<ctrl46>v<ctrl46>}]`",
    source="seen once with Gemini behind a gateway",
    find=find,
    examples=(
        Example(
            "one",
            "[tool_code:search{query:<ctrl46>a, b<ctrl46>,limit:2}]",
            (("search", {"query": "a, b", "limit": 2}),),
        ),
        Example("no call", "[tool_code: see above]"),
        Example("cut", "[tool_code:read{path:<ctrl46>a"),
        Example("unknown tool", "[tool_code:fetch{}]"),
    ),
)
