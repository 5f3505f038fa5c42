"""No envelope: the message is one JSON array of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolfix_audit.engine.leaks.json_calls import calls_in, read_body
from toolfix_audit.engine.leaks.syntax import Block, Example, Syntax, find_blocks
from toolfix_audit.engine.leaks.words import Place

_OPENER: Final = re.compile(r"\A\s*+(?=\[)")


def find(text: str) -> Iterator[Block]:
    """The one block that is the whole message."""
    return find_blocks(text, _OPENER, _read)


def _read(text: str, match: re.Match[str]) -> Block | None:
    body = read_body(text, match.end())
    calls = () if body is None or body.is_cut else calls_in(body.value, strict=True)
    return Block(match.end(), body.end, calls, Place.WHOLE) if body and calls else None


SYNTAX = Syntax(
    name="bare_json_array",
    summary="a message that is `[{name, arguments}]`",
    source="Mistral models without their marker",
    find=find,
    is_weak=True,
    examples=(
        Example(
            "two",
            '[{"name": "read", "arguments": {"path": "a"}}, {"name": "ping", "arguments": {}}]',
            (("read", {"path": "a"}), ("ping", {})),
        ),
        Example("prose before", 'Calls:\n[{"name": "ping", "arguments": {}}]'),
        Example("one of another kind", '[{"name": "ping", "arguments": {}}, {"label": "x"}]'),
        Example("names alone", '[{"name": "ping"}, {"name": "read"}]'),
        Example("one unknown", '[{"name":"ping","arguments":{}},{"name":"pong","arguments":{}}]'),
        Example("empty", "[]"),
    ),
)
