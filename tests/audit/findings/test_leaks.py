"""Family G over a store: what counts, once, and with which tools."""

from __future__ import annotations

from pathlib import Path

from .made import LEAK, READ, call, found_in, only, result, text, told, tools

ONE = [("leaked_call", "hermes_json", 1, 1)]


def test_a_leak_is_told_with_its_tool_model_and_repair(tmp_path: Path) -> None:
    row = only(found_in(tmp_path, [tools(), text(f"I look.\n{LEAK}")]), "G")
    assert (row.kind, row.variant, row.tool, row.model) == (
        "leaked_call",
        "hermes_json",
        "read",
        "m",
    )
    assert (row.count, row.repairable, row.session, row.call) == (1, 1, "s", None)
    assert row.shown == LEAK
    assert row.says == 'call read {"path":"a"}'


def test_reasoning_counts_and_what_users_or_tools_say_does_not(tmp_path: Path) -> None:
    assert told(found_in(tmp_path, [tools(), text(LEAK, reasoning=True)]), "G") == ONE
    lines = [tools(), call("a", arguments={"path": LEAK}), result("a", LEAK)]
    assert told(found_in(tmp_path, lines), "G") == []


def test_without_tools_nothing_is_a_leak_and_the_texts_are_counted(tmp_path: Path) -> None:
    found = found_in(tmp_path, [text(LEAK), text("All done.")])
    assert (told(found, "G"), found.untold) == ([], 1)
    found = found_in(tmp_path, [tools("s", READ | {"name": "write"}), text(LEAK)])
    assert (told(found, "G"), found.untold) == ([], 0)


def test_the_list_in_force_decides(tmp_path: Path) -> None:
    other = tools("s", READ | {"name": "write"})
    assert told(found_in(tmp_path, [tools(), text(LEAK), other, text(LEAK)]), "G") == ONE
    assert told(found_in(tmp_path, [other, text(LEAK), tools(), text(LEAK)]), "G") == ONE


def test_a_tool_that_the_session_called_exists_but_judges_nothing(tmp_path: Path) -> None:
    found = found_in(tmp_path, [call("a"), result("a"), text(LEAK)])
    assert told(found, "G") == [("leaked_call", "hermes_json", 1, 0)]
    assert only(found, "G").says == "not repairable: unjudged"


def test_invalid_arguments_are_counted_and_not_repairable(tmp_path: Path) -> None:
    found = found_in(tmp_path, [tools(), text(LEAK.replace('"a"', "[1]"))])
    assert told(found, "G") == [("leaked_call", "hermes_json", 1, 0)]
    assert only(found, "G").says == "not repairable: invalid arguments"


def test_markup_in_the_name_of_a_call_belongs_to_that_call(tmp_path: Path) -> None:
    name = "read<arg_key>path</arg_key><arg_value>a</arg_value>"
    row = only(found_in(tmp_path, [tools(), call("a", tool=name, arguments={})]), "G")
    assert (row.kind, row.tool, row.repairable) == ("markup_residue_in_name", "read", 1)
    assert row.call is not None


def test_a_marker_beside_a_call_is_residue(tmp_path: Path) -> None:
    lines = [tools(), text("Now this. </tool_call>", has_calls=True), call("a"), result("a")]
    found = found_in(tmp_path, lines)
    assert [(row.kind, row.tool, row.repairable) for row in found.rows] == [
        ("residue_only", None, 1)
    ]


def test_what_two_files_tell_of_a_session_counts_once(tmp_path: Path) -> None:
    log = [tools(), text(LEAK), text("no"), text(LEAK)]
    twice = [("leaked_call", "hermes_json", 2, 2)]
    assert told(found_in(tmp_path, log), "G") == twice
    assert told(found_in(tmp_path, log, [*log, text("more")]), "G") == twice
    assert told(found_in(tmp_path, log[:2], log), "G") == twice
    other = [{**line, "session": "t"} for line in log]
    assert told(found_in(tmp_path, log, other), "G") == [("leaked_call", "hermes_json", 4, 4)]
