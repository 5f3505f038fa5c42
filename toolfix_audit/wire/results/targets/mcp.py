"""MCP: `content` of a tool's result is a list of typed blocks, an image one with its data."""

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

_NATIVE: Final = ("text", "audio", "resource", "resource_link")
_OWN_KEYS: Final = ("isError", "structuredContent", "_meta", "resultType")


def _owns(result: ResultObject) -> bool:
    """Whether a result has a content list and nothing of another protocol."""
    return isinstance(result.get("content"), list) and result.keys() <= {"content", *_OWN_KEYS}


def _find(result: ResultObject) -> Stringified | None:
    return stringified(result.get("content"), _is_native)


def _is_native(block: dict[str, Json]) -> bool:
    kind = block.get("type")
    return kind in _NATIVE or (kind == "image" and "mimeType" in block and "data" in block)


def _lower(result: ResultObject, blocks: tuple[Block, ...]) -> Lowered:
    return Lowered({**result, "content": elements(blocks, _image, _text)})


def _image(image: Image) -> Json:
    return {"type": "image", "data": image.data, "mimeType": image.media_type}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _blank(head: Head) -> ResultObject:
    return {"content": [], "isError": head.is_error}


TARGET: Final = Target("mcp", _owns, _find, _lower, _blank, None)
