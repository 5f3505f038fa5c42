"""The recorded streams of the reference corpora as bytes, read without the code under test."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Event = dict[str, Any]
CASSETTES = "vcr-*"


@cache
def recorded_streams(shared: Path) -> dict[str, bytes]:
    """Every stream of `sse-vercel-ai` and `vcr-*` by its name."""
    found: dict[str, bytes] = {}
    corpora = shared / "corpora"
    for path in sorted((corpora / "sse-vercel-ai").rglob("*.chunks.txt")):
        lines = [line for line in path.read_text("utf-8").split("\n") if line.strip()]
        found[path.name] = b"".join(map(_sent, lines))
    for path in sorted(corpora.glob(f"{CASSETTES}/**/*.yaml")):
        for number, body in enumerate(_bodies(path)):
            if body.startswith(("data:", "event:", ":")):
                found[f"{path.name}#{number}"] = body.encode("utf-8", "surrogatepass")
    return found


@cache
def recorded_bodies(shared: Path) -> dict[str, bytes]:
    """Every whole body of `vcr-*` and `sse-vercel-ai` by its name."""
    found: dict[str, bytes] = {}
    corpora = shared / "corpora"
    for path in sorted((corpora / "sse-vercel-ai").rglob("*.json")):
        found[path.name] = path.read_bytes()
    for path in sorted(corpora.glob(f"{CASSETTES}/**/*.yaml")):
        for number, body in enumerate(_bodies(path)):
            if body.lstrip().startswith("{"):
                found[f"{path.name}#{number}"] = body.encode("utf-8", "surrogatepass")
    return found


def sse(*events: Event | str, names: bool = True) -> bytes:
    """Events as a server sends them."""
    texts = (event if isinstance(event, str) else json.dumps(event) for event in events)
    return b"".join(map(_sent, texts)) if names else b"".join(map(_unnamed, texts))


def events_of(stream: bytes) -> list[Event | str]:
    """The events of a well-formed stream; the end mark is a text."""
    found: list[Event | str] = []
    for block in stream.decode().replace("\r\n", "\n").split("\n\n"):
        lines = [line for line in block.split("\n") if line.startswith("data:")]
        if lines:
            text = lines[0].removeprefix("data:").strip()
            found.append(json.loads(text) if text.startswith("{") else text)
    return found


def cut_into(data: bytes, sizes: Sequence[int]) -> Iterator[bytes]:
    """The data in pieces of these sizes, over and over."""
    at = number = 0
    while at < len(data):
        size = sizes[number % len(sizes)]
        yield data[at : at + size]
        at += size
        number += 1


def _sent(text: str) -> bytes:
    try:
        kind = json.loads(text).get("type")
    except (ValueError, AttributeError):
        kind = None
    return (f"event: {kind}\n".encode() if kind else b"") + _unnamed(text)


def _unnamed(text: str) -> bytes:
    return f"data: {text}\n\n".encode()


def _bodies(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from _texts(yaml.load(text, loader))
    except yaml.YAMLError:
        return


def _texts(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _texts(member, str(name))
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)
    elif isinstance(value, str) and key in ("body", "string"):
        yield value
