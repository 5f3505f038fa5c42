"""Gemini: a `tool_code` fence with one call in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.literals import LiteralError, read_keywords
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
    r"```tool_code[ \t]*\n\s*+(?P<print>print\(\s*+)?(?:default_api\.)?(?P<name>[A-Za-z_]\w*)\("
)


def find(text: str) -> Iterator[Block]:
    """Fences of one call with literal keyword arguments, printed or not; they must end the
    message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    name, start = match.group("name"), match.start()
    try:
        arguments, end = read_keywords(text, match.end())
    except LiteralError as error:
        cut = (WrittenCall(name, None),)
        place, fault = Place.TERMINAL, Reason.UNTERMINATED
        return Block(start, len(text), cut, place, fault) if error.is_cut else None
    if match.group("print"):
        end = skip_blank(text, end)
        if not text.startswith(")", end):
            return None
        end += 1
    end = skip_blank(text, end)
    if not text.startswith("```", end):
        return None
    return Block(start, end + 3, (WrittenCall(name, arguments),), Place.TERMINAL)


SYNTAX = Syntax(
    name="gemini_tool_code",
    summary="a `tool_code` fence with `print(default_api.N(k=v))`",
    source="seen with Gemini 2.x APIs",
    find=find,
    examples=(
        Example(
            "printed",
            '```tool_code\nprint(default_api.search(query="a", tags=["x"], deep=True))\n```',
            (("search", {"query": "a", "tags": ["x"], "deep": True}),),
        ),
        Example(
            "cut",
            '```tool_code\nprint(default_api.read(path="src',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("prose after", "```tool_code\nprint(default_api.ping())\n```\nruns it."),
        Example("an expression", "```tool_code\nprint(default_api.read(path=base + name))\n```"),
        Example("unknown tool", "```tool_code\nprint(default_api.fetch())\n```"),
        Example("other code", "```tool_code\nx = 1\n```"),
    ),
)
