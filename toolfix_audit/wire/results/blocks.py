"""The blocks of a result, read from the spelling of any provider.

An image or other media is told by its payload: base64 or a data URI at one of the places where
providers put it, in a block whose kind or only key says media. A member of ordinary data that is
called `data` or `image` is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.wire.results.images import Image, Media, read_media

TEXT_KINDS: Final = ("text", "input_text", "output_text")

_MEDIA_KINDS: Final = frozenset(
    {
        "image",
        "image_url",
        "image-url",
        "image-data",
        "input_image",
        "media",
        "file",
        "file-data",
        "input_file",
        "audio",
        "input_audio",
        "document",
        "video",
        "resource",
    }
)
_LONE_KEYS: Final = frozenset({"image", "document", "video", "inlineData", "inline_data"})
"""The keys that say media in a block without a type: those of Bedrock and Gemini."""

_PAYLOADS: Final[tuple[tuple[str, ...], ...]] = (
    ("source", "data"),
    ("source", "bytes"),
    ("image_url", "url"),
    ("image_url",),
    ("inlineData", "data"),
    ("inline_data", "data"),
    ("image", "source", "bytes"),
    ("document", "source", "bytes"),
    ("video", "source", "bytes"),
    ("image",),
    ("resource", "blob"),
    ("file", "file_data"),
    ("file_data",),
    ("input_audio", "data"),
    ("data",),
    ("url",),
)
_TYPES: Final[tuple[tuple[str, ...], ...]] = (
    ("source", "media_type"),
    ("mediaType",),
    ("mimeType",),
    ("media_type",),
    ("mime_type",),
    ("mime",),
    ("inlineData", "mimeType"),
    ("inline_data", "mime_type"),
    ("resource", "mimeType"),
    ("document", "format"),
    ("video", "format"),
    ("input_audio", "format"),
)
_HINTS: Final = frozenset(
    {
        "type",
        "media_type",
        "mediaType",
        "mimeType",
        "mime_type",
        "mime",
        "format",
        "cache_control",
        "annotations",
        "_meta",
        "detail",
    }
)
"""Keys that describe a payload or its handling; what else a media block says is text."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text."""

    text: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A block that is left as it is."""

    raw: Json


Block: TypeAlias = Text | Image | Media | Kept


def text_in(block: Mapping[str, Json]) -> str | None:
    """The text of a text block."""
    text = block.get("text")
    kind = block.get("type")
    is_text = (isinstance(kind, str) and kind in TEXT_KINDS) or list(block) == ["text"]
    return text if is_text and isinstance(text, str) else None


def media_in(block: Mapping[str, Json]) -> tuple[Block, ...]:
    """What a media block holds: the image or media, then as text what else it says; nothing if
    it is no media block or its payload is none."""
    kind = block.get("type")
    if isinstance(kind, str):
        known = kind in _MEDIA_KINDS
    else:
        known = len(block) == 1 and block.keys() <= _LONE_KEYS
    if not known:
        return ()
    declared = next((word.lower() for path in _TYPES if (word := _text_at(block, path))), None)
    for path in _PAYLOADS:
        payload = _text_at(block, path)
        found = None if payload is None else read_media(payload, declared)
        if found is not None:
            rest = _rest(block, path)
            return (found, Text(dump_json(rest))) if rest else (found,)
    return ()


def plain(block: Block) -> tuple[Block, ...]:
    """A block that was kept, read for what it holds; others as they are."""
    if not isinstance(block, Kept):
        return (block,)
    raw = block.raw
    text = text_in(raw) if isinstance(raw, dict) else raw
    if isinstance(text, str):
        return (Text(text),)
    found = media_in(raw) if isinstance(raw, dict) else ()
    return found or (Text(dump_json(raw)),)


def is_typed(block: Json) -> bool:
    """Whether a value looks like a block of some provider, known or not."""
    return isinstance(block, dict) and (
        isinstance(block.get("type"), str)
        or (len(block) == 1 and block.keys() <= {"text", "json", *_LONE_KEYS})
    )


def _text_at(block: Mapping[str, Json], path: tuple[str, ...]) -> str | None:
    value: Json = block.get(path[0])
    for key in path[1:]:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


def _rest(block: Mapping[str, Json], path: tuple[str, ...]) -> dict[str, Json]:
    """What a media block says beside its payload, which lies at `path`."""
    rest: dict[str, Json] = {}
    for key, value in block.items():
        inner = value
        if key == path[0]:
            inner = _rest(value, path[1:]) if path[1:] and isinstance(value, dict) else None
        if key not in _HINTS and inner not in (None, "", {}, []):
            rest[key] = inner
    return rest
