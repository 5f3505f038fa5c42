"""The judge against plain `jsonschema`, on schemas and values of any kind."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema.validators import validator_for
from referencing import Registry

from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Unusable
from toolfix_audit.model.words import Outcome

from .judging import DRAFTS, judge_of

LAWS = settings(
    max_examples=200,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def _plain(schema: Any, value: Any) -> bool:
    """What unmodified `jsonschema` says, without network."""
    cls = validator_for(schema, default=jsonschema.Draft202012Validator)
    registry: Registry[Any] = Registry()
    return bool(cls(schema, registry=registry).is_valid(value))


_SUBIDS: tuple[tuple[Json, Json], ...] = tuple(
    (
        {
            word: [
                {
                    "$id": "http://localhost/inner",
                    "$ref": "#/$defs/k",
                    "$defs": {"k": {"required": ["in"]}},
                }
            ],
            "$defs": {"k": {"required": ["out"]}},
        },
        {name: 1},
    )
    for word in ("anyOf", "allOf")
    for name in ("in", "out")
)


@pytest.mark.parametrize(("schema", "value"), _SUBIDS)
def test_a_branch_with_its_own_id_resolves_its_references_there(schema: Json, value: Json) -> None:
    assert judge_of(schema).is_valid(value) is _plain(schema, value) is ("in" in str(value))


# Random schemas over the keywords that tools use, with every keyword that is replaced here.
_TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
_KEYS = st.sampled_from(["a", "b", "ab", "x-1"])
_PLAIN_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, -2.5])
    | st.sampled_from(["", "a", "ab", "x-1", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    small = st.integers(0, 2)
    some = st.lists(inner, min_size=1, max_size=2)
    keyed = st.dictionaries(_KEYS, inner, max_size=3)
    names = st.lists(_KEYS, max_size=2, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": _TYPES | st.lists(_TYPES, min_size=1, max_size=2, unique=True),
            "properties": keyed,
            "required": names,
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(
                st.sampled_from(["^a", "-", "b$"]), inner, max_size=2
            ),
            "propertyNames": st.sampled_from([{"pattern": "^a"}, {"maxLength": 1}, True]),
            "dependentRequired": st.dictionaries(_KEYS, names, max_size=2),
            "dependentSchemas": st.dictionaries(_KEYS, inner, max_size=1),
            "unevaluatedProperties": inner,
            "anyOf": some,
            "oneOf": some,
            "allOf": some,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "enum": st.lists(_PLAIN_VALUES, min_size=1, max_size=3),
            "const": _PLAIN_VALUES,
            "pattern": st.sampled_from(["^a", "b$", "1"]),
            "minLength": small,
            "maxLength": small,
            "minItems": small,
            "maxItems": small,
            "minProperties": small,
            "maxProperties": small,
            "uniqueItems": st.booleans(),
            "items": inner,
            "prefixItems": some,
            "contains": inner,
            "minContains": small,
            "maxContains": small,
            "minimum": st.integers(-2, 2),
            "exclusiveMaximum": st.integers(-2, 2),
            "multipleOf": st.sampled_from([1, 2, 0.5]),
        },
    )


_SCHEMAS: st.SearchStrategy[Any] = st.recursive(st.booleans(), _schemas, max_leaves=8)
_OBJECTS = st.dictionaries(_KEYS, _PLAIN_VALUES, max_size=4)


@settings(LAWS, max_examples=100)
@given(_schemas(_SCHEMAS), _OBJECTS, st.sampled_from([None, "2019-09", "7", "6"]))
def test_valid_means_what_plain_jsonschema_means(
    schema: Any, value: Any, draft: str | None
) -> None:
    schema = schema if draft is None else {**schema, "$schema": DRAFTS[draft]}
    judge = compile_schema(schema)
    assume(not isinstance(judge, Unusable))
    assert not isinstance(judge, Unusable)
    expected = _plain(schema, value)
    assert judge.is_valid(value) is expected
    assert (not judge.violations(value)) is expected


_TRICKY = st.sampled_from(
    [
        0,
        1,
        True,
        False,
        1.0,
        0.0,
        -0.0,
        0.1,
        0.5,
        2**53,
        2**53 + 1,
        -(2**63),
        2**64,
        10**30,
        1e300,
        "",
        "1",
        "e\u0301",
        "\u00e9",
        "\U0001f600",
        "\x00",
        None,
    ]
)
_TRICKY_VALUES: st.SearchStrategy[Any] = st.recursive(
    _TRICKY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=2),
    max_leaves=4,
)
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_TRICKY_SCHEMAS = st.fixed_dictionaries(
    {},
    optional={
        "type": _TYPES,
        "enum": st.lists(_TRICKY_VALUES, min_size=1, max_size=3),
        "const": _TRICKY_VALUES,
        "uniqueItems": st.just(True),
        "maxLength": st.integers(0, 2),
        "minLength": st.integers(0, 2),
        **{word: st.sampled_from([0, 0.1, 1, 2**53, 2**53 + 1, 1e300]) for word in _BOUNDS},
    },
)


@settings(LAWS, max_examples=200)
@given(_TRICKY_SCHEMAS, _TRICKY_VALUES)
def test_numbers_and_texts_are_compared_as_plain_jsonschema_does(schema: Any, value: Any) -> None:
    pairs: tuple[tuple[Any, Any], ...] = (
        ({"properties": {"a": schema}}, {"a": value}),
        ({"properties": {"a": {"items": schema, "uniqueItems": True}}}, {"a": [value, value]}),
    )
    for whole, given_value in pairs:
        assert judge_of(whole).is_valid(given_value) is _plain(whole, given_value)


_FITTING: tuple[tuple[Json, st.SearchStrategy[Any]], ...] = (
    ({"type": "string"}, st.text(max_size=4)),
    ({"type": "integer"}, st.integers() | st.sampled_from([1.0, -2.0])),
    ({"type": "number", "minimum": 0}, st.floats(0, 1e9) | st.integers(0)),
    ({"enum": ["a", 1, None]}, st.sampled_from(["a", 1, None, 1.0])),
    ({"type": ["null", "boolean"]}, st.none() | st.booleans()),
    ({"type": "string", "pattern": "^[ab]{1,4}$"}, st.from_regex("[ab]{1,4}", fullmatch=True)),
    ({"anyOf": [{"type": "null"}, {"const": 3}]}, st.sampled_from([None, 3])),
    ({"type": "array", "items": {"type": "number"}}, st.lists(st.integers() | st.floats(0, 1))),
    ({"type": "object", "required": ["k"]}, st.builds(lambda k: {"k": k}, _PLAIN_VALUES)),
    (
        {"type": "object", "additionalProperties": {"type": "string"}},
        st.dictionaries(_KEYS, st.text()),
    ),
    ({}, _PLAIN_VALUES),
)


@st.composite
def _valid_calls(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A closed or open schema of some properties, and a value that it accepts."""
    kinds = draw(st.dictionaries(st.sampled_from("pqrs"), st.sampled_from(_FITTING), max_size=4))
    required = [name for name in kinds if draw(st.booleans())]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: kind for name, (kind, _) in kinds.items()},
        "required": required,
    }
    closed = draw(st.booleans())
    if closed:
        schema["additionalProperties"] = False
    value = {
        name: draw(values)
        for name, (_, values) in kinds.items()
        if name in required or draw(st.booleans())
    }
    if not closed and draw(st.booleans()):
        value["extra"] = draw(_PLAIN_VALUES)
    return schema, value


@LAWS
@given(_valid_calls())
def test_valid_in_is_the_same_object_out(call: tuple[dict[str, Any], dict[str, Any]]) -> None:
    schema, value = call
    assert judge_of(schema).is_valid(value)
    done = repair(value, schema)
    assert (done.outcome, done.steps, done.reason) == (Outcome.VALID, (), None)
    assert done.arguments is value
