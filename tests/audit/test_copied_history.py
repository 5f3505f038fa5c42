"""History that programs copy into a resumed or forked session counts once, whatever the order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

import pytest

from toolfix_audit.audit.ingest import ingest
from toolfix_audit.store.store import Store

Rows = Sequence[Mapping[str, object]]


def pi_session(name: str, day: int, origin: str | None, calls: Mapping[str, int]) -> Rows:
    """A pi session of that day, with calls that were made on the given days."""
    header: dict[str, object] = {"type": "session", "version": 3, "id": name, "cwd": "/x"}
    header["timestamp"] = f"2026-01-0{day}T00:00:00.000Z"
    if origin:
        header["parentSession"] = f"/home/x/2026_{origin}.jsonl"
    return [header, *(pi_call(call_id, when) for call_id, when in calls.items())]


def pi_call(call_id: str, day: int) -> Mapping[str, object]:
    block = {"type": "toolCall", "id": call_id, "name": "read", "arguments": {"path": "a"}}
    return {
        "type": "message",
        "id": f"e-{call_id}",
        "timestamp": f"2026-01-0{day}T10:00:00.000Z",
        "message": {"role": "assistant", "content": [block], "stopReason": "toolUse"},
    }


def codex_session(name: str, *calls: str) -> Rows:
    meta = {"id": name, "timestamp": "2026-01-01T00:00:00Z", "cli_version": "0.150.0"}
    items = [
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": call}
        for call in calls
    ]
    return [
        {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": meta},
        *({"timestamp": name, "type": "response_item", "payload": item} for item in items),
    ]


def claude_session(name: str, *calls: str) -> Rows:
    """Every row has the new session's id, and nothing tells that it was copied."""
    return [
        {
            "type": "assistant",
            "uuid": f"{name}-{call}",
            "sessionId": name,
            "message": {
                "id": f"msg_{call}",
                "role": "assistant",
                "model": "m",
                "content": [{"type": "tool_use", "id": f"toolu_{call}", "name": "B", "input": {}}],
            },
        }
        for call in calls
    ]


def opencode_session(name: str, *starts: int) -> Rows:
    """A fork gives its copies of messages and parts ids of their own."""
    parts = [
        {
            "id": f"prt_{name}{start}",
            "type": "tool",
            "callID": "call_1",
            "tool": "read",
            "state": {"status": "completed", "input": {}, "output": "", "time": {"start": start}},
        }
        for start in starts
    ]
    message = {"info": {"id": f"msg_{name}", "role": "assistant"}, "parts": parts}
    return [{"info": {"id": f"ses_{name}", "directory": "/x"}, "messages": [message]}]


FORKS: Mapping[str, tuple[int, Mapping[str, Rows]]] = {
    "a fork of a fork in pi": (
        4,
        {
            "p": pi_session("p", 1, None, {"c1": 1, "c2": 1}),
            "f": pi_session("f", 2, "p", {"c1": 1, "c3": 2}),
            "g": pi_session("g", 3, "f", {"c1": 1, "c3": 2, "c4": 3}),
        },
    ),
    "forks in Codex": (
        3,
        {
            "p": codex_session(
                "p", "call_0123456789abcdefABCDEFgh", "call_bcd3456789abcdefABCDEFgh"
            ),
            "f": codex_session(
                "f", "call_0123456789abcdefABCDEFgh", "call_cde3456789abcdefABCDEFgh"
            ),
        },
    ),
    "a copy that does not say so in Claude Code": (
        3,
        {"p": claude_session("p", "1", "2"), "f": claude_session("f", "1", "2", "3")},
    ),
    "a fork in OpenCode": (3, {"p": opencode_session("p", 7, 8), "f": opencode_session("f", 7, 9)}),
    "ids that count in Codex": (
        4,
        {
            "p": codex_session("p", "call_0", "shell:1"),
            "f": codex_session("f", "call_0", "shell:1"),
        },
    ),
}


@pytest.mark.parametrize("case", FORKS)
def test_copies_count_once(case: str, tmp_path: Path) -> None:
    calls, logs = FORKS[case]
    for order in permutations(logs):
        paths = []
        for name in order:
            path = tmp_path / f"{name}.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in logs[name]), "utf-8")
            paths.append(str(path))
        with Store.temporary() as store:
            ingest(store, paths)
            counts = store.corpus_counts()
            assert counts.calls == calls
            kept = store.query("SELECT session, call_id, time FROM kept_calls ORDER BY ALL").rows
            assert len(set(kept)) == calls
