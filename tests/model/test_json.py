"""Lossless JSON: what is read is what is written, and what is no JSON is told apart."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.model.json import (
    Json,
    JsonError,
    RepeatedKeys,
    clip_json,
    decimal_of,
    dump_json,
    has_repeated_keys,
    is_deeper,
    kind_of,
    parse_json,
    parse_prefix,
    same_json,
)

from .oracle import Reading, prefixes, read

LAWS = settings(max_examples=300, deadline=None, database=None, derandomize=True)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()), max_size=8)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
DOCUMENTS = (
    '{"path": "a\\u00e9\\n\\ud83d\\ude00.md", "limit": 20, "ratio": -0.10e+4}',
    '{"deep": [{}, [], [[1]]], "more": {"": [{"x": {}}]}}',
    '[true, false, null, "", 0, -1, 2.5, 1E9, {"a": {"b": [null]}} ]',
    '{"arguments":{"arguments":{"command":"ls \\"x\\" \\\\ y"}}}',
    '  "a string \\/ alone"  ',
    "\t{ \r\n}\n",
)


@LAWS
@given(VALUES)
def test_ordinary_values_are_read_as_json_reads_them(value: Any) -> None:
    text = json.dumps(value)
    assert dump_json(parse_json(text)) == dump_json(json.loads(text))
    assert json.loads(dump_json(parse_json(text))) == json.loads(text)


@LAWS
@given(VALUES)
def test_what_is_written_is_read_back_and_is_utf8(value: Any) -> None:
    text = dump_json(value)
    text.encode("utf-8")
    assert dump_json(parse_json(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "0.10",
        "1e400",
        "-1e400",
        "-0",
        "-0.0",
        "0",
        "1E5",
        "1e5",
        "12345678901234567890123456",
        "-12345678901234567890123456",
        "9007199254740993",
        "0.1000000000000000055511151231257827",
        "9" * 5000,
        "-" + "9" * 5000,
        "9" * 4300,
        "1" + "0" * 4999 + ".0",
    ],
    ids=lambda text: text[:24],
)
def test_the_spelling_of_a_number_is_kept(text: str) -> None:
    assert dump_json(parse_json(text)) == text
    assert dump_json(parse_json(f'{{"a":[{text}]}}')) == f'{{"a":[{text}]}}'
    assert parse_prefix(f"{text} rest")[1] == len(text)


def test_numbers_are_exact() -> None:
    big = parse_json("12345678901234567890123456")
    assert big == 12345678901234567890123456
    assert str(decimal_of(_number("0.10"))) == "0.10"
    assert str(decimal_of(_number("1e400"))) == "1E+400"
    assert decimal_of(_number("9" * 5000)) == 10**5000 - 1
    assert decimal_of(math.inf) is None


def _number(text: str) -> float:
    value = parse_json(text)
    assert isinstance(value, int | float)
    return value


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", '{"a": NaN}', "[1, -Infinity]"])
def test_words_that_are_no_json_numbers_are_refused(text: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    assert not caught.value.at_end


@pytest.mark.parametrize("text", ['{"a": NaN}', "[1,NaN"])
def test_words_that_are_no_json_numbers_are_refused_in_prefixes(text: str) -> None:
    with pytest.raises(JsonError):
        parse_prefix(text)


def test_a_key_that_differs_the_second_time_is_kept_whole() -> None:
    text = '{"a":1,"b":2,"a":3}'
    value = parse_json(text)
    assert isinstance(value, RepeatedKeys)
    assert value["a"] == 3
    assert dump_json(value) == text
    assert has_repeated_keys([{"x": value}])


@pytest.mark.parametrize(
    ("text", "differs"),
    [
        ('{"a":1,"a":1}', False),
        ('{"a":{"x":1,"y":2},"a":{"y":2,"x":1}}', False),
        ('{"a":1,"a":1.0}', True),
        ('{"a":1,"a":true}', True),
        ('{"b":[{"a":0,"a":false}]}', True),
        ('{"a":{"b":1},"b":1}', False),
    ],
)
def test_only_different_repeats_count(text: str, differs: bool) -> None:
    assert has_repeated_keys(parse_json(text)) is differs


@pytest.mark.parametrize(
    "text", ['"\\ud800"', '{"\\udfff":"a\\udc00b"}', '["\\ud83d"]'], ids=["high", "key", "half"]
)
def test_lone_surrogates_are_read_and_written_as_escapes(text: str) -> None:
    assert dump_json(parse_json(text)) == text


def test_paired_surrogates_are_one_character() -> None:
    assert parse_json('"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a" : ', "} ")])
def test_depth_has_no_limit(opening: str, closing: str) -> None:
    depth = 100_000
    text = opening * depth + '"x"' + closing * depth
    value = parse_json(text)
    assert dump_json(value) == text.replace(" ", "")
    assert is_deeper(value, depth - 1)
    assert not has_repeated_keys(value)
    assert clip_json(value, 1000) is None


def test_a_deep_prefix_ends_where_its_value_ends() -> None:
    text = "[" * 20_000 + "]" * 20_000
    value, end = parse_prefix(text + " tail")
    assert end == len(text)
    assert same_json(value, parse_json(text))


@pytest.mark.parametrize(
    "tail", ["", "[", "[1", "[1,", "[tru", "[-", "[2.", "[1e", '["a\\', '[{"k']
)
def test_a_deep_text_that_is_cut_says_so(tail: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json('{"a":[' * 10_000 + tail)
    assert caught.value.at_end


@pytest.mark.parametrize("tail", ["]", "x", "[1 2]", "[01", "[1,]", '{"a" 1}', "{1:2}", "[truth]"])
def test_a_deep_text_that_is_wrong_says_so(tail: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json('{"a":[' * 10_000 + tail + "]}" * 10_000 + ("]" if tail != "]" else ""))
    assert not caught.value.at_end


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_cut_of_a_document_is_told_as_cut(document: str) -> None:
    assert read(document) is Reading.JSON
    told = {}
    for text in prefixes(document):
        if read(text) is Reading.CUT:
            try:
                parse_json(text)
            except JsonError as error:
                told[text] = error.at_end
    assert [text for text, at_end in told.items() if not at_end] == []
    assert len(told) == sum(read(text) is Reading.CUT for text in prefixes(document))


@pytest.mark.parametrize(
    "text",
    [
        '{"a":"\\q"}',
        '{"a":"\\uZ"}',
        '{"a":"C:\\Users"}',
        '{"a" 1',
        "{1",
        "[1 2",
        "[01",
        "[1 true",
        '{"a":true1',
        "[1..",
        "[--",
        '{"a":1}}',
        '{"a":1} x',
        "{'a':1}",
        '{"a":1,}',
        "[1,]",
        '{"a":"line\nbreak"}',
        "plain words",
        "{a:1}",
        '{"a":+1}',
        '{"a":.5}',
        '{"a":Tru',
        '```json\n{"a":1}\n```',
        '\ufeff{"a":1}',
        "[1]\x00",
    ],
)
def test_a_text_that_goes_wrong_is_not_told_as_cut(text: str) -> None:
    assert read(text) is Reading.WRONG
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    assert not caught.value.at_end


@settings(LAWS, max_examples=1500)
@given(st.lists(st.sampled_from([*'{}[]",:\\u0a1-.e \n', "tru", "e", '":', '{"'])).map("".join))
def test_cut_and_wrong_agree_with_a_second_reader(text: str) -> None:
    reading = read(text)
    if reading is Reading.JSON:
        parse_json(text)
        return
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    assert caught.value.at_end is (reading is Reading.CUT)
    assert 0 <= caught.value.position <= len(text)


@pytest.mark.parametrize(
    ("text", "value", "end"),
    [
        ('{"a":1} trailing', {"a": 1}, 7),
        ('  {"a":[]}{}', {"a": []}, 10),
        ("12abc", 12, 2),
        ('"x""y"', "x", 3),
        ("true false", True, 4),
        ("1.50.2", 1.5, 4),
    ],
)
def test_a_prefix_is_read_to_its_end(text: str, value: Json, end: int) -> None:
    found, stop = parse_prefix(text)
    assert (found, stop) == (value, end)


def test_a_prefix_may_start_inside() -> None:
    assert parse_prefix('{"a":1} {"b":2}', 7) == ({"b": 2}, 15)


@pytest.mark.parametrize("text", ["", "   ", "x", '{"a":1', "]"])
def test_no_complete_value_is_an_error(text: str) -> None:
    with pytest.raises(JsonError):
        parse_prefix(text)


@LAWS
@given(VALUES)
def test_clipping_gives_the_text_exactly_up_to_the_limit(value: Any) -> None:
    text = dump_json(value)
    assert clip_json(value, len(text)) == text
    assert clip_json(value, len(text) + 5) == text
    assert clip_json(value, len(text) - 1) is None


def test_clipping_counts_the_pairs_of_a_repeated_key() -> None:
    value = parse_json('{"a":1,"a":2}')
    assert clip_json(value, 13) == '{"a":1,"a":2}'
    assert clip_json(value, 12) is None


@pytest.mark.parametrize(
    ("text", "depth"),
    [("1", 0), ('"x"', 0), ("[1]", 1), ('{"a":1}', 1), ("[[1],[[2]]]", 3), ('{"a":[{"b":1}]}', 3)],
)
def test_depth_counts_the_containers_around_a_scalar(text: str, depth: int) -> None:
    value = parse_json(text)
    assert not is_deeper(value, depth)
    assert depth == 0 or is_deeper(value, depth - 1)


@pytest.mark.parametrize(
    ("text", "depth"), [("[]", 1), ("{}", 1), ("[[[]]]", 3), ('[1,{"a":{}}]', 3)]
)
def test_depth_counts_empty_containers(text: str, depth: int) -> None:
    value = parse_json(text)
    assert not is_deeper(value, depth)
    assert is_deeper(value, depth - 1)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1", "1.0"),
        ("1", "true"),
        ("0", "false"),
        ("null", "false"),
        ('""', "null"),
        ("[]", "{}"),
        ('"1"', "1"),
        ("[1,2]", "[2,1]"),
        ('{"a":1}', '{"a":1.0}'),
    ],
)
def test_values_of_other_types_are_not_the_same(left: str, right: str) -> None:
    assert not same_json(parse_json(left), parse_json(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [('{"a":1,"b":[{"c":2,"d":null}]}', '{"b":[{"d":null,"c":2}],"a":1}'), ("[ ]", "[]"),
     ('"\\u0041"', '"A"'), ("1e400", "1e400")],
)  # fmt: skip
def test_order_of_keys_and_spaces_do_not_matter(left: str, right: str) -> None:
    assert same_json(parse_json(left), parse_json(right))


@LAWS
@given(VALUES)
def test_equal_values_give_equal_sorted_texts(value: Any) -> None:
    shuffled = _reversed(value)
    assert dump_json(value, sort_keys=True) == dump_json(shuffled, sort_keys=True)
    assert same_json(value, shuffled)


def _reversed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _reversed(member) for key, member in reversed(value.items())}
    return [_reversed(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("text", "kind"),
    [("null", "null"), ("true", "boolean"), ("1", "integer"), ("-0", "integer"),
     ("9" * 26, "integer"), ("1.0", "number"), ("0.10", "number"), ('"1"', "string"),
     ("[]", "array"), ("{}", "object"), ('{"a":1,"a":2}', "object")],
)  # fmt: skip
def test_kinds_are_those_of_json_schema(text: str, kind: str) -> None:
    assert kind_of(parse_json(text)) == kind


def test_an_integer_of_5000_digits_is_an_integer() -> None:
    assert kind_of(parse_json("9" * 5000)) == "integer"
