"""An answer that says the same as what was sent is what was sent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.audit.foreign.spelling import spelled_like
from toolfix_audit.model.json import Json, dump_json, parse_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=10,
)


@given(VALUES)
def test_a_round_trip_through_another_parser_is_no_change(value: Json) -> None:
    sent = parse_json(dump_json(value))
    assert spelled_like(json.loads(dump_json(sent)), sent) is sent


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ('{"n":1.0}', '{"n":1}'),
        ('{"n":0.10}', '{"n":0.1}'),
        ('{"n":-0}', '{"n":0}'),
        ('{"n":1e2}', '{"n":100}'),
        ('[1.0,{"x":[2.50]}]', '[1,{"x":[2.5]}]'),
        ('{"a":1,"a":2}', '{"a":2}'),
        ('{"o":{"a":1.0,"a":2.0}}', '{"o":{"a":2}}'),
    ],
)
def test_another_spelling_is_no_change(sent: str, answer: str) -> None:
    value = parse_json(sent)
    assert spelled_like(parse_json(answer), value) is value


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ('{"n":9007199254740993}', '{"n":9007199254740992}'),
        ('{"n":1}', '{"n":true}'),
        ('{"n":"1"}', '{"n":1}'),
        ('{"a":1,"a":2}', '{"a":1}'),
        ('{"n":1e400}', '{"n":null}'),
        ("[1]", "[1,1]"),
    ],
)
def test_another_value_is_a_change(sent: str, answer: str) -> None:
    assert dump_json(spelled_like(parse_json(answer), parse_json(sent))) == answer


def test_the_rest_of_a_changed_value_keeps_its_spelling() -> None:
    sent = parse_json('{"price":0.10,"limit":"5"}')
    made = spelled_like(parse_json('{"price":0.1,"limit":5}'), sent)
    assert dump_json(made) == '{"price":0.10,"limit":5}'


def test_any_depth() -> None:
    sent = parse_json("[" * 5000 + "1.0" + "]" * 5000)
    answer = parse_json("[" * 5000 + "2" + "]" * 5000)
    assert spelled_like(answer, sent) is answer
