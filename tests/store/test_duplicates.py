"""Copies of a call are set aside; calls that are merely alike never are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest

from toolfix_audit.model.records import Call, Record, Session
from toolfix_audit.store.store import Store

from .build import call, kept, load, result, rows, source


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.temporary() as opened:
        yield opened


def event(number: int, session: str, *, inherited: bool = False, position: int = 0) -> Call:
    """The call of one numbered event, at another position than its number."""
    return call(
        position or number + 100,
        session,
        event=number,
        inherited=inherited,
        call_id=f"id{number}",
        arguments=f'{{"n":{number}}}',
    )


def fork(session: str, parent: str, seed: int, *own: int) -> tuple[Record, ...]:
    """A fork with the copied events 0 to `seed` - 1, and events of its own."""
    copies = [event(number, session, inherited=True) for number in range(seed)]
    return (
        Session(session, parent=parent, seed_length=seed),
        *copies,
        *[event(number, session) for number in own],
    )


def plain(session: str, *numbers: int) -> tuple[Record, ...]:
    """A session that is no fork."""
    return (Session(session), *[event(number, session) for number in numbers])


def kept_events(store: Store) -> list[tuple[object, ...]]:
    """Session and event of every kept call."""
    return rows(store, "SELECT session, event FROM kept_calls ORDER BY source, position")


@pytest.mark.parametrize("parent_first", [True, False])
def test_a_fork_and_its_parent(store: Store, parent_first: bool) -> None:
    parts = [("p", plain("p", 0, 1, 2, 3)), ("f", fork("f", "p", 2, 2, 3))]
    for name, records in parts if parent_first else parts[::-1]:
        load(store, source(name), *records)
    found = set(kept_events(store))
    assert found == {("p", 0), ("p", 1), ("p", 2), ("p", 3), ("f", 2), ("f", 3)}
    counts = store.corpus_counts()
    assert (counts.calls, counts.duplicates) == (6, 2)
    assert len(kept(store)) == 6


@pytest.mark.parametrize("order", ["pfg", "gfp", "fpg", "gpf"])
def test_a_fork_of_a_fork(store: Store, order: str) -> None:
    parts = {
        "p": plain("p", 0, 1, 2),
        "f": fork("f", "p", 2, 2, 3),
        "g": fork("g", "f", 4, 4),
    }
    for name in order:
        load(store, source(name), *parts[name])
    assert set(kept_events(store)) == {
        ("p", 0),
        ("p", 1),
        ("p", 2),
        ("f", 2),
        ("f", 3),
        ("g", 4),
    }


def test_a_missing_parent_leaves_exactly_one_copy(store: Store) -> None:
    load(store, source("one"), *fork("f", "lost", 2, 2))
    load(store, source("two"), *fork("g", "lost", 2, 2))
    assert kept_events(store) == [("f", 0), ("f", 1), ("f", 2), ("g", 2)]


def test_a_missing_middle_is_seen_through_its_own_forks(store: Store) -> None:
    load(store, source("p"), *plain("p", 0, 1))
    load(store, source("g"), *fork("g", "lost", 2, 5))
    load(store, source("h"), *fork("h", "g", 2, 6))
    assert kept_events(store) == [("p", 0), ("p", 1), ("g", 0), ("g", 1), ("g", 5), ("h", 6)]


def test_a_parent_that_lacks_the_row_does_not_hide_the_copy(store: Store) -> None:
    load(store, source("p"), *plain("p", 0))
    load(store, source("f"), *fork("f", "p", 2))
    assert kept_events(store) == [("p", 0), ("f", 1)]


def test_a_session_read_from_two_files_counts_once(store: Store) -> None:
    records = (Session("s"), call(1, "s"), result(2, 1, "s"), call(3, "s"))
    load(store, source("log"), *records)
    load(store, source("log.zst"), *records)
    counts = store.corpus_counts()
    assert (counts.sources, counts.sessions, counts.calls) == (2, 1, 2)
    assert (counts.results, counts.duplicates, counts.records) == (1, 2, 8)
    assert {row["path"] for row in kept(store)} == {"log"}


def test_a_longer_copy_adds_only_what_is_new(store: Store) -> None:
    load(store, source("old"), *plain("s", 0, 1))
    load(store, source("new"), *plain("s", 0, 1, 2))
    assert kept_events(store) == [("s", 0), ("s", 1), ("s", 2)]


def test_numbered_events_match_at_whatever_position(store: Store) -> None:
    load(store, source("one"), event(4, "s", position=9))
    load(store, source("two"), event(4, "s", position=11))
    assert store.corpus_counts().duplicates == 1


def test_a_log_that_holds_itself_twice_counts_once(store: Store) -> None:
    load(store, source(), event(4, "s", position=9), event(4, "s", position=11))
    assert store.corpus_counts().calls == 1


ALIKE = event(4, "s", position=9)


@pytest.mark.parametrize(
    "other",
    [
        replace(ALIKE, event=5),
        replace(ALIKE, event=None),
        replace(ALIKE, session="t"),
        replace(ALIKE, call_id="id5"),
        replace(ALIKE, call_id=None),
        replace(ALIKE, tool="write"),
        replace(ALIKE, arguments='{"n": 4}'),
    ],
)
def test_calls_that_differ_in_anything_are_both_kept(store: Store, other: Call) -> None:
    load(store, source("one"), ALIKE)
    load(store, source("two"), other)
    counts = store.corpus_counts()
    assert (counts.calls, counts.duplicates) == (2, 0)


@pytest.mark.parametrize("change", [{"model": "m2"}, {"time": "t2"}, {"provider": "p2"}])
def test_runs_of_two_models_that_reuse_session_names_are_both_kept(
    store: Store, change: dict[str, object]
) -> None:
    first = {"model": "m1", "time": "t1", "provider": "p1"}
    load(store, source("one"), call(1, "task 1", **first))
    load(store, source("two"), call(1, "task 1", **(first | change)))
    assert store.corpus_counts().calls == 2


def test_the_same_call_made_twice_in_a_session_is_two_calls(store: Store) -> None:
    twice = [call(number, call_id="c1", arguments="{}") for number in (1, 2)]
    load(store, source(), *twice)
    assert store.corpus_counts().calls == 2


def test_a_fork_repeating_a_call_of_its_own_keeps_it(store: Store) -> None:
    load(store, source("p"), *plain("p", 0, 1))
    own = replace(event(2, "f"), call_id="id0", arguments='{"n":0}')
    load(store, source("f"), *fork("f", "p", 1), own)
    assert kept_events(store) == [("p", 0), ("p", 1), ("f", 2)]


def test_forks_in_a_circle_end(store: Store) -> None:
    load(store, source("a"), *fork("a", "b", 2, 2))
    load(store, source("b"), *fork("b", "a", 2, 2))
    load(store, source("c"), *fork("c", "c", 2, 2))
    counts = store.corpus_counts()
    assert counts.calls + counts.duplicates == 9
    assert counts.calls >= 6


def test_a_subagent_with_a_parent_is_no_fork(store: Store) -> None:
    load(store, source("p"), *plain("p", 0, 1))
    load(store, source("child"), Session("child", parent="p"), event(0, "child"))
    assert store.corpus_counts().calls == 3


def test_a_copy_without_a_seed_length_belongs_to_its_parent(store: Store) -> None:
    load(store, source("p"), *plain("p", 0, 1))
    load(store, source("f"), Session("f", parent="p"), event(1, "f", inherited=True))
    assert kept_events(store) == [("p", 0), ("p", 1)]


def test_results_of_set_aside_calls_go_and_orphans_stay(store: Store) -> None:
    load(store, source("p"), *plain("p", 0), result(150, 100, "p"))
    load(
        store,
        source("f"),
        *fork("f", "p", 1),
        result(200, 100, "f"),
        result(201, None, "f"),
    )
    counts = store.corpus_counts()
    assert (counts.calls, counts.results) == (1, 2)
    assert kept_events(store) == [("p", 0)]


def orders(parts: dict[str, tuple[Record, ...]]) -> Iterator[dict[str, object]]:
    """What is kept and by what path, for every order in which the files may come."""
    for order in permutations(parts):
        with Store.temporary() as opened:
            for path in order:
                load(opened, source(path), *parts[path])
            yield {str(row["path"]): row["has_result"] for row in kept(opened)}


def test_the_row_with_the_result_is_kept_whatever_the_order(store: Store) -> None:
    parts = {
        "a original": plain("p", 0),
        "b copy": (*fork("f", "p", 1), result(200, 100, "f")),
        "c copy": fork("g", "p", 1),
    }
    assert list(orders(parts)) == [{"b copy": True}] * 6


def test_among_rows_alike_the_original_is_kept_then_the_first_path(store: Store) -> None:
    copies = {"a": fork("f", "p", 1), "b": fork("g", "p", 1)}
    assert list(orders(copies)) == [{"a": False}] * 2
    assert list(orders({**copies, "z": plain("p", 0)})) == [{"z": False}] * 6


def test_a_lasting_number_names_its_call_in_every_session(store: Store) -> None:
    """A copy of a copy, of which no log tells where it comes from."""
    for session in "pfg":
        load(store, source(session), Session(session), replace(ALIKE, event=-7, session=session))
    load(store, source("other"), replace(ALIKE, event=-7, session="q", arguments="{}"))
    assert kept_events(store) == [("f", -7), ("q", -7)]
