"""Cline and Roo: the tool's name as an element, its parameters as children."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from toolfix_audit.engine.leaks.elements import Dialect, Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place, Reason

_LAST: Final = re.compile(r"</([A-Za-z_][\w-]{0,99})>\Z")
_TAIL: Final = 128


def find(text: str) -> Iterator[Block]:
    """The elements named like the tag that ends the message."""
    end = len(text.rstrip())
    last = _LAST.search(text, max(0, end - _TAIL), end)
    if last is None:
        return iter(())
    opener = re.compile(rf"^[ \t]*<(?P<name>{re.escape(last.group(1))})>", re.MULTILINE)
    return find_blocks(text, opener, partial(_read, opener=opener))


def _read(text: str, match: re.Match[str], *, opener: re.Pattern[str]) -> Block | None:
    dialect = Dialect(
        opener=opener,
        key=re.compile(r"<(?P<key>[A-Za-z_][\w-]*)>"),
        value_end="</{key}>",
        closers=("</{name}>",),
        delimiters=("<{key}>", f"<{match.group('name')}>"),
        trims=True,
    )
    return read_series(Texts(text, text), match, dialect, place=Place.TERMINAL)


SYNTAX = Syntax(
    name="cline_xml",
    summary="`<tool><parameter>V</parameter></tool>`",
    source="Cline and Roo Code prompts",
    find=find,
    is_weak=True,
    needs_registry=True,
    examples=(
        Example(
            "after prose",
            "First this.\n<write>\n<path>a.txt</path>\n<content>\nx\ny\n</content>\n</write>",
            (("write", {"path": "a.txt", "content": "x\ny"}),),
        ),
        Example(
            "its own tag in a value",
            "<read>\n<path><path>a</path></path>\n</read>",
            (("read", None),),
            Reason.DELIMITER_IN_VALUE,
        ),
        Example("prose after", "<read>\n<path>a</path>\n</read>\nreads it."),
        Example("unknown element", "<details>\n<summary>a</summary>\n</details>"),
        Example("invalid", "<read>\n<file>a</file>\n</read>"),
        Example("text inside", "<read>\nthe file\n</read>"),
        Example("in a sentence", "Write <read><path>a</path></read>"),
    ),
)
