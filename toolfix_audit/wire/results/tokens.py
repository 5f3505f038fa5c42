"""Estimates of what a result costs in tokens, before and after: never a count.

Text: four characters a token, as the providers' own guides say of English. Base64: 1.4 characters
a token, between what OpenAI's two public vocabularies give for base64 of random bytes (cl100k_base
1.39, o200k_base 1.46). Images: a rule for each provider, below.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from toolfix_audit.wire.results.image_size import Size
from toolfix_audit.wire.results.images import Image


@dataclass(frozen=True, slots=True)
class ImagePrice:
    """What an image of a size costs; `method` says by which rule and from where."""

    tokens: Callable[[Size], int]
    method: str


@dataclass(frozen=True, slots=True)
class TokenEstimate:
    """Estimated tokens of the replaced texts, and of what stands in their place (None where the
    size of an image is not known, or no model is)."""

    before: int
    after: int | None
    method: str


def estimate(
    images: tuple[Image, ...], *, before: int, after: int, price: ImagePrice | None
) -> TokenEstimate:
    """Estimate a lowering: `before` characters were replaced, `after` of them stay as text."""
    coded = sum(len(image.data) for image in images)
    whole = _base64_tokens(coded) + _text_tokens(max(before - coded, 0))
    if price is None:
        return TokenEstimate(whole, None, _TEXT_METHOD)
    sizes = [image.size for image in images if image.size is not None]
    known = len(sizes) == len(images)
    cost = _text_tokens(after) + sum(map(price.tokens, sizes)) if known else None
    return TokenEstimate(whole, cost, f"{_TEXT_METHOD}; {price.method}")


_TEXT_METHOD: Final = "estimate: text 4 characters a token, base64 1.4 characters a token"


def _text_tokens(characters: int) -> int:
    return -(-characters // 4)


def _base64_tokens(characters: int) -> int:
    return -(-characters * 5 // 7)


_CLAUDE_CELL: Final = 28
_CLAUDE_EDGE: Final = 1568
_CLAUDE_TOKENS: Final = 1568


def claude_tokens(size: Size) -> int:
    """One token for each started cell of 28 by 28 pixels, after the image was made to fit an
    edge of 1568 pixels and 1568 tokens."""
    width, height = size
    shrunk = min(1.0, _CLAUDE_EDGE / max(size))
    cells = _cells(width * shrunk, height * shrunk, _CLAUDE_CELL)
    if cells <= _CLAUDE_TOKENS:
        return cells
    low, high = 0.0, shrunk
    for _ in range(40):  # the largest scale that fits, to more digits than a pixel has
        middle = (low + high) / 2
        fits = _cells(width * middle, height * middle, _CLAUDE_CELL) <= _CLAUDE_TOKENS
        low, high = (middle, high) if fits else (low, middle)
    return _cells(width * low, height * low, _CLAUDE_CELL)


_OPENAI_PATCH: Final = 32
_OPENAI_PATCHES: Final = 2500


def openai_tokens(size: Size) -> int:
    """1.2 tokens for each started patch of 32 by 32 pixels, after the image was made to fit 2500
    patches with a whole number of them along one edge."""
    width, height = size
    patches = _cells(width, height, _OPENAI_PATCH)
    if patches > _OPENAI_PATCHES:
        across, down = width / _OPENAI_PATCH, height / _OPENAI_PATCH
        shrunk = math.sqrt(_OPENAI_PATCHES / (across * down))
        across, down = across * shrunk, down * shrunk
        fit = min(_whole(across) / across, _whole(down) / down)
        fitted = math.ceil(round(across * fit, 6)) * math.ceil(round(down * fit, 6))
        patches = min(fitted, _OPENAI_PATCHES)
    return -(-patches * 6 // 5)


def gemini_tokens(_: Size) -> int:
    """1120 tokens for an image of any size."""
    return 1120


def _cells(width: float, height: float, edge: int) -> int:
    return max(1, math.ceil(width / edge)) * max(1, math.ceil(height / edge))


def _whole(patches: float) -> int:
    return max(1, math.floor(patches))


ANTHROPIC: Final = ImagePrice(
    claude_tokens,
    "image ceil(width/28) x ceil(height/28), at most 1568 pixels an edge and 1568 tokens "
    "(Claude vision guide, standard resolution; on Bedrock for Claude models)",
)
OPENAI: Final = ImagePrice(
    openai_tokens,
    "image 1.2 x ceil(width/32) x ceil(height/32), at most 2500 patches "
    "(OpenAI images and vision guide, patch models of the GPT-5 family at high detail)",
)
GEMINI: Final = ImagePrice(
    gemini_tokens,
    "image 1120 (Vertex AI image understanding guide, default resolution of Gemini 3)",
)
