"""What `show` tells of a call beside its outcome."""

from __future__ import annotations

import json
from pathlib import Path

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.explain import explain
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

from .made import PNG, call, result, stored, text, tools

IMAGE = json.dumps([{"type": "image", "data": PNG, "mimeType": "image/png"}])


def test_the_finds_at_a_call_are_among_its_remarks(tmp_path: Path) -> None:
    lines = [tools(), call("a"), result("a", IMAGE), result("a"), call("b"), text("On.")]
    with stored(tmp_path, lines) as store:
        dry_run(store, Request(), render=render)
        first, second = _calls(store)
        remarks = explain(store, first).remarks
        assert [remark.partition(":")[0] for remark in remarks] == [
            "H image as text", "J duplicate result"
        ]  # fmt: skip
        assert explain(store, second).remarks == (
            "J missing result: a call without a result, and the session went on; reported only",
        )


def test_a_store_that_is_only_read_tells_them_too(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    log = tmp_path / "log.jsonl"
    lines = [tools(), call("a"), result("a", [{"a": 1}])]
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    with Store.open(path, create=True) as made:
        ingest(made, [str(log)])
        dry_run(made, Request(), render=render)
    with Store.open(path, create=False, read_only=True) as store:
        (only,) = _calls(store)
        assert explain(store, only).remarks == (
            "J untyped objects: a strict provider takes it as text",
        )


def _calls(store: Store) -> list[str]:
    return [str(row[0]) for row in store.query("SELECT call FROM calls ORDER BY position").rows]
