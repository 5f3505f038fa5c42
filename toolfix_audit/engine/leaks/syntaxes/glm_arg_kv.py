"""GLM 4.5 and later: the name, then pairs of key and value elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.elements import Dialect, Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place, Reason

_OPENER: Final = re.compile(
    r"<tool_call>\s*+(?P<name>[A-Za-z_][\w.:/-]*)\s*+(?=<arg_key>|</tool_call>)"
)
KEY: Final = re.compile(r"<arg_key>(?P<key>[^<]*)</arg_key>\s*+<arg_value>")
_DIALECT: Final = Dialect(
    opener=_OPENER,
    key=KEY,
    value_end="</arg_value>",
    closers=("</tool_call>",),
    delimiters=("<arg_key>", "<arg_value>", "</arg_key>", "</tool_call>", "<tool_call>"),
)


def find(text: str) -> Iterator[Block]:
    """Blocks of a name and its pairs; a name alone is a call without arguments."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    return read_series(Texts(text, text), match, _DIALECT, place=Place.MARKED)


SYNTAX = Syntax(
    name="glm_arg_kv",
    summary="`<tool_call>N<arg_key>K</arg_key><arg_value>V</arg_value></tool_call>`",
    source="GLM 4.5 chat template; vLLM glm4_moe parser",
    find=find,
    markers=("<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "</arg_value>"),
    examples=(
        Example(
            "pairs",
            "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>007</arg_value>\n"
            "<arg_key>deep</arg_key>\n<arg_value>false</arg_value>\n</tool_call>",
            (("search", {"query": "007", "deep": False}),),
        ),
        Example("no arguments", "<tool_call>ping</tool_call>", (("ping", {}),)),
        Example(
            "its own tag in a value",
            "<tool_call>write<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content"
            "</arg_key><arg_value>x <arg_key> y</arg_value></tool_call>",
            (("write", None),),
            Reason.DELIMITER_IN_VALUE,
        ),
        Example("in a sentence", "The form <tool_call>ping</tool_call> is used for that."),
        Example("prose inside", "<tool_call>ping the server</tool_call>"),
        Example("unknown tool", "<tool_call>deploy</tool_call>"),
        Example("inline code", "Say `<tool_call>ping</tool_call>`"),
        Example(
            "fenced, with prose",
            "As in\n```\n<tool_call>ping</tool_call>\n```\nfor example.",
        ),
        Example("opener alone", "<tool_call>ping"),
    ),
)
