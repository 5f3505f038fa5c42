"""Small images made from the formats' specifications, and results that hold them as text."""

from __future__ import annotations

import base64
import json
import struct
import zlib

from toolfix_audit.model.json import Json


def png(width: int = 3, height: int = 2) -> bytes:
    """A grey PNG that every decoder takes."""
    rows = b"".join(b"\0" + b"\x80" * width for _ in range(height))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    made = b"\x89PNG\r\n\x1a\n"
    for name, data in chunks:
        crc = zlib.crc32(name + data)
        made += struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc)
    return made


def gif(width: int = 3, height: int = 2) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0" + b"\0" * 6 + b";"


def jpeg(width: int = 3, height: int = 2) -> bytes:
    """A JPEG as far as its frame header, behind a comment with a false header inside."""
    comment = b"\xff\xc0\0\x11\x08\x00\x63\x00\x63"
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\0"
    return (
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
        + b"\xff\xfe"
        + struct.pack(">H", len(comment) + 2)
        + comment
        + b"\xff\xc2"
        + struct.pack(">H", len(frame) + 2)
        + frame
        + b"\xff\xd9"
    )


def webp_lossless(width: int = 3, height: int = 2) -> bytes:
    bits = (width - 1) | (height - 1) << 14
    return _riff(b"VP8L" + struct.pack("<I", 10) + b"\x2f" + struct.pack("<I", bits) + b"\0" * 6)


def webp_lossy(width: int = 3, height: int = 2) -> bytes:
    frame = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    return _riff(b"VP8 " + struct.pack("<I", 10) + frame + b"\0" * 4)


def webp_extended(width: int = 3, height: int = 2) -> bytes:
    size = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    return _riff(b"VP8X" + struct.pack("<I", 10) + b"\0\0\0\0" + size)


def _riff(data: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(data) + 4) + b"WEBP" + data


IMAGES = {
    "image/png": png(),
    "image/gif": gif(),
    "image/jpeg": jpeg(),
    "image/webp": webp_lossless(),
}


def coded(data: bytes) -> str:
    return base64.b64encode(data).decode()


PNG = coded(png())
JPEG = coded(jpeg())
PNG_URL = f"data:image/png;base64,{PNG}"
MCP_IMAGE: dict[str, Json] = {"type": "image", "data": PNG, "mimeType": "image/png"}
TEXT: dict[str, Json] = {"type": "text", "text": "screenshot"}


def text_of(value: Json) -> str:
    """A value as a host that stringifies would send it."""
    return json.dumps(value)
