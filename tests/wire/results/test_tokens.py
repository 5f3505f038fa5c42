"""Token estimates against figures that others measured through the providers' own counters.

The table: image tokens by size as measured for Claude Haiku 4.5 (less the 65 tokens of the prompt,
97 where the image is scaled down) and for GPT-6 at high detail, from a public set of measurements.
"""

from __future__ import annotations

import pytest

from toolfix_audit.wire.results.images import Image, read_image
from toolfix_audit.wire.results.tokens import (
    ANTHROPIC,
    GEMINI,
    OPENAI,
    claude_tokens,
    estimate,
    openai_tokens,
)

from .samples import PNG

MEASURED = [
    ((256, 256), 165 - 65, 77),
    ((512, 512), 426 - 65, 308),
    ((768, 768), 849 - 65, 692),
    ((1024, 1024), 1434 - 65, 1229),
    ((1280, 720), 1261 - 65, 1104),
    ((1920, 1080), 1625 - 65, 2448),
    ((1080, 1920), 1625 - 65, 2448),
    ((2560, 1440), 1657 - 97, 2931),
    ((3840, 2160), 1657 - 97, 2931),
    ((4032, 3024), 1661 - 97, 2942),
]


@pytest.mark.parametrize(("size", "claude", "openai"), MEASURED)
def test_the_rules_give_the_measured_tokens(
    size: tuple[int, int], claude: int, openai: int
) -> None:
    assert claude_tokens(size) == claude
    assert openai_tokens(size) == openai


@pytest.mark.parametrize("size", [(1, 1), (1, 100_000), (2**32 - 1, 1), (2**32 - 1, 2**32 - 1)])
def test_every_size_has_a_bounded_price(size: tuple[int, int]) -> None:
    assert 1 <= claude_tokens(size) <= 1568
    assert 1 <= openai_tokens(size) <= 3000


def test_an_estimate_says_that_it_is_one_and_by_which_rule() -> None:
    image = read_image(PNG)
    assert image is not None
    for price in (ANTHROPIC, OPENAI, GEMINI):
        made = estimate((image,), before=len(PNG) + 40, after=8, price=price)
        assert made.method.startswith("estimate: ")
        assert price.method in made.method
        assert made.before == -(-len(PNG) * 5 // 7) + 10
        assert made.after == 2 + price.tokens((3, 2))


def test_an_image_of_unknown_size_and_a_hop_without_model_have_no_price() -> None:
    unknown = Image("image/png", PNG, None)
    assert estimate((unknown,), before=400, after=0, price=OPENAI).after is None
    assert estimate((unknown,), before=400, after=0, price=None).after is None
