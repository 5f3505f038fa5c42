"""Equality by texts against the validator's own comparison."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema._utils import equal, uniq

from toolfix_audit.engine.judges.equality import Members, are_unique, equality_text
from toolfix_audit.model.json import parse_json

from .test_judge_laws import _TRICKY_VALUES, LAWS

SPELLED = st.sampled_from(
    ["0.10", "1e400", "2e400", "-1e400", "-0", "1E2", "100", "9" * 400, "9" * 400 + ".0", "1e30"]
).map(parse_json)
ANY: st.SearchStrategy[Any] = st.recursive(
    _TRICKY_VALUES | SPELLED | st.sampled_from(["1,", "'a',", "[1,]", "{", "'"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)


@LAWS
@given(ANY, ANY)
def test_equal_values_have_equal_texts_and_no_others(one: Any, other: Any) -> None:
    assert (equality_text(one) == equality_text(other)) is bool(equal(one, other))


@LAWS
@given(st.lists(ANY, max_size=4))
def test_unique_items_and_members(items: list[Any]) -> None:
    assert are_unique(items) is bool(uniq(items))
    assert all(Members(items).admit(item) for item in items)


@pytest.mark.parametrize(
    ("one", "other", "is_equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        (None, "None", False),
        ([1, 2], [[1], 2], False),
        (["a", "b"], ["a,b"], False),
        ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}, True),
        ({"a": {"b": 1}}, {"a": {}, "b": 1}, False),
        (2**53 + 1, float(2**53), False),
        (-0.0, 0, True),
    ],
)
def test_examples(one: Any, other: Any, is_equal: bool) -> None:
    assert (equality_text(one) == equality_text(other)) is is_equal
