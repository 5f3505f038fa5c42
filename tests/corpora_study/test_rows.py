"""The rows of the study logs: numbered without gaps, mirrored exactly, streamed without loss."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from .study_logs import Corpus


def _calls_of_message(row: dict[str, Any]) -> list[tuple[str, str, str]]:
    blocks = row["data"]["message"]["content"]
    return [(b["id"], b["name"], b["arguments"]) for b in blocks if b["type"] == "tool-call"]


def _streamed(rows: list[dict[str, Any]]) -> dict[str, str]:
    texts: dict[str, str] = defaultdict(str)
    for row in rows:
        if row["type"] == "tool-call-chunks":
            texts[row["data"]["id"]] += "".join(row["data"]["args"])
        elif row["type"] == "assistant/chunk":
            chunk = row["data"]["chunk"]
            if chunk["type"] == "tool-call-delta":
                texts[chunk["id"]] += chunk["argumentsDelta"]
    return texts


def test_header_comes_first(corpus: Corpus) -> None:
    for session, rows in corpus.rows.items():
        assert rows[0]["type"] == "session"
        assert rows[0]["id"] == session
        assert rows[0]["version"] == 0
        assert "seedLength" not in rows[0]


def test_numbers_rise_by_one_per_event(corpus: Corpus) -> None:
    for rows in corpus.rows.values():
        expected = 0
        clock = rows[0]["createdAt"]
        for row in rows[1:]:
            packed = row["type"].endswith("-chunks")
            assert row["seq0" if packed else "seq"] == expected
            assert row["time0" if packed else "time"] >= clock
            clock = row["time0" if packed else "time"]
            expected += len(row["data"]["dt"]) + 1 if packed else 1


def test_fragments_and_mirror_hold_the_recorded_text(corpus: Corpus) -> None:
    for rows in corpus.rows.values():
        streamed = _streamed(rows)
        mirrored = [
            call for row in rows if row["type"] == "assistant/message"
            for call in _calls_of_message(row)
        ]  # fmt: skip
        recorded = [row["data"] for row in rows if row["type"] == "tool/call"]
        assert mirrored == [(d["callId"], d["name"], d["arguments"]) for d in recorded]
        assert streamed == {d["callId"]: d["arguments"] for d in recorded}


def test_packed_runs_hold_three_fragments_or_more(corpus: Corpus) -> None:
    loose = 0
    for rows in corpus.rows.values():
        for row in rows:
            if row["type"].endswith("-chunks"):
                data = row["data"]
                pieces = data["args"] if "args" in data else data["texts"]
                assert len(pieces) == len(data["dt"]) + 1 >= 3
            elif row["type"] == "assistant/chunk":
                loose += row["data"]["chunk"]["type"] == "tool-call-delta"
    assert loose > 100


def test_no_dispatch_and_no_repeated_history(corpus: Corpus) -> None:
    kinds = {row["type"] for rows in corpus.rows.values() for row in rows}
    assert not any("code-dispatch" in kind for kind in kinds)
    assert {"request/header", "turn/start", "turn/end", "step/start", "step/end"} <= kinds
    assert {"text-chunks", "reasoning-chunks", "tool-call-chunks"} <= kinds
    ids = [(call.truth["session"], call.truth["call_id"]) for call in corpus.all()]
    assert len(set(ids)) == len({call_id for _, call_id in ids}) == 16_535


def test_some_sessions_hold_two_turns(corpus: Corpus) -> None:
    turns = [sum(row["type"] == "turn/start" for row in rows) for rows in corpus.rows.values()]
    assert set(turns) == {1, 2}
    for rows in corpus.rows.values():
        ends = [row["data"]["reason"] for row in rows if row["type"] == "turn/end"]
        assert all(end == {"kind": "completed"} for end in ends)
