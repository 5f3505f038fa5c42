"""Family J, one result: the union of text, list and block, in every protocol."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.model.json import Json, same_json
from toolfix_audit.wire.results.shapes import (
    FORMS,
    ShapeDefect,
    result_shape,
    same_content,
    shape_of,
)

TEXT: Json = {"type": "text", "text": "a"}
IMAGE: Json = {"type": "image", "source": {"type": "url", "url": "https://host/a.png"}}


def _chat(content: Json) -> dict[str, Json]:
    return {"role": "tool", "tool_call_id": "c1", "content": content}


def _anthropic(content: Json) -> dict[str, Json]:
    return {"type": "tool_result", "tool_use_id": "c1", "content": content}


def _responses(content: Json) -> dict[str, Json]:
    return {"type": "function_call_output", "call_id": "c1", "output": content}


ODD: list[tuple[dict[str, Json], ShapeDefect, Json]] = [
    (_chat({"a": 1}), ShapeDefect.OBJECT_CONTENT, '{"a":1}'),
    (_chat({}), ShapeDefect.OBJECT_CONTENT, "{}"),
    (_chat([{"id": 1}, {"id": 2}]), ShapeDefect.UNTYPED_OBJECTS, '[{"id":1},{"id":2}]'),
    (_chat([1, 2]), ShapeDefect.UNTYPED_OBJECTS, "[1,2]"),
    (
        _chat([TEXT, {"id": 1}]),
        ShapeDefect.UNTYPED_OBJECTS,
        '[{"type":"text","text":"a"},{"id":1}]',
    ),
    (_chat(["x", None, TEXT]), ShapeDefect.LOOSE_LIST, [{"type": "text", "text": "x"}, TEXT]),
    (_chat([None]), ShapeDefect.LOOSE_LIST, ""),
    (_chat([]), ShapeDefect.EMPTY_LIST, ""),
    (_chat(None), ShapeDefect.NULL_CONTENT, ""),
    (_chat(5), ShapeDefect.SCALAR_CONTENT, "5"),
    (_chat(True), ShapeDefect.SCALAR_CONTENT, "true"),
    (_chat(TEXT), ShapeDefect.SINGLE_BLOCK, [TEXT]),
    (_anthropic({"a": [1]}), ShapeDefect.OBJECT_CONTENT, '{"a":[1]}'),
    (_anthropic([{"text": "a"}]), ShapeDefect.UNTYPED_OBJECTS, '[{"text":"a"}]'),
    (_responses({"a": "é"}), ShapeDefect.OBJECT_CONTENT, '{"a":"é"}'),
    (_responses([]), ShapeDefect.EMPTY_LIST, ""),
]

_TEXTS: tuple[Json, ...] = ("", "a", [{"type": "input_text", "text": "a"}])

STAY: list[Json] = [
    *[_chat(one) for one in ("", "a", "[]", "{}", "null", '{"a": 1}', [TEXT], [TEXT, TEXT])],
    *[_anthropic(one) for one in ("", "a", "[]", None, [], [TEXT], [TEXT, IMAGE], [IMAGE])],
    *[_responses(one) for one in _TEXTS],
    {"type": "tool_result", "tool_use_id": "c1"},
    {"toolResult": {"toolUseId": "a", "content": [{"json": {"a": 1}}]}},
    {"toolResult": {"toolUseId": "a", "content": []}},
    {"functionResponse": {"name": "n", "response": {"rows": [{"id": 1}]}}},
    {"content": [TEXT], "isError": False},
    {"content": [TEXT], "structuredContent": {"a": 1}},
    {"content": [IMAGE], "structuredContent": {"a": 1}},
    {"content": [{"type": "text", "text": " "}, TEXT], "structuredContent": {"a": 1}},
    {"content": [], "isError": False},
    {"content": [], "structuredContent": None},
    {"content": []},
    {"role": "user", "content": {"a": 1}},
    {"role": "assistant", "content": None, "tool_calls": []},
    {"type": "function_call", "arguments": "{}"},
    {},
    None,
    "text",
    [_chat({"a": 1})],
]


@pytest.mark.parametrize(("result", "defect", "content"), ODD)
def test_an_odd_shape_is_named_with_the_form_that_is_taken(
    result: dict[str, Json], defect: ShapeDefect, content: Json
) -> None:
    before = json.dumps(result)
    shape = result_shape(result)
    assert shape is not None
    assert shape.defect is defect
    key = "output" if "output" in result else "content"
    assert shape.normalized == {**result, key: content}
    assert json.dumps(result) == before
    assert result_shape(shape.normalized) is None


@pytest.mark.parametrize("result", STAY)
def test_legal_shapes_stay(result: Json) -> None:
    assert result_shape(result) is None


def test_twice_as_many_stay() -> None:
    assert len(STAY) >= 2 * len(ODD)


@pytest.mark.parametrize(
    "content", [[], [{"type": "text", "text": ""}], [{"type": "text", "text": " \n"}], "", None]
)
def test_structured_content_alone_is_the_text(content: Json) -> None:
    shape = result_shape({"content": content, "structuredContent": {"t": [{"id": "1"}]}})
    assert shape is not None
    assert shape.defect is ShapeDefect.CONTENT_EMPTY
    assert (shape.text, shape.normalized) == ('{"t":[{"id":"1"}]}', None)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a", [TEXT]),
        ("a", ["a"]),
        ("a", TEXT),
        ("a", [{"type": "input_text", "text": "a"}]),
        ("a", [{"text": "a"}]),
        ("", []),
        ("", None),
        ([None, "a"], [TEXT]),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
        ({"a": 1}, '{"a":1}'),
        ([IMAGE], [IMAGE]),
    ],
)
def test_the_same_said_otherwise(left: Json, right: Json) -> None:
    assert same_content(left, right)
    assert same_content(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a", "b"),
        ("ab", ["a", "b"]),
        ("a", [TEXT, IMAGE]),
        ("a", [{"type": "text", "text": "a", "citations": [1]}]),
        ("1", [{"type": "text", "text": "1.0"}]),
        ({"a": 1}, {"a": True}),
        ([TEXT, IMAGE], [IMAGE, TEXT]),
        ("", " "),
    ],
)
def test_other_things_are_not_the_same(left: Json, right: Json) -> None:
    assert not same_content(left, right)


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "id", "content"]), inner, max_size=3)
    ),
)


@given(VALUES, st.sampled_from(sorted(FORMS)))
def test_the_normal_form_is_legal_and_stays(content: Json, name: str) -> None:
    shape = shape_of(content, FORMS[name])
    again = shape_of(shape.content, FORMS[name])
    assert again.defect is None
    assert same_json(again.content, shape.content)
    assert shape.defect is not None or shape.content is content
    assert same_content(content, content)
