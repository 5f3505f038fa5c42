"""DeepSeek V3.2 and V4: elements with DSML tokens; an attribute tells text from JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.elements import Dialect, Texts, read_series
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks, plain_tokens
from toolfix_audit.engine.leaks.words import Place, Reason

_BLOCKS: Final = "function_calls|tool_calls"
_OPENER: Final = re.compile(
    rf"(?:<\|DSML\|(?P<wrapper>{_BLOCKS})>\s*+)?<\|DSML\|invoke name=\"(?P<name>[^\"<>]+)\">"
)
_FLAG: Final = re.compile(r'string="(true|false)"')


def _is_json(tag: str) -> bool | None:
    flag = _FLAG.search(tag)
    return flag.group(1) == "false" if flag else None


_DIALECT: Final = Dialect(
    opener=_OPENER,
    key=re.compile(
        r"<\|DSML\|parameter name=\"(?P<key>[^\"<>]+)\"(?:\s++string=\"(?:true|false)\")?>"
    ),
    value_end="</|DSML|parameter>",
    closers=("</|DSML|invoke>",),
    delimiters=("<|DSML|", "</|DSML|"),
    is_json=_is_json,
)


def find(text: str) -> Iterator[Block]:
    """Blocks of either name, or invokes whose block tag is gone."""
    plain = plain_tokens(text)
    return find_blocks(plain, _OPENER, lambda plain, match: _read(Texts(text, plain), match))


def _read(texts: Texts, match: re.Match[str]) -> Block | None:
    wrapper = match.group("wrapper")
    closer = f"</|DSML|{wrapper}>" if wrapper else ""
    return read_series(texts, match, _DIALECT, place=Place.MARKED, wrapper=closer)


SYNTAX = Syntax(
    name="deepseek_dsml",
    summary='`<｜DSML｜tool_calls>`, `invoke name`, `parameter name string="true|false"`',
    source="DeepSeek V3.2 and V4 encodings; vLLM deepseek_v32 parser",
    find=find,
    markers=(
        "<|DSML|function_calls>",
        "</|DSML|function_calls>",
        "<|DSML|tool_calls>",
        "</|DSML|tool_calls>",
        "<|DSML|invoke",
        "</|DSML|invoke>",
        "</|DSML|parameter>",
    ),
    examples=(
        Example(
            "told types",
            '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" '
            'string="true">5</｜DSML｜parameter>\n<｜DSML｜parameter name="limit" string="false">5'
            "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
            (("search", {"query": "5", "limit": 5}),),
        ),
        Example(
            "block tag gone",
            'On it.\n<｜DSML｜invoke name="ping">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
            (("ping", {}),),
        ),
        Example(
            "cut",
            '<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="path" string="true">src/',
            (("read", {"path": "src/"}),),
            Reason.UNTERMINATED_WRITE,
        ),
        Example("never closed", 'You start with <｜DSML｜invoke name="search"> and go on.'),
        Example("never closed, at the end", '<｜DSML｜invoke name="search">'),
        Example(
            "unknown tool",
            '<｜DSML｜invoke name="fetch">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
        ),
        Example("block tags alone", "<｜DSML｜tool_calls></｜DSML｜tool_calls>"),
        Example(
            "in a sentence",
            'The text <｜DSML｜invoke name="ping"></｜DSML｜invoke> is one call.',
        ),
        Example("inline code", '`<｜DSML｜invoke name="ping"></｜DSML｜invoke>`'),
    ),
)
