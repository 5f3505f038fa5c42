"""Values as lines, and the lines in which two values differ."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.model.json import Json, parse_json, same_json
from toolfix_audit.report.diff import diff_lines, value_lines
from toolfix_audit.report.pretty import pretty_lines

VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(VALUES)
def test_pretty_lines_are_the_value(value: Json) -> None:
    lines, is_cut = pretty_lines([value], 1000)
    assert not is_cut
    assert same_json(parse_json("\n".join(lines)), [value])


def test_lines_look_as_people_indent_json() -> None:
    value: Json = {"a": [1, {"b": []}], "c": {}}
    lines, _ = pretty_lines(value, 100)
    assert json.loads("\n".join(lines)) == value
    assert lines == [
        "{",
        '  "a": [',
        "    1,",
        "    {",
        '      "b": []',
        "    }",
        "  ],",
        '  "c": {}',
        "}",
    ]


def test_recorded_text_is_shown_raw() -> None:
    assert pretty_lines('{"a": 1,\n "b"', 10) == (['{"a": 1,', ' "b"'], False)


def test_depth_costs_no_indentation_and_no_crash() -> None:
    value: Json = "x"
    for _ in range(20_000):
        value = [value]
    lines, is_cut = pretty_lines(value, 300)
    assert is_cut
    assert max(map(len, lines)) < 50


def test_an_unwrapped_object_differs_by_its_wrapper_alone() -> None:
    inner: Json = {"path": "a", "limit": 2}
    lines = diff_lines({"arguments": inner}, inner, lines=50, width=80)
    assert [line.text.strip() for line in lines if line.mark == "-"] == ['"arguments": {', "}"]
    assert not [line for line in lines if line.mark == "+"]


def test_unchanged_stretches_are_left_out_and_marked() -> None:
    numbers: dict[str, Json] = {f"k{n}": n for n in range(40)}
    before, after = numbers, {**numbers, "k20": "20"}
    lines = diff_lines(before, after, lines=50, width=80)
    assert [line.mark for line in lines] == ["…", " ", " ", " ", "-", "+", " ", " ", " "]


def test_limits_hold_and_are_said() -> None:
    before: Json = {f"k{n}": "x" * 500 for n in range(100)}
    lines = diff_lines(before, {}, lines=10, width=40)
    assert len(lines) == 11
    assert lines[-1].mark == "…"
    assert lines[-1].text == "93 more lines"
    assert max(len(line.text) for line in lines) < 60
    assert len(value_lines(before, lines=10, width=40)) == 11
