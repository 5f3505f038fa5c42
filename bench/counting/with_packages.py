"""Counts calls with a package of the environment it runs in: one JSON line for every path.

The packages are imported by name where they are used: each run has some of them alone.

Usage: python with_packages.py COUNTER [ARGUMENT] < paths
"""

from __future__ import annotations

import base64
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any


class RefusedError(Exception):
    """The package does not take the file, or a part of it."""


def cc_session_core(path: Path, harness: str) -> int:
    """Calls in the typed records; lines that its models refuse make the file a refused one."""
    core = import_module("cc_session_core")

    is_codex = harness == "codex"
    found = refused = 0
    for record in core.iter_codex_records(path) if is_codex else core.iter_records(path):
        if isinstance(record, core.ParseFailure):
            refused += 1
        elif is_codex and record.type == "response_item":
            kind = str(getattr(record.payload, "type", ""))
            found += kind.endswith("_call")
        elif isinstance(record, core.AssistantRecord):
            blocks = record.message.content
            found += sum(isinstance(block, core.ToolUseBlock) for block in blocks)
    if refused:
        raise RefusedError(f"{refused} lines, {found} calls in the others")
    return found


def agent_trajectory(path: Path, source: str) -> int:
    """Calls of the normalised messages."""
    trajectory = import_module("trajectory")

    try:
        done = trajectory.normalize_transcript(
            source=source, transcript=path.read_text("utf-8", "replace")
        )
    except trajectory.NormalizationError as error:
        raise RefusedError(str(error).split(". ")[0]) from error
    return sum(len(record.get("tool_calls") or ()) for record in done["records"])


def inspect_ai(path: Path) -> int:
    """Calls of the messages of every sample."""
    read_eval_log = import_module("inspect_ai.log").read_eval_log

    samples = read_eval_log(str(path)).samples or []
    messages = [message for sample in samples for message in sample.messages]
    return sum(len(getattr(message, "tool_calls", None) or ()) for message in messages)


def openai_messages(path: Path) -> int:
    """Calls of the assistant's messages, each read by OpenAI's own type."""
    message_type = import_module("openai.types.chat").ChatCompletionMessage

    found = 0
    text = path.read_text("utf-8")
    documents = text.splitlines() if path.suffix == ".jsonl" else [text]
    for message in _messages([json.loads(document) for document in documents]):
        try:
            told = message_type.model_validate({"content": None, **message})
        except ValueError as error:
            raise RefusedError(str(error).split("\n")[0]) from error
        found += len(told.tool_calls or ())
    return found


def haralyzer(path: Path) -> int:
    """Calls in the answers of an archive."""
    calls_in = import_module("answer_bodies").calls_in
    parser_type = import_module("haralyzer").HarParser

    found = 0
    for entry in parser_type(json.loads(path.read_text("utf-8"))).har_data["entries"]:
        content = entry["response"]["content"]
        text = content.get("text")
        if content.get("encoding") == "base64":
            text = base64.b64decode(text)
        found += calls_in(text)
    return found


def vcrpy(path: Path) -> int:
    """Calls in the answers of a cassette."""
    calls_in = import_module("answer_bodies").calls_in
    yamlserializer = import_module("vcr.serializers").yamlserializer

    cassette = yamlserializer.deserialize(path.read_text("utf-8"))
    found = 0
    for interaction in cassette["interactions"]:
        response = interaction.get("response")
        if response is None:
            raise RefusedError("no HTTP: samples of gRPC, or messages of a socket")
        found += calls_in(_body(response))
    return found


def _body(response: dict[str, Any]) -> Any:
    if "parsed_body" in response:
        return response["parsed_body"]
    body = response.get("body")
    text = body.get("string", body.get("base64_string")) if isinstance(body, dict) else body
    data = text.encode() if isinstance(text, str) else text
    return zlib.decompress(data, 31) if data and data[:2] == b"\x1f\x8b" else data


def _messages(document: Any) -> Iterator[dict[str, Any]]:
    """The assistant's messages, wherever they are."""
    if isinstance(document, dict):
        if document.get("role") == "assistant":
            yield document
            return
        document = list(document.values())
    if isinstance(document, list):
        for inner in document:
            yield from _messages(inner)


COUNTERS: dict[str, Callable[..., int]] = {
    counter.__name__: counter
    for counter in (
        cc_session_core,
        agent_trajectory,
        inspect_ai,
        openai_messages,
        haralyzer,
        vcrpy,
    )
}


def main() -> None:
    """Count in every file whose path comes in."""
    counter, *arguments = sys.argv[1:]
    for line in sys.stdin:
        path = Path(line.rstrip("\n"))
        told: dict[str, object] = {"path": str(path)}
        try:
            told["calls"] = COUNTERS[counter](path, *arguments)
        except Exception as error:  # noqa: BLE001 — what another's package raises is its answer
            told["refused"] = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
