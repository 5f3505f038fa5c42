"""Images as texts: strict base64, magic bytes, sizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.wire.results.image_size import size_of
from toolfix_audit.wire.results.images import Image, Media, read_image, read_media

from . import samples
from .samples import IMAGES, PNG, PNG_URL, coded

MAKERS = (
    samples.png,
    samples.gif,
    samples.jpeg,
    samples.webp_lossless,
    samples.webp_lossy,
    samples.webp_extended,
)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
@pytest.mark.parametrize("size", [(1, 1), (3, 2), (640, 480), (4032, 3024)])
def test_the_size_is_the_one_that_was_written(
    maker: Callable[[int, int], bytes], size: tuple[int, int]
) -> None:
    if maker is samples.png and size[0] > 1000:
        size = (1200, 7)  # a whole PNG, kept small
    image = read_image(coded(maker(*size)))
    assert image is not None
    assert image.size == size


@pytest.mark.parametrize("kind", IMAGES)
def test_the_magic_bytes_tell_the_media_type(kind: str) -> None:
    image = read_image(coded(IMAGES[kind]))
    assert image is not None
    assert image.media_type == kind
    assert image.url == f"data:{kind};base64,{coded(IMAGES[kind])}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "iVBORw0KGgo",
        PNG[:-1],
        PNG + "=",
        PNG + "\n",
        PNG[:20] + " " + PNG[20:],
        PNG[:76] + "\n" + PNG[76:],
        PNG.replace("A", "-"),
        PNG + "!",
        "http://host/logo.png",
        coded(b"BM" + b"\0" * 60),
        coded(b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        coded(b"%PDF-1.4\n"),
        coded(b"RIFF\x24\0\0\0WAVEfmt "),
        "\ud800",
    ],
)
def test_what_is_no_strict_base64_of_an_image_is_none(text: str) -> None:
    assert read_image(text) is None


@pytest.mark.parametrize("kind", IMAGES)
def test_a_head_that_is_cut_has_no_size(kind: str) -> None:
    data = IMAGES[kind][:13]
    image = read_image(coded(data))
    assert image is not None
    assert image.size is None or kind == "image/gif"


def test_a_size_of_zero_is_none() -> None:
    assert size_of("image/gif", samples.gif(0, 5)) is None


def test_the_magic_bytes_overrule_the_declared_type() -> None:
    assert read_media(PNG, "image/jpeg") == read_image(PNG)
    assert read_media(PNG_URL.replace("png", "gif"), None) == read_image(PNG)


@pytest.mark.parametrize(
    ("text", "declared", "wanted"),
    [
        (coded(b"%PDF-1.4\n"), "application/pdf", Media("application/pdf")),
        (f"data:audio/wav;base64,{coded(b'RIFFxxxxWAVE')}", None, Media("audio/wav")),
        (coded(b"<svg/>"), "image/svg+xml", Media("image/svg+xml")),
        (coded(b"no image"), "image/png", None),
        ("not base64!", "application/pdf", None),
        ("", "application/pdf", None),
        (coded(b"anything"), None, None),
        ("https://host/a.pdf", "application/pdf", None),
    ],
)
def test_other_media(text: str, declared: str | None, wanted: Media | None) -> None:
    assert read_media(text, declared) == wanted


@given(st.text(max_size=80) | st.binary(max_size=80).map(coded))
def test_no_text_raises(text: str) -> None:
    found = read_media(text, "image/png")
    assert found is None or isinstance(found, Image)


@given(st.sampled_from(list(IMAGES)), st.binary(max_size=60))
def test_no_damaged_head_raises(kind: str, tail: bytes) -> None:
    for cut in range(len(IMAGES[kind])):
        size_of(kind, IMAGES[kind][:cut] + tail)
