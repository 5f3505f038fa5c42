"""No log of a coding agent makes its reader raise: odd values everywhere, cuts everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolfix_audit.logs.detect import reader_named
from toolfix_audit.logs.head import read_head
from toolfix_audit.logs.readers import READERS
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.model.records import Record

from . import test_claude_code as claude
from . import test_codex as codex
from . import test_gemini_and_qwen as google
from . import test_pi as pi
from .test_cline import SESSION, exchange
from .test_mutated_logs import check_records, mutants
from .test_opencode import export, part
from .test_opencode_stores import TOOL

LINES: dict[str, tuple[str, ...]] = {
    "claude-code": (
        claude.assistant(claude.use(), claude.text("x"), uuid="u2", parentUuid="u1", agentId="a"),
        claude.user(claude.answer(), uuid="u3", forkedFrom={"sessionId": "o", "messageUuid": "m"}),
        claude.assistant(claude.text("no"), isApiErrorMessage=True, error="x"),
        json.dumps({"type": "system", "subtype": "api_error", "error": {"error": {"status": 1}}}),
    ),
    "claude-agent-sdk": tuple(json.dumps(message) for message in claude.SDK_MESSAGES[:6]),
    "codex": (
        codex.row("session_meta", **codex.META, dynamic_tools=codex.SPACE),
        codex.row("turn_context", model="m"),
        codex.said("x"),
        codex.call(),
        codex.output("c1", {"content": "no", "success": False}),
        codex.item("custom_tool_call", name="patch", input="x", call_id="c2"),
        codex.item("reasoning", summary=[{"text": "x"}]),
        codex.row("event_msg", type="error", error={"message": "x", "kind": "y"}),
    ),
    "pi": (
        json.dumps({**pi.HEADER, "parentSession": "/x/t_s0.jsonl"}),
        pi.reply(pi.call(partialJson="{"), {"type": "text", "text": "x"}, id="e1"),
        pi.result(),
        pi.reply(stop="error", errorMessage="x"),
    ),
    "openclaw-trajectory": (
        pi.trajectory("context.compiled", tools=[{"name": "t", "parameters": {}}]),
        pi.trajectory("tool.call", toolCallId="c", name="t", arguments={}),
        pi.trajectory("tool.result", toolCallId="c", contentItems=[{"type": "text", "text": "x"}]),
        pi.trajectory("model.completed", assistantTexts=["x"], promptError="y"),
    ),
    "qwen-code": (
        google.qwen("assistant", {"text": "x"}, {"functionCall": {"id": "c1", "name": "t"}}),
        google.qwen("tool_result", google.answer({"error": "x"}), toolCallResult={"status": "x"}),
        google.qwen("system", systemPayload={"uiEvent": {"error_message": "x"}}),
    ),
    "gemini-cli": (
        google.line("init", session_id="s1", model="m"),
        google.piece("x"),
        google.line("tool_use", tool_name="t", tool_id="c1", parameters={}),
        google.line("tool_result", tool_id="c1", status="error", error={"message": "x"}),
    ),
}
DOCUMENTS: dict[str, object] = {
    "opencode": export(part(tool="invalid", input={"tool": "t", "error": "x"}), part(raw="")),
    "opencode-storage": {"id": "p", "messageID": "m", "sessionID": "s1", **TOOL},
    "cline": SESSION,
    "gemini-cli": {**google.CHAT, "messages": google.MESSAGES},
    "claude-agent-sdk": {"messages": [claude.frame("recv", one) for one in claude.SDK_MESSAGES]},
    "nock": [exchange('data: {"choices":[{"delta":{"content":"x"}}]}\n\n', body={"messages": []})],
}
SAMPLES = [*LINES.items(), *((name, (json.dumps(one),)) for name, one in DOCUMENTS.items())]


def read(name: str, path: Path) -> list[Record]:
    units = reader_named(name).read(LogFile(path, "log", named=True))
    return [record for unit in units for record in unit.records]


@pytest.mark.parametrize(("name", "lines"), SAMPLES)
def test_odd_values_are_data(tmp_path: Path, name: str, lines: tuple[str, ...]) -> None:
    path = tmp_path / "log"
    for number, changed in enumerate(mutants(lines)):
        path.write_text("\n".join(changed))
        if number % 5 == 0:  # detection of every format looks at every file
            head = read_head(LogFile(path, "log", named=True))
            for other in READERS:
                other.detect(head)
        check_records(read(name, path))


@pytest.mark.parametrize(("name", "lines"), SAMPLES)
def test_a_cut_log_gives_what_the_whole_one_gives(
    tmp_path: Path, name: str, lines: tuple[str, ...]
) -> None:
    path = tmp_path / "log"
    data = "\n".join(lines).encode()
    for cut in range(1, len(data), 7):
        path.write_bytes(data[:cut])
        check_records(read(name, path))


@pytest.mark.parametrize(("name", "lines"), SAMPLES)
def test_a_sample_is_recognised_by_one_reader(
    tmp_path: Path, name: str, lines: tuple[str, ...]
) -> None:
    path = tmp_path / "log"
    path.write_text("\n".join(lines))
    head = read_head(LogFile(path, "log", named=True))
    assert [reader.name for reader in READERS if reader.detect(head)] == [name]
