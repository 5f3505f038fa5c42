"""A small MCP server over stdio, which behaves as its first argument says."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

TOOLS = [
    {"name": name, "inputSchema": {"type": "object", "properties": {key: {"type": kind}}}}
    for name, key, kind in (
        ("log", "max_count", "integer"),
        ("show.file", "path", "string"),
        ("blame", "line", "number"),
    )
]


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def send(message: dict[str, Any]) -> None:
    say(json.dumps({"jsonrpc": "2.0", **message}))


def read() -> dict[str, Any]:
    message: dict[str, Any] = json.loads(sys.stdin.readline())
    return message


def tools_page(mode: str, request: dict[str, Any]) -> dict[str, Any]:
    """A page of one tool; the cursor is the number of the next."""
    place = int(request.get("params", {}).get("cursor", "0"))
    if mode == "endless":
        return {"tools": TOOLS[:1], "nextCursor": "0"}
    page: dict[str, Any] = {"tools": TOOLS[place : place + 1]}
    if place + 1 < len(TOOLS):
        page["nextCursor"] = str(place + 1)
    return page


def serve(mode: str) -> None:
    if mode == "dies":
        sys.exit("no database here")
    hello = read()
    assert hello["method"] == "initialize"
    assert hello["params"]["clientInfo"]["name"] == "toolfix-audit"
    if mode == "hangs":
        time.sleep(600)
    if mode == "chatty":
        say("tiny server ready")
        send({"method": "notifications/message", "params": {"level": "info", "data": "hello"}})
        send({"id": 1, "method": "ping"})
        assert read() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        send({"id": "r", "method": "roots/list"})
        assert read()["error"]["code"] == -32601
    told = {"name": "tiny", "version": "1"}
    send(
        {
            "id": hello["id"],
            "result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": told},
        }
    )
    assert read()["method"] == "notifications/initialized"
    while line := sys.stdin.readline():
        request = json.loads(line)
        if mode == "refuses" or os.environ.get("TINY_TOKEN") != "s3cret":
            send({"id": request["id"], "error": {"code": -32603, "message": "no token"}})
        else:
            send({"id": request["id"], "result": tools_page(mode, request)})


if __name__ == "__main__":
    serve(sys.argv[1])
