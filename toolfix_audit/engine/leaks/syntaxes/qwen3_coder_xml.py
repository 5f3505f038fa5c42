"""Qwen3-Coder and later: a function element with one element per parameter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.elements import Dialect, Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place, Reason

_FUNCTION: Final = r"<function=(?P<name>[^<>\s\"'={}]+)>"
_OPENER: Final = re.compile(rf"(?P<wrapper><tool_call>\s*+)?{_FUNCTION}")
DIALECT: Final = Dialect(
    opener=_OPENER,
    key=re.compile(r"<parameter=(?P<key>[^<>\n]+)>"),
    value_end="</parameter>",
    closers=("</function>",),
    delimiters=("<parameter=", "<function=", "</function>"),
    trims=True,
)


def find(text: str) -> Iterator[Block]:
    """Blocks with or without the tags around them; without, they must end the message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    is_wrapped = match.group("wrapper") is not None
    place = Place.MARKED if is_wrapped else Place.TERMINAL
    wrapper = "</tool_call>" if is_wrapped else ""
    return read_series(Texts(text, text), match, DIALECT, place=place, wrapper=wrapper)


SYNTAX = Syntax(
    name="qwen3_coder_xml",
    summary="`<tool_call><function=N><parameter=K>V</parameter></function></tool_call>`",
    source="Qwen3-Coder chat template; vLLM qwen3_coder parser",
    find=find,
    markers=("<tool_call>", "</tool_call>", "<function=", "</function>", "</parameter>"),
    examples=(
        Example(
            "wrapped",
            "<tool_call>\n<function=search>\n<parameter=query>\n02134\n</parameter>\n"
            "<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>",
            (("search", {"query": "02134", "limit": 5}),),
        ),
        Example(
            "bare, two in a row",
            "Both.\n<function=ping>\n</function>\n<function=read>\n<parameter=path>\na\n"
            "</parameter>\n</function>",
            (("ping", {}), ("read", {"path": "a"})),
        ),
        Example(
            "values without an end",
            "<function=write>\n<parameter=path> a.txt\n<parameter=content> text",
            (("write", {"path": "a.txt", "content": "text"}),),
            Reason.UNTERMINATED_WRITE,
        ),
        Example(
            "its own tag in a value",
            "<tool_call><function=write><parameter=path>a</parameter><parameter=content>"
            "</parameter></parameter></function></tool_call>",
            (("write", None),),
            Reason.DELIMITER_IN_VALUE,
        ),
        Example(
            "two types",
            "<tool_call><function=search><parameter=query>a</parameter><parameter=since>5"
            "</parameter></function></tool_call>",
            (("search", {"query": "a", "since": "5"}),),
            Reason.UNTYPED_VALUE,
        ),
        Example(
            "placeholders", "It is <function=NAME><parameter=KEY>VALUE</parameter></function>."
        ),
        Example(
            "bare, and prose after it",
            "<function=read>\n<parameter=path>\na\n</parameter>\n</function>\nreads the file.",
        ),
        Example(
            "bare, in a sentence",
            "Then <function=read><parameter=path>a</parameter></function>",
        ),
        Example("opener alone", "<function=read>"),
        Example("opener and prose", "<function=read> opens the block."),
        Example(
            "prose between the tags",
            "<function=read>\nthen one\n<parameter=path>\na\n</parameter>\n</function>",
        ),
        Example(
            "unknown tool",
            "<tool_call><function=fetch><parameter=path>a</parameter></function></tool_call>",
        ),
        Example(
            "indented code after prose",
            "For instance:\n\n    <function=read>\n    <parameter=path>a</parameter>\n"
            "    </function>",
        ),
        Example(
            "quoted lines",
            "> <function=read>\n> <parameter=path>a</parameter>\n> </function>",
        ),
        Example(
            "placeholder value",
            "<function=read>\n<parameter=path>\n<path>\n</parameter>\n</function>",
        ),
    ),
)
