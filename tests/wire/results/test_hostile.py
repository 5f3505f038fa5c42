"""Hostile results: huge, deep, damaged. A guard stops what would hang; nothing may raise."""

from __future__ import annotations

import faulthandler
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.causes.explained import explain_row, parsed_raw
from toolfix_audit.wire.results.causes.stream_cause import stream_cause
from toolfix_audit.wire.results.lowering import dry_run, lower_batch
from toolfix_audit.wire.results.shapes import result_shape
from toolfix_audit.wire.results.stringified import stringified
from toolfix_audit.wire.results.targets import Head

from . import samples
from .samples import MCP_IMAGE, PNG, coded, text_of

HUGE = coded(samples.png() + b"\0" * 37_000_000)
DEEP = 2_000_000


@pytest.fixture(autouse=True)
def guard() -> Iterator[None]:
    faulthandler.dump_traceback_later(60, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def test_an_image_of_fifty_megabytes_is_lowered_without_a_change() -> None:
    assert len(HUGE) > 49_000_000
    text = text_of([{**MCP_IMAGE, "data": HUGE}])
    batch = lower_batch([{"type": "tool_result", "tool_use_id": "a", "content": text}])
    (finding,) = batch.findings
    assert finding.found.images[0].data == HUGE
    assert finding.characters_removed == len(text)


@pytest.mark.parametrize(
    "text",
    [
        HUGE[:-1],
        HUGE + "\n" + HUGE[:8],
        f"see {HUGE}",
        '[{"type":"image","data":"' + HUGE[:-2] + '"}]',
        "data:image/png;base64," + HUGE[:-1],
        "[" * DEEP + PNG,
        '{"content":' * DEEP + f'"{PNG}"',
        "[" * DEEP + f'"{PNG}"' + "]" * DEEP,
        '{"content":' * 900 + text_of([MCP_IMAGE]) + "}" * 900,
        "iVBORw0KGgo" * 1_000_000,
        '"image/' * 1_000_000,
        "data:image/png;" * 1_000_000,
        "data:image/png;base64," * 100_000,
        '"' + "\\" * 5_000_000,
        "[" + ",".join([text_of({"id": 1})] * 200_000) + f',"{PNG}"]',
    ],
    ids=range(15),
)
def test_other_huge_and_deep_texts_stay(text: str) -> None:
    assert stringified(text) is None
    assert dry_run(text, Head("a")) == ()


def test_a_jpeg_of_nothing_but_segments_has_no_size() -> None:
    data = coded(b"\xff\xd8" + b"\xff\xe0\0\2" * 5_000_000)
    found = stringified(text_of([{"type": "image", "data": data, "mimeType": "image/jpeg"}]))
    assert found is not None
    assert found.images[0].size is None


def test_a_list_of_very_many_images_is_read() -> None:
    found = stringified(text_of([MCP_IMAGE] * 50_000))
    assert found is not None
    assert len(found.images) == 50_000


@pytest.mark.parametrize(
    "text", ["[" * DEEP, '{"error":' * DEEP, '{"error":' * 500_000 + "1" + "}" * 500_000]
)
def test_deep_errors_have_no_cause(text: str) -> None:
    assert stream_cause(text.encode()).message is None
    assert stream_cause(b"data: " + text.encode() + b"\n\n").message is None
    assert explain_row("terminated", None, parsed_raw(text)).lost


def test_deep_values_are_shapes_like_others() -> None:
    deep: Json = [MCP_IMAGE]
    for _ in range(100_000):
        deep = [deep]
    assert stringified(deep) is None
    assert stringified({"content": deep}) is None
    nested: Json = PNG
    for _ in range(100_000):
        nested = {"content": nested}
    assert stringified(nested) is None
    shape = result_shape({"role": "tool", "tool_call_id": "a", "content": deep})
    assert shape is not None
    assert stringified([{"json": {"a": deep}}, {"type": "image", "data": {"a": deep}}]) is None


@given(
    st.text(max_size=60), st.sampled_from(["[%s]", '{"content":%s}', "data:image/png;base64,%s"])
)
def test_no_text_raises(text: str, form: str) -> None:
    stringified(form % text)
    stringified(form % text_of([{**MCP_IMAGE, "data": text}]))


SCALARS = st.none() | st.booleans() | st.text(max_size=4) | st.just(PNG)
KEYS = (
    "type content value data source image image_url url resource output result text json mimeType"
)
VALUES = st.recursive(
    SCALARS | st.just("image"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=3)
    ),
)


@given(VALUES)
def test_no_value_raises_and_no_image_is_lost(value: Json) -> None:
    for content in (value, text_of(value)):
        for finding in dry_run(content, Head("a")):
            if finding.lowered is None:
                continue
            made = text_of([finding.lowered.result, *finding.lowered.carried])
            assert made.count(PNG) >= len(finding.found.images)
