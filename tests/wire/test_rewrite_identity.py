"""Where nothing is repaired, the bytes that come out are the bytes that went in."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from toolfix_audit.model.json import Json
from toolfix_audit.wire.rewrite import StreamRewriter, Tally, rewrite_body

from .recorded_streams import cut_into, recorded_bodies, recorded_streams


def left(_tool: str, _text: str, _tools: Mapping[str, Json]) -> None:
    """A repair that finds nothing to do."""


def digest(pieces: Iterable[bytes]) -> str:
    whole = hashlib.sha256()
    for piece in pieces:
        whole.update(piece)
    return whole.hexdigest()


def passed(pieces: Iterable[bytes]) -> tuple[str, Tally]:
    """The digest of what comes out."""
    rewriter = StreamRewriter({}, left)
    out = [rewriter.feed(piece) for piece in pieces]
    out.append(rewriter.close())
    assert rewriter.held == 0
    return digest(out), rewriter.tally


@pytest.mark.parametrize("way", ["whole", "byte by byte", "random pieces"])
def test_every_recorded_stream_passes_unchanged(shared: Path, way: str) -> None:
    chance = random.Random(7)
    sizes = {
        "whole": [1 << 30],
        "byte by byte": [1],
        "random pieces": [chance.randint(1, 400) for _ in range(997)],
    }
    total = Tally()
    for name, stream in recorded_streams(shared).items():
        came, tally = passed(cut_into(stream, sizes[way]))
        assert came == digest([stream]), name
        assert tally.blocks == tally.unchanged, name
        total.add(tally)
    assert total.blocks == 74
    assert not total.changed


def test_every_recorded_body_passes_unchanged(shared: Path) -> None:
    total = Tally()
    for name, body in recorded_bodies(shared).items():
        out, tally = rewrite_body(body, {}, left)
        assert out == body, name
        total.add(tally)
    assert total.blocks == 73
    assert total.blocks == total.unchanged
