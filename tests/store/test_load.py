"""Loading: what goes in is what comes out, once, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from toolfix_audit.model.errors import BalanceError, ReadError
from toolfix_audit.model.records import (
    Record,
    Session,
    ToolCatalog,
    ToolDefinition,
    Unit,
    Unreadable,
)
from toolfix_audit.store import load as load_module
from toolfix_audit.store.catalogs import schema_digest
from toolfix_audit.store.entries import Counts
from toolfix_audit.store.gather import gather
from toolfix_audit.store.load import load_source
from toolfix_audit.store.store import Store
from toolfix_audit.store.tables import Batch

from .build import READ_SCHEMA, call, every_kind, kept, load, result, rows, source

TABLES = (
    "sources",
    "source_paths",
    "ignored_kinds",
    "sessions",
    "tool_schemas",
    "catalogs",
    "catalog_uses",
    "calls",
    "results",
    "assistant_texts",
    "stream_errors",
    "unreadable",
)


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.temporary() as opened:
        yield opened


def dump(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    return {name: sorted(rows(store, f"FROM {name}"), key=repr) for name in TABLES}


def test_every_kind_of_record_comes_out_as_it_went_in(store: Store) -> None:
    tally = load_source(store, source(), iter(every_kind()), count_units=lambda: 9)
    assert (tally.units, tally.records, tally.unreadable) == (9, 5, 1)
    assert tally.ignored == {"turn/end": 1, "turn/start": 2}
    assert (tally.calls, tally.results, tally.texts) == (1, 1, 1)
    found = dump(store)
    assert found["sessions"] == [(1, 1, "s1", "dsh", "0.9", "2026-11-30T10:00:00Z", "s0", 4)]
    assert found["calls"][0][3:17] == (
        "s1",
        "c1",
        "read",
        '{"arguments":{"path":"x"}}',
        "value",
        '{"arguments": {"path":"x"}}',
        "m",
        "p",
        "2026-11-30T10:00:01Z",
        "tool_calls",
        7,
        False,
        True,
        found["catalogs"][0][0],
    )
    assert found["results"][0][1:11] == (
        3,
        "s1",
        2,
        "c1",
        True,
        "missing path",
        '[{"type":"text"}]',
        "ToolError",
        "INVALID_ARGUMENTS",
        True,
    )
    assert found["assistant_texts"] == [
        (1, 4, "s1", "hello", True, "stop", "m", "p", True, True),
    ]
    assert found["stream_errors"] == [(1, 5, "s1", "stream error", "E1", '{"a":1}')]
    assert found["unreadable"] == [(1, 9, 1234, "not JSON: cut")]
    assert store.schemas() == {schema_digest(READ_SCHEMA): READ_SCHEMA}
    assert list(store.catalogs().values()) == [
        {"read": schema_digest(READ_SCHEMA), "run_code": None}
    ]


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("nul \x00 inside", "nul \x00 inside"),
        ("cut emoji \ud83d here", "cut emoji \\ud83d here"),
        ("'); DROP TABLE calls; --", "'); DROP TABLE calls; --"),
        ("$source ? :1 {0} %s", "$source ? :1 {0} %s"),
        ("", ""),
        ("\u202eright to left\u0007", "\u202eright to left\u0007"),
        ("é" * 1_000_000, "é" * 1_000_000),
    ],
)
def test_hostile_text_is_only_text(store: Store, given: str, stored: str) -> None:
    definition = ToolDefinition(given, given)
    records: tuple[Record, ...] = (
        Session(given, harness=given),
        ToolCatalog(given, 1, (definition,)),
        call(2, given, tool=given, arguments=given, call_id=given, model=given),
    )
    tally = load(store, source(path=given or "empty"), *records)
    store.add_supplied([definition], given, "catalogue")
    assert tally.calls == 1
    [row] = kept(store)
    for column in ("session", "tool", "arguments", "harness", "model"):
        assert row[column] == stored
    assert row["path"] == (stored or "empty")
    assert store.schemas() == {schema_digest(given): stored}
    assert store.catalogs() == {row["catalog"]: {stored: schema_digest(given)}}
    assert store.supplied("catalogue") == {stored: (schema_digest(given),)}


def test_numbers_of_any_size_do_no_harm(store: Store) -> None:
    load(store, source(), Session("s1", parent="s0", seed_length=10**40), call(1, event=-(10**30)))
    assert rows(store, "SELECT seed_length FROM sessions") == [(None,)]
    assert rows(store, "SELECT event FROM calls") == [(None,)]


def test_a_second_load_changes_nothing_and_reads_nothing(store: Store) -> None:
    first = load_source(store, source(), iter(every_kind()))
    before = dump(store)

    unread = iter((Unit(ignored="x"),))
    second = load_source(store, source(), unread)
    assert list(unread) == [Unit(ignored="x")]
    assert second.skipped
    assert (second.units, second.ignored, second.calls) == (first.units, first.ignored, 1)
    assert dump(store) == before


def test_another_content_at_a_path_replaces_the_first(store: Store) -> None:
    old = ToolCatalog("s1", 1, (ToolDefinition("read", '{"old":1}'),))
    load(store, source("a", "one"), old, call(2), result(3, 2))
    load(store, source("b", "two"), call(1, "s2"))
    tally = load(store, source("a", "three"), call(1, "s3"))
    assert tally.replaced
    assert [row["session"] for row in kept(store)] == ["s3", "s2"]
    assert store.schemas() == {}
    assert store.catalogs() == {}
    assert rows(store, "SELECT count(*) FROM results") == [(0,)]
    assert [row.path for row in store.source_rows()] == ["a", "b"]


def test_replacing_keeps_schemas_that_others_use(store: Store) -> None:
    catalog = ToolCatalog("s1", 1, (ToolDefinition("read", READ_SCHEMA),))
    supplied = ToolDefinition("write", '{"supplied":1}')
    store.add_supplied([supplied], "tools.json", "catalogue")
    load(store, source("a", "one"), catalog, call(2))
    load(store, source("b", "two"), catalog, call(2))
    load(store, source("a", "three"), call(1))
    assert set(store.schemas()) == {schema_digest(READ_SCHEMA), schema_digest('{"supplied":1}')}
    assert len(store.catalogs()) == 1


def test_a_rotated_log_keeps_its_content_under_the_new_name(store: Store) -> None:
    load(store, source("log", "one"), call(1, "s1"))
    assert load(store, source("log.1", "one"), call(1, "s1")).skipped
    load(store, source("log", "two"), call(1, "s2"))
    assert [row.path for row in store.source_rows()] == ["log.1", "log"]
    assert len(kept(store)) == 2


def test_a_content_that_moved_to_a_replaced_path_is_shown_once(store: Store) -> None:
    load(store, source("a", "one"), call(1, "s1"))
    load(store, source("b", "two"), call(1, "s2"))
    tally = load(store, source("a", "two"), call(1, "s2"))
    assert (tally.skipped, tally.replaced) == (True, True)
    assert [row.path for row in store.source_rows()] == ["b"]
    assert [row["session"] for row in kept(store)] == ["s2"]


@pytest.mark.parametrize(
    "unit",
    [
        Unit(),
        Unit(records=(call(1),), ignored="x"),
        Unit(ignored="x", unreadable=Unreadable(1, 0, "x")),
        Unit(records=(call(5), call(5))),
        Unit(records=(call(5), call(4))),
    ],
)
def test_a_unit_that_does_not_add_up_is_refused(store: Store, unit: Unit) -> None:
    load(store, source("good"), call(1))
    before = dump(store)
    with pytest.raises(BalanceError, match=r"^bad: "):
        load_source(store, source("bad"), iter((Unit(records=(result(0, None),)), unit)))
    assert dump(store) == before


def test_a_reader_that_counted_more_units_is_refused(store: Store) -> None:
    with pytest.raises(BalanceError, match="10 units, but 5 read"):
        load_source(store, source(), iter(every_kind()), count_units=lambda: 10)
    assert store.corpus_counts().sources == 0


@pytest.mark.parametrize("error", [ReadError("cut"), OSError("gone"), KeyboardInterrupt()])
def test_an_error_of_the_reader_passes_and_leaves_nothing(
    store: Store, error: BaseException
) -> None:
    def failing() -> Iterator[Unit]:
        yield Unit(records=(call(1),))
        raise error

    with pytest.raises(type(error)):
        load_source(store, source(), failing())
    assert store.corpus_counts().sources == 0
    assert load(store, source(), call(1)).calls == 1


def test_a_call_is_stamped_with_the_catalogue_in_force(store: Store) -> None:
    first = (ToolDefinition("read", READ_SCHEMA),)
    second = (ToolDefinition("write", "{}"), ToolDefinition("read", READ_SCHEMA))
    load(
        store,
        source(),
        call(1),
        ToolCatalog("s1", 2, first),
        call(3),
        call(4, "s2"),
        ToolCatalog("s1", 5, second),
        call(6),
        ToolCatalog("s1", 7, ()),
        call(8),
        ToolCatalog("s1", 9, second[::-1]),
        call(10),
        ToolCatalog("s2", 11, first),
        call(12, "s2"),
    )
    names = [row["catalog"] for row in kept(store)]
    assert [name is None for name in names] == [True, False, True, False, True, False, False]
    assert names[1] == names[6]
    assert names[3] == names[5]
    assert names[1] != names[3]


def test_one_name_with_two_schemas_has_no_schema(store: Store) -> None:
    tools = (
        ToolDefinition("read", '{"a":1}'),
        ToolDefinition("read", '{"b":1}'),
        ToolDefinition("write", None),
        ToolDefinition("write", '{"c":1}'),
    )
    load(store, source(), ToolCatalog("s1", 1, tools), call(2))
    [catalog] = store.catalogs().values()
    assert catalog == {"read": None, "write": schema_digest('{"c":1}')}


def test_a_large_catalogue_is_stored_whole(store: Store) -> None:
    tools = tuple(ToolDefinition(f"t{number}", f"{{{number}}}") for number in range(25_000))
    load(store, source(), ToolCatalog("s1", 1, tools), call(2))
    [catalog] = store.catalogs().values()
    assert len(catalog) == len(tools)
    assert len(store.schemas()) == len(tools)


def test_the_id_of_a_call_depends_on_content_and_position(store: Store) -> None:
    info = source("a", "one")
    load(store, info, call(7), call(9))
    names = [row["call"] for row in kept(store)]
    assert names == [load_module.call_name(info.digest, 7), load_module.call_name(info.digest, 9)]
    assert all(len(str(name)) == 12 for name in names)


def test_ids_that_clash_grow(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_module, "CALL_DIGITS", 1)
    monkeypatch.setattr(load_module.call_name, "__defaults__", (1,))
    for name in ("a", "b", "c"):
        load(store, source(name), *[call(number, name) for number in range(1, 41)])
    names = [str(row["call"]) for row in kept(store)]
    assert len(set(names)) == 120
    assert {len(name) for name in names} >= {1, 5}


def test_sessions_without_a_header_count(store: Store) -> None:
    load(store, source(), call(1, "s1"), call(2, "s2"), Session("s2"))
    assert store.corpus_counts().sessions == 2


def test_labels_are_kept(store: Store) -> None:
    for name, labels in (("a", {"team": "x", "k": "v"}), ("b", {"team": "y"})):
        info = source(name)
        info = type(info)(info.digest, info.path, info.format, info.size, labels)
        load(store, info, call(1, name))
    assert store.labels() == {"k": "v", "team": "x, y"}


def test_supplied_schemas_replace_those_of_the_same_file(store: Store) -> None:
    one, two, three = (ToolDefinition("read", f"{{{number}}}") for number in range(3))
    bare = ToolDefinition("bare", None)
    store.add_supplied([one], "a.json", "catalogue")
    store.add_supplied([two, two, bare], "b.json", "catalogue")
    store.add_supplied([three], "a.json", "alternate")
    assert store.supplied("catalogue") == {
        "bare": (),
        "read": (schema_digest("{0}"), schema_digest("{1}")),
    }
    store.add_supplied([three], "a.json", "catalogue")
    assert store.supplied("catalogue")["read"] == (schema_digest("{1}"), schema_digest("{2}"))
    assert store.supplied("alternate") == {"read": (schema_digest("{2}"),)}
    assert store.supplied("inferred") == {}


def test_small_sources_are_written_together_and_each_whole(store: Store) -> None:
    def failing() -> Iterator[Unit]:
        yield Unit(records=(call(1, "s3"),))
        raise ReadError("cut")

    with pytest.raises(ReadError), load_module.Loading(store) as loading:  # noqa: PT012
        for name in ("a", "b"):
            units = iter([Unit(records=(call(1, name),))])
            tally = loading.load(source(name), gather(units, name, "native"))
            assert tally.calls == 1
        assert store.corpus_counts().sources == 0
        loading.load(source("c"), gather(failing(), "c", "native"))
    assert rows(store, "SELECT session FROM calls ORDER BY source") == [("a",), ("b",)]


def test_what_waits_is_written_before_what_touches_it(store: Store) -> None:
    def units(name: str) -> Iterator[Batch | Counts]:
        return gather(iter([Unit(records=(call(1, name),))]), name, "native")

    with load_module.Loading(store) as loading:
        loading.load(source("a", "one"), units("one"))
        loading.load(source("b", "one"), units("one"))
        assert loading.load(source("a", "two"), units("two")).replaced is False
        assert loading.load(source("b", "three"), units("three")).replaced is True
        assert loading.load(source("b", "four"), units("four")).replaced is True
    assert rows(
        store, "SELECT path, session FROM sources JOIN calls USING (source) ORDER BY 1"
    ) == [
        ("a", "two"),
        ("b", "four"),
    ]
    assert rows(store, "SELECT path FROM source_paths ORDER BY 1") == [("a",), ("b",)]
    assert rows(store, "SELECT count(*) FROM sessions") == [(2,)]


def test_one_catalogue_of_many_sources_is_kept_once(store: Store) -> None:
    catalog = ToolCatalog("s", 1, (ToolDefinition("read", READ_SCHEMA),))
    with load_module.Loading(store) as loading:
        for name in ("a", "b", "c"):
            units = iter([Unit(records=(catalog, call(2, "s")))])
            loading.load(source(name), gather(units, name, "native"))
    assert rows(store, "SELECT tool FROM catalogs") == [("read",)]
    assert rows(store, "SELECT text FROM tool_schemas") == [(READ_SCHEMA,)]
