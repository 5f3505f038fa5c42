"""GLM and others after Claude: an invoke element with one child element per parameter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.elements import Dialect, Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.syntaxes.invoke_wrapped import INVOKE
from toolfix_audit.engine.leaks.words import Place

_CHILD: Final = r"<(?!parameter\b)(?P<key>[A-Za-z_][\w.-]*)>"
_OPENER: Final = re.compile(
    rf"(?P<wrapper><function_calls>\s*+)?{INVOKE}(?=\s*+{_CHILD.replace('?P<key>', '?:')})"
)
_DIALECT: Final = Dialect(
    opener=_OPENER,
    key=re.compile(_CHILD),
    value_end="</{key}>",
    closers=("</invoke>",),
    delimiters=("<{key}>", "<invoke ", "</invoke>"),
    trims=True,
)


def find(text: str) -> Iterator[Block]:
    """Elements whose children are named after parameters; bare, they must end the message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    is_wrapped = match.group("wrapper") is not None
    place = Place.MARKED if is_wrapped else Place.TERMINAL
    wrapper = "</function_calls>" if is_wrapped else ""
    return read_series(Texts(text, text), match, _DIALECT, place=place, wrapper=wrapper)


SYNTAX = Syntax(
    name="invoke_child_elements",
    summary='`<invoke name="N"><K>V</K></invoke>`',
    source="seen with GLM 4.7 in reasoning",
    find=find,
    examples=(
        Example(
            "two children",
            'Now.\n<invoke name="search">\n  <query>a</query>\n  <limit>3</limit>\n</invoke>',
            (("search", {"query": "a", "limit": 3}),),
        ),
        Example("prose after", '<invoke name="read"><path>a</path></invoke>\nreads it.'),
        Example("unknown tool", '<invoke name="fetch"><path>a</path></invoke>'),
        Example("never closed", 'The line <invoke name="read"><path> holds the path.'),
        Example("in a sentence", 'Write <invoke name="read"><path>a</path></invoke>'),
    ),
)
