"""AWS event streams against frames that are written here by the protocol's description."""

from __future__ import annotations

import struct
import zlib

from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.wire.eventstream import iter_frames, looks_framed


def header(name: str, value: str) -> bytes:
    coded = value.encode()
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(coded)) + coded


def frame(payload: bytes, headers: bytes) -> bytes:
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    prelude += struct.pack(">I", zlib.crc32(prelude))
    body = prelude + headers + payload
    return body + struct.pack(">I", zlib.crc32(body))


EVENT = frame(
    b'{"a":1}', b"\x01n\x00" + b"\x01i\x04\0\0\0\x07" + header(":event-type", "messageStop")
)


def test_frames_are_read_with_their_headers() -> None:
    fault = frame(b"{}", header(":exception-type", "throttlingException"))
    assert looks_framed(EVENT)
    first, second = iter_frames(EVENT + fault)
    assert (first.kind, first.payload, first.fault) == ("messageStop", b'{"a":1}', None)
    assert second.kind == "throttlingException"
    assert first.raw + second.raw == EVENT + fault


def test_damage_ends_the_stream_and_is_told() -> None:
    cut = list(iter_frames(EVENT + EVENT[:-3]))
    assert [bool(one.fault) for one in cut] == [False, True]
    assert "cut" in str(cut[1].fault)
    flipped = bytearray(EVENT)
    flipped[-6] ^= 1
    assert "checksum" in str(next(iter_frames(bytes(flipped))).fault)
    flipped = bytearray(EVENT)
    flipped[1] ^= 1
    assert "prelude" in str(next(iter_frames(bytes(flipped))).fault)
    assert not looks_framed(bytes(flipped))


@given(st.binary(max_size=120))
def test_any_bytes_are_accounted_for(data: bytes) -> None:
    assert b"".join(one.raw for one in iter_frames(data)) == data
    wild = frame(b"", data)
    (one,) = iter_frames(wild)
    assert one.raw == wild
