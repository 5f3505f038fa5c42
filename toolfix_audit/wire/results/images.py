"""Images as texts: base64 that decodes strictly to a PNG, JPEG, GIF or WebP, or media that is none.

The base64 text is kept as it was, so the bytes are the same before and after. A text is decoded
whole only if its first bytes are an image's, so other texts cost nothing.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Final

from toolfix_audit.wire.results.image_size import Size, size_of

_HEAD: Final = 16  # base64 characters: the twelve bytes in which every magic lies
_MAX_URI_HEAD: Final = 256


@dataclass(frozen=True, slots=True)
class Image:
    """An image: its media type as the magic bytes tell it, its bytes as base64, and its size in
    pixels where the head tells it."""

    media_type: str
    data: str
    size: Size | None

    @property
    def url(self) -> str:
        """The image as a data URI."""
        return f"data:{self.media_type};base64,{self.data}"

    @property
    def format(self) -> str:
        """The last word of the media type: `png`, `jpeg`, `gif` or `webp`."""
        return self.media_type.partition("/")[2]


@dataclass(frozen=True, slots=True)
class Media:
    """Bytes that are none of the four image formats: a document, sound, a drawing."""

    media_type: str


@dataclass(frozen=True, slots=True)
class DataUri:
    """A data URI that holds base64, cut in two."""

    media_type: str
    data: str


def data_uri(text: str) -> DataUri | None:
    """The parts of a text that is one base64 data URI and nothing else."""
    if text[:5].lower() != "data:":
        return None
    comma = text.find(",", 0, _MAX_URI_HEAD)
    words = text[5 : max(comma, 5)].split(";")
    if comma < 0 or words[-1].strip().lower() != "base64":
        return None
    return DataUri(words[0].strip().lower(), text[comma + 1 :])


def read_image(data: str) -> Image | None:
    """The image that a base64 text is: standard alphabet, right padding, no space inside."""
    kind = _magic(decoded(data[:_HEAD]) or b"")
    if kind is None:
        return None
    raw = decoded(data)
    return None if raw is None else Image(kind, data, size_of(kind, raw))


def read_media(text: str, declared: str | None) -> Image | Media | None:
    """What a text holds, as base64 or as a data URI of it; the magic bytes overrule what is
    `declared`. None for a text that is no base64, of no declared type, or of an image type
    without that image's first bytes (a placeholder)."""
    uri = data_uri(text)
    data, kind = (text, declared) if uri is None else (uri.data, uri.media_type or declared)
    image = read_image(data)
    if image is not None or kind is None or kind in _KINDS or not data:
        return image
    return None if decoded(data) is None else Media(kind)


def decoded(data: str) -> bytes | None:
    """The bytes of a strict base64 text; None if it is none."""
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None


def _magic(head: bytes) -> str | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    return None


_KINDS: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
