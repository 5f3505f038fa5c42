"""Two runs on the same input, and any split of the batches, give the same bytes in every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolfix_audit.audit import dryrun
from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.report import EMITTERS
from toolfix_audit.report.redact import redact
from toolfix_audit.store.store import Store

ROOT = Path(__file__).parents[2]
LOGS = sorted((ROOT / "corpora/study/sessions").iterdir())[:4]
BY = ("model", "tool", "label:set")


def _formats(processes: int) -> dict[str, str]:
    """The report of a fresh store, its calls audited by so many processes, in every format."""
    with Store.temporary() as store:
        for number, log in enumerate(LOGS):
            ingest(store, [str(log)], labels={"set": str(number % 2)}, processes=1)
        request = Request(by=BY, inputs=("logs",))
        report = dry_run(store, request, render=lambda _: "{}", processes=processes)
    assert len(report.groups) == 3
    made = {emitter.name: emitter.render(report) for emitter in EMITTERS}
    return made | {f"{one.name}, redacted": one.render(redact(report)) for one in EMITTERS}


def test_any_split_of_the_batches_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _formats(processes=1)
    assert len(set(whole.values())) >= len(EMITTERS)
    for batch_rows, processes in ((1, 1), (7, 1), (97, 2)):
        monkeypatch.setattr(dryrun, "BATCH_ROWS", batch_rows)
        assert _formats(processes) == whole
