"""Dry runs are kept whole, once per id, and the last one is found again."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from toolfix_audit.audit.arrow import OUTCOMES
from toolfix_audit.model.errors import ConfigError, StoreWriteError
from toolfix_audit.store.entries import Run
from toolfix_audit.store.store import Store

from .build import call, load, rows, source


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.temporary() as opened:
        yield opened


def outcome(name: str, *, changed: bool = False) -> dict[str, object]:
    """One row of the kernel's output."""
    step = {
        "family": "A",
        "action": "unwrap:arguments",
        "pointer": "",
        "before": '{"arguments":{}}',
        "after": "{}",
    }
    probe = {"kind": "alternate-schema", "families": ["A"], "convicted": False, "detail": None}
    return {
        "call": name,
        "session": "s1",
        "path": "a",
        "tool": "read",
        "resolved": "read",
        "outcome": "fixed" if changed else "valid",
        "host": "accepted",
        "families": ["A"] if changed else [],
        "depth": 2 if changed else 0,
        "before": "{}",
        "steps": [step, step | {"pointer": "/x"}] if changed else [],
        "violations_before": ["x"] if changed else [],
        "violations_after": [],
        "left_alone": [],
        "suspicions": [],
        "findings": [],
        "shape": "{}",
        "probes": [probe, probe | {"convicted": True, "detail": "bad"}] if changed else [],
    }


def batch(*outcomes: dict[str, object]) -> pa.RecordBatch:
    """A batch as the kernel gives it."""
    return pa.RecordBatch.from_pylist(list(outcomes), schema=OUTCOMES)


def test_outcomes_come_out_as_they_went_in(store: Store) -> None:
    rows_in = [outcome("c1", changed=True), outcome("c2")]
    store.save_run(Run("r1", '{"spec":1}', '{"report":1}', "2026"), iter([batch(*rows_in)]))
    answer = store.query("SELECT * EXCLUDE (run) FROM outcomes ORDER BY call")
    assert list(answer.columns) == OUTCOMES.names
    found = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    assert found == batch(*rows_in).to_pylist()
    assert rows(store, "SELECT call, ordinal, pointer FROM steps ORDER BY ordinal") == [
        ("c1", 1, ""),
        ("c1", 2, "/x"),
    ]
    assert rows(store, "SELECT ordinal, convicted, detail FROM probes ORDER BY ordinal") == [
        (1, False, None),
        (2, True, "bad"),
    ]
    assert store.latest_run() == Run("r1", '{"spec":1}', '{"report":1}', "2026")


def test_a_run_of_the_same_id_replaces_the_first(store: Store) -> None:
    for names in (("c1", "c2"), ("c3",)):
        outcomes = [outcome(name, changed=True) for name in names]
        store.save_run(Run("r1", "{}"), iter([batch(*outcomes)]))
    assert rows(store, "SELECT call FROM outcomes") == [("c3",)]
    assert rows(store, "SELECT count(*) FROM steps") == [(2,)]
    assert rows(store, "SELECT count(*) FROM probes") == [(2,)]
    assert rows(store, "SELECT count(*) FROM runs") == [(1,)]


def test_the_latest_run_is_the_one_saved_last(store: Store) -> None:
    assert store.latest_run() is None
    for name in ("b", "a", "c", "a"):
        store.save_run(Run(name, "{}"), iter([batch(outcome("c1"))]))
    latest = store.latest_run()
    assert latest is not None
    assert latest.run == "a"
    assert rows(store, "SELECT count(*) FROM runs") == [(3,)]


def test_a_run_without_calls_is_a_run(store: Store) -> None:
    store.save_run(Run("r1", "{}"), iter(()))
    assert store.latest_run() == Run("r1", "{}")


def test_outcomes_may_be_made_from_the_calls_of_the_same_store(store: Store) -> None:
    load(store, source(), *[call(number) for number in range(1, 101)])
    counted = 0

    def judged() -> Iterator[pa.RecordBatch]:
        nonlocal counted
        for calls in store.call_batches(7):
            counted += calls.num_rows
            yield batch(*[outcome(str(name), changed=True) for name in calls["call"].to_pylist()])

    store.save_run(Run("r1", "{}"), judged(), report=lambda: f'{{"calls":{counted}}}')
    latest = store.latest_run()
    assert latest is not None
    assert latest.report == '{"calls":100}'
    joined = "SELECT count(*) FROM outcomes JOIN kept_calls USING (call)"
    assert rows(store, joined) == [(100,)]


def test_a_run_that_fails_half_way_leaves_the_earlier_one(store: Store) -> None:
    def failing() -> Iterator[pa.RecordBatch]:
        yield batch(outcome("c2"))
        raise ConfigError("stop")

    store.save_run(Run("r1", "{}"), iter([batch(outcome("c1"))]))
    with pytest.raises(ConfigError, match="stop"):
        store.save_run(Run("r1", "{}"), failing())
    assert rows(store, "SELECT call FROM outcomes") == [("c1",)]


def test_a_batch_of_other_columns_is_refused(store: Store) -> None:
    wrong = pa.RecordBatch.from_pylist([{"call": "c1"}])
    with pytest.raises(StoreWriteError):
        store.save_run(Run("r1", "{}"), iter([wrong]))
    assert store.latest_run() is None
