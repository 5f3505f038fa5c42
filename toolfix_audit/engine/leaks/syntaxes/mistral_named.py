"""Mistral from tokenizer v11 on: a marker, the bare name, another marker, the arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.named_json import Shape, read_run
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Reason

_SHAPE: Final = Shape(
    opener=re.compile(
        r"\[TOOL_CALLS\]\s*+(?P<name>[\w.-]{1,200})\s*+(?:\[CALL_ID\]\w{1,100}\s*+)?\[ARGS\]"
    )
)


def find(text: str) -> Iterator[Block]:
    """Runs of calls; the end of the JSON is the end of a call."""
    return find_blocks(text, _SHAPE.opener, lambda text, match: read_run(text, match, _SHAPE))


SYNTAX = Syntax(
    name="mistral_named",
    summary="`[TOOL_CALLS]N[ARGS]{}`",
    source="Mistral tokenizers v11 and later; vLLM mistral parser",
    find=find,
    markers=("[TOOL_CALLS]", "[ARGS]"),
    examples=(
        Example(
            "two",
            '[TOOL_CALLS]read[ARGS]{"path": "a"}[TOOL_CALLS]ping[ARGS]{}',
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example(
            "cut",
            '[TOOL_CALLS]read[ARGS]{"path": "a',
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("no arguments", "[TOOL_CALLS]ping"),
        Example("unknown tool", "[TOOL_CALLS]fetch[ARGS]{}"),
        Example("arguments are a list", "[TOOL_CALLS]ping[ARGS][1]"),
        Example("in a sentence", "So [TOOL_CALLS]ping[ARGS]{} is a call."),
    ),
)
