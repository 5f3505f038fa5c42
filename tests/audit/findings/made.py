"""Small logs in the native format, read into a store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolfix_audit.audit.findings import find
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.engine.reask import DEFAULT, Policy
from toolfix_audit.model.report_findings import Found, FoundRow
from toolfix_audit.store.store import Store

READ = {
    "name": "read",
    "input_schema": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    },
}
LEAK = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5Erk"
    "Jggg=="
)
"""One pixel."""

Line = dict[str, Any]


def tools(session: str = "s", *definitions: Line) -> Line:
    return {"type": "tools", "session": session, "tools": list(definitions or (READ,))}


def text(words: str, session: str = "s", **rest: Any) -> Line:
    made = {"type": "assistant/message", "session": session, "text": words, "model": "m"}
    return {**made, "finish_reason": "stop", **rest}


def call(call_id: str | None, session: str = "s", **rest: Any) -> Line:
    made = {"type": "tool/call", "session": session, "tool": "read", "model": "m"}
    named = {} if call_id is None else {"id": call_id}
    return {**made, **named, "arguments": {"path": "a"}, **rest}


def result(call_id: str | None, content: Any = "ok", session: str = "s", **rest: Any) -> Line:
    named = {} if call_id is None else {"id": call_id}
    return {"type": "tool/result", "session": session, **named, "content": content, **rest}


def failed(shown: str, session: str = "s", **rest: Any) -> Line:
    return {"type": "stream/error", "session": session, "shown": shown, **rest}


@contextmanager
def stored(folder: Path, *logs: Sequence[Line]) -> Iterator[Store]:
    """A store of these logs, one file each, read in their order."""
    paths = []
    for number, lines in enumerate(logs):
        path = folder / f"log-{number}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        paths.append(str(path))
    with Store.temporary() as store:
        for path_text in paths:
            ingest(store, [path_text])
        yield store


def found_in(folder: Path, *logs: Sequence[Line], policy: Policy = DEFAULT) -> Found:
    """What is found in these logs."""
    with stored(folder, *logs) as store:
        return find(store, schema_set(store, Request()), policy)


def told(found: Found, family: str) -> list[tuple[str, str, int, int]]:
    """The finds of a family: kind, form, how many, and how many are repairable."""
    rows = (row for row in found.rows if row.family == family)
    return sorted((row.kind, row.variant, row.count, row.repairable) for row in rows)


def only(found: Found, family: str) -> FoundRow:
    """The one row of a family."""
    (row,) = (row for row in found.rows if row.family == family)
    return row
