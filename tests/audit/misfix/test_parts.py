"""The parts of the check: names, readings, differences, equality."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.misfix.difference import outermost
from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.leaves import content_of, leaves_of
from toolfix_audit.audit.misfix.names import are_related
from toolfix_audit.audit.misfix.readings import (
    has_one_reading,
    read_arguments,
    read_container,
    read_scalar,
)
from toolfix_audit.audit.misfix.rewrites import Kind, put_back, rewrites
from toolfix_audit.audit.misfix.steps import stages
from toolfix_audit.model.json import Json, has_repeated_keys, parse_json, same_json
from toolfix_audit.model.repair import Step

from .bench import closed, kind, opened

TEXT = kind("string")


@pytest.mark.parametrize(
    "pair",
    [
        "cmd/command",
        "filePath/path",
        "path/absolute_path",
        "relative_path/path",
        "new_str/new_string",
        "old_string/old_text",
        "skill_name/name",
        "query/queries",
        "calendarId/calendar_id",
        "id/payment_id",
        "class/_class",
        "messageIDs/message_ids",
        "iCalUID/i_cal_uid",
        "dir/directories",
        "addresses/address",
    ],
)
def test_related_names(pair: str) -> None:
    left, right = pair.split("/")
    assert are_related(left, right)
    assert are_related(right, left)


@pytest.mark.parametrize(
    "pair",
    [
        "configuration/description",
        "skill/name",
        "old_string/new_string",
        "relative_path/absolute_path",
        "parent_id/id",
        "start_line/line",
        "content/content_type",
        "message/message_id",
        "max_results/max",
        "to/token",
        "mode/model",
        "name/rename",
        "text/context",
        "port/report",
        "line1/line2",
        "line1/line",
        "subject/name",
        "_/x",
        "new_path/path",
    ],
)
def test_unrelated_names(pair: str) -> None:
    left, right = pair.split("/")
    assert not are_related(left, right)
    assert not are_related(right, left)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('{"a": "x\ty"}', {"a": "x\ty"}),
        ("{'a': (1)}", None),
        ("{'a': [True, None, 'it\\'s', -1.5e3]}", {"a": [True, None, "it's", -1500.0]}),
        ("{'a': 0x10}", None),
        ("{'a': 1_000}", None),
        ("{'a': 'x' 'y'}", None),
        ("{'a': '\\x41\\u00e9\\101\\q'}", {"a": "A\u00e9A\\q"}),
        ('"[1]"', [1]),
        ('"\\"[1]\\""', [1]),
        ("[1", None),
        ("[1] x", None),
        ("{true: 1}", None),
        ("[a](b)", None),
        ("5", None),
        ('"x"', None),
        ("", None),
        ("{}", {}),
        ("[[],{}]", [[], {}]),
    ],
)
def test_container_texts(text: str, value: Json) -> None:
    assert is_same(read_container(text), parse_json_like(value))


def parse_json_like(value: Json) -> Json:
    """`-1.5e3` keeps its spelling when it is read."""
    if value == {"a": [True, None, "it's", -1500.0]}:
        return parse_json('{"a": [true, null, "it\'s", -1.5e3]}')
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a":1}}', {"a": 1}),
        ('{}""', {}),
        ('{"a":1}\n\nNow I will look.', {"a": 1}),
        ('{"a":1}{"a":1}{"a":1}', {"a": 1}),
        ('{"a":1}{"a": 1.0}', None),
        ('{"a":1}{"a":2}', None),
        ('{"a":1} {"b":2}', None),
        ('{"a":1}, x', None),
        ('{"a":1}: x', None),
        ('{"a":1} "b"', None),
        ('{"a":1} [2]', None),
        ('x {"a":1}', None),
        ('```json\n{"a":1}\n```', {"a": 1}),
        ('```\n{"a":1}\n``` done', None),
        ('{\\n"a":1\\n}', {"a": 1}),
        ('"{\\"a\\":1}"', {"a": 1}),
        ('"[1]"', None),
        ('"hello"', None),
        ('{"a":1', None),
        ("query = 5", None),
    ],
)
def test_argument_texts(text: str, value: Json) -> None:
    reading = read_arguments(text)
    assert (reading.value if reading else None) == value


def test_scalar_texts() -> None:
    read = {text: read_scalar(text) for text in ("TRUE", "null", "Null", "5", "-0.50", "1e3")}
    assert read["TRUE"] == (True, True)
    assert read["null"] == (True, None)
    assert read["Null"] == (False, None)
    assert content_of(read["-0.50"][1]) == content_of(-0.5)
    assert content_of(read["1e3"][1]) == content_of(1000)
    for text in ("007", "+5", " 5", "5 ", "1_000", "0x1", "NaN", "inf", "yes", "", "None", "٣"):
        assert read_scalar(text) == (False, None)


def test_texts_of_one_reading() -> None:
    assert all(map(has_one_reading, ("x", "a.b", "https://a.test/b", "007", "true")))
    for text in ("", " ", "a b", "a,b", "a;b", "a|b", "[x", "{x", "'x", '"x', "null", "None"):
        assert not has_one_reading(text)


def test_equality_has_types_and_no_order() -> None:
    assert is_same({"a": 1, "b": [True, None]}, {"b": [True, None], "a": 1})
    for left, right in ((1, True), (1, 1.0), (0, False), ("1", 1), ([], {}), (None, False)):
        assert not is_same(left, right)
        assert not is_same([left], [right])
    twice = parse_json('{"a":1,"a":2}')
    assert has_repeated_keys(twice)
    assert not is_same(twice, {"a": 2})
    assert not is_same({"a": 2}, twice)
    assert not is_same(parse_json("0.10"), parse_json("0.1"))


def test_numbers_say_the_same_as_decimals() -> None:
    same = ["1", "1.0", "1e0", "10e-1", "0.1e1", "100E-2"]
    assert len({content_of(parse_json(text)) for text in same}) == 1
    differing = ["1", "-1", "10", "0.1", "9007199254740993", "9007199254740992", "1e400", "1e401"]
    assert len({content_of(parse_json(text)) for text in differing}) == len(differing)
    assert content_of(0) == content_of(parse_json("-0")) == content_of(parse_json("0e5"))


def test_outermost_places() -> None:
    old: Json = {"a": {"b": "5", "c": 1}, "d": [1, "2"], "e": "[1]", "g": None}
    new: Json = {"a": {"b": 5, "c": 1}, "d": [1, 2], "e": [1], "h": 0}
    found = {(place.path, place.went) for place in outermost(old, new)}
    assert found == {
        (("a", "b"), False),
        (("d", 1), False),
        (("e",), False),
        (("g",), True),
    }
    layers: Json = {"arguments": {"arguments": {"a": 1}, "b": 2}, "c": 3}
    once: Json = {"arguments": {"a": 1}, "b": 2, "c": 3}
    assert [place.path for place in outermost(layers, once)] == [("arguments",)]


@pytest.mark.parametrize(
    ("schema", "old", "new", "kinds"),
    [
        (opened(None, a=TEXT), {"b": 1}, {}, [Kind.DROP]),
        (opened(None, a=TEXT), {}, {"a": 1}, [Kind.ADD]),
        (opened(None, cmd=TEXT), {"command": "x"}, {"cmd": "x"}, [Kind.RENAME]),
        (opened(None, n=TEXT), {"args": {"n": 1}}, {"n": 1}, [Kind.UNWRAP]),
        (opened(None, n=TEXT), {"args": {"n": 1}, "m": 2}, {"n": 1, "m": 2}, [Kind.MERGE]),
        (opened(None, q=TEXT), {"q.a": 1, "q.b": 2}, {"q": {"a": 1, "b": 2}}, [Kind.UNFLATTEN]),
        (opened(None, q=TEXT), {"q": "[1]"}, {"q": [1]}, [Kind.SPELLING]),
        (opened(None, q=TEXT), {"q": '["1"]'}, {"q": [1]}, [Kind.SPELLING, Kind.SPELLING]),
        (
            opened(None, cmd=TEXT),
            {"args": {"command": "x"}, "m": 2},
            {"cmd": "x", "m": 2},
            [Kind.RENAME, Kind.MERGE],
        ),
    ],
)
def test_rewrites(schema: Json, old: Json, new: Json, kinds: list[Kind]) -> None:
    found = rewrites(old, new, schema)
    assert [one.kind for one in found] == kinds
    if len(found) == 1 and found[0].kind is not Kind.ADD:
        assert same_json(put_back(new, found[0]), old)


def test_leaves_are_the_information_of_a_call() -> None:
    schema = closed(["rows"], rows=kind("array", items=opened(None, n=TEXT)), q=TEXT)
    packed: Json = {"args": {"rows[0]": '{"n": 1}', "rows[1]": {"n": 2}}, "q": "x"}
    plain: Json = {"rows": [{"n": 1}, {"n": 2}], "q": "x"}

    def told(value: Json) -> set[tuple[object, ...]]:
        return {(leaf.path, leaf.content) for leaf in leaves_of(value, schema)}

    assert told(packed) == told(plain)


def test_steps_are_replayed_as_far_as_they_are_true() -> None:
    old: Json = {"args": {"n": "5"}}
    unwrap = Step("B", "unwrap:args", "", old, {"n": "5"})
    cast = Step("F", "cast:integer", "/n", "5", 5)
    lie = Step("F", "cast:integer", "/m", "5", 5)
    assert [stage.step for stage in stages(old, (unwrap, cast))] == [unwrap, cast]
    assert [stage.step for stage in stages(old, (unwrap, lie, cast))] == [unwrap]
    assert stages(old, (cast,)) == ()
    assert stages(old, (unwrap,))[0].places[0].path == ("args",)
