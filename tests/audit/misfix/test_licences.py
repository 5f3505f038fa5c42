"""Opt-in readings: right where they were asked for, wrong where not, and never more than that."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from toolfix_audit.audit.misfix import Change, Licence, Probe, check, licences_of
from toolfix_audit.engine import ALL, SAFE, repair
from toolfix_audit.engine.answers import given_arguments
from toolfix_audit.model.json import Json, parse_json, same_json
from toolfix_audit.model.repair import Repair
from toolfix_audit.model.words import MisfixKind, Outcome

from .bench import closed, context_of, convicted, kind, opened, told

TEXT = kind("string")
TEXTS = kind("array", items=TEXT)
RUN = closed(["command"], command=TEXT, timeout=kind("integer"))
AT = closed(["at"], at=closed(["n"], n=kind("integer")))
TAGS = closed(
    None,
    tags=TEXTS,
    ids=kind("array", items=kind("integer")),
    either={"anyOf": [TEXT, TEXTS]},
    deep=closed(None, tags=TEXTS),
)
EVERY = frozenset(Licence)
VECTORS = Path(__file__).resolve().parents[3] / "corpora" / "vectors"

LICENSED: list[tuple[Licence, Json, Json, Json]] = [
    (Licence.TELLING_ENVELOPE, RUN, {"type": "file", "value": {"command": "a"}}, {"command": "a"}),
    (Licence.TELLING_ENVELOPE, RUN, {"type": "x", "value": '{"command": "a"}'}, {"command": "a"}),
    (
        Licence.TELLING_ENVELOPE,
        RUN,
        {"type": "file", "value": {"command": "a"}, "note": None},
        {"command": "a"},
    ),
    (Licence.TELLING_ENVELOPE, AT, {"at": {"type": "x", "value": {"n": 1}}}, {"at": {"n": 1}}),
    (Licence.TELLING_ENVELOPE, AT, {"at.type": "x", "at.value": {"n": 1}}, {"at": {"n": 1}}),
    (
        Licence.EQUAL_SIBLINGS,
        RUN,
        {"arguments": {"command": "a"}, "command": "a"},
        {"command": "a"},
    ),
    (Licence.EQUAL_SIBLINGS, RUN, {"args": '{"command": "a"}', "command": "a"}, {"command": "a"}),
    (
        Licence.EQUAL_SIBLINGS,
        RUN,
        {"command": "a", "arguments": {"timeout": 5, "command": "a"}},
        {"command": "a", "timeout": 5},
    ),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"tags": "a, b"}, {"tags": ["a", "b"]}),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"tags": "a,b ,c d"}, {"tags": ["a", "b", "c d"]}),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"tags": "a, a"}, {"tags": ["a", "a"]}),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"tags": "new york"}, {"tags": ["new york"]}),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"tags": "[Name.esp"}, {"tags": ["[Name.esp"]}),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"arguments": {"tags": "a, b"}}, {"tags": ["a", "b"]}),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"deep": {"tags": "a b"}}, {"deep": {"tags": ["a b"]}}),
    (Licence.TEXT_FOR_ARRAY, TAGS, {"deep.tags": "a, b"}, {"deep": {"tags": ["a", "b"]}}),
]

WRONG: list[tuple[str, Json, Json, Json]] = [
    ("a third key goes", RUN, {"type": "f", "value": {"command": "a"}, "id": 1}, {"command": "a"}),
    ("the word is a number", RUN, {"type": 1, "value": {"command": "a"}}, {"command": "a"}),
    ("the word of a list", RUN, {"type": "f", "value": [{"command": "a"}]}, {"command": "a"}),
    (
        "a declared word",
        opened(["command"], command=TEXT, type=TEXT),
        {"type": "f", "value": {"command": "a"}},
        {"command": "a"},
    ),
    ("the word alone goes", AT, {"type": "x", "at": {"n": 1}}, {"at": {"n": 1}}),
    (
        "a value of the envelope goes",
        RUN,
        {"type": "f", "value": {"command": "a", "timeout": 5}},
        {"command": "a"},
    ),
    (
        "siblings that differ",
        RUN,
        {"arguments": {"command": "a"}, "command": "b"},
        {"command": "b"},
    ),
    (
        "siblings of another type",
        RUN,
        {"arguments": {"command": 1}, "command": "1"},
        {"command": "1"},
    ),
    (
        "one of two siblings differs",
        RUN,
        {"arguments": {"command": "a", "timeout": 1}, "command": "a", "timeout": 2},
        {"command": "a", "timeout": 2},
    ),
    (
        "two wrappers",
        RUN,
        {"arguments": {"command": "a"}, "args": {"command": "a"}, "command": "a"},
        {"command": "a"},
    ),
    (
        "no wrapper",
        RUN,
        {"data": {"command": "a"}, "command": "a"},
        {"command": "a"},
    ),
    ("an empty part", TAGS, {"tags": "a,,b"}, {"tags": ["a", "b"]}),
    ("a part is lost", TAGS, {"tags": "a, b, c"}, {"tags": ["a", "b"]}),
    ("parts in another order", TAGS, {"tags": "a, b"}, {"tags": ["b", "a"]}),
    ("equal parts once", TAGS, {"tags": "a, a"}, {"tags": ["a"]}),
    ("parts of another type", TAGS, {"ids": "1, 2"}, {"ids": [1, 2]}),
    ("another separator", TAGS, {"tags": "a; b"}, {"tags": ["a", "b"]}),
    ("blanks as separators", TAGS, {"tags": "a b"}, {"tags": ["a", "b"]}),
    ("a list with commas as one item", TAGS, {"tags": "a, b"}, {"tags": ["a, b"]}),
    ("a cut list as one item", TAGS, {"tags": "[a, b"}, {"tags": ["[a, b"]}),
    ("a cut list in parts", TAGS, {"tags": "[a, b"}, {"tags": ["[a", "b"]}),
    ("quoted parts", TAGS, {"tags": '"a, b"'}, {"tags": ["a", "b"]}),
    ("nothing as one item", TAGS, {"tags": "None"}, {"tags": ["None"]}),
    ("a blank as one item", TAGS, {"tags": " "}, {"tags": [" "]}),
    ("a trimmed phrase", TAGS, {"tags": " new york "}, {"tags": ["new york"]}),
    ("where a text is legal", TAGS, {"either": "a, b", "x": None}, {"either": ["a", "b"]}),
]


def _probes(
    schema: Json, sent: Json, made: Json, licences: frozenset[Licence]
) -> tuple[Probe, ...]:
    """What the check says of one change, made by an engine that does this and nothing else."""

    def engine(arguments: Json, given: Json) -> Repair:
        if same_json(given, schema) and same_json(arguments, sent):
            return Repair(Outcome.FIXED, None, made, (), (), ())
        return Repair(Outcome.UNTOUCHED, None, arguments, (), (), ())

    context = context_of(engine, schema, licences=licences)
    return check(told(engine, sent, schema), context)


def _id(case: object) -> str | None:
    return str(case) if isinstance(case, dict) else None


@pytest.mark.parametrize(("licence", "schema", "sent", "made"), LICENSED, ids=_id)
def test_a_reading_stands_where_it_is_licensed(
    licence: Licence, schema: Json, sent: Json, made: Json
) -> None:
    for licences in (frozenset({licence}), EVERY):
        faults = [one for one in _probes(schema, sent, made, licences) if one.convicted]
        assert not faults
    assert convicted(_probes(schema, sent, made, EVERY - {licence}))


@pytest.mark.parametrize(
    ("schema", "sent", "made"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_a_wrong_change_is_convicted_whatever_is_licensed(
    schema: Json, sent: Json, made: Json
) -> None:
    assert convicted(_probes(schema, sent, made, EVERY))


def test_a_licence_does_not_let_valid_arguments_be_touched() -> None:
    valid: Json = {"either": "a, b"}
    found = convicted(_probes(TAGS, valid, {"either": ["a", "b"]}, EVERY))
    assert {MisfixKind.TOUCHED_VALID, MisfixKind.NEEDLESS} <= found


def test_an_engine_that_splits_where_a_text_is_legal_is_convicted() -> None:
    """It obeys the judge here; the alternates show that it would split a legal text as well."""

    def engine(arguments: Json, schema: Json) -> Repair:
        if isinstance(arguments, dict) and arguments.get("tags") == "a, b":
            return Repair(Outcome.FIXED, None, {"tags": ["a", "b"]}, (), (), ())
        return Repair(Outcome.UNTOUCHED, None, arguments, (), (), ())

    context = context_of(engine, TAGS, licences=EVERY)
    found = convicted(check(told(engine, {"tags": "a, b"}, TAGS), context))
    assert found == {MisfixKind.ALTERNATE_SCHEMA}


def test_only_the_codes_of_an_opt_in_run_license_anything() -> None:
    assert licences_of(SAFE) == frozenset()
    assert licences_of(("A", "N+", "N")) == {Licence.TEXT_FOR_ARRAY}
    assert {licence.value for licence in licences_of(ALL)} == {code for code in ALL if "+" in code}


def _cases(path: Path) -> list[dict[str, Json]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return [case for line in lines if line.strip() and isinstance(case := parse_json(line), dict)]


def _engine_probes(case: dict[str, Json], licences: frozenset[Licence]) -> tuple[Probe, ...]:
    """What the check says of our own engine with its opt-in tier; nothing where it leaves."""
    engine = partial(repair, families=ALL)
    sent, schema = given_arguments(case), case["schema"]
    done = engine(sent, schema)
    if not done.changed:
        return ()
    before, after = len(done.violations_before), len(done.violations_after)
    change = Change(None, None, sent, done.arguments, done.outcome, done.steps, before, after)
    return check(change, context_of(engine, schema, licences=licences))


def test_nothing_that_the_opt_in_tier_does_to_the_cases_is_convicted(shared: Path) -> None:
    for case in _cases(shared / "cases" / "args.jsonl"):
        faults = [one for one in _engine_probes(case, EVERY) if one.convicted]
        assert not faults, (case["id"], faults)


def test_the_guesses_of_the_cases_stand_where_a_tier_is_about_them(shared: Path) -> None:
    """Of the unsafe fixes, four are readings of a tier; no licence is about the others."""
    stand = set()
    for case in _cases(shared / "cases" / "args.jsonl"):
        expected = case["expected"]
        assert isinstance(expected, dict)
        if expected["outcome"] == "unsafe_fix_only" and "tool" not in case:
            sent, schema = given_arguments(case), case["schema"]
            probes = _probes(schema, sent, expected["value"], EVERY)
            assert convicted(_probes(schema, sent, expected["value"], frozenset())), case["id"]
            if not convicted(probes):
                stand.add(case["id"])
    assert stand == {"args-025", "args-036", "args-067", "extra-07"}


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_worked_cases_of_every_family(path: Path) -> None:
    for case in _cases(path):
        if "tool" in case:
            continue
        faults = [one for one in _engine_probes(case, EVERY) if one.convicted]
        assert not faults, (case["id"], faults)


def test_steps_are_replaced_without_effect_on_a_licence() -> None:
    """The licence is about the difference, whatever steps an engine tells."""
    sent: Json = {"arguments": {"command": "a"}, "command": "a"}
    engine = partial(repair, families=ALL)
    context = context_of(engine, RUN, licences=EVERY)
    change = told(engine, sent, RUN)
    assert not convicted(check(change, context))
    assert not convicted(check(replace(change, steps=()), context))
