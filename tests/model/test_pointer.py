"""Paths and JSON Pointers (RFC 6901)."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.model.json import Json, RepeatedKeys, parse_json
from toolfix_audit.model.pointer import (
    Path,
    has_place,
    starts_with,
    to_pointer,
    value_at,
    with_value,
)

# The document and the pointers of RFC 6901, section 5.
RFC: Json = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}
EXAMPLES: tuple[tuple[Path, str, Json], ...] = (
    ((), "", RFC),
    (("foo",), "/foo", ["bar", "baz"]),
    (("foo", 0), "/foo/0", "bar"),
    (("",), "/", 0),
    (("a/b",), "/a~1b", 1),
    (("c%d",), "/c%d", 2),
    (("e^f",), "/e^f", 3),
    (("g|h",), "/g|h", 4),
    (("i\\j",), "/i\\j", 5),
    (('k"l',), '/k"l', 6),
    ((" ",), "/ ", 7),
    (("m~n",), "/m~0n", 8),
)


@pytest.mark.parametrize(("path", "pointer", "value"), EXAMPLES, ids=[one[1] for one in EXAMPLES])
def test_rfc_examples(path: Path, pointer: str, value: Json) -> None:
    assert to_pointer(path) == pointer
    assert value_at(RFC, path) == value
    assert has_place(RFC, path)


def test_escapes_are_not_mixed_up() -> None:
    assert to_pointer(("~1", "/0", "~/")) == "/~01/~10/~0~1"


@pytest.mark.parametrize(
    "path", [("bar",), ("foo", 2), ("foo", -1), ("foo", "0"), (0,), ("", "x"), ("foo", 0, 0)]
)
def test_a_place_that_is_not_there(path: Path) -> None:
    assert not has_place(RFC, path)
    with pytest.raises(KeyError):
        value_at(RFC, path)


def test_a_change_copies_what_is_above_and_shares_the_rest() -> None:
    value: Json = {"a": {"b": [1, {"c": 2}]}, "z": {"kept": True}}
    before = copy.deepcopy(value)
    after = with_value(value, ("a", "b", 1, "c"), "new")
    assert after == {"a": {"b": [1, {"c": "new"}]}, "z": {"kept": True}}
    assert value == before
    assert value_at(after, ("z",)) is value_at(value, ("z",))


def test_a_change_keeps_the_order_of_keys() -> None:
    after = with_value({"b": 1, "a": 2}, ("b",), 3)
    assert isinstance(after, dict)
    assert list(after) == ["b", "a"]


def test_a_change_of_the_root_is_the_new_value() -> None:
    assert with_value({"a": 1}, (), [2]) == [2]


@pytest.mark.parametrize("path", [("x", "y"), ("a", 0), ("l", 5), ("l", -1)])
def test_a_change_needs_its_parent(path: Path) -> None:
    with pytest.raises(KeyError):
        with_value({"a": 1, "l": [1]}, path, None)


def test_an_object_with_repeated_keys_is_never_rewritten() -> None:
    value = parse_json('{"o":{"a":1,"a":2}}')
    assert isinstance(value_at(value, ("o",)), RepeatedKeys)
    with pytest.raises(KeyError):
        with_value(value, ("o", "a"), 3)


@pytest.mark.parametrize(
    ("path", "prefix", "holds"),
    [(("a", 1), (), True), (("a", 1), ("a",), True), (("a",), ("a",), True),
     (("a",), ("a", 1), False), (("ab",), ("a",), False), ((), ("a",), False)],
)  # fmt: skip
def test_at_or_below(path: Path, prefix: Path, holds: bool) -> None:
    assert starts_with(path, prefix) is holds


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(st.lists(st.text("ab~/01%", max_size=3), max_size=5))
def test_pointers_tell_paths_apart(path: list[str]) -> None:
    parts = to_pointer(tuple(path)).split("/")[1:]
    assert [part.replace("~1", "/").replace("~0", "~") for part in parts] == path
