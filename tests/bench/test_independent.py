"""The table of independent readers, and how calls of an answer are counted without ours."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.counting.answer_bodies import calls_in
from bench.counting.registry import READERS, Home, OtherReader
from bench.counting.with_packages import COUNTERS
from bench.independent import SCRIPTS, Ours, Theirs, file_rows, table_row

READER = OtherReader(
    "A format",
    ("package==1.0",),
    ("counter",),
    ("ours",),
    refuses="it is strict",
    differs={"b.jsonl": "it leaves some out"},
)


def test_a_row_tells_files_read_refused_and_counted_otherwise() -> None:
    names = {"a.jsonl": (3, 3), "b.jsonl": (2, 1), "c.jsonl": (4, None), "d.jsonl": (5, 6)}
    ours = {Path(name): Ours("ours", calls) for name, (calls, _) in names.items()}
    theirs = {
        Path(name): Theirs(calls, "" if calls else "no") for name, (_, calls) in names.items()
    }
    row = table_row(READER, ours, theirs)
    told = [cell.strip() for cell in row.strip("|").split("|")]
    assert told[:8] == ["A format", "package 1.0", "4", "1", "10", "10", "4", "2"]
    assert told[8] == "it leaves some out; not explained; it is strict"
    assert file_rows(READER, ours, theirs) == [
        "A format, b.jsonl: 1 calls; ours 2",
        "A format, c.jsonl: no; ours 4",
        "A format, d.jsonl: 6 calls; ours 5",
    ]


@pytest.mark.parametrize(
    "reader", READERS, ids=lambda reader: f"{reader.label} {reader.counter[0]}"
)
def test_every_reader_has_its_counter(reader: OtherReader) -> None:
    assert reader.packages
    if reader.home is Home.NPM:
        assert (SCRIPTS / reader.counter[0]).is_file()
    else:
        assert reader.counter[0] in COUNTERS
        assert all("==" in package for package in reader.packages)


CALL = {"id": "c", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        (None, 0),
        ({"choices": [{"message": {"tool_calls": [CALL, CALL]}}]}, 2),
        ({"output": [{"type": "function_call"}, {"type": "message"}, {"type": "mcp_call"}]}, 2),
        ({"content": [{"type": "text"}, {"type": "tool_use"}, {"type": "server_tool_use"}]}, 1),
        ([{"candidates": [{"content": {"parts": [{"functionCall": {}}, {"text": ""}]}}]}], 1),
        ({"output": {"message": {"content": [{"toolUse": {}}]}}}, 1),
        ({"message": {"tool_calls": [CALL]}}, 1),
    ],
)
def test_calls_of_a_whole_answer(body: object, calls: int) -> None:
    assert calls_in(body) == calls  # type: ignore[arg-type]  # some are no answer at all
    assert calls_in(json.dumps(body).encode()) == calls if body else True
