"""OpenAI Chat Completions: a tool message holds text alone.

Its images go, as `image_url` parts, into one user message after all tool messages of the batch:
one in between would part the calls from their results.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.blocks import Block, Text, plain
from toolfix_audit.wire.results.images import Image
from toolfix_audit.wire.results.stringified import Stringified, stringified
from toolfix_audit.wire.results.targets.target import Head, Lowered, ResultObject, Target
from toolfix_audit.wire.results.tokens import OPENAI


def _owns(result: ResultObject) -> bool:
    return result.get("role") == "tool"


def _find(result: ResultObject) -> Stringified | None:
    return stringified(result.get("content"), lambda block: block.get("type") == "text")


def _lower(result: ResultObject, blocks: tuple[Block, ...]) -> Lowered:
    parts = [part for block in blocks for part in plain(block)]
    images = [part for part in parts if isinstance(part, Image)]
    texts = [part.text for part in parts if isinstance(part, Text)]
    if images:
        texts.append(_placeholder(len(images)))
    carried: tuple[Json, ...] = tuple(
        {"type": "image_url", "image_url": {"url": image.url}} for image in images
    )
    return Lowered({**result, "content": "\n".join(texts)}, carried)


def _placeholder(images: int) -> str:
    what = "image" if images == 1 else f"{images} images"
    return f"[{what} attached in the next message]"


def _carry(carried: list[tuple[str, tuple[Json, ...]]]) -> tuple[Json, ...]:
    """The user message with all images; where several results had some, each is named first."""
    parts: list[Json] = []
    for call_id, images in carried:
        if len(carried) > 1:
            parts.append({"type": "text", "text": f"[result of {call_id}]"})
        parts.extend(images)
    return ({"role": "user", "content": parts},) if parts else ()


def _blank(head: Head) -> ResultObject:
    return {"role": "tool", "tool_call_id": head.call_id, "content": ""}


TARGET: Final = Target("chat", _owns, _find, _lower, _blank, OPENAI, carry=_carry)
