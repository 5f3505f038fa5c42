"""DeepSeek R1, V3 and V3.1: tokens with full-width bars, the JSON in a fence or bare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.named_json import Shape, read_run
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Reason


def _token(words: str) -> str:
    return r"<[\uff5c|]" + words.replace(" ", r"[\u2581_ ]") + r"[\uff5c|]>"


_SHAPE: Final = Shape(
    opener=re.compile(
        rf"(?:{_token('tool calls begin')}\s*+)?{_token('tool call begin')}\s*+"
        rf"(?:function\s*+{_token('tool sep')})?\s*+(?P<name>[\w./-]+)\s*+"
        rf"(?:{_token('tool sep')}\s*+)?(?:```(?:json)?\s*+)?(?=\{{)"
    ),
    closer=re.compile(rf"(?:```\s*+)?{_token('tool call end')}"),
    end=re.compile(_token("tool calls end")),
)


def find(text: str) -> Iterator[Block]:
    """Runs of calls; the fence around the JSON belongs to them."""
    return find_blocks(text, _SHAPE.opener, lambda text, match: read_run(text, match, _SHAPE))


SYNTAX = Syntax(
    name="deepseek_r1_v3",
    summary="`<｜tool▁call▁begin｜>function<｜tool▁sep｜>N` and fenced JSON",
    source="DeepSeek V3 and V3.1 chat templates; vLLM deepseek_v3 parser",
    find=find,
    markers=(
        "<|tool_calls_begin|>",
        "<|tool_call_begin|>",
        "<|tool_sep|>",
        "<|tool_call_end|>",
        "<|tool_calls_end|>",
    ),
    examples=(
        Example(
            "fenced",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n"
            '{"path": "a ｜ b"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
            (("read", {"path": "a ｜ b"}),),
        ),
        Example(
            "bare JSON",
            '<｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜>',
            (("read", {"path": "a"}),),
        ),
        Example(
            "cut",
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{",
            (("read", None),),
            Reason.UNTERMINATED,
        ),
        Example("one token", "The token <｜tool▁sep｜> stands before the name."),
        Example(
            "unknown tool",
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>fetch\n```json\n{}\n```<｜tool▁call▁end｜>",
        ),
        Example("no arguments", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>ping"),
        Example("no tokens", 'function read\n```json\n{"path": "a"}\n```'),
        Example(
            "quoted",
            '> <｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜>',
        ),
        Example(
            "in a sentence",
            'Then <｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜> follows.',
        ),
    ),
)
