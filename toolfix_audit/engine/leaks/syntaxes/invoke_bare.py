"""Claude: invoke elements without their block tag, sometimes with a stray word in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolfix_audit.engine.leaks.elements import Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.syntaxes import invoke_wrapped
from toolfix_audit.engine.leaks.words import Place, Reason

_OPENER: Final = re.compile(
    r"(?:^[ \t]*(?P<stray>court|count|call)[ \t]*\n\s*+)?" + invoke_wrapped.INVOKE, re.MULTILINE
)
_DIALECT: Final = replace(invoke_wrapped.DIALECT, opener=re.compile(invoke_wrapped.INVOKE))


def find(text: str) -> Iterator[Block]:
    """Runs of elements; they must end the message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    block = read_series(Texts(text, text), match, _DIALECT, place=Place.TERMINAL)
    stray = match.group("stray")
    return replace(block, stray_token=stray) if block is not None and stray else block


SYNTAX = Syntax(
    name="invoke_bare",
    summary='`<invoke name="N"><parameter name="K">V</parameter></invoke>`',
    source="Claude models in coding agents",
    find=find,
    markers=("<invoke", "</invoke>"),
    examples=(
        Example(
            "stray word",
            'Next.\n\ncall\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>',
            (("read", {"path": "a"}),),
        ),
        Example(
            "required argument left out",
            '<invoke name="read">\n</invoke>',
            (("read", {}),),
            Reason.INVALID_ARGUMENTS,
        ),
        Example(
            "cut",
            '<invoke name="read">\n<parameter name="path">src/',
            (("read", {"path": "src/"}),),
            Reason.UNTERMINATED_WRITE,
        ),
        Example("prose after", '<invoke name="ping">\n</invoke>\npings the server.'),
        Example("in a sentence", 'Write <invoke name="ping"></invoke>'),
        Example("opener", '<invoke name="ping">'),
        Example("opener and prose", 'A line <invoke name="read"> opens it.'),
        Example("unknown tool", '<invoke name="fetch">\n</invoke>'),
        Example("other invoke", "<invoke>ping</invoke>"),
    ),
)
