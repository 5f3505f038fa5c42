"""What stands beside the calls in real logs: the planted leaks and nothing else, and the causes of
failed streams where the log holds them."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.audit.findings import find
from toolfix_audit.audit.findings.stream_errors import LOST, TOLD
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.model.report import Corpus
from toolfix_audit.model.report_findings import Found, FoundRow
from toolfix_audit.store.store import Store

CLEAN = {
    "claude-code": 180,
    "codex": 5,
    "pi": 540,
    "openhands": 100,
    "tau-bench": 1_300,
    "inspect-ai": 15,
    "cline": 20,
}
"""How many texts each corpus must give at least, so that none is passed over in silence."""


@cache
def _found(folder: Path) -> tuple[Corpus, Found]:
    with Store.temporary() as store:
        ingest(store, [str(folder)])
        return store.corpus_counts(), find(store, schema_set(store, Request()))


def _host(shared: Path) -> tuple[Found, list[dict[str, Any]]]:
    folder = shared / "corpora" / "dsh-host"
    with (folder / "truth.jsonl").open(encoding="utf-8") as lines:
        return _found(folder / "sessions")[1], [json.loads(line) for line in lines]


def _rows(found: Found, family: str) -> list[FoundRow]:
    return [row for row in found.rows if row.family == family]


@pytest.mark.parametrize("corpus", CLEAN)
def test_real_sessions_leak_nothing(shared: Path, corpus: str) -> None:
    counts, found = _found(shared / "corpora" / corpus)
    assert _rows(found, "G") == []
    assert found.untold == 0
    assert found.reask.sessions == 0
    assert counts.texts >= CLEAN[corpus]


def test_the_planted_leaks_and_nothing_else(shared: Path) -> None:
    found, truth = _host(shared)
    planted = [line for line in truth if line["family"] == "G"]
    rows = _rows(found, "G")
    assert len(planted) == sum(row.count for row in rows) == 9
    assert sum(row.repairable for row in rows) == 9
    assert Counter(line["tool"] for line in planted) == _by_tool(rows)
    texts = {(line["session"], line["emitted_text"]) for line in planted}
    assert {(row.session, row.shown) for row in rows} <= texts
    intended = {f"call {line['tool']} {_compact(line['intended'])}" for line in planted}
    assert {row.says for row in rows} <= intended


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _by_tool(rows: list[FoundRow]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.tool or ""] += row.count
    return counts


def test_every_planted_leak_is_answered_or_missed_for_its_reason(shared: Path) -> None:
    """Those that begin with the marker and end a turn are answered; a turn that also calls has
    another finish reason."""
    found, truth = _host(shared)
    wanted: Counter[str] = Counter()
    for line in truth:
        if line["family"] == "G":
            wanted[_reason(line)] += 1
    reask = found.reask
    assert reask.answered == wanted.pop("answered") == 2
    assert (reask.why, reask.missed) == (dict(wanted), 7)
    assert (reask.wrong, reask.limited, reask.unfollowed) == (0, 0, 2)


def _reason(line: dict[str, Any]) -> str:
    if line["detail"].endswith("with-call"):
        return "finish-reason"
    if line["emitted_text"].startswith("```"):
        return "code-block"
    return "answered" if line["emitted_text"].startswith("<tool_call>") else "shape"


def test_failed_streams_show_their_cause_or_that_it_is_lost(shared: Path) -> None:
    """Two were answered with a status and a body, the others were cut or closed without an end."""
    found, truth = _host(shared)
    planted = [line for line in truth if line["family"] == "stream_error"]
    rows = _rows(found, "I")
    assert found.streams == sum(row.count for row in rows) == len(planted) == 6
    told = {row.variant: row.says.partition(" (error")[0] for row in rows if row.kind == TOLD}
    assert told == {
        "rate-limit RATE_LIMIT": "RATE_LIMIT: Rate limit reached (mock)",
        "server SERVER": "SERVER: Internal server error (mock)",
    }
    lost: Counter[str] = Counter()
    for row in rows:
        lost[row.variant] += row.count * (row.kind == LOST)
    assert +lost == {"other STREAM_CLOSED": 1, "other TRANSPORT": 3}
    assert all("the log has lost the cause" in row.says for row in rows if row.kind == LOST)


def test_the_planted_repeated_id_is_the_only_odd_pair(shared: Path) -> None:
    found, truth = _host(shared)
    repeated = [line for line in truth if line["detail"] == "dup-id"]
    assert [(row.kind, row.count) for row in _rows(found, "J")] == [
        ("reused_id", len(repeated) - len({line["call_id"] for line in repeated}))
    ]


def test_no_result_of_the_coding_agents_holds_an_image_as_text(shared: Path) -> None:
    for corpus in CLEAN:
        assert _rows(_found(shared / "corpora" / corpus)[1], "H") == []
