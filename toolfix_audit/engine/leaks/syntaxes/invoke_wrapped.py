"""Claude: invoke elements inside `<function_calls>`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.elements import Dialect, Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place, Reason

INVOKE: Final = r'<invoke name="(?P<name>[^"<>]+)">'
_OPENER: Final = re.compile(rf"(?P<wrapper><function_calls>\s*+)?{INVOKE}")
_WRAPPED: Final = re.compile(rf"<function_calls>\s*+{INVOKE}")
DIALECT: Final = Dialect(
    opener=_OPENER,
    key=re.compile(r'<parameter name="(?P<key>[^"<>]+)">'),
    value_end="</parameter>",
    closers=("</invoke>",),
    delimiters=("<parameter", "<invoke ", "</invoke>"),
)


def find(text: str) -> Iterator[Block]:
    """Blocks with their opening tag."""
    return find_blocks(text, _WRAPPED, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    texts, wrapper = Texts(text, text), "</function_calls>"
    return read_series(texts, match, DIALECT, place=Place.MARKED, wrapper=wrapper)


SYNTAX = Syntax(
    name="invoke_wrapped",
    summary="`<function_calls><invoke name><parameter name>`",
    source="Claude models behind gateways",
    find=find,
    markers=("<function_calls>", "</function_calls>"),
    examples=(
        Example(
            "typed by the schema",
            '<function_calls>\n<invoke name="search">\n<parameter name="query">true</parameter>\n'
            '<parameter name="deep">true</parameter>\n</invoke>\n</function_calls>',
            (("search", {"query": "true", "deep": True}),),
        ),
        Example(
            "leading zeros are no number",
            '<function_calls><invoke name="search"><parameter name="query">a</parameter>'
            '<parameter name="limit">007</parameter></invoke></function_calls>',
            (("search", {"query": "a", "limit": "007"}),),
            Reason.INVALID_ARGUMENTS,
        ),
        Example("empty", "<function_calls></function_calls>"),
        Example("prose", "<function_calls> holds <invoke> elements."),
        Example(
            "unknown tool",
            '<function_calls><invoke name="fetch"></invoke></function_calls>',
        ),
        Example(
            "in a sentence",
            'The text <function_calls><invoke name="ping"></invoke></function_calls> is a call.',
        ),
    ),
)
