"""What a provider's form of a tool result is, and how one with images is written in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.blocks import Block, Kept, Text, plain
from toolfix_audit.wire.results.images import Image
from toolfix_audit.wire.results.stringified import Stringified
from toolfix_audit.wire.results.tokens import ImagePrice

ResultObject: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Head:
    """What a result says beside its content: whose answer it is, and whether it failed."""

    call_id: str
    tool: str = "tool"
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Lowered:
    """A result in its right form. `carried` are the parts that its protocol takes only in a
    message after all results of the batch."""

    result: ResultObject
    carried: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """One provider's form of tool results.

    `owns` recognises its results, `find` says what is wrong with one, `lower` writes the blocks
    in the place of its content, `refuses` says in a word why a result can't hold an image, and
    `blank` makes an empty result. `carry` makes the messages for what was carried, of each
    result with its call id. `price` is what an image costs, where a model is known.
    """

    name: str
    owns: Callable[[ResultObject], bool]
    find: Callable[[ResultObject], Stringified | None]
    lower: Callable[[ResultObject, tuple[Block, ...]], Lowered]
    blank: Callable[[Head], ResultObject]
    price: ImagePrice | None
    refuses: Callable[[ResultObject], str | None] = lambda _: None
    carry: Callable[[list[tuple[str, tuple[Json, ...]]]], tuple[Json, ...]] = lambda _: ()


def elements(
    blocks: tuple[Block, ...], image: Callable[[Image], Json], text: Callable[[str], Json]
) -> list[Json]:
    """The blocks as members of a content list; those that were kept as they are, unless they are
    no objects. Media that no result takes are never lowered, so there are none."""
    made: list[Json] = []
    for block in blocks:
        if isinstance(block, Kept) and isinstance(block.raw, dict):
            made.append(block.raw)
            continue
        for part in plain(block):
            if isinstance(part, Image):
                made.append(image(part))
            elif isinstance(part, Text):
                made.append(text(part.text))
    return made
