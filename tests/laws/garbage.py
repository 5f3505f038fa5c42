"""Random schemas of every sort: any keyword with any fitting value, and keywords with garbage."""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import strategies as st

from .values import anything, floats, integers

Strategy: TypeAlias = st.SearchStrategy[Any]

WORDS = ("null", "boolean", "integer", "number", "string", "array", "object")
KEYS = ("a", "b", "arguments", "")
NUMBERS: Strategy = st.one_of(
    integers,
    floats,
    st.sampled_from((0, 1, 2, 0.1, 0.5, 2**53 + 1, float(2**53), 2**64, 10**30, 1e300)),
)
SIZES: Strategy = st.one_of(st.integers(0, 3), st.sampled_from((1.0, 2.0)))
_POINTERS: Strategy = st.sampled_from(
    ("#", "#/$defs/d", "#/properties/a", "#/nowhere", "#/required/0", "#/additionalProperties/x",
     "#/x-parts/p", "http://example.invalid/s", "other.json", "#anchor", "::",
     "#/properties/a/type", "http://json-schema.org/draft-07/schema#")
)  # fmt: skip
_PATTERNS: Strategy = st.sampled_from(
    ("^a", "(a|b)+$", "(", "^(a+)+$", "\\p{L}", "[[a]", "(?<=a)b", "")
)
_DIALECTS: Strategy = st.sampled_from(
    ("http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#",
     "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema",
     "http://example.invalid/dialect", "")
)  # fmt: skip


def _sound_keywords(inner: Strategy) -> dict[str, Strategy]:
    maps = st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    lists = st.lists(inner, min_size=1, max_size=3)
    names = st.lists(st.sampled_from(KEYS), unique=True, max_size=3)
    kinds = st.one_of(
        st.sampled_from(WORDS), st.lists(st.sampled_from(WORDS), unique=True, min_size=1)
    )
    return {
        "type": kinds,
        "enum": st.lists(anything, min_size=1, max_size=3),
        "const": anything,
        "properties": maps,
        "required": names,
        "additionalProperties": inner,
        "items": inner,
        "prefixItems": lists,
        "contains": inner,
        "anyOf": lists,
        "oneOf": lists,
        "allOf": lists,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "propertyNames": inner,
        "dependentRequired": st.dictionaries(st.sampled_from(KEYS), names, max_size=2),
        "dependentSchemas": maps,
        "uniqueItems": st.booleans(),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBERS),
        **dict.fromkeys(
            ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties",
             "minContains", "maxContains"),
            SIZES,
        ),
    }  # fmt: skip


def _objects(keywords: dict[str, Strategy]) -> Strategy:
    one = st.sampled_from(sorted(keywords))
    return st.lists(one, unique=True, max_size=4).flatmap(
        lambda chosen: st.fixed_dictionaries({name: keywords[name] for name in chosen})
    )


def _extended(inner: Strategy) -> Strategy:
    return _objects(_sound_keywords(inner))


sound_schemas: Strategy = st.recursive(
    st.one_of(st.booleans(), st.just({}), _extended(st.just({}))), _extended, max_leaves=6
)
"""Valid schemas without references, patterns and `multipleOf`."""


def _loose(inner: Strategy) -> Strategy:
    maps = st.dictionaries(st.sampled_from(KEYS), inner, max_size=2)
    keywords = {
        **_sound_keywords(inner),
        "$ref": _POINTERS,
        "$dynamicRef": _POINTERS,
        "$recursiveRef": st.just("#"),
        "$defs": st.fixed_dictionaries({"d": inner}),
        "definitions": maps,
        "x-parts": st.fixed_dictionaries({"p": st.one_of(inner, anything)}),
        "$id": st.sampled_from(("http://example.invalid/s", "s", "#x", "urn:a:b", "")),
        "id": st.sampled_from(("http://example.invalid/s", "s")),
        "$anchor": st.sampled_from(("anchor", "x")),
        "$dynamicAnchor": st.sampled_from(("anchor", "x")),
        "$schema": _DIALECTS,
        "pattern": _PATTERNS,
        "patternProperties": st.dictionaries(_PATTERNS, inner, max_size=2),
        "multipleOf": st.sampled_from((0.1, 2, 1e-300, 1e300, 10**30)),
        "dependencies": st.one_of(maps, st.just({"a": ["b"]}), st.just({"a": "b"})),
        "unevaluatedProperties": inner,
        "unevaluatedItems": inner,
        "additionalItems": inner,
        "format": st.sampled_from(("date", "email", "regex")),
        "nullable": st.booleans(),
        "default": anything,
        "exclusiveMaximum": st.one_of(st.booleans(), NUMBERS),
        "divisibleBy": st.just(2),
    }
    garbage = _objects(dict.fromkeys(keywords, anything))
    odd_types: Strategy = st.fixed_dictionaries(
        {"type": st.sampled_from(("any", "str", "Object", ["x"], [{}], [], None, 5))}
    )
    return st.one_of(_objects(keywords), _objects(keywords), garbage, odd_types)


any_schemas: Strategy = st.recursive(
    st.one_of(st.booleans(), st.just({}), _loose(st.just({}))), _loose, max_leaves=6
).filter(lambda schema: isinstance(schema, dict))
"""Whatever a tool list may hold as a schema: sound, sloppy or garbage."""
