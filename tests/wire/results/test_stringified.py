"""Family H, detection: which texts hold an image, and the more that do not."""

from __future__ import annotations

import pytest

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.blocks import Block, Text
from toolfix_audit.wire.results.images import Image
from toolfix_audit.wire.results.stringified import stringified

from .samples import JPEG, MCP_IMAGE, PNG, PNG_URL, TEXT, coded, text_of

ANTHROPIC_IMAGE: dict[str, Json] = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PNG},
}
PDF = coded(b"%PDF-1.4\n")

HOLD_ONE_IMAGE: dict[str, Json] = {
    "data-uri": PNG_URL,
    "data-uri-spaced": f"  {PNG_URL}\n",
    "data-uri-with-parameter": f"data:image/png;name=a.png;base64,{PNG}",
    "bare-base64": PNG,
    "mcp-block": text_of(MCP_IMAGE),
    "mcp-list": text_of([TEXT, MCP_IMAGE]),
    "mcp-result": text_of({"content": [TEXT, MCP_IMAGE], "isError": False}),
    "anthropic-list": text_of([ANTHROPIC_IMAGE]),
    "chat-part": text_of([{"type": "image_url", "image_url": {"url": PNG_URL, "detail": "low"}}]),
    "responses-part": text_of([{"type": "input_image", "image_url": PNG_URL}]),
    "media-part": text_of([{"type": "media", "mediaType": "image/png", "data": PNG}]),
    "image-data-part": text_of([{"type": "image-data", "mediaType": "image/png", "data": PNG}]),
    "file-part": text_of([{"type": "file", "mime": "image/png", "url": PNG_URL}]),
    "output-wrapper": text_of({"type": "content", "value": [MCP_IMAGE]}),
    "bedrock-list": text_of(
        [{"text": "a"}, {"image": {"format": "png", "source": {"bytes": PNG}}}]
    ),
    "gemini-part": text_of([{"inlineData": {"mimeType": "image/png", "data": PNG}}]),
    "resource": text_of([{"type": "resource", "resource": {"mimeType": "image/png", "blob": PNG}}]),
    "string-members": text_of(["a caption", MCP_IMAGE]),
    "twice-stringified": text_of(text_of([MCP_IMAGE])),
    "stringified-element": text_of([{"type": "text", "text": text_of(MCP_IMAGE)}]),
    "text-element-of-a-list": [TEXT, {"type": "text", "text": text_of(MCP_IMAGE)}],
    "escaped-slashes": text_of([{**MCP_IMAGE, "data": JPEG}]).replace("/", "\\/"),
    "with-a-placeholder": text_of([{**MCP_IMAGE, "data": "<omitted>"}, MCP_IMAGE]),
    "with-an-unknown-block": text_of([{"type": "resource_link", "uri": "file:///a"}, MCP_IMAGE]),
}

STAY: dict[str, Json] = {
    "empty": "",
    "none": None,
    "number": 5,
    "plain": "Saved the screenshot to /tmp/shot.png",
    "text-blocks": text_of([TEXT, {"type": "text", "text": "more"}]),
    "json-with-an-image-path": text_of({"name": "my-app", "image": "logo.png"}),
    "json-with-an-image-url": text_of([{"type": "image", "url": "https://host/a.png"}]),
    "html-with-a-data-uri": f'<img src="{PNG_URL}">',
    "css-with-a-data-uri": f"a {{ background: url({PNG_URL}) }}",
    "markdown-with-a-data-uri": f"![shot]({PNG_URL})",
    "prose-before-the-uri": f"local_base64_img: {PNG}",
    "two-uris": f"{PNG_URL}\n{PNG_URL}",
    "wrapped-base64": f"{PNG[:60]}\n{PNG[60:]}",
    "cut-base64": PNG[:41],
    "cut-json": text_of([MCP_IMAGE])[:-3],
    "json-lines": text_of([MCP_IMAGE]) + "\n" + text_of([MCP_IMAGE]),
    "json-in-a-fence": f"```json\n{text_of([MCP_IMAGE])}\n```",
    "placeholder": text_of([{**MCP_IMAGE, "data": "[image omitted]"}]),
    "placeholder-that-decodes": text_of([{**MCP_IMAGE, "data": "data"}]),
    "no-magic": text_of([{**MCP_IMAGE, "data": coded(b"just some bytes")}]),
    "empty-data": text_of([{**MCP_IMAGE, "data": ""}]),
    "data-of-a-row": text_of([{"id": 1, "data": PNG}]),
    "typed-row": text_of([{"type": "row", "data": PNG}]),
    "image-field-of-a-record": text_of({"name": "logo", "image": PNG_URL, "size": 3}),
    "image-field-alone-of-a-list": text_of({"images": [PNG_URL]}),
    "deep-in-a-document": text_of({"slides": [{"parts": [MCP_IMAGE]}]}),
    "a-message-of-a-log": text_of({"role": "user", "content": [MCP_IMAGE]}),
    "a-request-body": text_of({"model": "m", "messages": [{"content": [MCP_IMAGE]}]}),
    "rows-with-an-image": text_of([{"id": 1}, MCP_IMAGE]),
    "file-api": text_of({"type": "file", "encoding": "base64", "content": PNG}),
    "four-letters-that-decode": "/9j/",
    "svg-text": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "svg-uri": "data:image/svg+xml;utf8,<svg/>",
    "uri-not-base64": "data:image/png,%89PNG",
    "number-json": "12345",
    "string-json": text_of("data:image/png"),
    "native-list": [TEXT, ANTHROPIC_IMAGE],
    "native-mcp-result": {"content": [TEXT, MCP_IMAGE], "isError": False},
    "attachment": [{"type": "image", "attachment": {"attachmentId": "sha256:0", "bytes": 5}}],
    "stringified-four-times": text_of(text_of(text_of(text_of([MCP_IMAGE])))),
    "null-members": [None, 1, True],
    "tool-list": text_of([{"type": "function", "name": "image", "data": PNG}]),
    "json-of-types": text_of([{"type": "application/json"}, {"type": "image/png"}]),
    "python-list": str([MCP_IMAGE]),
    "base64-of-text": coded(b"iVBORw0KGgo"),
    "url-in-json": text_of({"content": [{"type": "image_url", "image_url": "https://h/a.png"}]}),
    "audio-mentioned": text_of([{"type": "audio", "mimeType": "audio/wav", "uri": "file:///a"}]),
    "png-schema": text_of({"type": "object", "contentMediaType": "image/png"}),
}


@pytest.mark.parametrize("name", HOLD_ONE_IMAGE)
def test_an_image_as_text_is_found(name: str) -> None:
    found = stringified(HOLD_ONE_IMAGE[name])
    assert found is not None
    assert found.unsupported is None
    assert [image.data for image in found.images] in ([PNG], [JPEG])


@pytest.mark.parametrize("name", STAY)
def test_everything_else_stays(name: str) -> None:
    assert stringified(STAY[name]) is None


def test_twice_as_many_must_stay() -> None:
    assert len(STAY) >= 2 * len(HOLD_ONE_IMAGE)


def _texts(content: Json) -> list[str]:
    found = stringified(content)
    assert found is not None
    return [block.text for block in found.blocks if isinstance(block, Text)]


def test_what_stands_beside_an_image_is_kept_as_text() -> None:
    resource: Json = {"uri": "file:///a.png", "mimeType": "image/png", "blob": PNG}
    assert _texts(text_of([{"type": "resource", "resource": resource}])) == [
        '{"resource":{"uri":"file:///a.png"}}'
    ]
    assert _texts(text_of([{**MCP_IMAGE, "filename": "a.png", "annotations": None}])) == [
        '{"filename":"a.png"}'
    ]
    assert _texts(text_of({"content": [MCP_IMAGE], "isError": True})) == ['{"isError":true}']
    assert _texts(text_of([{"type": "resource_link", "uri": "file:///a"}, MCP_IMAGE])) == [
        '{"type":"resource_link","uri":"file:///a"}'
    ]
    exact = text_of([{"type": "x", "n": "N"}, MCP_IMAGE]).replace('"N"', "1e400")
    assert _texts(exact) == ['{"type":"x","n":1e400}']


def test_structured_content_that_is_a_copy_goes_and_other_stays() -> None:
    copy: Json = {
        "content": [TEXT, MCP_IMAGE],
        "structuredContent": {"shot": PNG, "n": "screenshot"},
    }
    assert _texts(text_of(copy)) == ["screenshot"]
    told: Json = {"type": "text", "text": '{"rows": [1, 2]}'}
    again: Json = {"content": [told, MCP_IMAGE], "structuredContent": {"rows": [1, 2]}}
    assert _texts(text_of(again)) == ['{"rows": [1, 2]}']
    other: Json = {"content": [TEXT, MCP_IMAGE], "structuredContent": {"n": 7}}
    assert _texts(text_of(other)) == ["screenshot", '{"structuredContent":{"n":7}}']


def test_a_text_copy_beside_the_native_image_is_dropped() -> None:
    copy: Json = {"type": "text", "text": text_of({"content": [TEXT, MCP_IMAGE]})}
    found = stringified([TEXT, MCP_IMAGE, copy])
    assert found is not None
    assert found.images == ()
    assert _texts([TEXT, MCP_IMAGE, copy]) == []


def test_another_image_in_the_text_is_no_copy() -> None:
    other: Json = {"type": "text", "text": text_of([{**MCP_IMAGE, "data": JPEG}])}
    found = stringified([MCP_IMAGE, other])
    assert found is not None
    assert [image.data for image in found.images] == [JPEG]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (
            text_of([{"type": "media", "mediaType": "application/pdf", "data": PDF}]),
            "application/pdf",
        ),
        (
            text_of([MCP_IMAGE, {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]),
            "audio/wav",
        ),
        (
            text_of([{"type": "file", "file": {"file_data": f"data:text/csv;base64,{PDF}"}}]),
            "text/csv",
        ),
        (text_of([{**MCP_IMAGE, "mimeType": "image/svg+xml", "data": PDF}]), "image/svg+xml"),
    ],
)
def test_other_media_are_named_and_not_lowered(content: str, kind: str) -> None:
    found = stringified(content)
    assert found is not None
    assert found.unsupported == kind


def test_the_characters_are_those_of_the_replaced_texts() -> None:
    text = text_of([TEXT, MCP_IMAGE])
    found = stringified(text)
    assert found is not None
    assert found.characters == len(text)
    assert found.remaining == len("screenshot")
    blocks: tuple[Block, ...] = found.blocks
    assert [type(block) for block in blocks] == [Text, Image]
