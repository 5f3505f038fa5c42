"""The probes under alternate schemas: what they convict, what they pass over, what they cost."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from toolfix_audit.audit import misfix
from toolfix_audit.audit.misfix import Change, Context, check
from toolfix_audit.audit.misfix.alternates import Variant, derive, legal_types, legal_values
from toolfix_audit.audit.misfix.difference import Place, outermost
from toolfix_audit.audit.misfix.poison import POISON
from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.repair import Judge, Repair, Unusable
from toolfix_audit.model.words import MisfixKind, Outcome

from . import broken
from .bench import (
    checked,
    closed,
    context_of,
    convicted,
    judge_of,
    kind,
    obedient,
    opened,
    reckless,
)

TEXT = kind("string")
INT = kind("integer")
TEXTS = kind("array", items=TEXT)
RECURSIVE: Json = {
    "$defs": {"N": closed(None, v=INT, kids=kind("array", items={"$ref": "#/$defs/N"}))},
    "$ref": "#/$defs/N",
}


def test_an_engine_with_the_right_answer_for_the_wrong_reason_is_convicted() -> None:
    """Everything else about this change is right; only the probes know that it was no proof."""
    engine = obedient(broken.EACH(broken.decode_arrays))
    schema = closed(["t", "n"], t=TEXTS, n=INT)
    sound = checked(engine, {"t": '["a"]', "n": 1}, schema)
    assert convicted(sound) == set()
    blind = reckless(broken.EACH(broken.decode_arrays))
    assert convicted(checked(blind, {"t": '["a"]', "n": 1}, schema)) == {
        MisfixKind.ALTERNATE_SCHEMA
    }


def test_poison_finds_an_engine_that_stops_at_valid() -> None:
    def engine(arguments: Json, schema: Json) -> Repair:
        if judge_of(schema).is_valid(arguments):
            return Repair(Outcome.VALID, None, arguments, (), (), ())
        return reckless(broken.EACH(broken.decode_arrays))(arguments, schema)

    probes = checked(engine, {"t": '["a"]'}, closed(["t"], t=TEXTS))
    assert convicted(probes) == {MisfixKind.ALTERNATE_SCHEMA}
    assert all("poisoned" in probe.detail for probe in probes if probe.convicted)


def test_a_value_that_is_a_member_of_its_own_finds_an_engine_blind_to_const() -> None:
    """It knows that a text may stand beside a number, but not that this very text may."""

    def to_number(key: str, value: Json, schema: Json) -> Json:
        mentions_text = '"string"' in dump_json(schema)
        return value if mentions_text or not isinstance(value, str) else int(value)

    probes = checked(reckless(broken.EACH(to_number)), {"n": "5"}, closed(None, n=INT))
    assert convicted(probes) == {MisfixKind.ALTERNATE_SCHEMA}
    assert {probe.detail for probe in probes if probe.convicted} == {
        "/n: changed where it is legal (legal by its value, poisoned)"
    }


def test_supplied_alternates_count_where_they_declare_what_was_touched() -> None:
    engine = reckless(broken.EACH(broken.decode_arrays))
    schema = closed(["t"], t=TEXTS)
    sent: Json = {"t": '["a"]'}
    either = closed(["t"], t={"anyOf": [TEXTS, TEXT]})
    unrelated = opened(None, q=TEXT)

    def supplied(*alternates: Json) -> int:
        probes = checked(engine, sent, schema, *alternates)
        return sum("(alternate" in probe.detail for probe in probes if probe.convicted)

    assert supplied(either) == 2
    assert supplied(unrelated) == 0


def test_a_legal_reading_under_an_unrelated_version_convicts_no_swallowed_call() -> None:
    schema = opened(None, command=TEXT)
    change = Change(
        None, None, {"arguments": {"command": "x"}}, {"command": "x"}, Outcome.SWALLOWED, (), 0, 0
    )
    context = context_of(repair, schema, opened(None, q=TEXT), kind("object"))
    assert not convicted(check(change, context))


def test_each_step_is_probed_on_the_value_before_it() -> None:
    """The inner text is legal once it stands in a list whose items may be texts."""
    schema = closed(["rows"], rows=kind("array", items=closed(["n"], n=INT)))
    sent: Json = {"rows": '[{"n": "5"}]'}
    probes = checked(repair, sent, schema)
    assert not convicted(probes)
    families = {probe.families for probe in probes if probe.kind is MisfixKind.ALTERNATE_SCHEMA}
    assert {("E",), ("F",)} <= families


def test_probes_are_few_and_remembered() -> None:
    runs: list[Json] = []

    def engine(arguments: Json, schema: Json) -> Repair:
        runs.append(schema)
        return repair(arguments, schema)

    schema = closed(["command"], command=TEXT)
    done = repair({"cmd": "ls"}, schema)
    change = Change(None, None, {"cmd": "ls"}, done.arguments, done.outcome, done.steps, 2, 0)
    context = Context(schema, judge_of(schema), engine, compile_schema)
    first = check(change, context)
    assert len(runs) <= 6
    count = len(runs)
    assert check(change, context) == first
    assert len(runs) == count + 1  # the second repair alone runs again


def test_alternates_depend_on_places_and_types_only() -> None:
    text = dump_json(closed(["a"], a=kind("array", items=closed(None, n=INT))))
    pairs: list[tuple[Json, Json]] = [
        ({"a": [{"n": "5"}]}, {"a": [{"n": 5}]}),
        ({"a": [{"n": "7"}, {"n": "8"}]}, {"a": [{"n": 7}, {"n": 8}]}),
    ]
    legal = [legal_types(outermost(sent, made), indexed=False) for sent, made in pairs]
    variant = Variant(first=True, poisoned=False)
    assert legal[0] == legal[1]
    assert derive(text, legal[0], variant) is derive(text, legal[1], variant)


@pytest.mark.parametrize(
    ("schema", "sent", "made"),
    [
        (closed(["a"], a=INT), {"a": "5"}, {"a": 5}),
        (closed(["command"], command=TEXT), {"cmd": "a", "command": "b"}, {"command": "b"}),
        (opened(None, a={"$ref": "#/$defs/X"}) | {"$defs": {"X": INT}}, {"a": "5"}, {"a": 5}),
        ({"allOf": [opened(None, a=INT), opened(None, a={"minimum": 3})]}, {"a": "5"}, {"a": 5}),
        ({"anyOf": [closed(None, a=INT), closed(None, b=INT)]}, {"a": "5"}, {"a": 5}),
        ({"oneOf": [closed(None, a=INT), closed(["a"], a=INT)]}, {"a": "5"}, {"a": 5}),
        (
            {"oneOf": [closed(None, a=INT)], "anyOf": [opened(None, a=INT)]},
            {"a": "5"},
            {"a": 5},
        ),
        (
            opened(None, k=TEXT)
            | {
                "if": {"properties": {"k": {"const": "x"}}},
                "then": opened(None, a=INT),
                "else": opened(None, a=kind("boolean")),
            },
            {"k": "x", "a": "5"},
            {"k": "x", "a": 5},
        ),
        (kind("object", patternProperties={"^n": INT}), {"n1": "5"}, {"n1": 5}),
        (kind("object", additionalProperties=INT), {"any": "5"}, {"any": 5}),
        (
            kind("object", additionalProperties=closed(None, a=INT)),
            {"any": {"a": "5"}},
            {"any": {"a": 5}},
        ),
        (opened(None, a=kind("array", items=INT)), {"a": [1, "5"]}, {"a": [1, 5]}),
        (
            opened(None, a=kind("array", prefixItems=[INT, TEXT], items=INT)),
            {"a": ["1", "2", "3"]},
            {"a": [1, "2", 3]},
        ),
        (RECURSIVE, {"kids": [{"kids": [{"v": "5"}]}]}, {"kids": [{"kids": [{"v": 5}]}]}),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"I": INT}}
            | opened(None, a={"$ref": "#/definitions/I", "minimum": 50}),
            {"a": "5"},
            {"a": 5},
        ),
        (
            opened(None, a={"$ref": "#here"}) | {"$defs": {"X": {"$anchor": "here", **INT}}},  # type: ignore[dict-item]  # INT is an object
            {"a": "5"},
            {"a": 5},
        ),
        (closed(None, a=TEXT), {"a": "x", "b": {"c": 1}}, {"a": "x"}),
        (
            closed(None, a=closed(None, b=INT)),
            {"a": {"b": "5", "c": None}},
            {"a": {"b": 5}},
        ),
    ],
)
def test_what_was_sent_is_legal_under_every_alternate(schema: Json, sent: Json, made: Json) -> None:
    text = dump_json(schema)
    places = outermost(sent, made)
    assert places
    for legal in (legal_types(places, indexed=True), legal_values(places)):
        for first in (True, False):
            alternate = derive(text, legal, Variant(first=first, poisoned=False))
            assert _violations(alternate, sent) == []
            poisoned = derive(text, legal, Variant(first=first, poisoned=True))
            assert _violations(poisoned, sent) == [POISON]
    assert dump_json(schema) == text


def test_a_schema_that_refers_to_itself_without_end_is_derived_all_the_same() -> None:
    schema: Json = {"$defs": {"L": {"$ref": "#/$defs/L"}}, **opened(None, a={"$ref": "#/$defs/L"})}
    for path in (("a",), ("a", "b"), ("b",)):
        legal = legal_values([Place(path, 5, went=True)])
        alternate = derive(dump_json(schema), legal, Variant(first=True, poisoned=False))
        assert isinstance(alternate, dict)
        assert len(dump_json(alternate)) < 1_000


def test_an_alternate_touches_no_other_place() -> None:
    shared_type = opened(None, a={"$ref": "#/$defs/X"}, b={"$ref": "#/$defs/X"}) | {
        "$defs": {"X": INT}
    }
    legal = legal_types(outermost({"a": "5"}, {"a": 5}), indexed=False)
    alternate = derive(dump_json(shared_type), legal, Variant(first=True, poisoned=False))
    assert _violations(alternate, {"a": "5"}) == []
    assert len(_violations(alternate, {"b": "5"})) == 1


def test_an_alternate_that_makes_nothing_legal_is_passed_over() -> None:
    """`not` can't be edited away, so no probe claims that the text is legal."""
    schema = closed(None, n={"not": TEXT}) | {"propertyNames": {"maxLength": 3}}  # type: ignore[operator]  # an object
    engine = reckless(broken.blind_rename)
    change = Change(None, None, {"number": 5}, {"n": 5}, Outcome.FIXED, (), 2, 0)
    probes = check(change, context_of(engine, schema))
    assert not [probe for probe in probes if probe.kind is MisfixKind.ALTERNATE_SCHEMA]


def test_the_check_shares_nothing_with_an_engine() -> None:
    folder = Path(misfix.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            ours = [name for name in names if name.startswith("toolfix_audit")]
            assert all(
                name.startswith(("toolfix_audit.model", "toolfix_audit.audit.misfix"))
                for name in ours
            ), path


def _violations(schema: Json, value: Json) -> list[str | None]:
    judge: Judge | Unusable = compile_schema(schema)
    assert not isinstance(judge, Unusable), judge
    return [violation.key or violation.message for violation in judge.violations(value)]
