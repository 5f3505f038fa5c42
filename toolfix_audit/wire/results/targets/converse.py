"""Bedrock Converse: `content` is a list whose members have one key each: `text`, `image`, ….

The bytes of an image are base64 here, as in the JSON on the wire; the AWS SDKs take them raw.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.blocks import Block
from toolfix_audit.wire.results.images import Image
from toolfix_audit.wire.results.stringified import Stringified, stringified
from toolfix_audit.wire.results.targets.target import (
    Head,
    Lowered,
    ResultObject,
    Target,
    elements,
)
from toolfix_audit.wire.results.tokens import ANTHROPIC

_NATIVE: Final = frozenset({"text", "json", "image", "document", "video", "searchResult"})


def _owns(result: ResultObject) -> bool:
    return isinstance(result.get("toolResult"), dict)


def _find(result: ResultObject) -> Stringified | None:
    inner = result["toolResult"]
    content = inner.get("content") if isinstance(inner, dict) else None
    return stringified(content, lambda block: len(block) == 1 and block.keys() <= _NATIVE)


def _lower(result: ResultObject, blocks: tuple[Block, ...]) -> Lowered:
    inner = result["toolResult"]
    content: Json = elements(blocks, _image, _text)
    held = inner if isinstance(inner, dict) else {}
    return Lowered({**result, "toolResult": {**held, "content": content}})


def _image(image: Image) -> Json:
    return {"image": {"format": image.format, "source": {"bytes": image.data}}}


def _text(text: str) -> Json:
    return {"text": text}


def _blank(head: Head) -> ResultObject:
    status = "error" if head.is_error else "success"
    return {"toolResult": {"toolUseId": head.call_id, "content": [], "status": status}}


TARGET: Final = Target("converse", _owns, _find, _lower, _blank, ANTHROPIC)
