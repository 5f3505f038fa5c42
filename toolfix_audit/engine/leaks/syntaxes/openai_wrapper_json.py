"""No envelope: the message is a call in the wrapper of OpenAI's APIs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import read_body, wrapped_call
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place
from toolfix_audit.model.json import Json, JsonError, parse_json

_OPENER: Final = re.compile(r"\A\s*+(?=\{)")
_BRACE: Final = "}"


def find(text: str) -> Iterator[Block]:
    """The one block that is the whole message; the wrapper's own last brace may be missing."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    body = read_body(text, match.end())
    if body is None:
        return None
    value, end, appended = body.value, body.end, ""
    if body.is_cut:
        value, end, appended = _closed(text[match.end() :]), len(text.rstrip()), _BRACE
    call = wrapped_call(value)
    return Block(match.end(), end, (call,), Place.WHOLE, appended=appended) if call else None


def _closed(text: str) -> Json:
    """The value of a text that lacks one brace behind a complete object; None for any other."""
    text = text.rstrip()
    if not text.endswith(_BRACE):
        return None
    try:
        return parse_json(text + _BRACE)
    except JsonError:
        return None


SYNTAX = Syntax(
    name="openai_wrapper_json",
    summary='a message that is `{"type": "function", "function": {name, parameters}}`',
    source="Llama 3.2 behind OpenAI-compatible servers",
    find=find,
    is_weak=True,
    examples=(
        Example(
            "arguments as text",
            '{"type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}}',
            (("read", {"path": "a"}),),
        ),
        Example(
            "one brace missing",
            '{"type": "function", "function": {"name": "ping", "parameters": {}}',
            (("ping", {}),),
        ),
        Example(
            "two missing", '{"type": "function", "function": {"name": "ping", "parameters": {}'
        ),
        Example("other type", '{"type": "object", "function": {"name":"ping","parameters":{}}}'),
        Example("no name", '{"type": "function", "function": {"parameters": {}}}'),
        Example("unknown tool", '{"function": {"name": "fetch", "parameters": {}}}'),
        Example("prose before", 'Like {"function": {"name": "ping", "parameters": {}}}'),
        Example(
            "declaration",
            '{"type":"function","function":{"name":"ping","description":"x","parameters":{}}}',
        ),
    ),
)
