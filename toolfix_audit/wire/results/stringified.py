"""Family H: a result whose text holds an image, as JSON or as base64.

A text is one if the whole of it is an image's base64 or data URI, or is JSON that has the form of
a result (a block, a list of blocks, or a result object around one) and holds an image. Text-only
blocks, files that mention images and data with an image somewhere inside are texts like others.
Work is bounded: what can't hold an image is not parsed, and deep nesting is refused at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from toolfix_audit.model.json import Json, JsonError, dump_json, is_deeper, parse_json
from toolfix_audit.wire.results.blocks import Block, Kept, Text, is_typed, media_in, text_in
from toolfix_audit.wire.results.copies import is_copy, without_copies
from toolfix_audit.wire.results.images import Image, Media, data_uri, read_image

_LAYERS: Final = 3
"""How often a stringified result may itself be stringified."""

_DEPTH: Final = 64
MARKS: Final = (
    *("iVBORw0KGgo", "/9j", "R0lGOD", "UklGR", "data:"),
    *(
        f'"{kind}{slash}'
        for kind in ("image", "audio", "video", "application", "text")
        for slash in ("/", "\\/")
    ),
)
"""A text without any of these holds no image, and no other media that say what they are."""

_WRAPPER_KEYS: Final = frozenset(
    {
        "content",
        "value",
        "type",
        "isError",
        "is_error",
        "status",
        "resultType",
        "structuredContent",
        "structured_content",
        "_meta",
        "meta",
        "tool_use_id",
        "toolUseId",
        "toolCallId",
        "tool_call_id",
        "call_id",
    }
)
_WRAPPER_TYPES: Final = (None, "content", "tool_result", "tool-result", "result")
_SAYS_NOTHING: Final[tuple[Json, ...]] = (None, False, "", "success", "complete")
_STRUCTURED: Final = ("structuredContent", "structured_content")


@dataclass(frozen=True, slots=True)
class Stringified:
    """A result that holds images as text, or blocks of a foreign shape.

    `blocks` are all blocks in order, with `Kept` for those that stay as they are; `characters`
    is how long the texts, or the JSON of the blocks, were that are replaced.
    """

    blocks: tuple[Block, ...]
    characters: int

    @property
    def images(self) -> tuple[Image, ...]:
        """The images, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Image))

    @property
    def unsupported(self) -> str | None:
        """The media type of the first medium that no tool result takes as an image."""
        return next((one.media_type for one in self.blocks if isinstance(one, Media)), None)

    @property
    def remaining(self) -> int:
        """How many characters of the replaced texts stay as text."""
        return sum(len(one.text) for one in self.blocks if isinstance(one, Text))


def stringified(
    content: Json, is_native: Callable[[dict[str, Json]], bool] = is_typed
) -> Stringified | None:
    """What is wrong with the content of a result; None if nothing is. Never raises.

    `is_native` tells the blocks that the target takes as they are; by default every block of a
    list is, and only texts are looked into.
    """
    if isinstance(content, str):
        blocks = read_text(content)
        return None if blocks is None else Stringified(blocks, len(content))
    if isinstance(content, dict):
        inner = None if is_deeper(content, _DEPTH) else _inner(content)
        return _in_list([content], is_native) if inner is None else stringified(inner, is_native)
    return _in_list(content, is_native) if isinstance(content, list) else None


def in_object(value: dict[str, Json]) -> Stringified | None:
    """What is wrong with a result that must be plain data: nothing, unless the whole of it has
    the form of a result with an image."""
    if is_deeper(value, _DEPTH):
        return None
    blocks = _value_blocks(value, _LAYERS)
    return None if blocks is None else Stringified(blocks, len(dump_json(value)))


def read_text(text: str, layers: int = _LAYERS) -> tuple[Block, ...] | None:
    """The blocks of a text that is a stringified result with an image or another medium; None
    for every other text."""
    if not layers or not any(mark in text for mark in MARKS):
        return None
    bare = text.strip(" \t\r\n")
    uri = data_uri(bare)
    image = read_image(bare if uri is None else uri.data)
    if image is not None and (uri is not None or image.size is not None):
        return (image,)
    value = _shallow(bare) if bare[:1] in ("[", "{", '"') else None
    if isinstance(value, str):
        return read_text(value, layers - 1)
    return _value_blocks(value, layers)


def _shallow(text: str) -> Json:
    """A JSON value that is not nested deeply; None for any other text."""
    try:
        json.loads(text)  # fails at once where the exact parser would go on into any depth
        value = parse_json(text)
    except (JsonError, ValueError, RecursionError):
        return None
    return None if is_deeper(value, _DEPTH) else value


def _value_blocks(value: Json, layers: int) -> tuple[Block, ...] | None:
    """The blocks of a parsed result, if one of them is an image or a medium."""
    if isinstance(value, dict):
        if _inner(value) is not None:
            return _unwrapped(value, layers)
        value = [value]
    if not isinstance(value, list) or not all(
        isinstance(one, str) or is_typed(one) for one in value
    ):
        return None
    blocks = tuple(block for member in value for block in _member_blocks(member, layers))
    return blocks if any(isinstance(block, Image | Media) for block in blocks) else None


def _member_blocks(member: Json, layers: int) -> tuple[Block, ...]:
    text = text_in(member) if isinstance(member, dict) else member
    if isinstance(text, str):
        return read_text(text, layers - 1) or (Text(text),)
    if isinstance(member, dict) and (blocks := media_in(member)):
        return blocks
    return (Text(dump_json(member)),)


def _inner(value: Mapping[str, Json]) -> Json:
    """What a result object wraps; None if the object is none."""
    lone = next(iter(value)) if len(value) == 1 else None
    if lone in ("output", "result"):
        return value[lone]
    if value.keys() <= _WRAPPER_KEYS and value.get("type") in _WRAPPER_TYPES:
        inner = value.get(_inner_key(value))
        return inner if isinstance(inner, list | dict | str) else None
    return None


def _inner_key(value: Mapping[str, Json]) -> str:
    return next(
        (key for key in ("content", "value", "output", "result") if key in value), "content"
    )


def _unwrapped(value: dict[str, Json], layers: int) -> tuple[Block, ...] | None:
    """The blocks inside a result object, then as text what else it says."""
    key = _inner_key(value)
    inner = value[key]
    if isinstance(inner, str):
        blocks = read_text(inner, layers - 1)
    else:
        blocks = _value_blocks(inner, layers - 1) if layers else None
    if blocks is None:
        return None
    rest = {
        name: member
        for name, member in value.items()
        if name not in (key, "type") and not name.endswith(("_id", "Id"))
        if member not in _SAYS_NOTHING
        if not (name in _STRUCTURED and is_copy(member, inner))
    }
    return (*blocks, Text(dump_json(rest))) if rest else blocks


def _in_list(
    content: list[Json], is_native: Callable[[dict[str, Json]], bool]
) -> Stringified | None:
    blocks: list[Block] = []
    characters, changed = 0, False
    for member in content:
        found = _replaced(member, is_native)
        changed = changed or found is not None
        blocks.extend(found or _unchanged(member))
        if found is not None:
            characters += len(_text_of(member) or dump_json(member))
    if not changed:
        return None
    return Stringified(without_copies(tuple(blocks)), characters)


def _replaced(
    member: Json, is_native: Callable[[dict[str, Json]], bool]
) -> tuple[Block, ...] | None:
    """The blocks that stand in a member of a content list and should not stand there so."""
    text = _text_of(member)
    if text is not None:
        return read_text(text)
    if not isinstance(member, dict) or is_deeper(member, _DEPTH):
        return None
    if list(member) == ["json"]:
        return _value_blocks(member["json"], _LAYERS)
    return None if is_native(member) else (media_in(member) or None)


def _unchanged(member: Json) -> tuple[Block, ...]:
    return (Kept(member),)


def _text_of(member: Json) -> str | None:
    return (
        text_in(member) if isinstance(member, dict) else member if isinstance(member, str) else None
    )
