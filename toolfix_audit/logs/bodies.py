"""Bodies of HTTP messages as recorders keep them: JSON, streams of events, compressed or not."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import zstandard

from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.wire.errors import stream_error
from toolfix_audit.wire.eventstream import Frame, iter_frames, looks_framed
from toolfix_audit.wire.parts import Answer
from toolfix_audit.wire.sse import SseDecoder
from toolfix_audit.wire.stream import StreamReader

MAX_BODY_BYTES: Final = 64 * 1024 * 1024
"""A body that is larger when decompressed is refused as unreadable."""

_SSE_LINE: Final = re.compile(r"\ufeff?\s*(?:(?:data|event|id|retry)\s?:|:)")
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_FEED_BYTES: Final = 1 << 10  # a zstd block of 4 bytes can hold 128 KiB: bounds one call's output
_ZLIB: Final = (b"\x78\x01", b"\x78\x9c", b"\x78\xda")


@dataclass(frozen=True, slots=True)
class Body:
    """One of four: a JSON `value`; a `stream` in text or frames; neither (a page, an image,
    nothing); or the `cause` why it can't be read."""

    value: Json = None
    stream: str | bytes | None = None
    cause: str | None = None


def open_body(raw: Json | bytes) -> Body:
    """Look what a recorded body is, undoing compression."""
    if isinstance(raw, bytes):
        try:
            raw = _decompressed(raw)
        except (zlib.error, zstandard.ZstdError, ValueError) as error:
            return Body(cause=f"damaged or too large compressed body: {error}")
        if looks_framed(raw):
            return Body(stream=raw)
        try:
            raw = raw.decode()
        except UnicodeDecodeError:
            return Body()
    if not isinstance(raw, str):
        return Body(raw)
    if _SSE_LINE.match(raw):
        return Body(stream=raw)
    if raw.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
        return Body()
    return _json_body(raw)


def read_answers(body: Body) -> list[Answer]:
    """The answers of a model that a body holds; none if it is no body of theirs."""
    reader = StreamReader()
    answers: list[Answer] = []
    if isinstance(body.stream, str):
        decoder = SseDecoder()
        data = body.stream.encode("utf-8", "surrogatepass")
        for event in (*decoder.feed(data), *decoder.close()):
            answers.extend(reader.take_sse(event))
    elif body.stream is not None:
        for value in _frame_values(body.stream):
            answers.extend(reader.take(value))
    else:
        for value in body.value if isinstance(body.value, list) else [body.value]:
            answers.extend(reader.take(value))
    answers.extend(reader.close())
    return answers


def is_error(body: Body) -> bool:
    """Whether a body tells an error and nothing else."""
    return stream_error(body.value) is not None


def from_base64(text: str) -> bytes | None:
    """The bytes of a base64 text; None if it is none."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _json_body(text: str) -> Body:
    try:
        return Body(parse_json(text.removeprefix("\ufeff")))
    except JsonError as error:
        fault = error
    values: list[Json] = []
    for line in text.split("\n"):
        if line.strip():
            try:
                values.append(parse_json(line))
            except JsonError:
                return Body(cause=f"not JSON: {fault}")
    return Body(values)


def _frame_values(data: bytes) -> Iterator[Json]:
    """The events of an AWS event stream, each an object whose key is the event's type."""
    for frame in iter_frames(data):
        if frame.fault:
            yield {"type": "error", "message": frame.fault}
        else:
            yield _frame_value(frame)


def _frame_value(frame: Frame) -> Json:
    try:
        payload = parse_json(frame.payload.decode())
        if frame.kind == "chunk" and isinstance(payload, dict):
            inner = from_base64(str(payload.get("bytes")))
            return parse_json(inner.decode()) if inner else payload
    except (JsonError, UnicodeDecodeError):
        return None
    return {frame.kind: payload}


def _decompressed(data: bytes) -> bytes:
    """The plain bytes, at most the limit.

    Raises:
        zlib.error, zstandard.ZstdError: the data is damaged.
        ValueError: the plain bytes are too many, or the data is cut.
    """
    if data.startswith(_ZSTD):
        plain, is_whole = _unzstd(data)
    elif data.startswith((_GZIP, *_ZLIB)):
        stream = zlib.decompressobj(zlib.MAX_WBITS | 32)
        plain = stream.decompress(data, MAX_BODY_BYTES + 1)
        is_whole = stream.eof
    else:
        return data
    if len(plain) > MAX_BODY_BYTES:
        raise ValueError(f"more than {MAX_BODY_BYTES} bytes")
    if not is_whole:
        raise ValueError("it is cut")
    return plain


def _unzstd(data: bytes) -> tuple[bytes, bool]:
    """The plain bytes of one frame, hardly more than the limit, and whether the frame ended."""
    stream = zstandard.ZstdDecompressor().decompressobj()
    plain = bytearray()
    for start in range(0, len(data), _FEED_BYTES):
        plain += stream.decompress(data[start : start + _FEED_BYTES])
        if stream.eof or len(plain) > MAX_BODY_BYTES:
            break
    return bytes(plain), stream.eof
