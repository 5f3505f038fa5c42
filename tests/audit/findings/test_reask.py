"""The re-ask policy over a store: turns, answers, limits, misses."""

from __future__ import annotations

from pathlib import Path

from toolfix_audit.audit.findings.reask import Spoken, turns_of
from toolfix_audit.engine.reask import Policy, Turn
from toolfix_audit.model.report_findings import Reask
from toolfix_audit.store.finding_rows import TurnRow

from .made import LEAK, call, found_in, result, text, tools

WRONG = "<tool_call> is how a call begins."
BARE = '{"name": "read", "arguments": {"path": "a"}}'


def _reask(folder: Path, *lines: dict[str, object], policy: Policy | None = None) -> Reask:
    return found_in(folder, [tools(), *lines], policy=policy or Policy()).reask


def test_a_session_without_leaks_is_not_looked_at(tmp_path: Path) -> None:
    found = _reask(tmp_path, text("Done."), text("And done."))
    assert (found.sessions, found.answered, found.missed) == (0, 0, 0)


def test_an_answer_and_the_turn_after_it(tmp_path: Path) -> None:
    found = _reask(tmp_path, text(LEAK), text("Done."))
    assert (found.sessions, found.answered, found.wrong, found.missed) == (1, 1, 0, 0)
    assert (found.clean, found.unclean, found.unfollowed) == (1, 0, 0)
    found = _reask(tmp_path, text(LEAK))
    assert (found.answered, found.unfollowed) == (1, 1)
    found = _reask(tmp_path, text(LEAK), text(LEAK.replace('"a"', '"b"')))
    assert (found.answered, found.unclean, found.unfollowed) == (2, 1, 1)


def test_the_limit_holds_until_a_clean_turn(tmp_path: Path) -> None:
    leaks = [text(LEAK.replace('"a"', f'"{name}"')) for name in "abcde"]
    found = _reask(tmp_path, *leaks)
    assert (found.answered, found.missed, found.limited, found.why) == (3, 2, 1, {"limit": 2})
    found = _reask(tmp_path, *leaks[:3], text("Done."), *leaks[3:])
    assert (found.answered, found.missed, found.limited) == (5, 0, 0)
    found = _reask(tmp_path, *leaks[:3], call("a"), result("a"), *leaks[3:])
    assert (found.answered, found.missed, found.limited) == (5, 0, 0)


def test_a_turn_that_leaked_nothing_is_answered_wrongly(tmp_path: Path) -> None:
    found = _reask(tmp_path, text(WRONG), text("Done."))
    assert (found.answered, found.wrong, found.clean) == (1, 1, 1)


def test_leaks_that_the_policy_passes_over_are_told_by_reason(tmp_path: Path) -> None:
    found = _reask(
        tmp_path,
        text(LEAK, finish_reason="tool_calls"),
        text(BARE),
        text(LEAK, has_calls=True),
        call("a"),
        result("a"),
        text(f"{'x' * 1_200}\n{LEAK}"),
        text(f"```\na\n```\n{LEAK}"),
        text(LEAK, reasoning=True),
        text("I read it."),
    )
    assert (found.answered, found.missed) == (0, 6)
    assert found.why == {
        "finish-reason": 1, "shape": 2, "has-calls": 1, "too-long": 1, "code-block": 1
    }  # fmt: skip


def test_another_policy_answers_other_turns(tmp_path: Path) -> None:
    policy = Policy(openers=("{",), closers=(), max_in_a_row=1)
    found = _reask(tmp_path, text(BARE), text("{ is a brace"), text(LEAK), policy=policy)
    assert (found.answered, found.wrong, found.missed, found.limited) == (1, 0, 1, 1)
    assert found.policy == ("finish stop, no call or code, ≤ 1,200 chars, { first, ≤ 1 in a row")


def _row(position: int, part: str, *, has_calls: bool = False) -> TurnRow:
    return TurnRow(position, part, "stop" if part == "text" else None, has_calls)


def test_parts_make_turns() -> None:
    parts = [
        _row(0, "reasoning"),
        _row(1, "text"),
        _row(2, "text"),
        _row(3, "text", has_calls=True),
        _row(4, "call", has_calls=True),
        _row(5, "call", has_calls=True),
        _row(6, "result"),
        _row(7, "result"),
        _row(8, "call", has_calls=True),
        _row(9, "result"),
        _row(10, "reasoning", has_calls=True),
        _row(11, "call", has_calls=True),
    ]
    told = {0: Spoken("s", 0, "", is_leak=True), 2: Spoken("s", 2, "words", is_leak=False)}
    assert turns_of(parts, told) == [
        Turn("0", "", "stop", has_calls=False, is_leak=True),
        Turn("2", "words", "stop", has_calls=False, is_leak=False),
        Turn("3", "", "stop", has_calls=True, is_leak=False),
        Turn("8", "", None, has_calls=True, is_leak=False),
        Turn("10", "", None, has_calls=True, is_leak=False),
    ]
