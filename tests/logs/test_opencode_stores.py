"""OpenCode's own stores: the files of older versions, and the SQLite data base."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.model.records import AssistantText, Call, Result, Session

from .conftest import Reading, ReadLog, WriteLog

TOOL = {
    "type": "tool",
    "tool": "bash",
    "callID": "c1",
    "state": {"status": "completed", "input": {"command": "ls"}, "output": "a.txt"},
}
ASSISTANT = {
    "role": "assistant",
    "modelID": "m",
    "providerID": "p",
    "finish": "length",
    "time": {"created": 1706459831000},
}
PARTS: list[tuple[str, str, dict[str, Any]]] = [
    ("prt_1", "msg_1", {"type": "text", "text": "hi"}),
    ("prt_2", "msg_2", {"type": "reasoning", "text": "hm"}),
    ("prt_3", "msg_2", {"type": "text", "text": "Looking."}),
    ("prt_4", "msg_2", TOOL),
    ("prt_5", "msg_3", {"type": "text", "text": "Done."}),
    ("prt_6", "msg_3", {"type": "step-finish"}),
]
TABLES = """
CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, version TEXT, time_created INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
"""


def data_base(path: Path, *more: tuple[str, str, str | bytes]) -> Path:
    with closing(sqlite3.connect(path)) as base, base:
        base.executescript(TABLES)
        base.execute("INSERT INTO session VALUES ('s1', '/w', '1.18.33', 1706459830000)")
        for name, told in (("msg_1", {"role": "user"}), ("msg_2", ASSISTANT), ("msg_3", ASSISTANT)):
            base.execute("INSERT INTO message VALUES (?, 's1', 1, ?)", (name, json.dumps(told)))
        rows = [(part, message, json.dumps(data)) for part, message, data in PARTS]
        for row in (*rows, *more):
            base.execute("INSERT INTO part VALUES (?, ?, 's1', ?)", row)
    return path


def check(log: Reading) -> None:
    (call,) = log.of(Call)
    assert (call.session, call.tool, call.arguments) == ("s1", "bash", '{"command":"ls"}')
    (result,) = log.of(Result)
    assert (result.call_position, result.text) == (call.position, "a.txt")


def test_the_data_base_is_read_whole(tmp_path: Path, read_log: ReadLog) -> None:
    log = read_log(data_base(tmp_path / "some.file"))
    assert log.reader == "opencode-db"
    check(log)
    (call,) = log.of(Call)
    assert (call.model, call.provider, call.finish_reason) == ("m", "p", "length")
    texts = [(one.text, one.reasoning, one.has_calls) for one in log.of(AssistantText)]
    assert texts == [("hm", True, True), ("Looking.", False, True), ("Done.", False, False)]
    (session,) = log.of(Session)
    assert (session.version, session.started) == ("1.18.33", "2024-01-28T16:37:10.000Z")
    assert log.units == len(PARTS)
    assert log.ignored == {"text of the user": 1, "step-finish": 1}


def test_what_is_only_in_the_write_ahead_log_counts(tmp_path: Path, read_log: ReadLog) -> None:
    """And nothing beside the data base is written or changed."""
    path = data_base(tmp_path / "opencode.db")
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA wal_autocheckpoint=0")
        late = json.dumps({**TOOL, "callID": "c2"})
        base.execute("INSERT INTO part VALUES ('prt_9', 'msg_3', 's1', ?)", (late,))
        base.commit()
        before = {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()}
        log = read_log(path)
        assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == before
    assert [call.call_id for call in log.of(Call)] == ["c1", "c2"]


def test_broken_rows_and_pages_are_told(tmp_path: Path, read_log: ReadLog) -> None:
    path = data_base(
        tmp_path / "a",
        ("prt_7", "msg_2", '{"type":"tool","to'),
        ("prt_8", "msg_2", b'{"type":"tool","tool":"\xff"}'),
        ("prt_9", "msg_2", "[]"),
        ("prt_a", "nobody's", json.dumps({"type": "tool", "callID": "c"})),
    )
    log = read_log(path)
    check(log)
    causes = sorted(fault.cause.split(":")[0] for fault in log.unreadable)
    assert (
        causes
        == ["a part that is no object", "a tool part without a text 'tool'"] + ["not JSON"] * 2
    )
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2])
    damaged = read_log(path)
    assert damaged.unreadable[-1].cause.startswith("damaged data base: ")


def test_a_part_file_tells_its_call(write_log: WriteLog, read_log: ReadLog) -> None:
    log = read_log(write_log(json.dumps({"id": "p", "messageID": "m", "sessionID": "s1", **TOOL})))
    assert log.reader == "opencode-storage"
    check(log)


@pytest.mark.parametrize(
    "document",
    [
        {"id": "p", "messageID": "m", "sessionID": "s1", "type": "text", "text": "by whom?"},
        {"id": "m", "sessionID": "s1", "role": "assistant", "time": {"created": 1}},
        {"id": "p", "messageID": "m", "type": "tool", "callID": "c"},
    ],
)
def test_other_files_of_the_folder_give_no_call(
    write_log: WriteLog, read_log: ReadLog, document: dict[str, Any]
) -> None:
    log = read_log(write_log(json.dumps(document, indent=1)))
    assert log.reader == "opencode-storage"
    assert log.units == 1
    assert not log.of(Call)
    assert len(log.unreadable) == (document.get("type") == "tool")


def test_the_call_has_the_same_number_in_every_store(
    tmp_path: Path, write_log: WriteLog, read_log: ReadLog
) -> None:
    part = {"id": "prt_4", "messageID": "msg_2", "sessionID": "s1", **TOOL}
    export = {
        "info": {"id": "s1", "directory": "/w"},
        "messages": [{"info": {"id": "msg_2", "sessionID": "s1", **ASSISTANT}, "parts": [part]}],
    }
    numbers = {
        read_log(path).of(Call)[0].event
        for path in (
            write_log(json.dumps(part), name="part"),
            write_log(json.dumps(export), name="export"),
            data_base(tmp_path / "base"),
        )
    }
    assert len(numbers) == 1
    assert None not in numbers
