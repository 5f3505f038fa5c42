"""What is planted comes back: on the study corpus, and over public tool schemas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolfix_audit.audit.ingest import ingest
from toolfix_audit.audit.inject import Fate, Injection, Plan, inject, made_calls, valid_calls
from toolfix_audit.audit.inject.planters import PLANTERS, TOGETHER
from toolfix_audit.model.json import Json
from toolfix_audit.model.records import ToolDefinition
from toolfix_audit.store.store import Store

from .catalogues import bfcl_definitions, definitions_below
from .subjects import FULL, READ, subject_of

_ALONE = frozenset(code for code, _ in PLANTERS)
_TOGETHER = frozenset(label for label, _ in TOGETHER)


@pytest.fixture(scope="module")
def study() -> Iterator[Store]:
    """A fifth of the study corpus: all of its tools."""
    root = Path(__file__).resolve().parents[3]
    sessions = sorted((root / "corpora" / "study" / "sessions").glob("session-*"))
    assert sessions
    with Store.temporary() as store:
        ingest(store, [str(path) for path in sessions[::5]])
        yield store


def _assert_restored(done: Injection, labels: frozenset[str]) -> None:
    for label in labels:
        changed = [one for one in done.deviations if one.family == label]
        assert not done.count(label, Fate.CHANGED), changed[:3]
        assert not done.count(label, Fate.LEFT), changed[:3]


def _injected(definitions: tuple[ToolDefinition, ...], *, per_tool: int) -> Injection:
    plan = Plan(copies=1)
    done, subjects = made_calls(definitions, plan, per_tool=per_tool)
    return inject(subjects, plan, done=done)


def test_study_corpus(study: Store) -> None:
    plan = Plan(copies=2)
    done, subjects = valid_calls(study, (), plan, per_tool=3)
    assert done.valid > 2_000
    assert not done.touched
    inject(subjects, plan, done=done)
    _assert_restored(done, _ALONE)
    _assert_restored(done, _TOGETHER)
    assert all(done.count(code, Fate.RESTORED) for code in _ALONE)
    assert all(done.count(label, Fate.RESTORED) for label in _TOGETHER)
    assert done.is_clean


@pytest.mark.parametrize(
    ("name", "per_tool"),
    [("dsh-tools", 2), ("github-mcp-server", 2), ("opencode", 5), ("tau-bench", 5)],
)
def test_public_schemas(shared: Path, name: str, per_tool: int) -> None:
    done = _injected(definitions_below(shared / "corpora" / "schemas" / name), per_tool=per_tool)
    assert done.subjects
    assert not done.touched
    _assert_restored(done, _ALONE)
    _assert_restored(done, _TOGETHER)
    assert done.is_clean


def test_bfcl_schemas(shared: Path) -> None:
    definitions = bfcl_definitions(shared / "corpora" / "schemas" / "bfcl")
    assert len(definitions) > 1_500
    done = _injected(definitions[::4], per_tool=1)
    assert done.subjects > 300
    assert not done.touched
    _assert_restored(done, _ALONE)
    _assert_restored(done, _TOGETHER)
    assert done.is_clean


def test_broken_text_around_a_wrapper() -> None:
    subject = subject_of(READ, FULL)
    done = inject([subject], Plan(families=frozenset("LA"), copies=8))
    assert done.count("L+A", Fate.RESTORED) == 8
    assert done.is_clean


def test_broken_text_around_a_wrapper_that_swallows_all() -> None:
    schema: Json = {"type": "object", "properties": {"limit": {"type": "integer"}}}
    done = inject([subject_of(schema, {"limit": 3})], Plan(families=frozenset("LA"), copies=4))
    assert done.count("L+A", Fate.RESTORED) == 4
    assert done.is_clean
