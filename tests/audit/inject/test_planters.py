"""Every planter: what it plants, and where it refuses."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.inject import Fate, Plan, Planted, Subject, inject
from toolfix_audit.audit.inject.planters import (
    PLANTERS,
    TOGETHER,
    planted_alone,
    planted_together,
)
from toolfix_audit.audit.inject.subject import random_of
from toolfix_audit.engine import SAFE
from toolfix_audit.model.json import Json, dump_json, same_json

from .subjects import EDIT, FULL, READ, subject_of


def _planted(subject: Subject, family: str, *, seeds: int = 20) -> list[Planted]:
    found: dict[str, Planted] = {}
    for seed in range(seeds):
        for form in planted_alone(subject, family, random_of(seed), limit=100):
            found.setdefault(f"{form.tool} {dump_json(form.arguments)}", form)
    return list(found.values())


def _values(schema: Json, value: dict[str, Json], family: str) -> list[Json]:
    return [form.arguments for form in _planted(subject_of(schema, value), family)]


def test_there_is_a_planter_for_every_family_of_arguments_and_names() -> None:
    assert {code for code, _ in PLANTERS} == SAFE
    assert all(set(families) <= SAFE for _, families in TOGETHER)


@pytest.mark.parametrize(
    ("family", "wanted"),
    [
        ("A", {"arguments": FULL}),
        ("A", {"arguments": {"arguments": FULL}}),
        ("A", {"arguments": dump_json(FULL)}),
        ("B", {"args": FULL}),
        ("B", {"type": "valid", "value": FULL}),
        ("D", {**{key: FULL[key] for key in FULL if key != "file_path"}, "filePath": "notes.txt"}),
        ("E", {**FULL, "ranges": "[7]"}),
        ("E", {**FULL, "edits": ['{"old":"a\\nb","count":2}']}),
        ("E", {**FULL, "ranges": "[7,]"}),
        ("F", {**FULL, "limit": "5"}),
        ("F", {**FULL, "limit": "5.0"}),
        ("F", {**FULL, "force": "True"}),
        ("F", {**FULL, "ranges": ["7"]}),
        ("F", {**FULL, "edits": [{"old": "a\nb", "count": "2"}]}),
        ("M", {**FULL, "in_file": None}),
        ("N", {**FULL, "ranges": 7}),
        ("N", {**FULL, "edits": EDIT}),
        ("O", {**FULL, "mode": "TEXT"}),
        ("O", {**FULL, "mode": '"text"'}),
    ],
)
def test_what_is_planted(family: str, wanted: Json) -> None:
    assert any(same_json(wanted, value) for value in _values(READ, FULL, family))


def test_flattened_keys() -> None:
    value: dict[str, Json] = {"file_path": "a", "edits": [{"old": "b", "count": 2}]}
    flat: dict[str, Json] = {"file_path": "a", "edits[0].old": "b", "edits[0].count": 2}
    assert flat in _values(READ, value, "P")


def test_siblings_are_split_in_two() -> None:
    for value in _values(READ, FULL, "C"):
        assert isinstance(value, dict)
        assert len(value) > 1


def test_names_drift_to_one_tool_only() -> None:
    subject = subject_of(READ, FULL, names=("read", "Read", "write"))
    called = {form.tool for form in _planted(subject, "K")}
    assert called.isdisjoint({"READ", "Read", "read"})
    alone = {form.tool for form in _planted(subject_of(READ, FULL), "K")}
    assert {"functions.read", "READ", "read<|channel|>commentary", " read"} <= alone


def test_texts_are_not_json_or_encoded_twice() -> None:
    labels = {form.variant for form in _planted(subject_of(READ, FULL), "L")}
    assert {"fence", "trailing comma", "Python literal", "control characters"} <= labels
    assert {"junk", "same object twice", "twice encoded", "escaped line breaks"} <= labels


@pytest.mark.parametrize(
    ("schema", "value", "family"),
    [
        pytest.param({"properties": {"arguments": {}}}, {"arguments": {}}, "A", id="declared"),
        pytest.param({"type": "object"}, {"x": 1}, "A", id="free-form"),
        pytest.param(
            {"properties": {"x": {}}}, {"input": {"x": 1}}, "A", id="a chain would go on inside"
        ),
        pytest.param(
            {"additionalProperties": {"type": ["object", "string", "integer"]}},
            {"x": 1},
            "B",
            id="every key is declared",
        ),
        pytest.param(
            {"properties": {"x": {"anyOf": [{"type": "array"}, {"type": "string"}]}}},
            {"x": [1]},
            "E",
            id="a branch takes text",
        ),
        pytest.param({"properties": {"x": {}}}, {"x": 5}, "F", id="untyped"),
        pytest.param(
            {"properties": {"x": {"type": ["integer", "string"]}}}, {"x": 5}, "F", id="or text"
        ),
        pytest.param(
            {"properties": {"x": {"type": ["array", "string"]}}}, {"x": ["a"]}, "N", id="or a word"
        ),
        pytest.param(
            {"properties": {"x": {"type": "array"}}}, {"x": ["a b"]}, "N", id="several readings"
        ),
        pytest.param(
            {"properties": {"x": {"type": "array"}}}, {"x": ["5"]}, "N", id="spells a number"
        ),
        pytest.param(
            {"properties": {"x": {"anyOf": [{"enum": ["a"]}, {"type": "string"}]}}},
            {"x": "a"},
            "O",
            id="any text",
        ),
        pytest.param(
            {"properties": {"x": {"type": "object"}}}, {"x": {"a.b": 1}}, "P", id="dotted key"
        ),
        pytest.param({"properties": {"x": {}}}, {"y": {"a": 1}}, "P", id="head not declared"),
    ],
)
def test_where_nothing_is_planted(schema: Json, value: dict[str, Json], family: str) -> None:
    assert not _planted(subject_of(schema, value), family)


def test_an_alias_means_one_key_alone() -> None:
    schema: Json = {"properties": {"name": {}, "skill_name": {}}}
    forms = _planted(subject_of(schema, {"name": "a"}), "D")
    assert forms
    assert all("skill" not in form.variant for form in forms)


def test_a_case_means_one_member_alone() -> None:
    schema: Json = {"properties": {"x": {"enum": ["ab", "AB"]}}}
    assert _values(schema, {"x": "ab"}, "O") == [{"x": '"ab"'}]


@pytest.mark.parametrize("label", [label for label, _ in TOGETHER])
def test_defects_together_are_restored(label: str) -> None:
    subject = subject_of(READ, FULL)
    forms = planted_together(subject, label, random_of(1), limit=3)
    assert forms
    done = inject([subject], Plan(families=frozenset(dict(TOGETHER)[label]), copies=3))
    assert done.count(label, Fate.RESTORED) == len(
        planted_together(subject, label, random_of(1, "c1", label), limit=3)
    )
    assert done.is_clean


def test_defects_that_hide_each_other_are_not_planted_together() -> None:
    item: Json = {
        "type": "object",
        "properties": {"old_text": {"type": "string"}, "count": {"type": "integer"}},
        "required": ["old_text"],
        "additionalProperties": False,
    }
    schema: Json = {"properties": {"x": {"anyOf": [{"type": "array", "items": item}]}}}
    subject = subject_of(schema, {"x": [{"old_text": "a", "count": 1}]})
    assert planted_alone(subject, "F", random_of(1), limit=3)
    assert not planted_together(subject, "E+D+F", random_of(1), limit=3)


def test_the_same_seed_plants_the_same() -> None:
    subject = subject_of(READ, FULL)
    for family, _ in PLANTERS:
        once = planted_alone(subject, family, random_of("s"), limit=9)
        again = planted_alone(subject, family, random_of("s"), limit=9)
        assert once == again


def test_a_planter_never_changes_its_subject() -> None:
    before = dump_json(FULL)
    inject([subject_of(READ, FULL)], Plan(copies=20))
    assert dump_json(FULL) == before
