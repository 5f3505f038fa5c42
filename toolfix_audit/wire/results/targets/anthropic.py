"""Anthropic Messages: `content` is a text, or a list with `image` blocks of base64 sources."""

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

_NATIVE: Final = ("text", "search_result", "tool_reference", "browser_state")
_SOURCED: Final = ("image", "document")
_SOURCES: Final = ("base64", "url", "file", "text", "content")


def _owns(result: ResultObject) -> bool:
    return result.get("type") == "tool_result"


def _find(result: ResultObject) -> Stringified | None:
    return stringified(result.get("content"), _is_native)


def _is_native(block: dict[str, Json]) -> bool:
    source = block.get("source")
    if block.get("type") in _SOURCED:
        return isinstance(source, dict) and source.get("type") in _SOURCES
    return block.get("type") in _NATIVE


def _lower(result: ResultObject, blocks: tuple[Block, ...]) -> Lowered:
    return Lowered({**result, "content": elements(blocks, _image, _text)})


def _image(image: Image) -> Json:
    source: Json = {"type": "base64", "media_type": image.media_type, "data": image.data}
    return {"type": "image", "source": source}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _refuses(result: ResultObject) -> str | None:
    """A result that is marked as an error holds texts only, says the API."""
    return "image_in_error_result" if result.get("is_error") is True else None


def _blank(head: Head) -> ResultObject:
    result: ResultObject = {"type": "tool_result", "tool_use_id": head.call_id, "content": ""}
    return {**result, "is_error": True} if head.is_error else result


TARGET: Final = Target("anthropic", _owns, _find, _lower, _blank, ANTHROPIC, _refuses)
