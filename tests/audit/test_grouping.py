"""Calls counted by judge, source, label and by what was asked for, against a count of the rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.audit import grouping
from toolfix_audit.audit.dryrun import dry_run
from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.request import Request
from toolfix_audit.audit.spec import Spec
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.report import Report
from toolfix_audit.store.store import Store

READ: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
ODD = {**READ, "type": "objekt"}
"""A schema that no validator runs: only its top level is judged."""


def log(folder: Path, name: str, calls: list[tuple[str, str, Any]]) -> str:
    """A native log of calls: tool, model, arguments. It offers `read`, and `odd`."""
    tools = [{"name": "read", "input_schema": READ}, {"name": "odd", "input_schema": ODD}]
    rows: list[dict[str, Any]] = [
        {"type": "session", "session": name},
        {"type": "tools", "session": name, "tools": tools},
        *(
            {
                **{"type": "tool/call", "session": name, "id": f"{name}{number}"},
                **{"tool": tool, "model": model, "arguments": arguments},
            }
            for number, (tool, model, arguments) in enumerate(calls)
        ),
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


GOOD, WRAPPED, EMPTY = {"path": "a"}, {"arguments": {"path": "a"}}, {"other": 1}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two labelled sources and one without."""
    store = Store.open(tmp_path / "a.duckdb", create=True)
    first = [("read", "m", GOOD), ("read", "m", WRAPPED), ("read", "n", WRAPPED)]
    ingest(store, [log(tmp_path, "a", first)], labels={"template": "x"}, processes=1)
    second = [("read", "m", EMPTY), ("odd", "m", WRAPPED), ("unheard", "m", GOOD)]
    ingest(store, [log(tmp_path, "b", second)], labels={"template": "y"}, processes=1)
    ingest(store, [log(tmp_path, "c", [("read", "m", GOOD)])], processes=1)
    return store


def audited(store: Store, **asked: Any) -> Report:
    """The report of a dry run of everything."""
    with store:
        return dry_run(store, Request(**asked), render=lambda _: "{}")


def rows_of(report: Report, *by: str) -> dict[tuple[str, ...], Mapping[str, int]]:
    (found,) = (one for one in report.groups if one.by == by)
    assert all(row.calls == sum(row.outcomes.values()) for row in found.rows)
    return {row.values: row.outcomes for row in found.rows}


def test_the_basis_of_every_verdict_is_told(store: Store) -> None:
    report = audited(store)
    found = {(row.origin, row.judge): dict(row.outcomes) for row in report.basis}
    assert found == {
        ("request", "pair"): {"valid": 2, "fixed": 2, "untouched": 1},
        ("request", "shallow"): {"fixed": 1},
        ("request", "none"): {"untouched": 1},
    }
    assert sum(row.calls for row in report.basis) == report.corpus.calls == 7


def test_a_judge_that_was_asked_for_is_foreign(store: Store) -> None:
    report = audited(store, spec=Spec(judge="jsonschema"))
    assert ("request", "foreign") in {(row.origin, row.judge) for row in report.basis}
    assert not any(row.judge == "pair" for row in report.basis)


def test_a_call_without_schema_has_no_basis(tmp_path: Path) -> None:
    rows = [
        {"type": "session", "session": "s"},
        {"type": "tool/call", "session": "s", "id": "1", "tool": "x", "arguments": {}},
    ]
    path = tmp_path / "bare.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    with Store.temporary() as store:
        ingest(store, [str(path)], processes=1)
        (row,) = audited(store).basis
    assert (row.origin, row.judge, row.calls) == (None, "none", 1)


def test_calls_are_counted_by_source_and_label(store: Store, tmp_path: Path) -> None:
    report = audited(store)
    assert rows_of(report, "source") == {
        (str(tmp_path / "a.jsonl"),): {"valid": 1, "fixed": 2},
        (str(tmp_path / "b.jsonl"),): {"fixed": 1, "untouched": 2},
        (str(tmp_path / "c.jsonl"),): {"valid": 1},
    }
    assert rows_of(report, "label", "value") == {
        ("template", "x"): {"valid": 1, "fixed": 2},
        ("template", "y"): {"fixed": 1, "untouched": 2},
    }


def test_calls_are_counted_by_what_is_asked_for(store: Store) -> None:
    report = audited(store, by=("model", "label:template", "label:run"), labels={"run": "r1"})
    assert rows_of(report, "model", "label:template", "label:run") == {
        ("m", "x", "r1"): {"valid": 1, "fixed": 1},
        ("n", "x", "r1"): {"fixed": 1},
        ("m", "y", "r1"): {"fixed": 1, "untouched": 2},
        ("m", "", "r1"): {"valid": 1},
    }
    of_the_run = rows_of(report, "label", "value")[("run", "r1")]
    assert sum(of_the_run.values()) == report.corpus.calls


def test_a_label_that_nothing_has_is_refused_with_those_that_there_are(store: Store) -> None:
    with pytest.raises(ConfigError, match="label:templte") as caught:
        audited(store, by=("label:templte",))
    assert "label:template" in str(caught.value.hint)


def test_the_worst_groups_are_kept_and_the_rest_is_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "MAX_GROUPS", 2)
    report = audited(store)
    (found,) = (one for one in report.groups if one.by == ("source",))
    malformed = [row.calls - row.outcomes.get("valid", 0) for row in found.rows]
    assert malformed == [3, 2]
    assert (found.more, found.more_calls) == (1, 1)
    assert sum(row.calls for row in found.rows) + found.more_calls == report.corpus.calls
