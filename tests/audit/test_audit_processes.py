"""Calls audited in other processes: the same parts in the same order, whatever their number."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from toolfix_audit.audit import audit_processes, dryrun
from toolfix_audit.audit.audit_processes import AuditProcesses, AuditStoppedError
from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.parts import Part, audit_part
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.spec import Spec
from toolfix_audit.report.document import render
from toolfix_audit.store.store import Store

from .calls import ABCD, SCHEMAS, batch, row

SPEC = Spec(families=ABCD)
ARGUMENTS = (
    '{"path":"a"}',
    '{"arguments": {"path": "a"}}',
    '{"arguments":{"limit":"x"}}',
    '{"path":"\\ud83d"}',
    "{}",
    "words",
)


def batches(count: int, size: int = 7) -> list[pa.RecordBatch]:
    numbers = [range(start * size, start * size + size) for start in range(count)]
    return [
        batch([row(one, "read", ARGUMENTS[one % len(ARGUMENTS)]) for one in part])
        for part in numbers
    ]


def told(part: Part) -> tuple[object, ...]:
    return part.outcomes.to_pylist(), part.total, part.sample


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_parts_are_those_of_one_process_in_their_order(count: int) -> None:
    calls = batches(9)
    with AuditProcesses(SCHEMAS, SPEC, count) as processes:
        found = list(processes.parts(calls))
    assert list(map(told, found)) == [told(audit_part(part, SCHEMAS, SPEC)) for part in calls]


@pytest.mark.parametrize(("held", "ahead"), [(audit_processes.HELD_BYTES, 5), (1, 1)])
def test_batches_are_taken_a_few_ahead_only(
    held: int, ahead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_processes, "HELD_BYTES", held)
    taken = 0

    def counted() -> Iterator[pa.RecordBatch]:
        nonlocal taken
        for part in batches(30, size=1):
            taken += 1
            yield part

    with AuditProcesses(SCHEMAS, SPEC, 2) as processes:
        next(processes.parts(counted()))
        assert taken == ahead


@pytest.mark.parametrize("after", [0, 3])
def test_a_process_that_dies_is_one_clear_line(after: int) -> None:
    with AuditProcesses(SCHEMAS, SPEC, 2) as processes:
        parts = processes.parts(batches(20))
        for _ in range(after):
            next(parts)
        for process in processes._processes:
            process.kill()
            process.wait()
        with pytest.raises(AuditStoppedError, match=r"ended early \(signal 9\)") as caught:
            list(parts)
    assert (caught.value.exit_code, caught.value.hint is None) == (4, False)


def test_nothing_is_left_running_whoever_leaves() -> None:
    with AuditProcesses(SCHEMAS, SPEC, 2) as processes:
        next(processes.parts(batches(20)))
    assert all(process.poll() is not None for process in processes._processes)


def log(folder: Path, calls: int) -> str:
    tool = {"name": "read", "input_schema": json.loads(SCHEMAS.texts["d-read"])}
    lines: list[dict[str, object]] = [
        {"type": "session", "session": "s", "harness": "h"},
        {"type": "tools", "session": "s", "tools": [tool]},
    ]
    for number in range(calls):
        arguments = ARGUMENTS[number % len(ARGUMENTS)]
        lead = {"session": "s", "id": f"c{number}"}
        lines.append({"type": "tool/call", **lead, "tool": "read", "arguments": arguments})
        lines.append({"type": "tool/result", **lead, "is_error": number % 4 == 0, "content": "x"})
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def test_the_report_and_the_store_are_the_same_in_any_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dryrun, "BATCH_ROWS", 16)
    path = log(tmp_path, 200)
    found = []
    for processes in (1, 2, 3):
        with Store.temporary() as store:
            ingest(store, [path])
            report = dry_run(store, Request(), render=render, processes=processes)
            outcomes = store.query("FROM outcomes").rows
            found.append((render(report), outcomes, store.query("FROM probes").rows))
    assert found[0] == found[1] == found[2]
    assert len(found[0][1]) == 200


def test_a_run_that_stops_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dryrun, "BATCH_ROWS", 16)

    def stopped(_self: AuditProcesses, calls: Iterator[pa.RecordBatch]) -> Iterator[Part]:
        yield audit_part(next(calls), SCHEMAS, SPEC)
        raise AuditStoppedError("stopped")

    monkeypatch.setattr(AuditProcesses, "parts", stopped)
    with Store.temporary() as store:
        ingest(store, [log(tmp_path, 40)])
        with pytest.raises(AuditStoppedError):
            dry_run(store, Request(), render=render, processes=2)
        assert store.query("SELECT count(*) FROM outcomes").rows == [(0,)]
        assert store.latest_run() is None


def test_parts_can_be_sent() -> None:
    part = audit_part(batches(1)[0], SCHEMAS, SPEC)
    assert told(pickle.loads(pickle.dumps(part))) == told(part)
