"""Related key names: the pairs that the rules list, and what follows from them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.engine.names import are_related, words_of

RELATED = """
    cmd/command filePath/path path/absolute_path relative_path/path new_str/new_string
    old_string/old_text skill_name/name query/queries calendarId/calendar_id id/payment_id
    class/_class
"""
UNRELATED = """
    configuration/description skill/name old_string/new_string relative_path/absolute_path
    parent_id/id start_line/line content/content_type message/message_id max_results/max
    to/token mode/model name/rename text/context port/report
"""
# Every class of words, in both directions.
CLASSES = """
    command/cmd string/str string/text text/txt str/txt directory/dir message/msg number/num
    description/desc parameter/param argument/arg configuration/config document/doc
    file_txt/file_text workDir/working_directory/
"""
SELECTORS = [
    "old",
    "new",
    "start",
    "end",
    "first",
    "last",
    "source",
    "target",
    "src",
    "dst",
    "from",
    "to",
    "min",
    "max",
    "parent",
    "child",
    "prev",
    "next",
    "before",
    "after",
    "left",
    "right",
    "in",
    "out",
    "not",
    "no",
    "exclude",
    "include",
    "other",
    "root",
    "base",
    "lower",
    "upper",
]
FOLLOWS = """
    user_ids/userIds userID/user_id URLs/urls URL/url messages/message msgs/message
    file_paths/file_path FilePath/file_path FILE_PATH/filePath file-path/file_path
    file.path/filePath filepath/file_path file_path/path HTTPServer/http_server
    boxes/box classes/class addresses/address
"""
DIFFERS = """
    path2/path file_2_path/path line1/line2 step_1/step_2 id2/user_id
    path/file name/file_name_id ids/idx class/clash address/addres
    a/b path/pathology command/commander
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(one, other) for one, other in (pair.split("/")[:2] for pair in text.split())]


@pytest.mark.parametrize(("one", "other"), pairs(RELATED))
def test_pairs_that_the_rules_relate(one: str, other: str) -> None:
    assert are_related(one, other)
    assert are_related(other, one)


@pytest.mark.parametrize(("one", "other"), pairs(UNRELATED))
def test_pairs_that_the_rules_keep_apart(one: str, other: str) -> None:
    assert not are_related(one, other)
    assert not are_related(other, one)


@pytest.mark.parametrize(("one", "other"), pairs(CLASSES)[:-1])
def test_words_of_one_class(one: str, other: str) -> None:
    assert are_related(one, other)
    assert are_related(other, one)
    assert are_related(f"the_{one}", other)


@pytest.mark.parametrize(("one", "other"), pairs(FOLLOWS))
def test_spelling_case_and_number_do_not_matter(one: str, other: str) -> None:
    assert are_related(one, other)
    assert are_related(other, one)


@pytest.mark.parametrize(("one", "other"), pairs(DIFFERS))
def test_names_that_only_look_alike(one: str, other: str) -> None:
    assert not are_related(one, other)
    assert not are_related(other, one)


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("form", ["{0}_path", "{0}Path", "{1}Path", "my_{0}_path", "{0}-path"])
def test_a_selector_picks_another_thing(selector: str, form: str) -> None:
    name = form.format(selector, selector.title())
    assert not are_related(name, "path")
    assert not are_related("path", name)


@pytest.mark.parametrize("name", ["", "_", "-", "123", "__"])
def test_a_name_without_words_is_related_to_none(name: str) -> None:
    assert not are_related(name, "path")
    assert not are_related("path", name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("filePath", ("file", "path")),
        ("file_path", ("file", "path")),
        ("HTTPServerID", ("http", "server", "id")),
        ("sha256", ("sha256",)),
        ("user-id.x", ("user", "id", "x")),
        ("Straße", ("straße",)),
        ("路径", ("路径",)),
        ("", ()),
    ],
)
def test_the_words_of_a_name(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


LAWS = settings(max_examples=300, deadline=None, database=None, derandomize=True)
NAMES = st.text(st.sampled_from("abXY_-1 é路") | st.characters(), max_size=10) | st.lists(
    st.sampled_from(["file", "Path", "_", "old", "id", "ID", "s", "text", "2"]), max_size=4
).map("".join)


@LAWS
@given(NAMES, NAMES)
def test_relation_is_symmetric(one: str, other: str) -> None:
    assert are_related(one, other) == are_related(other, one)


@LAWS
@given(NAMES)
def test_every_name_with_words_is_related_to_itself(name: str) -> None:
    assert are_related(name, name) == bool(words_of(name))
