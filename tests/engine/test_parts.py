"""A schema that divides: the parts, each judged by itself, say what the whole says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toolfix_audit.engine import ALL, FAMILIES, SAFE, repair
from toolfix_audit.engine.judges.python import PartJudge, compile_python
from toolfix_audit.engine.proposal import Case
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Judge, Unusable, Violation

from .judging import DRAFTS, judge_of
from .test_judge_laws import _OBJECTS, _SCHEMAS, LAWS, _schemas

_KEYS = st.sampled_from(["a", "b", "ab", "x-1"])
_LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [True, {"type": "string"}, {"type": ["integer", "null"]}, {"enum": ["a", 1]}, {"minimum": 1},
     {"anyOf": [{"type": "null"}, {"required": ["a"]}]}]
)  # fmt: skip


def _with_parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keyed = st.dictionaries(_KEYS, inner, min_size=1, max_size=3)
    some = st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries(
        {"properties": keyed},
        optional={
            "type": st.sampled_from(["object", "array", ["object", "string"]]),
            "required": st.lists(_KEYS, max_size=2, unique=True),
            "additionalProperties": inner | st.just(False),
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "-"]), inner, max_size=1),
            "propertyNames": st.sampled_from([{"pattern": "^a"}, {"maxLength": 1}]),
            "minProperties": st.integers(0, 2),
            "items": inner,
            "prefixItems": some,
            "minItems": st.integers(0, 2),
            "allOf": some,
        },
    )


_DIVIDING = _with_parts(st.recursive(_LEAVES, _with_parts, max_leaves=6))
_OLDER = _DIVIDING.map(lambda schema: {**schema, "$schema": DRAFTS["6"]})


def _python(schema: Json) -> PartJudge:
    judge = compile_python(schema)
    assert not isinstance(judge, Unusable), judge
    return judge


def _parts(value: Json) -> Iterator[tuple[str | int, Json]]:
    yield from value.items() if isinstance(value, dict) else ()
    yield from enumerate(value) if isinstance(value, list) else ()


def _spelled(violations: Any, *path: str | int) -> Counter[tuple[Any, ...]]:
    return Counter((path + one.path, one.keyword, one.key, one.message) for one in violations)


def _assert_divides(judge: PartJudge, value: Json, count: list[int]) -> None:
    """What is wrong below is what the parts' judges say, all the way down."""
    division = judge.division
    if division is None:
        return
    found = judge.violations(value)
    below: Counter[tuple[Any, ...]] = Counter()
    for part, member in _parts(value):
        inner = judge.of_part(part)
        assert inner is not None
        below += _spelled(inner.violations(member), part)
        count.append(1)
        _assert_divides(inner, member, count)
    assert below == _spelled(one for one in found if one.path)


@LAWS
@given(_DIVIDING | _OLDER | _schemas(_SCHEMAS), _OBJECTS)
def test_the_parts_of_any_schema_say_what_the_whole_says(schema: Any, value: Any) -> None:
    judge = compile_python(schema)
    assume(isinstance(judge, PartJudge))
    assert isinstance(judge, PartJudge)
    _assert_divides(judge, value, [])


DIVIDED: tuple[tuple[Json, Json], ...] = (
    (
        {"properties": {"a": {"items": {"type": "integer"}, "minItems": 3}}, "required": ["b"]},
        {"a": [1, "x", None]},
    ),
    (
        {"allOf": [{"properties": {"a": {"type": "null"}}}, {"$ref": "#/$defs/d"}],
         "$defs": {"d": {"properties": {"a": {"minimum": 5}}, "additionalProperties": False}}},
        {"a": 1, "b": 2},
    ),
    (
        {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": {"const": 1}},
        {"x": 1, "y": 1, "z": 2, "": 3},
    ),
    ({"properties": {"a": {"prefixItems": [{}, {"type": "null"}], "items": {"const": 0}}}},
     {"a": [1, 2, 0, 3]}),
    ({"$schema": DRAFTS["7"], "properties": {"a": {"items": [{}, {"type": "null"}],
      "additionalItems": {"const": 0}}}}, {"a": [1, 2, 0, 3]}),
    ({"$schema": DRAFTS["7"], "properties": {"a": {"$ref": "#/definitions/d", "type": "null"}},
      "definitions": {"d": {"items": {"type": "null"}}}}, {"a": [1, None]}),
    (
        {"properties": {"a": {"$id": "http://example.invalid/i", "$ref": "#/$defs/k",
         "$defs": {"k": {"properties": {"n": {"type": "null"}}}}}}},
        {"a": {"n": 1}},
    ),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"c": {"$ref": "#/$defs/n"},
      "v": {"type": "null"}}}}}, {"c": {"c": {"v": 1}, "v": 2}}),
)  # fmt: skip


@pytest.mark.parametrize(("schema", "value"), DIVIDED)
def test_schemas_that_divide(schema: Json, value: Json) -> None:
    count: list[int] = []
    _assert_divides(_python(schema), value, count)
    assert count


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"properties": {"a": {"type": "null"}}}, {"required": ["z"]}]},
        {"not": {"properties": {"a": {"const": 1}}}},
        {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}},
        {"dependentSchemas": {"a": {"properties": {"b": {"type": "null"}}}}},
        {"enum": [{"a": 1}]},
        {"unevaluatedProperties": False},
        {"properties": {"a": False}},
        {"allOf": [{"oneOf": [{}]}]},
        {"$ref": "#/$defs/d", "$defs": {"d": {"anyOf": [{}]}}},
        {"$schema": DRAFTS["7"], "dependencies": {"a": {"required": ["b"]}}},
    ],
)
def test_schemas_that_speak_of_the_whole_don_t_divide(schema: Json) -> None:
    assert _python(schema).division is None


@LAWS
@given(_DIVIDING, _OBJECTS, _KEYS)
def test_keys_of_an_additive_schema_don_t_depend_on_one_another(
    schema: Any, value: dict[str, Any], key: str
) -> None:
    judge = _python(schema)
    assume(judge.division is not None and judge.division.is_additive)
    without = {name: member for name, member in value.items() if name != key}
    assert _but(judge.violations(value), key) == _but(judge.violations(without), key)


def _but(violations: Any, key: str) -> Counter[Any]:
    about = (one.path[0] if one.path else one.key for one in violations)
    return Counter(one for one in about if one != key)


class Whole:
    """A judge that says nothing of parts, so that every trial is judged as a whole."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.name, self.version = judge.name, judge.version

    def is_valid(self, value: Json) -> bool:
        return self._judge.is_valid(value)

    def violations(self, value: Json) -> tuple[Violation, ...]:
        return tuple(self._judge.violations(value))


CASES = [case for family in FAMILIES for case in family.cases if isinstance(case.schema, dict)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.title))
def test_a_search_by_parts_ends_as_a_search_of_the_whole(case: Case) -> None:
    nested: Json = {"properties": {"o": {"items": case.schema}}}
    calls: list[tuple[Json, Json]] = [
        (case.before, case.schema),
        ({"o": [case.before, case.before]}, nested),
    ]
    for (arguments, schema), families in product(calls, (SAFE, ALL)):
        apart = repair(arguments, schema, families=families)
        whole = repair(arguments, schema, judge=Whole(judge_of(schema)), families=families)
        assert apart == whole


class _Liar(PartJudge):
    """A judge of the whole that does not confirm what its parts promise."""

    def violations(self, value: Json) -> tuple[Violation, ...]:
        assert isinstance(value, dict)
        return tuple(Violation((key,), "/type", None, "never right") for key in value)


def test_what_the_whole_does_not_confirm_does_not_stand() -> None:
    schema: Json = {"properties": {"n": {"type": "integer"}}}
    value: Json = {"n": "5"}
    liar = _Liar(_python(schema)._applied)
    assert repair(value, schema, judge=liar).arguments is value
