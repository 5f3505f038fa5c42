"""Documents with lists: whole, broken or cut at any place."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from toolfix_audit.logs.cut_documents import Member, iter_members
from toolfix_audit.logs.sources import LogFile

from .conftest import WriteLog

DOCUMENT: dict[str, Any] = {
    "info": {"id": "é"},
    "count": 12,
    "messages": [{"role": "a", "parts": [{"n": 10}, {"n": 20}]}, {"role": "b", "parts": [1]}],
    "empty": [],
}


def members_of(path: Path, *, limit: int = 1 << 20) -> list[Member]:
    return list(iter_members(LogFile(path, "x", named=True), limit=limit))


def test_members_and_elements_come_in_order(write_log: WriteLog) -> None:
    path = write_log("\ufeff" + json.dumps(DOCUMENT, indent=1, ensure_ascii=False), end="\r\n")
    members = members_of(path)
    assert [(member.key, member.value) for member in members] == [
        ("info", DOCUMENT["info"]),
        ("count", 12),
        ("messages", DOCUMENT["messages"][0]),
        ("messages", DOCUMENT["messages"][1]),
    ]
    raw = path.read_bytes()
    for member in members:
        assert raw[member.offset : member.offset + 1] in (b"{", b"1")
        assert member.line == raw.count(b"\n", 0, member.offset) + 1


def test_documents_may_follow_each_other(write_log: WriteLog) -> None:
    members = members_of(write_log(json.dumps(DOCUMENT), '[1, {"a": 2}]', '{"messages": [3]}'))
    assert [member.document for member in members] == [0, 0, 0, 0, 1, 2]
    assert (members[4].key, members[4].value) == ("", [1, {"a": 2}])


def whole_values(document: Any) -> list[str]:
    """Every value inside as JSON text: what may be told of a cut text."""
    inner: list[Any] = []
    if isinstance(document, dict):
        inner = list(document.values())
    elif isinstance(document, list):
        inner = document
    return [json.dumps(document), *(text for one in inner for text in whole_values(one))]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_cut_text_gives_only_what_is_whole(write_log: WriteLog, indent: int | None) -> None:
    text = json.dumps(DOCUMENT, indent=indent)
    allowed = set(whole_values(DOCUMENT))
    for cut in range(1, len(text) - 1):
        *whole, last = members_of(write_log(text[:cut], end=""))
        assert (last.value, last.cause) == (None, "the document is cut: it ends inside a value")
        assert last.offset <= cut
        for member in whole:
            if json.dumps(member.value) not in allowed:  # the element that is cut
                assert member is whole[-1]
                assert isinstance(member.value, dict)
                origin = DOCUMENT[member.key]
                origin = origin[len(whole) - 3] if isinstance(origin, list) else origin
                for key, value in member.value.items():
                    full = origin[key]
                    assert value == (full[: len(value)] if isinstance(value, list) else full)


def test_the_rest_of_a_cut_element_is_told_where_it_starts(write_log: WriteLog) -> None:
    text = json.dumps(DOCUMENT, indent=1)
    end = text.index("20")
    path = write_log(text[:end], end="")
    *_, salvaged, fault = members_of(path)
    assert salvaged.value == {"role": "a", "parts": [{"n": 10}]}
    assert text[fault.offset :].split()[:2] == ["{", '"n":']
    assert text[fault.offset : end].endswith('"n": ')
    assert fault.line == text.count("\n", 0, fault.offset) + 1


@pytest.mark.parametrize(
    ("data", "values", "cause"),
    [
        (b'{"a": 1, "b" 2}', [1], "not JSON: Expecting ':'"),
        (b'{"a": [1 2]}', [1], "not JSON: Expecting ','"),
        (b'{"a": 1,, "b": 2}', [1], "not JSON: Expecting value"),
        (b'{"a": {"b": 1}, "c": "\xff"}', [{"b": 1}], "not UTF-8: byte 0xff"),
        (b'{"a": 1, "c": "\xe2\x82', [1], "not UTF-8: the last 2 bytes are no character"),
        (b'{"a": 1}\xe2', [1], "not UTF-8: the last 1 bytes are no character"),
        (b'{"a": 12', [], "the document is cut"),
        (gzip.compress(b'{"a": {"b": 1}, "c": 2}' * 99, mtime=0)[:-9], [], ""),
    ],
)
def test_broken_documents_end_with_their_cause(
    write_log: WriteLog, data: bytes, values: list[Any], cause: str
) -> None:
    *whole, last = members_of(write_log(data, end=""))
    assert last.cause is not None
    assert last.cause.startswith(cause or "the gzip data is cut")
    if cause:
        assert [member.value for member in whole] == values


def test_an_element_before_a_missing_comma_comes_once(write_log: WriteLog) -> None:
    path = write_log('{"messages": [{"a": 1} {"b": 2}]}')
    element, fault = members_of(path)
    assert (element.value, fault.value) == ({"a": 1}, None)
    assert path.read_bytes()[fault.offset :].startswith(b'{"b": 2}')


def test_the_members_of_an_inner_object(write_log: WriteLog) -> None:
    """Element by element, as far as a cut text goes."""
    text = '{"v": 1, "log": {"log": {"x": 2}, "entries": [{"n": 1}, {"n": 2}]}, "w": 3}'
    path = write_log(text)
    members = list(iter_members(LogFile(path, "x", named=True), inside="log"))
    assert [(member.key, member.value) for member in members] == [
        ("v", 1),
        ("log.log", {"x": 2}),
        ("log.entries", {"n": 1}),
        ("log.entries", {"n": 2}),
        ("w", 3),
    ]
    path = write_log(text[: text.index("2}]")], end="")
    *_, whole, salvaged = iter_members(LogFile(path, "x", named=True), inside="log")
    assert (whole.value, salvaged.cause) == (
        {"n": 1},
        "the document is cut: it ends inside a value",
    )


def test_a_file_is_read_as_far_as_it_was_when_it_was_opened(write_log: WriteLog) -> None:
    path = write_log('{"a": 1}', '{"b": 2}')
    members = list(iter_members(LogFile(path, "x", named=True, size=9)))
    assert [member.value for member in members] == [1]


def test_a_huge_value_is_refused(write_log: WriteLog) -> None:
    (refused,) = members_of(write_log(json.dumps({"a": "x" * 2_000_000})))
    assert refused.cause == "a value has more than 1048576 characters"


def test_repeated_and_deep_members_are_no_crash(write_log: WriteLog) -> None:
    deep = '{"a":' * 5000 + "1" + "}" * 5000
    members = members_of(write_log('{"m": [' + deep + ', {"x": 1, "x": 2}]}'))
    assert len(members) == 2
    assert members[1].value == {"x": 2}
    *_, last = members_of(write_log('{"m": [' + deep[:-5]))
    assert last.cause is not None
