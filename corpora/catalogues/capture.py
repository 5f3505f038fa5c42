"""A model on this machine that keeps the tools which a harness sends it, and says "done".

    python corpora/catalogues/capture.py 8911 requests.jsonl

Point a harness at http://127.0.0.1:8911 (README.md has the way for each) and give it any prompt.
Every request body becomes one line of the file. Nothing leaves the machine.
"""

from __future__ import annotations

import gzip
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import zstandard

JSON_TYPE, EVENTS = "application/json", "text/event-stream"


def unpacked(body: bytes, encoding: str | None) -> bytes:
    """A request body as its sender wrote it."""
    if encoding == "zstd":
        return zstandard.ZstdDecompressor().decompressobj().decompress(body)
    return gzip.decompress(body) if encoding == "gzip" else body


def answer(path: str, body: dict[str, Any]) -> tuple[str, str]:
    """The whole answer "done" in the protocol of the path, and its content type."""
    if path.endswith("/responses"):
        return responses(), EVENTS
    if "enerateContent" in path:
        return gemini(streamed="stream" in path)
    if path.endswith("/chat/completions"):
        return chat(streamed=bool(body.get("stream")))
    return "{}", JSON_TYPE


def events(*rows: Any) -> str:
    """Server-sent events of JSON values."""
    return "".join(f"data: {json.dumps(row)}\n\n" for row in rows)


def responses() -> str:
    """The event stream of the Responses protocol."""
    text = {"type": "output_text", "text": "done"}
    message = {"type": "message", "id": "m1", "role": "assistant", "content": [text]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return events(
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": message},
        {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
    )


def gemini(*, streamed: bool) -> tuple[str, str]:
    """The answer of the generateContent protocol."""
    content = {"role": "model", "parts": [{"text": "done"}]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    made = {"candidates": [candidate], "usageMetadata": usage}
    return (events(made), EVENTS) if streamed else (json.dumps(made), JSON_TYPE)


def chat(*, streamed: bool) -> tuple[str, str]:
    """The answer of the chat completions protocol."""
    head = {"id": "c1", "created": 1, "model": "m"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    message = {"role": "assistant", "content": "done"}
    if not streamed:
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        return json.dumps(whole), JSON_TYPE
    head["object"] = "chat.completion.chunk"
    first = {"index": 0, "delta": message, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = ({**head, "choices": [first]}, {**head, "choices": [last], "usage": usage})
    return events(*chunks) + "data: [DONE]\n\n", EVENTS


class Endpoint(BaseHTTPRequestHandler):
    """Keeps what is sent, and answers it."""

    protocol_version = "HTTP/1.1"
    kept: Path

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 — of the base class
        """Say nothing."""

    def do_GET(self) -> None:
        """List one model."""
        self._send(json.dumps({"object": "list", "data": [{"id": "m", "object": "model"}]}))

    def do_POST(self) -> None:
        """Keep the request, and answer "done"."""
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        body: dict[str, Any] = json.loads(unpacked(sent, self.headers.get("content-encoding")))
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(body) + "\n")
        self._send(*answer(self.path.partition("?")[0], body))

    def _send(self, text: str, kind: str = JSON_TYPE) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    Endpoint.kept = Path(sys.argv[2])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Endpoint).serve_forever()
