"""Two runs on the same input, and any split of the batches, give the same bytes in every format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.report import EMITTERS
from toolfix_audit.report.redact import redact
from toolfix_audit.store.store import Store

ROOT = Path(__file__).parents[2]
LOGS = sorted((ROOT / "corpora/study/sessions").iterdir())[:4]
BY = ("model", "tool", "label:set")


def _formats(batch_rows: int | None, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The report of a fresh store, its calls read `batch_rows` at a time, in every format."""
    read = Store.call_batches

    def split(store: Store) -> Iterator[pa.RecordBatch]:
        return read(store) if batch_rows is None else read(store, batch_rows)

    with monkeypatch.context() as patch, Store.temporary() as store:
        patch.setattr(Store, "call_batches", split)
        for number, log in enumerate(LOGS):
            ingest(store, [str(log)], labels={"set": str(number % 2)}, processes=1)
        report = dry_run(store, Request(by=BY, inputs=("logs",)), render=lambda _: "{}")
    assert len(report.groups) == 3
    made = {emitter.name: emitter.render(report) for emitter in EMITTERS}
    return made | {f"{one.name}, redacted": one.render(redact(report)) for one in EMITTERS}


def test_any_split_of_the_batches_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _formats(None, monkeypatch)
    assert len(set(whole.values())) >= len(EMITTERS)
    for batch_rows in (1, 7, 97):
        assert _formats(batch_rows, monkeypatch) == whole
