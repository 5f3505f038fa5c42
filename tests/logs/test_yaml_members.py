"""YAML members: JSON's meanings, exact places, bounded aliases, and no exception."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolfix_audit.logs.cut_documents import Member
from toolfix_audit.logs.sources import LogFile
from toolfix_audit.logs.yaml_members import BinaryText, iter_yaml_members
from toolfix_audit.model.json import Json, dump_json


def members(path: Path, text: str | bytes, limit: int = 1 << 20) -> list[Member]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(iter_yaml_members(LogFile(path, "x", named=True), limit=limit))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.file"


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("On", "On"),
        ("True", "True"),
        ("true", True),
        ("null", None),
        ("~", None),
        ("''", ""),
        ("", None),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01 10:00:00", "2024-01-01 10:00:00"),
        ("12:30:45", "12:30:45"),
        ("012", "012"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("+1", "+1"),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("-3", -3),
        ("'3'", "3"),
        ('"true"', "true"),
        ("!!str 3", "3"),
        ("!!int 3", 3),
        ("!!python/object/apply:os.system {a: x}", {"a": "x"}),
        ("!!python/unicode 'é'", "é"),
        ("<<", "<<"),
    ],
)
def test_scalars_mean_what_they_mean_in_json(file: Path, scalar: str, value: Json) -> None:
    (member,) = members(file, f"key: {scalar}\n")
    assert (member.key, member.value, member.cause) == ("key", value, None)


@pytest.mark.parametrize("number", ["0.10", "1.0e-05", "-0", "123456789012345678901234567890"])
def test_numbers_keep_their_digits(file: Path, number: str) -> None:
    (member,) = members(file, f"key: {{n: {number}}}\n")
    assert dump_json(member.value) == f'{{"n":{number}}}'


def test_bytes_are_marked(file: Path) -> None:
    (member,) = members(file, "key: !!binary |\n  H4sI\n  AAAA\n")
    assert isinstance(member.value, BinaryText)
    assert member.value == "H4sIAAAA"


def test_lists_come_element_by_element_with_their_places(file: Path) -> None:
    text = "a: é\r\nlist:\r\n- x: 1\r\n- 'ü'\r\n-  [y]\r\nb: 2\r\n"
    found = members(file, text)
    assert [(member.key, member.value) for member in found] == [
        ("a", "é"),
        ("list", {"x": 1}),
        ("list", "ü"),
        ("list", ["y"]),
        ("b", 2),
    ]
    content = text.encode()
    assert [content[member.offset :].split(b"\r\n")[0] for member in found] == [
        "é".encode(),
        b"x: 1",
        "'ü'".encode(),
        b"[y]",
        b"2",
    ]
    assert [member.line for member in found] == [1, 3, 4, 5, 6]


def test_aliases_are_shared_and_keys_stay_texts(file: Path) -> None:
    (member,) = members(file, "key: {x: &a [1, two], y: *a, 3: *a, true: 1, [z]: 2}\n")
    assert member.value == {
        "x": [1, "two"],
        "y": [1, "two"],
        "3": [1, "two"],
        "true": 1,
        '["z"]': 2,
    }


def test_what_aliases_expand_to_is_bounded(file: Path) -> None:
    nested = [f"- &l{level} [{', '.join([f'*l{level - 1}'] * 9)}]" for level in range(1, 60)]
    lines = ["list:", "- &l0 [lol, lol, lol]", *nested]
    found = members(file, "\n".join([*lines, "- after", ""]))
    refused = [member for member in found if member.cause]
    assert 50 < len(refused) < 60
    assert "aliases written out" in str(refused[0].cause)
    assert found[-1].value == "after"


@pytest.mark.parametrize(
    "broken",
    ["- x: [1, 2", "- 'open", "- {a: b", "- *none", "-\t- x", "- " + "[" * 5000, '- "\\uD83D"'],
)
def test_broken_text_gives_what_is_whole_before_it(file: Path, broken: str) -> None:
    found = members(file, f"list:\n- whole\n{broken}")
    assert found[0].value == "whole"
    assert str(found[-1].cause).startswith("not YAML: ")
    assert all(member.cause is None for member in found[:-1])


@pytest.mark.parametrize(
    "data", [b"", b"a: \xff\xfe\n", b"\0", b"- [", b"a: b: c: d", b"%YAML 9.9"]
)
def test_bytes_that_are_no_yaml_are_told(file: Path, data: bytes) -> None:
    assert all(member.cause or member.value is not None for member in members(file, data))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b", "yes"]), inner),
        max_leaves=8,
    )
)
def test_json_is_yaml(file: Path, value: Json) -> None:
    """Every JSON text is a flow value of YAML, and means the same."""
    (member,) = members(file, "key: [" + json.dumps(value, ensure_ascii=False) + "]\n")
    assert member.value == value


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60))
def test_any_bytes_are_read_without_an_exception(file: Path, data: bytes) -> None:
    members(file, b"interactions:\n- request:\n    body: " + data)
