"""A reader of the study corpus that shares nothing with the product or with the generator."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

STUDY = Path(__file__).resolve().parents[2] / "corpora" / "study"


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """One call as the log tells it, beside its truth."""

    sent: dict[str, Any]
    schema: dict[str, Any]
    provider: str
    answer: str
    code: str | None
    is_error: bool
    truth: dict[str, Any]

    @property
    def tool(self) -> str:
        return str(self.truth["tool"])

    @property
    def host(self) -> str:
        """The host's verdict as the log shows it."""
        if not self.is_error:
            return "accepted"
        return "rejected_arguments" if self.code == "INVALID_ARGS" else "failed"


@dataclass(frozen=True, slots=True)
class Corpus:
    """All sessions of a folder, by id, in order."""

    rows: dict[str, list[dict[str, Any]]]
    calls: dict[str, list[LoggedCall]]
    digest: str

    def all(self) -> Iterator[LoggedCall]:
        for calls in self.calls.values():
            yield from calls

    def of_kind(self, *kinds: str) -> list[LoggedCall]:
        return [call for call in self.all() if call.truth["kind"] in kinds]


def log_files(folder: Path) -> list[Path]:
    """The logs, sorted by session id."""
    return sorted((folder / "sessions").iterdir(), key=session_id)


def session_id(path: Path) -> str:
    return path.name.split(".")[0]


def text_of(path: Path) -> str:
    """The text of a packed file."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data).decode()
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True)
    return reader.read().decode()


def read_corpus(folder: Path) -> Corpus:
    """Read every log and join each call with its line of the truth."""
    digest = hashlib.sha256()
    rows: dict[str, list[dict[str, Any]]] = {}
    for path in log_files(folder):
        text = text_of(path)
        digest.update(text.encode())
        rows[session_id(path)] = [json.loads(line) for line in text.splitlines()]
    text = text_of(folder / "truth.jsonl.zst")
    digest.update(text.encode())
    truth: dict[str, list[dict[str, Any]]] = {session: [] for session in rows}
    for line in text.splitlines():
        entry = json.loads(line)
        truth[entry["session"]].append(entry)
    calls = {session: _calls(rows[session], truth[session]) for session in rows}
    return Corpus(rows, calls, digest.hexdigest())


def _calls(rows: list[dict[str, Any]], truth: list[dict[str, Any]]) -> list[LoggedCall]:
    results = {row["sourceEventSeqs"][0]: row for row in rows if row["type"] == "tool/result"}
    entries = iter(truth)
    header: dict[str, Any] = {}
    calls = []
    for row in rows:
        if row["type"] == "request/header":
            header = row["data"]["header"]
        if row["type"] == "tool/call":
            calls.append(_call(row, header, results.pop(row["seq"]), next(entries)))
    assert not results
    assert next(entries, None) is None
    return calls


def _call(
    row: dict[str, Any], header: dict[str, Any], result: dict[str, Any], truth: dict[str, Any]
) -> LoggedCall:
    data = row["data"]
    place = (row["seq"], data["callId"], data["name"], header["config"]["model"])
    assert place == (truth["seq"], truth["call_id"], truth["tool"], truth["model"])
    schemas = {tool["name"]: tool["parameters"] for tool in header["tools"]}
    block = result["data"]["message"]["content"][0]
    assert block["toolCallId"] == data["callId"]
    return LoggedCall(
        sent=json.loads(data["arguments"]),
        schema=schemas[data["name"]],
        provider=header["config"]["provider"],
        answer=block["content"][0]["text"],
        code=result["data"].get("error", {}).get("code"),
        is_error=block["isError"],
        truth=truth,
    )
