"""Outcomes counted by what the user asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.report_groups import GroupRow
from toolfix_audit.store.entries import Run
from toolfix_audit.store.groups import outcomes_by, read_keys
from toolfix_audit.store.store import Store

from .build import call, fresh, load, rows, source
from .test_runs import batch, outcome


def audited(store: Store) -> None:
    """Three calls of two labelled sources, in one run."""
    for name, labels, numbers in (
        ("a", {"template": "x", 'odd "name"': "1"}, (1, 2)),
        ("b", {"template": "y"}, (1,)),
        ("c", {}, (1,)),
    ):
        load(store, replace(source(name), labels=labels), *[call(n, name) for n in numbers])
    names = [str(row[0]) for row in rows(store, "SELECT call FROM calls ORDER BY source, position")]
    made = [
        outcome(name, changed=number == 0) | {"model": f"m{number % 2}"}
        for number, name in enumerate(names)
    ]
    store.save_run(Run("r", "{}"), iter([batch(*made)]), report=lambda: "{}")


def test_outcomes_are_counted_by_model_and_label(tmp_path: Path) -> None:
    with fresh(tmp_path) as store:
        audited(store)
        assert outcomes_by(store, "r", read_keys("label:template, model")) == (
            GroupRow(("", "m1"), 1, {"valid": 1}),
            GroupRow(("x", "m0"), 1, {"fixed": 1}, 1),
            GroupRow(("x", "m1"), 1, {"valid": 1}),
            GroupRow(("y", "m0"), 1, {"valid": 1}),
        )
        assert outcomes_by(store, "r", read_keys("tool")) == (
            GroupRow(("read",), 4, {"fixed": 1, "valid": 3}, 1),
        )
        assert [group.calls for group in outcomes_by(store, "r", ['label:odd "name"'])] == [2, 2]
        assert outcomes_by(store, "another", ["tool"]) == ()


@pytest.mark.parametrize("text", ["", ",", "model,colour", "label:", "label"])
def test_unknown_keys_are_named(text: str) -> None:
    with pytest.raises(ConfigError, match="--by: unknown key") as caught:
        read_keys(text)
    assert "label:NAME" in str(caught.value.hint)
