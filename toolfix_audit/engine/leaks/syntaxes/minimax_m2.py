"""MiniMax M2: invoke elements inside a tag with a namespace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.engine.leaks.elements import Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.syntaxes import invoke_wrapped
from toolfix_audit.engine.leaks.words import Place, Reason

_WRAPPED: Final = re.compile(rf"<minimax:tool_call>\s*+{invoke_wrapped.INVOKE}")
_DIALECT: Final = replace(
    invoke_wrapped.DIALECT,
    opener=re.compile(invoke_wrapped.INVOKE),
    delimiters=(*invoke_wrapped.DIALECT.delimiters, "minimax:tool_call>"),
)


def find(text: str) -> Iterator[Block]:
    """Blocks with their opening tag."""
    return find_blocks(text, _WRAPPED, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    texts, wrapper = Texts(text, text), "</minimax:tool_call>"
    return read_series(texts, match, _DIALECT, place=Place.MARKED, wrapper=wrapper)


SYNTAX = Syntax(
    name="minimax_m2",
    summary="`<minimax:tool_call><invoke name><parameter name>`",
    source="MiniMax M2 tool call guide; vLLM minimax_m2 parser",
    find=find,
    markers=("<minimax:tool_call>", "</minimax:tool_call>"),
    examples=(
        Example(
            "two",
            '<minimax:tool_call>\n<invoke name="read">\n<parameter name="path">a</parameter>\n'
            '</invoke>\n<invoke name="ping">\n</invoke>\n</minimax:tool_call>',
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example(
            "its own tag in a value",
            '<minimax:tool_call><invoke name="write"><parameter name="path">a</parameter>'
            '<parameter name="content"><parameter name="x">1</parameter></parameter></invoke>'
            "</minimax:tool_call>",
            (("write", None),),
            Reason.DELIMITER_IN_VALUE,
        ),
        Example("empty", "<minimax:tool_call></minimax:tool_call>"),
        Example("prose", "<minimax:tool_call> opens the block."),
        Example(
            "unknown tool",
            '<minimax:tool_call><invoke name="fetch"></invoke></minimax:tool_call>',
        ),
        Example(
            "in a sentence",
            'So <minimax:tool_call><invoke name="ping"></invoke></minimax:tool_call> is a call.',
        ),
    ),
)
