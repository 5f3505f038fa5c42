"""Qwen 3.6 drift: the function's opening tag is the tool's bare name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.engine.leaks.elements import Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.syntaxes import qwen3_coder_xml
from toolfix_audit.engine.leaks.words import Place

_OPENER: Final = re.compile(r"<tool_call>\s*+<(?P<name>[A-Za-z_][\w.-]*)>\s*+(?=<parameter=)")
_DIALECT: Final = replace(
    qwen3_coder_xml.DIALECT, opener=_OPENER, closers=("</function>", "</{name}>")
)


def find(text: str) -> Iterator[Block]:
    """Blocks whose opening tag is a name and nothing else."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    texts = Texts(text, text)
    return read_series(texts, match, _DIALECT, place=Place.MARKED, wrapper="</tool_call>")


SYNTAX = Syntax(
    name="qwen_xml_drift",
    summary="`<tool_call><N><parameter=K>V</parameter></function></tool_call>`",
    source="seen with Qwen 3.6 behind local servers",
    find=find,
    needs_registry=True,
    examples=(
        Example(
            "closed as a function",
            "<tool_call>\n<read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
            (("read", {"path": "a"}),),
        ),
        Example(
            "closed by its name",
            "<tool_call><read><parameter=path>a</parameter></read></tool_call>",
            (("read", {"path": "a"}),),
        ),
        Example(
            "no tool", "<tool_call>\n<p>\n<parameter=path>\na\n</parameter>\n</p>\n</tool_call>"
        ),
        Example("no parameter", "<tool_call>\n<read>\n</read>\n</tool_call>"),
        Example("never closed, prose", "<tool_call>\n<read>\nopens the block of a call"),
        Example(
            "in a sentence",
            "Write <tool_call><read><parameter=path>a</parameter></read></tool_call> there.",
        ),
    ),
)
