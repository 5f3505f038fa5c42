"""Calls come out in order, whole and in batches; queries read and do nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from toolfix_audit.audit.arrow import CALLS
from toolfix_audit.model.errors import StoreError
from toolfix_audit.model.records import Session
from toolfix_audit.store import reading
from toolfix_audit.store.store import Store

from .build import call, fresh, kept, load, result, rows, source


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.temporary() as opened:
        yield opened


def test_batches_have_the_columns_of_the_kernel(store: Store) -> None:
    assert reading.CALL_BATCH.equals(CALLS, check_metadata=True)
    load(store, source(), call(1))
    [batch] = store.call_batches()
    assert batch.schema.equals(CALLS, check_metadata=True)
    batch.validate(full=True)


def test_an_empty_store_has_no_batches(store: Store) -> None:
    assert list(store.call_batches()) == []


def test_calls_come_in_the_order_of_sources_and_positions(store: Store) -> None:
    load(store, source("b"), *[call(number, "b") for number in (1, 5, 9)])
    load(store, source("a"), *[call(number, "a") for number in (2, 3)])
    load(store, source("b", "changed"), *[call(number, "b") for number in (4, 6)])
    for size in (1, 2, 3, 100):
        batches = list(store.call_batches(size))
        found = [
            (row["session"], row["arguments"]) for batch in batches for row in batch.to_pylist()
        ]
        assert found == [
            ("b", '{"path":"f4"}'),
            ("b", '{"path":"f6"}'),
            ("a", '{"path":"f2"}'),
            ("a", '{"path":"f3"}'),
        ]
        assert max(batch.num_rows for batch in batches) <= size


def test_a_call_has_the_first_result_of_its_own_source(store: Store) -> None:
    failed = replace(result(7, 1), is_error=True, text="second", error_code="E")
    load(store, source("a"), Session("s1", "dsh"), call(1), failed, result(4, 1), call(5))
    load(store, source("b"), call(1, "s2"), replace(failed, session="s2"))
    found = [
        (row["has_result"], row["is_error"], row["result_text"], row["error_code"], row["harness"])
        for row in kept(store)
    ]
    assert found == [
        (True, False, None, None, "dsh"),
        (False, None, None, None, "dsh"),
        (True, True, "second", "E", None),
    ]


def test_the_text_of_a_success_is_read_where_a_host_says_its_refusals_in_one(store: Store) -> None:
    load(store, source("a"), Session("s1", "dsh"), call(1), result(2, 1))
    assert [row["result_text"] for row in kept(store)] == [None]
    load(store, source("b"), Session("s2", "codex"), call(1, "s2"))
    assert [row["result_text"] for row in kept(store)] == ["answer to 1", None]


def test_the_first_header_names_the_harness(store: Store) -> None:
    load(store, source(), call(1), Session("s1", "one"), Session("s1", "two"), call(2))
    assert [row["harness"] for row in kept(store)] == ["one", "one"]


def test_a_batch_is_cut_short_by_much_text(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PAGE_CHARACTERS", 1000)
    records = [call(number, arguments="x" * 400) for number in range(1, 11)]
    load(store, source(), *records)
    sizes = [batch.num_rows for batch in store.call_batches()]
    assert sum(sizes) == 10
    assert max(sizes) <= 3


def test_other_methods_work_between_two_batches(store: Store) -> None:
    load(store, source("a"), *[call(number) for number in range(1, 9)])
    seen = 0
    for batch in store.call_batches(3):
        seen += batch.num_rows
        load(store, source(f"more {seen}"), call(1, f"s{seen}"))
        assert store.corpus_counts().calls > 8
    assert seen == 8


def test_an_abandoned_reading_does_not_keep_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PAGE_ROWS", 2)
    with fresh(tmp_path) as store:
        load(store, source("a"), *[call(number) for number in range(1, 9)])
        batches = store.call_batches(2)
        next(batches)
    with Store.open(tmp_path / "audit.duckdb", create=False, read_only=True) as again:
        assert again.corpus_counts().calls == 8
    with pytest.raises(duckdb.Error, match="closed"):
        next(batches)


def test_rows_of_what_was_read(store: Store) -> None:
    load(store, source("a"), call(1), result(2, 1))
    [row] = store.source_rows()
    assert (row.path, row.format, row.calls, row.results) == ("a", "native", 1, 1)
    assert store.unreadable_rows(5) == ()


# --- queries ---------------------------------------------------------------------------------


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT tool, count(*) AS n FROM kept_calls GROUP BY tool", ("tool", "n")),
        ("FROM meta", ("schema_version", "tool_version")),
        ("VALUES (1);", ("col0",)),
        ("WITH t AS (SELECT 1 AS a) SELECT a FROM t -- comment", ("a",)),
        ("EXPLAIN SELECT 1", ("explain_key", "explain_value")),
    ],
)
def test_a_query_reads(tmp_path: Path, sql: str, columns: tuple[str, ...], read_only: bool) -> None:
    with fresh(tmp_path) as store:
        load(store, source(), call(1))
    with Store.open(tmp_path / "audit.duckdb", create=False, read_only=read_only) as store:
        answer = store.query(sql)
        assert answer.columns == columns
        assert len(answer.rows) == 1
        assert store.query("SHOW TABLES").rows
        assert store.query("SUMMARIZE calls").rows
        assert store.query("DESCRIBE calls").rows


REFUSED = (
    "INSERT INTO meta VALUES (2, 'x')",
    "UPDATE calls SET tool = 'x'",
    "DELETE FROM calls",
    "DROP TABLE calls",
    "CREATE TABLE t (a INTEGER)",
    "CREATE TEMP TABLE t (a INTEGER)",
    "CREATE OR REPLACE VIEW kept_calls AS SELECT 1",
    "WITH gone AS (DELETE FROM calls RETURNING call) SELECT * FROM gone",
    "WITH t AS (INSERT INTO meta VALUES (2, 'x') RETURNING 1) SELECT * FROM t",
    "EXPLAIN ANALYZE DELETE FROM calls",
    "SELECT 1; DELETE FROM calls",
    "COMMIT",
    "ROLLBACK; DROP TABLE calls",
    "CHECKPOINT",
    "VACUUM",
    "ATTACH ':memory:' AS other",
    "ATTACH '{folder}/other.duckdb'",
    "DETACH audit",
    "USE memory",
    "COPY calls TO '{folder}/out.csv'",
    "COPY calls FROM '{folder}/in.csv'",
    "EXPORT DATABASE '{folder}/out'",
    "IMPORT DATABASE '{folder}/out'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA enable_profiling",
    "CALL pragma_version()",
    "PREPARE p AS SELECT 1",
    "SELECT * FROM '{folder}/in.csv'",
    "SELECT * FROM read_csv('{folder}/in.csv')",
    "SELECT * FROM read_text('{folder}/in.csv')",
    "SELECT * FROM read_blob('{folder}/in.csv')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM sniff_csv('{folder}/in.csv')",
    "SELECT * FROM query('SELECT * FROM read_text(''{folder}/in.csv'')')",
    "SELECT * FROM 'https://example.invalid/x.parquet'",
    "SELECT * FROM read_csv('https://example.invalid/x.csv')",
    "SELECT getenv('HOME')",
    "SELECT * FROM python_variable",
    "SELECT no_such_column FROM calls",
    "SELECT 'x'::INTEGER",
    "not SQL at all",
    "SELECT '\ud83d'",
    "SELECT ?",
    "-- nothing",
    "",
)


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("sql", REFUSED)
def test_a_query_does_nothing_else(tmp_path: Path, sql: str, read_only: bool) -> None:
    python_variable = [1, 2, 3]
    (tmp_path / "in.csv").write_text("secret\n1\n", encoding="utf-8")
    with fresh(tmp_path) as store:
        load(store, source(), call(1))
    before = sorted(path.name for path in tmp_path.iterdir())
    with Store.open(tmp_path / "audit.duckdb", create=False, read_only=read_only) as store:
        with pytest.raises(StoreError) as caught:
            store.query(sql.replace("{folder}", str(tmp_path)))
        assert "\n" not in caught.value.message
        assert caught.value.hint
        assert rows(store, "SELECT count(*) FROM kept_calls") == [(1,)]
        assert rows(store, "SELECT count(*) FROM meta") == [(1,)]
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert python_variable == [1, 2, 3]
