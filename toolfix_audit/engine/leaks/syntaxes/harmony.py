"""gpt-oss harmony: channel tokens, the tool as the recipient of a message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.named_json import Shape, read_run
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Reason

_TO: Final = r"to=(?:functions\.)?(?P<name>[\w./-]{1,200})"
_SHAPE: Final = Shape(
    opener=re.compile(
        rf"(?:<\|start\|>\s*+assistant\s*+)?<\|channel\|>\s*+(?:commentary|analysis)\s++{_TO}\s*+"
        r"(?:<\|constrain\|>\s*+)?(?:json|code)?\s*+<\|message\|>"
    ),
    closer=re.compile(r"(?:<\|call\|>|<\|end\|>|<\|return\|>)?"),
)


def find(text: str) -> Iterator[Block]:
    """Messages to a tool; the closing token is often taken as the stop token, so JSON that is
    whole closes one."""
    return find_blocks(text, _SHAPE.opener, lambda text, match: read_run(text, match, _SHAPE))


SYNTAX = Syntax(
    name="harmony",
    summary="`<|channel|>commentary to=functions.N <|constrain|>json<|message|>{}<|call|>`",
    source="OpenAI harmony response format",
    find=find,
    markers=("<|channel|>", "<|constrain|>", "<|message|>", "<|call|>"),
    examples=(
        Example(
            "closed",
            "<|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json<|message|>"
            '{"path": "a"}<|call|>',
            (("read", {"path": "a"}),),
        ),
        Example(
            "cut",
            '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("final answer", "<|channel|>final<|message|>All is well.<|return|>"),
        Example("thoughts", "<|channel|>analysis<|message|>We should call read.<|end|>"),
        Example("unknown tool", "<|channel|>commentary to=functions.fetch<|message|>{}<|call|>"),
        Example("no JSON", "<|channel|>commentary to=functions.read<|message|>a.txt<|call|>"),
    ),
)
