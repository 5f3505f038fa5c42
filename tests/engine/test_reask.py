"""The re-ask policy over the turns of a session."""

from __future__ import annotations

import pytest

from toolfix_audit.engine.reask import Miss, Policy, Totals, Turn, simulate

LEAK = '<tool_call>{"name": "read"}</tool_call>'


def turn(
    key: str,
    text: str = LEAK,
    *,
    leak: bool = True,
    finish: str | None = "stop",
    calls: bool = False,
) -> Turn:
    return Turn(key, text, finish, calls, leak)


def test_a_leak_is_answered_and_the_next_turn_told() -> None:
    done = simulate([turn("a"), turn("b", "Done.", leak=False)])
    (nudge,) = done.nudges
    assert (nudge.key, nudge.in_a_row, nudge.is_wrong, nudge.next_is_clean) == ("a", 1, False, True)
    assert (done.turns, done.given_up, done.missed) == (2, (), ())


def test_three_in_a_row_and_no_more_until_a_clean_turn() -> None:
    turns = [*(turn(str(n)) for n in range(5)), turn("clean", "ok", leak=False), turn("again")]
    done = simulate(turns)
    assert [(one.key, one.in_a_row) for one in done.nudges] == [
        *(("0", 1), ("1", 2), ("2", 3)),
        ("again", 1),
    ]
    assert done.given_up == ("3", "4")
    assert [(one.key, one.why) for one in done.missed] == [("3", Miss.LIMIT), ("4", Miss.LIMIT)]
    assert done.hit_limit


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (turn("a", finish="length"), Miss.FINISH_REASON),
        (turn("a", finish=None), Miss.FINISH_REASON),
        (turn("a", calls=True), Miss.HAS_CALLS),
        (turn("a", "<tool_call>" + "x" * 1_190), Miss.TOO_LONG),
        (turn("a", "<tool_call>\n```\nx\n```"), Miss.CODE_BLOCK),
        (turn("a", "text <tool_call> in the middle"), Miss.SHAPE),
    ],
)
def test_a_leak_that_the_policy_misses(one: Turn, why: Miss) -> None:
    done = simulate([one])
    assert done.nudges == ()
    assert [(missed.key, missed.why) for missed in done.missed] == [("a", why)]


@pytest.mark.parametrize(
    "one",
    [
        turn("a", "<tool_call>" + "x" * 1_189, leak=False),
        turn("a", "words </tool_call>", leak=False),
        turn("a", "  <tool_call> is how it is written", leak=False),
    ],
)
def test_a_turn_that_would_be_answered_wrongly(one: Turn) -> None:
    (nudge,) = simulate([one]).wrong
    assert nudge.next_is_clean is None


@pytest.mark.parametrize(
    "one",
    [
        turn("a", "All done.", leak=False),
        turn("a", "", leak=False),
        turn("a", LEAK, leak=False, calls=True),
        turn("a", LEAK, leak=False, finish="tool_calls"),
        turn("a", "about <tool_call> tags", leak=False),
        turn("a", "~~~\n<tool_call>\n~~~", leak=False),
    ],
)
def test_a_clean_turn_is_left_alone(one: Turn) -> None:
    done = simulate([one])
    assert (done.nudges, done.missed, done.given_up) == ((), (), ())


def test_a_copy_of_a_turn_counts_once() -> None:
    done = simulate([turn("a"), turn("a"), turn("b", "ok", leak=False)])
    assert (done.turns, len(done.nudges)) == (2, 1)


def test_every_limit_can_be_set() -> None:
    policy = Policy(finish_reasons=frozenset({"end"}), max_in_a_row=1, may_hold_code=True)
    done = simulate([turn("a", "<tool_call>```", finish="end"), turn("b", finish="end")], policy)
    assert [one.key for one in done.nudges] == ["a"]
    assert done.given_up == ("b",)


def test_totals_add_up_in_any_order() -> None:
    parts = [
        Totals.of(simulate([turn("a"), turn("b", "ok", leak=False)])),
        Totals.of(simulate([turn("a", leak=False)])),
        Totals.of(simulate([turn("a"), turn("b")])),
    ]
    assert parts[0] + parts[1] + parts[2] == parts[2] + (parts[1] + parts[0])
    total = parts[0] + parts[1] + parts[2]
    assert total.nudges == total.followed_clean + total.followed_unclean + total.unfollowed == 4
    assert (total.sessions, total.turns, total.wrong) == (3, 5, 1)
