"""Texts that repeat what stands beside them: the same image again, the same data again."""

from __future__ import annotations

import json
from collections.abc import Iterator

from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.wire.results.blocks import Block, Kept, Text, media_in, text_in
from toolfix_audit.wire.results.images import Image


def is_copy(structured: Json, content: Json) -> bool:
    """Whether structured content says nothing that the content does not: every scalar in it
    stands there too, in a block or in a text that is JSON."""
    return set(_scalars(structured)) <= set(_scalars(content))


def without_copies(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks without images, and without texts, that the blocks which stay hold already."""
    kept = [
        block.raw for block in blocks if isinstance(block, Kept) and isinstance(block.raw, dict)
    ]
    images = {one.data for raw in kept for one in media_in(raw) if isinstance(one, Image)}
    if not images:
        return blocks
    texts = {text_in(raw) for raw in kept}
    return tuple(
        block
        for block in blocks
        if not (isinstance(block, Image) and block.data in images)
        if not (isinstance(block, Text) and block.text in texts)
    )


def _scalars(value: Json) -> Iterator[str]:
    todo: list[Json] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
        else:
            yield dump_json(item)
            if isinstance(item, str) and item[:1] in ("{", "["):
                todo.append(_loaded(item))


def _loaded(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
