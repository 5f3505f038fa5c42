"""Family H over a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .made import PNG, call, found_in, only, result, text, told, tools

BLOCK = {"type": "image", "data": PNG, "mimeType": "image/png"}
TEXT = json.dumps([{"type": "text", "text": "the page"}, BLOCK])
PDF = json.dumps([{"type": "document", "data": "JVBERi0xLjQK", "mimeType": "application/pdf"}])


def test_an_image_as_text_is_told_with_what_it_costs(tmp_path: Path) -> None:
    found = found_in(tmp_path, [tools(), call("a"), result("a", TEXT), text("I see.")])
    row = only(found, "H")
    assert (row.kind, row.variant, row.tool, row.model) == (
        "image_as_text", "image/png", "read", "m"
    )  # fmt: skip
    assert (row.count, row.repairable) == (1, 1)
    assert row.call is not None
    removed = len(TEXT) - len("the page")
    assert (found.images.results, found.images.images, found.images.characters) == (1, 1, removed)
    assert f"{removed:,} characters less" in row.says


def test_every_provider_has_a_row_and_an_estimate_where_a_model_is_known(tmp_path: Path) -> None:
    targets = found_in(tmp_path, [call("a"), result("a", TEXT)]).images.targets
    names = [row.target for row in targets]
    assert names == ["responses", "anthropic", "chat", "converse", "gemini", "mcp"]
    assert all((row.lowered, row.refused) == (1, 0) for row in targets)
    by_name = {row.target: row for row in targets}
    whole = -(-len(PNG) * 5 // 7) + -(-(len(TEXT) - len(PNG)) // 4)
    assert (by_name["anthropic"].tokens_before, by_name["anthropic"].tokens_after) == (whole, 3)
    assert (by_name["mcp"].estimated, by_name["mcp"].tokens_before) == (0, 0)


@pytest.mark.parametrize(
    "content",
    [
        f"data:image/png;base64,{PNG}",
        json.dumps({"content": [BLOCK]}),
        [{"type": "text", "text": TEXT}],
        f"  {TEXT}\n",
        PNG,
        json.dumps([{"type": "image_url", "image_url": {"url": f"DATA:image/png;Base64 ,{PNG}"}}]),
        json.dumps([{"image": {"format": "png", "source": {"bytes": PNG}}}]),
        json.dumps(TEXT),
        json.dumps({"result": BLOCK}),
        TEXT.replace("/", "\\/"),
    ],
    ids=[
        *("data URI", "result object", "in a text block", "blanks", "bare base64"),
        *("loud data URI", "no type", "twice", "in a result", "escaped slashes"),
    ],
)
def test_an_image_is_found_wherever_a_text_holds_it(tmp_path: Path, content: object) -> None:
    found = found_in(tmp_path, [call("a"), result("a", content)])
    assert told(found, "H") == [("image_as_text", "image/png", 1, 1)]


def test_other_media_are_refused(tmp_path: Path) -> None:
    found = found_in(tmp_path, [call("a"), result("a", PDF)])
    assert told(found, "H") == [("media_as_text", "application/pdf", 1, 0)]
    assert only(found, "H").says == "not repairable: unsupported media: application/pdf"
    assert all((row.lowered, row.refused) == (0, 1) for row in found.images.targets)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([{"type": "text", "text": "only words"}]),
        f'<img src="data:image/png;base64,{PNG}">',
        json.dumps({"name": "a", "icon": f"data:image/png;base64,{PNG}"}),
        [BLOCK],
        '"image/png" is its type',
    ],
    ids=["text block", "a page", "data", "an image block", "words"],
)
def test_what_is_none_is_left(tmp_path: Path, content: object) -> None:
    found = found_in(tmp_path, [call("a"), result("a", content)])
    assert told(found, "H") == []
    assert found.images.targets == ()


def test_one_result_told_by_two_files_counts_once(tmp_path: Path) -> None:
    log = [call("a"), result("a", TEXT), call("b"), result("b", TEXT)]
    assert found_in(tmp_path, log, [*log, text("more")]).images.results == 2
