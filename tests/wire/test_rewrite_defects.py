"""Defects planted into recorded streams: official clients get back the original arguments."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.engine import SAFE, repair_call
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.wire.rewrite import StreamRewriter

from .official_clients import SeenCall, calls_seen, protocol_of_stream
from .planting import calls_with_places, planted
from .recorded_streams import recorded_streams

Arguments = dict[str, Any]
RICH: Arguments = {
    "path": "src/北京 😀.md",
    "options": {"units": ["c", "f"], "note": 'a "quoted"\nline'},
    "limit": 5,
    "recursive": True,
}
TYPES = {str: "string", int: "integer", bool: "boolean", float: "number", dict: "object"}


def without(arguments: Arguments, *keys: str) -> Arguments:
    return {key: value for key, value in arguments.items() if key not in keys}


DEFECTS: dict[str, Callable[[Arguments], Any]] = {
    "A": lambda good: {"arguments": good},
    "A deep": lambda good: {"arguments": {"arguments": {"arguments": good}}},
    "B": lambda good: {"args": good},
    "C": lambda good: {"arguments": without(good, "limit"), "limit": good["limit"]},
    "D": lambda good: {**without(good, "path"), "file_path": good["path"]},
    "E": lambda good: {**good, "options": json.dumps(good["options"])},
    "F": lambda good: {**good, "limit": "5", "recursive": "True"},
    "A with E and F": lambda good: {
        "arguments": {**good, "options": json.dumps(good["options"]), "limit": "5"}
    },
}


def schema_of(value: Any) -> Json:
    """The closed schema of exactly these arguments."""
    if isinstance(value, dict):
        members: dict[str, Json] = {key: schema_of(member) for key, member in value.items()}
        names: list[Json] = list(members)
        return {
            "type": "object",
            "properties": members,
            "required": names,
            "additionalProperties": False,
        }
    if isinstance(value, list):
        return {"type": "array"}
    return {} if value is None else {"type": TYPES[type(value)]}


def mended(tool: str, text: str, tools: Mapping[str, Json]) -> str | None:
    done = repair_call(tool, text, tools, families=SAFE - {"K"})
    return dump_json(done.arguments) if done.changed else None


@cache
def streams_with_calls(shared: Path) -> dict[str, tuple[str, bytes, list[SeenCall]]]:
    """The recorded streams in which an official client sees a call."""
    found = {}
    for name, stream in recorded_streams(shared).items():
        for number, answer in enumerate(re.split(rb"(?=event: message_start)", stream)):
            protocol = protocol_of_stream(answer)
            if protocol is None:
                continue
            try:
                calls = calls_seen(answer, protocol)
            except Exception:  # noqa: BLE001 - some recorded streams are refused by the clients
                continue
            if calls and calls_with_places(answer, protocol) == len(calls):
                found[f"{name}/{number}"] = (protocol, answer, calls)
    return found


def test_the_clients_see_calls_in_all_three_protocols(shared: Path) -> None:
    protocols = Counter(protocol for protocol, _, _ in streams_with_calls(shared).values())
    assert protocols == {"anthropic": 9, "chat": 26, "responses": 15}


@pytest.mark.parametrize("defect", DEFECTS)
def test_clients_get_the_original_arguments_back(shared: Path, defect: str) -> None:
    for name, (protocol, stream, calls) in streams_with_calls(shared).items():
        recorded = {key: value for call in calls for key, value in call.arguments.items()}
        good = [
            {**recorded, **RICH, "path": f"{number} 北京 😀.md"} for number in range(len(calls))
        ]
        broken = [DEFECTS[defect](one) for one in good]
        texts = [json.dumps(one, ensure_ascii=number % 2 == 0) for number, one in enumerate(broken)]
        bad = planted(stream, protocol, texts)
        assert [call.arguments for call in calls_seen(bad, protocol)] == broken, name

        rewriter = StreamRewriter({call.tool: schema_of(good[0]) for call in calls}, mended)
        out = rewriter.feed(bad) + rewriter.close()
        assert rewriter.tally.changed == len(calls), (name, rewriter.tally)
        assert calls_seen(out, protocol) == [
            SeenCall(call.call_id, call.tool, arguments)
            for call, arguments in zip(calls, good, strict=True)
        ], name
