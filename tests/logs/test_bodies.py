"""Bodies as recorders keep them: plain, compressed, streamed, damaged."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest
import zstandard

from toolfix_audit.logs.bodies import MAX_BODY_BYTES, open_body, read_answers
from toolfix_audit.model.json import Json

ANSWER = {"id": "m", "type": "message", "content": [{"type": "text", "text": "hi"}]}
PLAIN = json.dumps(ANSWER).encode()
CHUNK = {"object": "chat.completion.chunk", "id": "c", "choices": [{"delta": {"content": "x"}}]}
GEMINI = {"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "STOP"}]}


@pytest.mark.parametrize(
    "raw",
    [
        PLAIN,
        PLAIN.decode(),
        b"\xef\xbb\xbf" + PLAIN,
        gzip.compress(PLAIN, mtime=0),
        zlib.compress(PLAIN),
        zstandard.ZstdCompressor().compress(PLAIN),
    ],
)
def test_a_body_is_read_however_it_was_packed(raw: str | bytes) -> None:
    (answer,) = read_answers(open_body(raw))
    assert answer.identity == "m"


@pytest.mark.parametrize(
    "raw",
    [
        f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n\n",
        f": PROCESSING\n\nevent: x\ndata: {json.dumps(CHUNK)}\n\n",
        f"{json.dumps(CHUNK)}\n{json.dumps(CHUNK)}\n",
        json.dumps([GEMINI]),
    ],
)
def test_streams_are_told_from_documents(raw: str) -> None:
    (answer,) = read_answers(open_body(raw))
    assert answer.messages


@pytest.mark.parametrize("raw", [None, "", "<html>", "OK", b"%PDF-1.4", b"\x00\x01", 5, True, "5"])
def test_other_bodies_hold_no_answer(raw: Json | bytes) -> None:
    body = open_body(raw)
    assert body.cause is None
    assert read_answers(body) == []


@pytest.mark.parametrize(
    "raw",
    [
        gzip.compress(PLAIN, mtime=0)[:-9],
        b"\x1f\x8b garbage",
        zstandard.ZstdCompressor().compress(PLAIN)[:9],
        b"\x28\xb5\x2f\xfd" + b"\xff" * 40,
        '{"a": NaN}',
        '{"cut": [1,',
        "{'python': 1}",
    ],
)
def test_damage_is_a_cause(raw: str | bytes) -> None:
    body = open_body(raw)
    assert body.cause
    assert read_answers(body) == []


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_a_bomb_is_refused(pack: type) -> None:
    packed = pack(b" " * (MAX_BODY_BYTES + 1))
    assert len(packed) < 100_000
    assert f"more than {MAX_BODY_BYTES} bytes" in str(open_body(packed).cause)
