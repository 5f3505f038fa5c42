"""Thousands of calls in one answer: each is repaired, and the time grows with their number."""

from __future__ import annotations

import json
from collections.abc import Mapping

from toolfix_audit.model.json import Json
from toolfix_audit.wire.rewrite import StreamRewriter, rewrite_body

TOOLS: dict[str, Json] = {"read": {"type": "object"}}
WRONG, RIGHT = '{"arguments":{"path":"a"}}', '{"path":"a"}'
MANY = 4_000


def repair(_tool: str, arguments: str, _tools: Mapping[str, Json]) -> str | None:
    return RIGHT if arguments == WRONG else None


def calls(arguments: str) -> list[dict[str, object]]:
    return [
        {"index": at, "id": f"c{at}", "function": {"name": "read", "arguments": arguments}}
        for at in range(MANY)
    ]


def test_a_body_of_thousands_of_calls() -> None:
    choice = {"message": {"tool_calls": calls(WRONG)}, "finish_reason": "tool_calls"}
    sent, tally = rewrite_body(json.dumps({"choices": [choice]}).encode(), TOOLS, repair)
    assert tally.changed == MANY
    found = json.loads(sent)["choices"][0]["message"]["tool_calls"]
    assert {call["function"]["arguments"] for call in found} == {RIGHT}


def test_one_event_of_thousands_of_calls() -> None:
    rewriter = StreamRewriter(TOOLS, repair)
    choice = {"index": 0, "delta": {"tool_calls": calls(WRONG)}}
    data = f"data: {json.dumps({'choices': [choice]})}\n\ndata: [DONE]\n\n".encode()
    sent = rewriter.feed(data) + rewriter.close()
    assert rewriter.tally.changed == MANY
    assert sent.count(json.dumps(RIGHT).encode()) == MANY


def test_thousands_of_calls_that_stay_open() -> None:
    rewriter = StreamRewriter(TOOLS, repair)
    sent = data = b""
    for call in calls("{"):
        chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}
        event = f"data: {json.dumps(chunk)}\n\n".encode()
        data += event
        sent += rewriter.feed(event)
    assert sent + rewriter.close() == data
    assert rewriter.tally.changed == 0
