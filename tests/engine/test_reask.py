"""The re-ask policy: what it would answer, what it would miss, and where it would be wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.engine.reask import Miss, Missed, Nudge, Policy, Totals, Turn, simulate

LEAK = '<tool_call>{"name":"read"}</tool_call>'
_KEYS = count()


def _turn(
    text: str = LEAK, *, finish: str | None = "stop", has_calls: bool = False, is_leak: bool = True
) -> Turn:
    return Turn(str(next(_KEYS)), text, finish, has_calls, is_leak)


def _clean(text: str = "Done.") -> Turn:
    return _turn(text, is_leak=False)


def test_a_leak_is_answered() -> None:
    turn = _turn()
    outcome = simulate([turn])
    assert outcome.nudges == (Nudge(turn.key, 1, False, None),)
    assert (outcome.missed, outcome.given_up, outcome.hit_limit) == ((), (), False)


@pytest.mark.parametrize(
    "text",
    [
        LEAK,
        "<tool_call> and prose",
        "prose </tool_call>",
        f"\n {LEAK} \n",
        "<tool_call>",
        "</tool_call>",
        "<tool_call>" + "x" * 1_189,
    ],
)
def test_texts_that_are_taken_for_a_leak(text: str) -> None:
    assert len(simulate([_turn(text)]).nudges) == 1


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (_turn(finish="length"), Miss.FINISH_REASON),
        (_turn(finish="tool_calls"), Miss.FINISH_REASON),
        (_turn(finish="error"), Miss.FINISH_REASON),
        (_turn(finish=None), Miss.FINISH_REASON),
        (_turn(has_calls=True), Miss.HAS_CALLS),
        (_turn("<tool_call>" + "x" * 1_190), Miss.TOO_LONG),
        (_turn(f"{LEAK}\n```\nx\n```"), Miss.CODE_BLOCK),
        (_turn(f"~~~\n{LEAK}\n~~~\n</tool_call>"), Miss.CODE_BLOCK),
        (_turn("prose <tool_call> prose"), Miss.SHAPE),
        (_turn('<invoke name="read"></invoke>'), Miss.SHAPE),
        (_turn("<function=read></function>"), Miss.SHAPE),
        (_turn("<TOOL_CALL>"), Miss.SHAPE),
        (_turn("<tool_calls>"), Miss.SHAPE),
        (_turn(""), Miss.SHAPE),
    ],
)
def test_leaks_that_the_policy_misses(turn: Turn, why: Miss) -> None:
    outcome = simulate([turn])
    assert outcome.nudges == ()
    assert outcome.missed == (Missed(turn.key, why),)
    harmless = simulate([replace(turn, is_leak=False)])
    assert (harmless.nudges, harmless.missed) == ((), ())


def test_a_turn_without_a_leak_is_answered_wrongly() -> None:
    outcome = simulate([_clean("<tool_call> is the tag that you asked about.")])
    assert [nudge.is_wrong for nudge in outcome.nudges] == [True]
    assert outcome.wrong == outcome.nudges


def test_three_in_a_row_and_no_more() -> None:
    turns = [_turn() for _ in range(5)]
    outcome = simulate(turns)
    assert [nudge.in_a_row for nudge in outcome.nudges] == [1, 2, 3]
    assert outcome.given_up == (turns[3].key, turns[4].key)
    assert outcome.missed == (Missed(turns[3].key, Miss.LIMIT), Missed(turns[4].key, Miss.LIMIT))
    assert outcome.hit_limit


def test_a_clean_turn_begins_a_new_count() -> None:
    turns = [_turn(), _turn(), _turn(), _clean(), _turn(), _turn()]
    outcome = simulate(turns)
    assert [nudge.in_a_row for nudge in outcome.nudges] == [1, 2, 3, 1, 2]
    assert not outcome.hit_limit


def test_a_real_call_begins_a_new_count() -> None:
    call = _turn("", finish="tool_calls", has_calls=True, is_leak=False)
    outcome = simulate([*(_turn() for _ in range(4)), call, _turn()])
    assert [nudge.in_a_row for nudge in outcome.nudges] == [1, 2, 3, 1]


def test_many_leaks_in_a_long_session_have_no_limit_together() -> None:
    turns = [turn for _ in range(20) for turn in (_turn(), _clean())]
    assert len(simulate(turns).nudges) == 20


def test_the_turn_after_is_told() -> None:
    hidden = _turn('<invoke name="read"></invoke>')
    turns = [_turn(), _clean(), _turn(), hidden, _turn(), _turn()]
    after = [nudge.next_is_clean for nudge in simulate(turns).nudges]
    assert after == [True, False, False, None]


def test_a_leak_is_answered_once_however_often_it_is_recorded() -> None:
    first, second = _turn(), _turn()
    outcome = simulate([first, second, first, second, first])
    assert [nudge.key for nudge in outcome.nudges] == [first.key, second.key]
    assert outcome.turns == 2


def test_everything_can_be_set() -> None:
    policy = Policy(
        finish_reasons=frozenset({"end_turn"}),
        max_characters=5_000,
        openers=("<invoke",),
        closers=("</invoke>",),
        may_hold_code=True,
        max_in_a_row=1,
    )
    text = f'<invoke name="read">{"x" * 2_000}\n```'
    turns = [_turn(text, finish="end_turn"), _turn(text, finish="end_turn"), _turn()]
    outcome = simulate(turns, policy)
    assert [nudge.key for nudge in outcome.nudges] == [turns[0].key]
    assert [one.why for one in outcome.missed] == [Miss.LIMIT, Miss.FINISH_REASON]
    assert simulate([_turn()], replace(policy, max_in_a_row=0)).nudges == ()


def test_no_turns() -> None:
    assert simulate([]) == simulate(iter(()))
    assert Totals.of(simulate([])) == Totals(sessions=1)


def test_totals_of_a_session() -> None:
    turns = [_turn(), _clean(), *(_turn() for _ in range(4)), _clean("</tool_call>"), _clean()]
    assert Totals.of(simulate(turns)) == Totals(
        sessions=1, turns=8, nudges=4, wrong=0, missed=1, limited_sessions=1, followed_clean=1,
        followed_unclean=3, unfollowed=0,
    )  # fmt: skip


TURNS = st.lists(
    st.builds(
        Turn,
        st.integers(0, 30).map(str),
        st.sampled_from([LEAK, "", "prose", "<tool_call>", "```</tool_call>", "x" * 2_000]),
        st.sampled_from(["stop", "length", None]),
        st.booleans(),
        st.booleans(),
    ),
    max_size=12,
)


@settings(max_examples=200, deadline=None)
@given(TURNS)
def test_every_leak_is_answered_or_missed(turns: list[Turn]) -> None:
    outcome = simulate(turns)
    leaks: dict[str, bool] = {}
    for turn in turns:
        leaks.setdefault(turn.key, turn.is_leak)
    told = [nudge.key for nudge in outcome.nudges if not nudge.is_wrong]
    told.extend(one.key for one in outcome.missed)
    assert sorted(told) == sorted(key for key, is_leak in leaks.items() if is_leak)
    assert all(1 <= nudge.in_a_row <= 3 for nudge in outcome.nudges)


@settings(max_examples=100, deadline=None)
@given(st.lists(TURNS, max_size=4))
def test_totals_add_up_in_any_order(sessions: list[list[Turn]]) -> None:
    each = [Totals.of(simulate(turns)) for turns in sessions]
    assert sum(each, Totals()) == sum(reversed(each), Totals())
    whole = sum(each, Totals())
    assert whole.nudges == whole.followed_clean + whole.followed_unclean + whole.unfollowed
