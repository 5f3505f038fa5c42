"""What the stream rewriter costs: pass-through against a plain copy loop, and a repaired block.

Usage: python bench/replay.py [FILE.sse]   (default: made streams of three protocols)
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from toolfix_audit.engine import SAFE, repair_call
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.wire.rewrite import StreamRewriter

PIECE_BYTES: Final = 1400
ROUNDS: Final = 9
TEXT_EVENTS: Final = 4000
BLOCKS: Final = 200

TOOLS: Final[dict[str, Json]] = {
    "read": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    }
}
VALID: Final = '{"path": "src/main.py", "limit": 20}'
WRAPPED: Final = f'{{"arguments": {VALID}}}'


def engine(tool: str, text: str, tools: Mapping[str, Json]) -> str | None:
    """The engine as a proxy calls it."""
    done = repair_call(tool, text, tools, families=SAFE - {"K"})
    return dump_json(done.arguments) if done.changed else None


def event(value: Json) -> bytes:
    """One event as a server sends it."""
    kind = value.get("type") if isinstance(value, dict) else None
    name = f"event: {kind}\n" if isinstance(kind, str) else ""
    return f"{name}data: {json.dumps(value)}\n\n".encode()


def anthropic_text() -> bytes:
    """A long text, and no tool block."""
    start: Json = {"type": "message_start", "message": {"role": "assistant", "content": []}}
    block: Json = {"type": "content_block_start", "index": 0, "content_block": {"type": "text"}}
    delta: Json = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "some words of an answer "},
    }
    return event(start) + event(block) + event(delta) * TEXT_EVENTS


def chat_text() -> bytes:
    """A long text of Chat Completions."""
    chunk: Json = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "delta": {"content": "some words of an answer "}, "finish_reason": None}
        ],
    }
    return event(chunk) * TEXT_EVENTS


def anthropic_blocks(text: str) -> bytes:
    """Many tool blocks with these arguments, in fragments of 8 characters."""
    out = [event({"type": "message_start", "message": {"role": "assistant", "content": []}})]
    for index in range(BLOCKS):
        head: Json = {"type": "tool_use", "id": f"t{index}", "name": "read", "input": {}}
        out.append(event({"type": "content_block_start", "index": index, "content_block": head}))
        for at in range(0, len(text), 8):
            delta: Json = {"type": "input_json_delta", "partial_json": text[at : at + 8]}
            out.append(event({"type": "content_block_delta", "index": index, "delta": delta}))
        out.append(event({"type": "content_block_stop", "index": index}))
    return b"".join(out)


def pieces(stream: bytes) -> list[bytes]:
    """The stream as a network delivers it."""
    return [stream[at : at + PIECE_BYTES] for at in range(0, len(stream), PIECE_BYTES)]


def copied(parts: Sequence[bytes]) -> int:
    """A proxy that only copies."""
    out = bytearray()
    for part in parts:
        out += part
    return len(out)


def rewritten(parts: Sequence[bytes], repair: Callable[..., str | None] = engine) -> int:
    """A proxy that repairs."""
    rewriter = StreamRewriter(TOOLS, repair)
    out = bytearray()
    for part in parts:
        out += rewriter.feed(part)
    out += rewriter.close()
    return len(out)


def side_by_side(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """The best times of two functions whose rounds alternate, so that both see one machine."""
    times = [(_seconds(first), _seconds(second)) for _ in range(ROUNDS)]
    return min(one for one, _ in times), min(other for _, other in times)


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    streams = {"text, Anthropic": anthropic_text(), "text, Chat Completions": chat_text()}
    if len(sys.argv) > 1:
        streams = {sys.argv[1]: Path(sys.argv[1]).read_bytes()}
    print("pass-through                   MB/s   copy loop MB/s   µs per event")
    for name, stream in streams.items():
        parts = pieces(stream)
        assert rewritten(parts, lambda *_: None) == len(stream)
        plain, ours = side_by_side(lambda p=parts: copied(p), lambda p=parts: rewritten(p))  # type: ignore[misc]
        size, events = len(stream) / 1e6, stream.count(b"data: ")
        print(f"{name:28} {size / ours:6.1f} {size / plain:16.0f} {ours / events * 1e6:14.1f}")
    kept, changed = pieces(anthropic_blocks(VALID)), pieces(anthropic_blocks(WRAPPED))
    valid, repaired = side_by_side(lambda: rewritten(kept), lambda: rewritten(changed))
    alone, _ = side_by_side(lambda: rewritten(changed, lambda *_: None), lambda: None)
    print(f"valid block     {valid / BLOCKS * 1e6:8.0f} µs")
    print(f"repaired block  {repaired / BLOCKS * 1e6:8.0f} µs, of which the same block without")
    print(f"                a repair takes {alone / BLOCKS * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
