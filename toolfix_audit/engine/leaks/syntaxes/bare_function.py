"""No envelope: the message is a call in the notation of a programming language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import read_body
from toolfix_audit.engine.leaks.literals import LiteralError, read_keywords
from toolfix_audit.engine.leaks.syntax import (
    Block,
    Example,
    Syntax,
    WrittenCall,
    find_blocks,
    skip_blank,
)
from toolfix_audit.engine.leaks.words import Place
from toolfix_audit.model.json import Json

_OPENER: Final = re.compile(r"\A\s*+(?P<name>[A-Za-z_][\w.-]{0,99})(?P<mark>\(|(?=\{))")


def find(text: str) -> Iterator[Block]:
    """The one block that is the whole message: `N(k=v)`, `N({...})` or `N{...}`."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    has_paren = bool(match.group("mark"))
    body = read_body(text, match.end())
    if body is not None:
        arguments: Json = body.value
        end = skip_blank(text, body.end) if has_paren else body.end
        if body.is_cut or (has_paren and not text.startswith(")", end)):
            return None
        end += has_paren
    elif has_paren:
        try:
            arguments, end = read_keywords(text, match.end())
        except LiteralError:
            return None
    else:
        return None
    if not isinstance(arguments, dict) or not arguments:
        return None
    call = WrittenCall(match.group("name"), arguments)
    return Block(match.start("name"), end, (call,), Place.WHOLE)


SYNTAX = Syntax(
    name="bare_function",
    summary="a message that is `N(k=v)`, `N({...})` or `N{...}`",
    source="GLM web models and small local models",
    find=find,
    is_weak=True,
    needs_registry=True,
    examples=(
        Example(
            "keywords",
            'search(query="a, b)", limit=2)',
            (("search", {"query": "a, b)", "limit": 2}),),
        ),
        Example("object", 'read({"path": "a"})', (("read", {"path": "a"}),)),
        Example("no arguments", "ping()"),
        Example("prose after", 'read(path="a") reads it.'),
        Example("prose before", 'Run read(path="a")'),
        Example("positional", 'read("a")'),
        Example("expression", "read(path=name)"),
        Example("unknown", 'fetch(path="a")'),
        Example("several lines of code", 'read(path="a")\nread(path="b")'),
        Example("invalid", 'read(file="a")'),
    ),
)
