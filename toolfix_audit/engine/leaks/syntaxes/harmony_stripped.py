"""gpt-oss harmony whose special tokens were dropped: the words of the header remain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.named_json import Shape, read_run
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place

_SHAPE: Final = Shape(
    opener=re.compile(
        r"\b(?:assistant\s*+)?(?:commentary|analysis)\s++to=functions\.(?P<name>[\w./-]{1,200}?)\s*+"
        r"(?:json|code)?\s*+(?=\{)"
    ),
    place=Place.TERMINAL,
)


def find(text: str) -> Iterator[Block]:
    """Header words and JSON at the end of a message."""
    return find_blocks(text, _SHAPE.opener, lambda text, match: read_run(text, match, _SHAPE))


SYNTAX = Syntax(
    name="harmony_stripped",
    summary="`commentary to=functions.N json{}`",
    source="OpenAI harmony response format behind a detokenizer that drops special tokens",
    find=find,
    examples=(
        Example(
            "with the role",
            'assistantcommentary to=functions.read json{"path": "a"}',
            (("read", {"path": "a"}),),
        ),
        Example("prose after", "commentary to=functions.ping json{}\nis what came."),
        Example("no recipient", "commentary json{}"),
        Example("unknown tool", "commentary to=functions.fetch json{}"),
        Example("in a sentence", "It said commentary to=functions.ping json{}"),
    ),
)
