"""Which names mean the same, by what a reader of English and of tool schemas would say."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.misfix.names import are_related, bare_names, is_same_tool


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("filePath", "file_path"),
        ("FILE-PATH", "filePath"),
        ("file path", "filepath"),
        ("filename", "file_names"),
        ("cmd", "command"),
        ("cmds", "commands"),
        ("msg", "message"),
        ("skill_name", "name"),
        ("theCommand", "command"),
        ("query", "queries"),
        ("search", "searches"),
        ("box", "boxes"),
        ("dish", "dishes"),
        ("bus", "buses"),
        ("tag", "tags"),
        ("id", "ids"),
        ("URLs", "url"),
        ("txt", "text"),
    ],
)
def test_names_that_mean_the_same(left: str, right: str) -> None:
    assert are_related(left, right)
    assert are_related(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("name", "subject"),
        ("old_name", "name"),
        ("newName", "name"),
        ("parent_id", "id"),
        ("line1", "line2"),
        ("2_name", "name"),
        ("class", "clas"),
        ("address", "addres"),
        ("series", "sery_x"),
        ("ties", "ty"),
        ("is", "i"),
        ("name_file", "name"),
        ("path", "pathology"),
        ("", "a"),
        ("_", "-"),
        ("bash", "bas"),
        ("dont_delete", "delete"),
        ("query", "querie"),
    ],
)
def test_names_that_do_not(left: str, right: str) -> None:
    assert not are_related(left, right)
    assert not are_related(right, left)


@pytest.mark.parametrize(
    ("called", "names"),
    [
        ("read", ("read", "read")),
        (" read ", ("read", "read")),
        ("functions.read", ("functions.read", "read")),
        ("tools:read", ("tools:read", "read")),
        ("tool/read", ("tool/read", "read")),
        ("functions.functions.read", ("functions.functions.read", "functions.read")),
        ("read<|channel|>x<|end|>", ("read", "read")),
        ("functions.read:12", ("functions.read", "read")),
        ("my.functions.read", ("my.functions.read", "my.functions.read")),
        ("a.functions.b", ("a.functions.b", "a.functions.b")),
        ("functions.", ()),
        ("<|x|>", ()),
        ("", ()),
    ],
)
def test_what_models_hang_on_a_name(called: str, names: tuple[str, ...]) -> None:
    assert bare_names(called) == names


def test_a_tool_is_the_same_whatever_the_case() -> None:
    assert is_same_tool("functions.READ:0", "read")
    assert not is_same_tool("read_file", "read")
    assert not is_same_tool("", "")


@pytest.mark.parametrize(
    ("sign", "name"),
    [("!recursive", "recursive"), ("amount>", "amount"), ("#path", "path"), ("-path", "path")],
)
def test_a_sign_is_part_of_what_a_name_says(sign: str, name: str) -> None:
    assert not are_related(sign, name)
