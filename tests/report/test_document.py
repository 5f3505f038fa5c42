"""The JSON form: its schema, its bytes, and the way back."""

from __future__ import annotations

import json
import random
from dataclasses import fields, replace
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolfix_audit.model import report as records
from toolfix_audit.model.errors import ToolfixError
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.report import Report
from toolfix_audit.model.words import (
    HostVerdict,
    LeftAlone,
    MisfixKind,
    Outcome,
    Suspicion,
    UnjudgedReason,
    UntouchedReason,
)
from toolfix_audit.report import ReportFileError, load
from toolfix_audit.report.document import render

from .samples import EMPTY, FAILING, HOSTILE, HUGE, TYPICAL, hostile

SCHEMA: dict[str, Any] = json.loads(
    files("toolfix_audit.report").joinpath("report.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft202012Validator(SCHEMA)

SAMPLES = pytest.mark.parametrize(
    "report", [EMPTY, TYPICAL, FAILING, hostile()], ids=["empty", "typical", "failing", "hostile"]
)


@SAMPLES
def test_is_what_the_schema_says_and_reads_back(report: Report) -> None:
    text = render(report)
    VALIDATOR.validate(json.loads(text))
    assert load(text) == report
    assert render(load(text)) == text


def test_schema_is_closed_described_and_knows_the_words() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for place, node in _objects(SCHEMA, "#"):
        assert node.get("description"), place
        assert "additionalProperties" in node, place
        if "properties" in node:
            assert node["additionalProperties"] is False, place
            assert sorted(node["required"]) == sorted(node["properties"]), place
    top = SCHEMA["properties"]
    assert set(top) == {entry.name for entry in fields(Report)}
    assert set(SCHEMA["$defs"]["outcomes"]["properties"]) == set(Outcome)
    assert set(top["host"]["properties"]) == set(HostVerdict)
    for name, words in (
        ("untouched", UntouchedReason),
        ("unjudged", UnjudgedReason),
        ("left_alone", LeftAlone),
        ("suspicions", Suspicion),
    ):
        assert top[name]["propertyNames"]["enum"] == [str(word) for word in words]
    for name in ("by_kind", "probes_by_kind"):
        enum = top["misfixes"]["properties"][name]["propertyNames"]["enum"]
        assert enum == [str(kind) for kind in MisfixKind]


def _objects(node: Any, place: str) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    if isinstance(node, dict):
        if node.get("type") == "object":
            found.append((place, node))
        for key, member in node.items():
            found += _objects(member, f"{place}/{key}")
    return found


def test_key_order_is_the_contract() -> None:
    assert list(json.loads(render(EMPTY)))[:7] == [
        "schema_version",
        "tool_version",
        "engine",
        "judge",
        "labels",
        "verdict",
        "corpus",
    ]
    assert list(json.loads(render(TYPICAL))["outcomes"]) == sorted(Outcome)


def test_missing_counts_are_written_as_zero() -> None:
    sparse = replace(EMPTY, outcomes={}, host={"accepted": {"valid": 1}}, schemas={})
    document = json.loads(render(sparse))
    VALIDATOR.validate(document)
    assert document["outcomes"]["fixed"] == 0
    assert document["host"]["accepted"]["valid"] == 1
    assert document["host"]["missing"]["valid"] == 0


def test_order_of_mappings_does_not_matter() -> None:
    keys = list(TYPICAL.untouched)
    random.Random(7).shuffle(keys)
    shuffled = replace(TYPICAL, untouched={key: TYPICAL.untouched[key] for key in keys})
    assert render(shuffled) == render(TYPICAL)


def test_recorded_values_keep_their_spelling_and_order() -> None:
    before = parse_json(
        '{"z": 1.10, "a": 12345678901234567890, "z2": -0, "a": 1e400, "s": "\\ud800"}'
    )
    text = render(_with_before(before))
    assert '{"z":1.10,"a":12345678901234567890,"z2":-0,"a":1e400,"s":"\\ud800"}' in text
    assert render(load(text)) == text


def test_depth_and_size_do_not_matter() -> None:
    before: Json = HUGE
    for _ in range(5000):
        before = {"arguments": before}
    text = render(_with_before(before))
    assert render(load(text)) == text


def test_nothing_in_the_bytes_steers_a_terminal() -> None:
    text = render(hostile())
    assert not {"\x1b", "\x9b", "\x07", "\u202e", "\u2066", "\u200b"} & set(text)


def _with_before(before: Json) -> Report:
    return replace(TYPICAL, examples=(replace(TYPICAL.examples[0], before=before),))


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.just(HOSTILE)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | NAMES
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(name=NAMES, value=VALUES, number=st.integers(0, 10**20), words=st.lists(NAMES, max_size=3))
def test_whatever_it_holds_reads_back(
    name: str, value: Json, number: int, words: list[str]
) -> None:
    example = replace(TYPICAL.examples[0], call=name, before=value, after=value, count=number)
    report = replace(
        TYPICAL,
        labels={name: name},
        examples=(example,),
        notes=tuple(words),
        corpus=replace(TYPICAL.corpus, calls=number),
    )
    text = render(report)
    assert load(text) == report
    assert render(load(text)) == text


def test_every_record_field_is_read() -> None:
    """A field that the record gains and the reader does not know shows here."""
    document = json.loads(render(FAILING))
    assert set(document) == {entry.name for entry in fields(Report)}
    assert set(document["examples"][0]) == {entry.name for entry in fields(records.Example)}


def _changed(path: str, value: Any) -> str:
    document: Any = json.loads(render(TYPICAL))
    *parents, last = path.split("/")
    node = document
    for part in parents:
        node = node[int(part)] if isinstance(node, list) else node[part]
    node[last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "not a report"),
        ("{}", "not a report"),
        ('{"schema_version": 2}', "schema_version is 2"),
        ('{"schema_version": true}', "schema_version is true"),
        ('{"schema_version": 1}', "expected the key tool_version"),
        (_changed("corpus/calls", -1), "/corpus/calls: expected a whole number"),
        (_changed("corpus/calls", 1.0), "/corpus/calls: expected a whole number"),
        (_changed("corpus/calls", True), "/corpus/calls: expected a whole number"),
        (_changed("corpus/more", 1), "/corpus/more: expected no such key"),
        (_changed("families/2/calls", "3"), "/families/2/calls: expected a whole number"),
        (_changed("verdict/status", "maybe"), "/verdict/status: expected one of pass, fail"),
        (_changed("verdict/exit_code", 7), "/verdict/exit_code: expected an exit code"),
        (_changed("verdict/policies/0/holds", 1), "/verdict/policies/0/holds: expected true"),
        (_changed("outcomes/broken", 1), "/outcomes/broken: expected one of the keys"),
        (_changed("examples/0/outcome", "\x1b[2J"), "/examples/0/outcome: expected one of"),
        (_changed("labels/\x1b[2J", 1), "/labels/\\x1b[2J: expected a string"),
        (_changed("notes", "x"), "/notes: expected an array, found string"),
        (
            render(TYPICAL).replace(
                '"corpus": {"sources":12', '"corpus": {"sources":1,"sources":12'
            ),
            "/corpus: expected every key once",
        ),
    ],
)
def test_faults_are_named(text: str, fault: str) -> None:
    with pytest.raises(ReportFileError) as caught:
        load(text, source="old.json")
    assert isinstance(caught.value, ToolfixError)
    assert caught.value.message.startswith("old.json: ")
    assert fault in caught.value.message
    assert caught.value.hint
    assert "\x1b" not in caught.value.message
