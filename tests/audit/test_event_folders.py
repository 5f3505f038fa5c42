"""Folders with a file for every event are one log each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolfix_audit.audit.ingest import ingest
from toolfix_audit.logs.sources import find_logs
from toolfix_audit.store.store import Store

TOOL = {"type": "function", "function": {"name": "terminal", "parameters": {"type": "object"}}}
CALL = {"id": "c1", "name": "terminal", "arguments": '{"command":"ls"}', "origin": "completion"}
EVENTS: list[dict[str, Any]] = [
    {"kind": "SystemPromptEvent", "source": "agent", "id": "e0", "tools": [TOOL]},
    {"kind": "ConversationStateUpdateEvent", "source": "environment", "id": "e1", "key": "x"},
    {
        "kind": "ActionEvent",
        "source": "agent",
        "id": "e2",
        "tool_name": "terminal",
        "tool_call_id": "c1",
        "tool_call": CALL,
    },
    {
        "kind": "ObservationEvent",
        "source": "environment",
        "id": "e3",
        "tool_name": "terminal",
        "tool_call_id": "c1",
        "action_id": "e2",
        "observation": {"content": [{"type": "text", "text": "a.md"}]},
    },
]


def conversation(folder: Path, *, indent: int | None = None) -> Path:
    """A conversation as OpenHands keeps it, with something else beside the events."""
    events = folder / "b1c2" / "events"
    events.mkdir(parents=True)
    (folder / "b1c2" / "base_state.json").write_text('{"id": "b1c2"}', "utf-8")
    for number, event in enumerate(EVENTS):
        name = f"event-{number:05}-0a1b2c3d-{number:04}.json"
        (events / name).write_text(json.dumps(event, indent=indent), "utf-8")
    (events / "notes.txt").write_text("mine", "utf-8")
    return events


def test_results_find_their_calls_and_calls_their_schema(tmp_path: Path) -> None:
    for indent in (None, 2):
        events = conversation(tmp_path / str(indent), indent=indent)
        with Store.temporary() as store:
            done = ingest(store, [str(tmp_path / str(indent))])
            assert [source.file.shown for source in done.loaded] == [events.as_posix()]
            assert done.loaded[0].tally.ignored == {"other value": 1}
            assert {one.file.path.name for one in done.passed_over} == {
                "base_state.json",
                "notes.txt",
            }
            told = store.query(
                "SELECT tool, calls.catalog IS NOT NULL, results.text FROM calls "
                "JOIN results ON results.call_position = calls.position"
            )
            assert told.rows == [("terminal", True, "a.md")]
            assert store.programs() == []  # its own tool list decides
            assert store.query("SELECT harness FROM sessions").rows == [("openhands",)]


def test_a_conversation_that_goes_on_replaces_its_beginning(tmp_path: Path) -> None:
    events = conversation(tmp_path)
    last = events / "event-00003-0a1b2c3d-0003.json"
    later = last.read_bytes()
    last.unlink()
    with Store.temporary() as store:
        ingest(store, [str(events)])
        assert store.corpus_counts().results == 0
        last.write_bytes(later)
        done = ingest(store, [str(events)])
        assert [source.grown for source in done.loaded] == [True]
        counts = store.corpus_counts()
        assert (counts.sources, counts.calls, counts.results) == (1, 1, 1)


def test_every_event_is_a_line(tmp_path: Path) -> None:
    """Empty ones and broken ones as well; they come by their numbers."""
    events = conversation(tmp_path)
    for number, text in ((9, ""), (10, " \n"), (100000, '{"cut')):
        (events / f"event-{number:05}-0a1b2c3d.json").write_text(text, "utf-8")
    with Store.temporary() as store:
        (source,) = ingest(store, [str(events)]).loaded
        assert source.tally.units == len(EVENTS) + 3
        (fault,) = store.unreadable_rows(9)
        assert (fault.line, fault.cause[:15]) == (len(EVENTS) + 3, "the line is cut")


def test_one_event_alone_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "event-00000-0a1b2c3d.json"
    path.write_text(json.dumps(EVENTS[0]), "utf-8")
    assert [file.path for file in find_logs([str(tmp_path)])] == [path]
    assert [file.path for file in find_logs([str(path)])] == [path]
