"""The fast parser gives what the lossless one gives, on whatever bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.model.json import (
    Json,
    JsonError,
    RepeatedKeys,
    VerbatimFloat,
    VerbatimInt,
    dump_json,
    parse_json,
)
from toolfix_audit.model.json_fast import dump_value, parse_and_dump, parse_row


def shape(value: Json) -> list[object]:
    """A value as a flat list: classes, keys in order, spelled numbers, repeated keys."""
    found: list[object] = []
    todo: list[object] = [value]
    while todo:
        item = todo.pop()
        found.append(type(item).__name__)
        if isinstance(item, dict):
            pairs = item.pairs if isinstance(item, RepeatedKeys) else tuple(item.items())
            found.append([key for key, _ in pairs])
            todo.extend(member for _, member in pairs)
        elif isinstance(item, list):
            found.append(len(item))
            todo.extend(item)
        else:
            found.append(item.text if isinstance(item, VerbatimFloat | VerbatimInt) else repr(item))
    return found


def outcome(data: bytes, *, fast: bool) -> object:
    """What a parser makes of bytes, an error included."""
    try:
        return shape(parse_row(data) if fast else parse_json(data.decode()))
    except JsonError as error:
        return (str(error), error.position, error.at_end)
    except UnicodeDecodeError as error:
        return (error.start, error.reason)


def agree(data: bytes) -> None:
    assert outcome(data, fast=True) == outcome(data, fast=False)
    with suppress(UnicodeDecodeError):
        agree_on_text(data.decode())


def agree_on_text(text: str) -> None:
    """Reading and writing a text in one go gives what the lossless parser and writer give."""

    def lossless(text: str) -> tuple[Json, str]:
        value = parse_json(text)
        return value, dump_json(value)

    told: list[object] = []
    for read in (parse_and_dump, lossless):
        try:
            value, written = read(text)
            told.append((shape(value), written))
        except JsonError as error:
            told.append((str(error), error.position, error.at_end))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "number",
    [
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "12345678901234567890123456",
        "-9223372036854775809",
        "-0",
        "0",
        "-0.0",
        "0.10",
        "1.0",
        "1e5",
        "1E+5",
        "1e400",
        "1e16",
        "1e-05",
        "0.00001",
        "123456789.123456789123456789",
        "NaN",
        "Infinity",
        "01",
        "1" * 5000,
    ],
)
@pytest.mark.parametrize(
    "frame", ["%s", "[%s]", '{"a":%s}', '{"a":{"b":[%s]}}', '{"a": [%s, "x"]}']
)
def test_numbers_stay_as_they_were_written(number: str, frame: str) -> None:
    data = (frame % number).encode()
    agree(data)
    with suppress(JsonError):
        value = parse_row(data)
        assert dump_value(value) == dump_json(value)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":{"b":1,"b":2}}',
        '{"a":[{"b":"1","c":0,"b":"1"}]}',
        '{"a":1,"a":2}',
        '{"a":"\\ud83d"}',
        '{"a":["\\ud83d\\ude00","\\ude00"]}',
        '{"\\ud83d":[1]}',
        '{"a":["\\u0000\\u001f\\u007f\\u2028é\\/"]}',
        '{"a":"\\u0000"}',
        '{ "a" : [ 1 , 2 ] }',
        '\ufeff{"a":1}',
        '{"a":1} x',
        '{"a":"b',
        "[" * 1000 + "]" * 1000,
        '{"a":' * 1000 + "1" + "}" * 1000,
        "[" * 5000 + "]" * 5000,
        '{"a":' + "[" * 300 + "]" * 300 + "}",
        "",
        " ",
        '{"a":"\t"}',
        '{"a":\x00}',
    ],
)
def test_odd_texts_are_read_alike(text: str) -> None:
    agree(text.encode())


@pytest.mark.parametrize("data", [b'{"a":"\xff"}', b'["\xed\xa0\x80"]', b'{"a":"\xc3'])
def test_bytes_that_are_no_utf8_are_refused_alike(data: bytes) -> None:
    agree(data)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "1", "a": "2"}',
        '{"a": "1", "a": "1"}',
        '{"a": ", ", "b": ": "}',
        '{"a": ",", "b": ":"}',
        '{"a":",\\u0020", "b": ", "}',
        '{"a, b": 1,"c": [1, 2,3]}',
        '{"a":  1}',
        ' {"a": 1} ',
        '"a, b: c"',
        '"\ud83d"',
        "5",
        "null",
    ],
)
def test_texts_with_spaces_are_read_alike(text: str) -> None:
    agree_on_text(text)


@given(st.text('{}[]",: ab1\\u0', max_size=14), st.text('{}[]",: ab1\\u0', max_size=14))
def test_spaces_inside_of_strings_are_no_spaces_between_tokens(key: str, text: str) -> None:
    value = {key: [text, {text: key}], "z": 1}
    for separators in ((",", ":"), (", ", ":"), (",", ": "), (", ", ": "), (" ,", " :")):
        agree_on_text(json.dumps(value, separators=separators, ensure_ascii=False))


def test_a_repeated_key_of_a_flat_row_has_its_last_value() -> None:
    assert parse_row(b'{"a":"1","a":"2"}') == {"a": "2"}


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | st.integers(-(10**30), 10**30),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([(",", ":"), (", ", ": ")]), st.booleans())
def test_whatever_python_writes_is_read_alike(
    value: object, separators: tuple[str, str], ascii_only: bool
) -> None:
    text = json.dumps({"row": value}, separators=separators, ensure_ascii=ascii_only)
    agree(text.encode("utf-8", "surrogatepass"))


@given(VALUES)
def test_whatever_was_read_is_written_alike(value: object) -> None:
    try:
        read = parse_json(json.dumps(value))
    except JsonError:  # NaN
        return
    assert dump_value(read) == dump_json(read)


@given(st.text('{}[]",:01-.eE+abtrufalsn \\"', max_size=30))
def test_broken_texts_are_refused_alike(text: str) -> None:
    data = text.encode()
    agree_on_text(text)
    first, second = outcome(data, fast=True), outcome(data, fast=False)
    if first != second:  # the one difference: a row of scalars with a repeated key
        flat = parse_row(data)
        assert isinstance(flat, dict)
        assert all(isinstance(item, str | bool | None) for item in flat.values())
        assert isinstance(second, list)
        assert second[0] == "RepeatedKeys"


def log_lines(shared: Path) -> Iterator[bytes]:
    for path in sorted((shared / "corpora").rglob("*.jsonl")):
        yield from path.read_bytes().split(b"\n")


def test_every_line_of_the_corpora_is_read_alike(shared: Path) -> None:
    count = 0
    for line in log_lines(shared):
        agree(line)
        count += 1
    assert count > 1000
