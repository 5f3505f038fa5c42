"""Llama 3.1 custom tools: a function element with JSON inside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.named_json import Shape, read_run
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place

_SHAPE: Final = Shape(
    opener=re.compile(r"<function=(?P<name>[\w./-]{1,200})>\s*+(?=\{)"),
    closer=re.compile(r"</function>"),
    place=Place.TERMINAL,
)


def find(text: str) -> Iterator[Block]:
    """Runs of elements; they must end the message."""
    return find_blocks(text, _SHAPE.opener, lambda text, match: read_run(text, match, _SHAPE))


SYNTAX = Syntax(
    name="llama3_function",
    summary="`<function=N>{}</function>`",
    source="Llama 3.1 prompt format for custom tools",
    find=find,
    examples=(
        Example(
            "after prose",
            'On it.\n<function=read>{"path": "a"}</function>',
            (("read", {"path": "a"}),),
        ),
        Example("prose after", '<function=read>{"path": "a"}</function>\nreads it.'),
        Example("in a sentence", 'Write <function=read>{"path": "a"}</function>'),
        Example("unknown tool", "<function=fetch>{}</function>"),
        Example("no JSON", "<function=read>the path</function>"),
    ),
)
