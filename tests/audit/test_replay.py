"""Recorded answers through the rewriter: what is found in files, counted, and read again."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolfix_audit.audit.replay import Rehearsal, captured_answers, replay, run
from toolfix_audit.audit.replay.reading_back import tells_the_same
from toolfix_audit.audit.replay.tables import as_json, as_text
from toolfix_audit.engine import SAFE
from toolfix_audit.logs.sources import find_logs
from toolfix_audit.wire.rewrite import Refusal

READ: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path"],
    "additionalProperties": False,
}
TOOL = {"name": "read", "input_schema": READ}
WRAPPED = '{"arguments": {"path": "a.md"}}'
MESSAGE = {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}}


def events(*texts: str) -> list[dict[str, Any]]:
    """An answer with a call for each of these argument texts."""
    made: list[dict[str, Any]] = [MESSAGE]
    for index, text in enumerate(texts):
        head = {"type": "tool_use", "id": f"t{index}", "name": "read", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": text}
        made += [
            {"type": "content_block_start", "index": index, "content_block": head},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    return [
        *made,
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ]


def sse(made: Iterable[dict[str, Any]]) -> str:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in made)


def request() -> str:
    messages = [{"role": "user", "content": "?"}]
    return json.dumps({"model": "m", "tools": [TOOL], "messages": messages})


def rehearsed(*paths: Path, catalogue: Any = None, families: Sequence[str] = ()) -> Rehearsal:
    opened = (captured_answers(file) for file in find_logs([str(path) for path in paths]))
    return replay(opened, catalogue or {}, families or SAFE)


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_raw_stream_is_one_answer(tmp_path: Path) -> None:
    done = rehearsed(
        write(tmp_path / "a.sse", sse(events(WRAPPED, '{"path": "b"}'))), catalogue={"read": READ}
    )
    assert (done.streams, done.bodies, done.identical) == (1, 0, 0)
    assert (done.tally.blocks, done.tally.changed, done.tally.unchanged) == (2, 1, 1)
    assert (done.judged, done.verdict, done.broken) == (2, "pass", [])
    (change,) = done.changes
    assert (change.tool, change.before, change.after) == ("read", WRAPPED, '{"path":"a.md"}')
    assert (change.families, dict(done.families)) == (("A",), {"A": 1})


def test_a_compressed_stream_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sse.gz", gzip.compress(sse(events(WRAPPED)).encode()))
    assert rehearsed(path, catalogue={"read": READ}).tally.changed == 1


def har(*answers: dict[str, Any]) -> str:
    entries = [
        {
            "startedDateTime": "2026-01-01T00:00:00Z",
            "request": {"url": "https://api.anthropic.com", "postData": {"text": request()}},
            "response": {"status": 200, "content": answer},
        }
        for answer in answers
    ]
    return json.dumps({"log": {"version": "1.2", "entries": entries}})


BODY = {
    "type": "message",
    "content": [{"type": "tool_use", "id": "t", "name": "read", "input": json.loads(WRAPPED)}],
}


def test_an_archive_brings_the_tools_of_its_requests(tmp_path: Path) -> None:
    coded = base64.b64encode(sse(events(WRAPPED)).encode()).decode()
    content = har(
        {"text": sse(events(WRAPPED))},
        {"text": coded, "encoding": "base64"},
        {"text": json.dumps(BODY)},
        {"text": "<html>"},
        {},
    )
    done = rehearsed(write(tmp_path / "a.har", content))
    assert (done.streams, done.bodies) == (2, 1)
    assert (done.tally.changed, done.judged, done.broken) == (3, 3, [])
    assert [change.place for change in done.changes] == [f"{tmp_path / 'a.har'}:1"] * 3


def test_a_cassette_is_read(tmp_path: Path) -> None:
    answer = {"status": {"code": 200}, "body": {"string": sse(events(WRAPPED))}}
    sent = {"uri": "https://api.anthropic.com/v1/messages", "method": "POST", "body": request()}
    cassette = {"version": 1, "interactions": [{"request": sent, "response": answer}]}
    done = rehearsed(write(tmp_path / "a.yaml", yaml.safe_dump(cassette)))
    assert (done.streams, done.tally.changed, done.verdict) == (1, 1, "pass")


def test_chunks_of_a_stream_one_a_line_are_a_stream(tmp_path: Path) -> None:
    lines = [json.dumps(one) for one in events(WRAPPED)]
    lines.insert(2, '{"type": "ping"}')
    done = rehearsed(write(tmp_path / "a.jsonl", "\n".join(lines)), catalogue={"read": READ})
    assert (done.streams, done.tally.changed, done.stopped.total()) == (1, 1, 0)
    lines.insert(2, '{"type": "ping"')
    done = rehearsed(write(tmp_path / "b.jsonl", "\n".join(lines)), catalogue={"read": READ})
    assert (done.tally.changed, dict(done.stopped)) == (0, {Refusal.UNREADABLE: 1})


def dsh(*fragments: str, waits: Sequence[int], times: bool = True) -> str:
    """A session of DeepSeek Harness with one packed call."""
    at = {"turn": 1, "step": 1}
    chunks = {**at, "index": 0, "id": "t", "name": "read", "args": fragments, "dt": waits}
    ended = {"type": "tool-call", "id": "t", "name": "read"}
    rows: list[dict[str, Any]] = [
        {"type": "session", "id": "s1", "createdAt": 1},
        {"type": "request/header", "data": {"header": {"tools": [TOOL]}}},
        {"type": "step/start", "time": 900, "data": at},
        {"type": "tool-call-chunks", "time0": 1000, "data": chunks},
        {"type": "assistant/chunk", "time": 1100,
         "data": {**at, "chunk": {"type": "block-end", "index": 0, "block": ended}}},
        {"type": "assistant/chunk", "time": 1101,
         "data": {**at, "chunk": {"type": "finish", "reason": {"kind": "tool-calls"}}}},
    ]  # fmt: skip
    for row in rows:
        if not times:
            row.pop("time", None)
            row.pop("time0", None)
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_fragments_of_a_log_tell_the_delay(tmp_path: Path) -> None:
    text = dsh("", '{"arguments": ', '{"path": "a.md"}}', waits=[5, 20, 30])
    done = rehearsed(write(tmp_path / "s.jsonl", text))
    assert (done.streams, done.tally.changed, done.judged) == (1, 1, 1)
    assert done.waits == [95]  # from the first fragment, at 1005, to the end at 1100
    assert json.loads(as_json(done))["delay"] == {
        "runs": 1, "median_ms": 95.0, "max_ms": 95, "total_ms": 95,
    }  # fmt: skip
    text = dsh('{"path": ', '"a"}', waits=[0, 0], times=False)
    done = rehearsed(write(tmp_path / "t.jsonl", text))
    assert (done.tally.unchanged, done.waits) == (1, [])
    assert json.loads(as_json(done))["delay"] is None


def test_single_fragments_and_failed_steps_of_a_log(tmp_path: Path) -> None:
    at = {"turn": 1, "step": 1}
    delta = {"type": "tool-call-delta", "index": 0, "id": "t", "name": "read",
             "argumentsDelta": WRAPPED}  # fmt: skip
    failed = {"type": "finish", "reason": {"kind": "error", "failure": {"message": "gone"}}}
    rows = [
        {"type": "session", "id": "s1", "createdAt": 1},
        {"type": "request/header", "data": {"header": {"tools": [TOOL]}}},
        {"type": "assistant/chunk", "data": {**at, "chunk": delta}},
        {"type": "assistant/chunk", "data": {**at, "chunk": failed}},
        {"type": "assistant/chunk", "data": {**at, "chunk": delta}},
    ]
    path = write(tmp_path / "s.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    done = rehearsed(path)
    assert (done.streams, done.identical) == (2, 2)
    assert done.tally.refused == {Refusal.ERROR: 1, Refusal.CUT: 1}


def test_the_request_s_own_tools_count_before_the_catalogue(tmp_path: Path) -> None:
    path = write(tmp_path / "a.har", har({"text": sse(events(WRAPPED))}))
    legal = {"type": "object", "properties": {"arguments": {"type": "object"}}}
    assert rehearsed(path, catalogue={"read": legal}).tally.changed == 1


def test_families_are_chosen_and_names_are_never_repaired(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sse", sse(events(WRAPPED)))
    assert rehearsed(path, catalogue={"read": READ}, families=["F"]).tally.changed == 0
    done = rehearsed(path, catalogue={"Read": READ})
    assert (done.tally.changed, done.judged, done.verdict) == (0, 0, "nothing checked")


def test_what_is_no_log_is_listed(tmp_path: Path) -> None:
    write(tmp_path / "notes.txt", "hello")
    done = rehearsed(tmp_path)
    assert [(source.format, source.streams) for source in done.sources] == [(None, 0)]


@pytest.mark.parametrize(
    ("after", "changed", "holds"),
    [
        (events('{"path":"a.md"}'), 1, True),
        (events(WRAPPED), 0, True),
        (events('{"path":"a.md"}'), 0, False),
        (events('{"path":"b.md"}'), 1, False),
        (events(WRAPPED), 1, False),
        (events('{"path":"a.md"}', "{}"), 1, False),
        (events('{"path":"a.md"}')[:-1], 1, False),
    ],
)
def test_reading_back_convicts_a_wrong_rewriting(
    after: list[dict[str, Any]], changed: int, holds: bool
) -> None:
    texts = {("read", WRAPPED): '{"path":"a.md"}'}
    before = sse(events(WRAPPED)).encode()
    assert tells_the_same(before, sse(after).encode(), texts, changed) is holds


def test_hostile_text_is_made_visible(tmp_path: Path) -> None:
    evil = json.dumps({"arguments": {"path": "\x1b[31m\u202e"}}, ensure_ascii=False)
    done = rehearsed(
        write(tmp_path / "a.sse", sse(events(evil.replace("\x1b", "\\u001b")))),
        catalogue={"read": READ},
    )
    assert done.tally.changed == 1
    assert "\u202e" not in as_text(done)
    assert "\x1b" not in as_text(done)


def test_the_page_shows_a_proxy_that_runs(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "replay.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    reasons = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    assert reasons == [refusal.value for refusal in Refusal]


def test_the_real_harness_logs_are_rewritten_as_their_truth_says(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arguments that the model meant, for every call whose planted defect the rewriter removes."""
    folder = shared / "corpora" / "dsh-host"
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    truth = [json.loads(line) for line in lines]
    meant = {(row["tool"], row["emitted_args"]): row["intended"]
             for row in truth if row.get("emitted_args")}  # fmt: skip
    monkeypatch.setattr(run, "KEPT_CHANGES", 10_000)
    done = rehearsed(folder / "sessions")
    assert len(done.changes) == done.tally.changed
    assert done.broken == []
    assert done.tally.refused == {Refusal.ERROR: 2, Refusal.CUT: 1}  # so the log's own finishes
    assert done.tally.blocks == done.tally.changed + done.tally.unchanged + 3
    assert done.tally.changed > 100
    assert all(json.loads(change.after) == meant[change.tool, change.before]
               for change in done.changes if "A" in change.families)  # fmt: skip
    legal = {(row["tool"], row["emitted_args"]) for row in truth
             if row["family"] in ("valid", "legal_json_text", "legal_empty")}  # fmt: skip
    assert not [change for change in done.changes if (change.tool, change.before) in legal]
