"""What a leak syntax is, and what it finds: blocks of text that read like calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from toolfix_audit.engine.leaks.words import OPEN_ENDED, Place, Reason
from toolfix_audit.model.json import Json

MAX_FRUITLESS: Final = 64
"""Openers that lead to no block, after which a syntax gives up on a text: so that the time stays
linear, whatever the text."""


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as it was written. `untyped` names the arguments whose values are text without a
    type. `arguments` is None where they could not be read."""

    name: str
    arguments: Json
    untyped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Block:
    """One or more calls that stand together, at `start` to `end` of a text.

    `fault` says why they can't be trusted. `strays` are closing tags without an opener that were
    taken along, `stray_token` is a word that stands where an opening tag should, `appended` is
    what was added to make the text complete.
    """

    start: int
    end: int
    calls: tuple[WrittenCall, ...]
    place: Place = Place.MARKED
    fault: Reason | None = None
    strays: tuple[str, ...] = ()
    stray_token: str | None = None
    appended: str = ""

    @property
    def is_closed(self) -> bool:
        """Whether the text of the block is complete."""
        return self.fault not in OPEN_ENDED


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example; `calls` are the calls that leaked, empty where nothing did.

    Examples are read with the tools EXAMPLE_TOOLS. `reason` is there if they can't be repaired.
    """

    title: str
    text: str
    calls: tuple[tuple[str, Json], ...] = ()
    reason: Reason | None = None

    @property
    def leaks(self) -> bool:
        """Whether this is an example of a leak."""
        return bool(self.calls)


@dataclass(frozen=True, slots=True)
class Syntax:
    """A way to write a tool call as text.

    `find` gives the blocks of a text in order, none inside another; in linear time, and it never
    raises. `is_weak`: ordinary writing may look like it, so that its calls must be valid to count.
    `needs_registry`: nothing but a tool's name tells it from other markup. `markers` are the
    tokens that the syntax leaves behind; `|` and `_` stand for their full-width twins as well.
    """

    name: str
    summary: str
    source: str
    find: Callable[[str], Iterator[Block]]
    is_weak: bool = False
    needs_registry: bool = False
    markers: tuple[str, ...] = ()
    examples: tuple[Example, ...] = field(default=(), repr=False)


def find_blocks(
    text: str, opener: re.Pattern[str], read: Callable[[str, re.Match[str]], Block | None]
) -> Iterator[Block]:
    """The blocks that `read` makes of the openers in a text, none inside another."""
    position = fruitless = 0
    while fruitless < MAX_FRUITLESS:
        match = opener.search(text, position)
        if match is None:
            return
        block = read(text, match)
        if block is None:
            fruitless += 1
            position = max(match.end(), match.start() + 1)
        else:
            yield block
            position = block.end


def plain_tokens(text: str) -> str:
    """The text with special tokens' full-width bars and blocks as ASCII; as long as it was."""
    return text.replace("\uff5c", "|").replace("\u2581", "_")


def skip_blank(text: str, position: int) -> int:
    """The position of the next character that is no white space."""
    match = _BLANK.match(text, position)
    return match.end() if match else position


_BLANK: Final = re.compile(r"\s*+")

EXAMPLE_TOOLS: Final[Mapping[str, Json]] = {
    "read": {
        "type": "object",
        "properties": {"path": {"type": "string"}},
        "required": ["path"],
        "additionalProperties": False,
    },
    "write": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    },
    "search": {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer"},
            "deep": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "since": {"type": ["integer", "string"]},
        },
        "required": ["query"],
    },
    "ping": {"type": "object", "properties": {}},
}
"""The tools that the examples of all syntaxes are read with."""
