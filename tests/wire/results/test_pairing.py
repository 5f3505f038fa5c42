"""Family J, a history: faults of pairs, and the few that have one answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.history import History, read_history
from toolfix_audit.wire.results.pairing import Fault, Pair, Pairing, PairingDefect, pair

MISSING = PairingDefect.MISSING_RESULT
ORPHAN = PairingDefect.ORPHAN_RESULT
DUPLICATE = PairingDefect.DUPLICATE_RESULT
EARLY = PairingDefect.RESULT_BEFORE_CALL
APART = PairingDefect.RESULT_NOT_ADJACENT
NO_ID = PairingDefect.MISSING_ID
REUSED = PairingDefect.REUSED_ID

Body: TypeAlias = dict[str, Json]
Writer: TypeAlias = Callable[[str], Body]


def _ids(word: str) -> list[str | None]:
    return [None if one == "?" else one for one in word]


def chat(plan: str) -> Body:
    """Write a plan as messages: `Aab` the model calls a and b, `Ra` the result of a (`R?` one
    without id), `U` the user speaks, `T` the model speaks."""
    messages: list[Json] = []
    for word in plan.split():
        ids = _ids(word[1:])
        if word[0] == "A":
            calls: list[Json] = [{"id": one, "function": {"name": "t"}} for one in ids]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        elif word[0] == "R":
            messages += [{"role": "tool", "tool_call_id": one, "content": "r"} for one in ids]
        else:
            role = "user" if word == "U" else "assistant"
            messages.append({"role": role, "content": "words"})
    return {"messages": messages}


def anthropic(plan: str) -> Body:
    messages: list[Json] = []
    for word in plan.split():
        ids = _ids(word[1:])
        if word[0] == "A":
            blocks: list[Json] = [{"type": "tool_use", "id": one, "input": {}} for one in ids]
            messages.append({"role": "assistant", "content": blocks})
        elif word[0] == "R":
            blocks = [{"type": "tool_result", "tool_use_id": one} for one in ids]
            messages.append({"role": "user", "content": blocks})
        else:
            role = "user" if word == "U" else "assistant"
            messages.append({"role": role, "content": "words"})
    return {"messages": messages}


def converse(plan: str) -> Body:
    messages: list[Json] = []
    for word in plan.split():
        ids = _ids(word[1:])
        if word[0] == "A":
            blocks: list[Json] = [{"toolUse": {"toolUseId": one, "name": "t"}} for one in ids]
        elif word[0] == "R":
            blocks = [{"toolResult": {"toolUseId": one, "content": []}} for one in ids]
        else:
            blocks = [{"text": "words"}]
        messages.append({"role": "user", "content": blocks})
    return {"messages": messages}


def gemini(plan: str) -> Body:
    contents: list[Json] = []
    for word in plan.split():
        ids = _ids(word[1:])
        if word[0] == "A":
            parts: list[Json] = [{"functionCall": {"id": one, "args": {}}} for one in ids]
        elif word[0] == "R":
            parts = [{"functionResponse": {"id": one, "response": {}}} for one in ids]
        else:
            parts = [{"text": "words"}]
        contents.append({"role": "user", "parts": parts})
    return {"contents": contents}


def responses(plan: str) -> Body:
    items: list[Json] = []
    for word in plan.split():
        ids = _ids(word[1:])
        if word[0] == "A":
            items += [{"type": "function_call", "call_id": one, "name": "t"} for one in ids]
        elif word[0] == "R":
            items += [{"type": "function_call_output", "call_id": one} for one in ids]
        else:
            role = "user" if word == "U" else "assistant"
            items.append({"type": "message", "role": role, "content": "words"})
    return {"input": items}


WRITERS: list[Writer] = [chat, anthropic, converse, gemini, responses]
MESSAGES: list[Writer] = [chat, anthropic, converse, gemini]


def _pair(body: Body) -> Pairing:
    history = read_history(body)
    assert isinstance(history, History)
    return pair(history)


def _faults(plan: str, writer: Writer = anthropic) -> list[tuple[PairingDefect, str | None]]:
    return [(fault.defect, fault.call_id) for fault in _pair(writer(plan)).faults]


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    "plan",
    [
        "",
        "U",
        "U T U T",
        "U Aa Ra T",
        "U Aab Rab T",
        "U Aab Rba T",
        "Aabc Ra Rb Rc",
        "Aabc Rc Rab T",
        "Aa Ra Ab Rb Ac Rc",
        "U Aa",
        "U Aa Ra Abc",
        "Aa Ra U Ab Rb U",
    ],
)
def test_legal_histories_have_no_fault(writer: Writer, plan: str) -> None:
    pairing = _pair(writer(plan))
    assert (pairing.faults, pairing.order, pairing.filled) == ((), None, ())
    assert len(pairing.pairs) == sum(len(word) - 1 for word in plan.split() if word[0] == "R")


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    ("plan", "faults"),
    [
        ("U Aab U", [(MISSING, "a"), (MISSING, "b")]),
        ("Aab Ra T U", [(MISSING, "b")]),
        ("Aab Ra", [(MISSING, "b")]),
        ("Aa U Ab Rb", [(MISSING, "a")]),
        ("U Rx", [(ORPHAN, "x")]),
        ("Aa Ra Rx", [(ORPHAN, "x")]),
        ("Aa Ra Ra", [(DUPLICATE, "a")]),
        ("Aa Raa T", [(DUPLICATE, "a")]),
        ("Aa Ra T Ra", [(DUPLICATE, "a")]),
        ("Aa Ra Aa Ra", [(REUSED, "a")]),
        ("Aaa Raa", [(REUSED, "a")]),
        ("Aaa Ra U", [(MISSING, "a"), (REUSED, "a")]),
        ("Aab R?? T", [(NO_ID, None), (NO_ID, None)]),
    ],
)
def test_faults_without_an_answer_are_told_alone(
    writer: Writer, plan: str, faults: list[tuple[PairingDefect, str | None]]
) -> None:
    told = _pair(writer(plan))
    assert sorted(_faults(plan, writer)) == sorted(faults, key=lambda one: (one[0], one[1] or ""))
    assert (told.order, told.filled) == (None, ())


@pytest.mark.parametrize("writer", WRITERS)
def test_a_result_before_its_call_is_moved_behind_it(writer: Writer) -> None:
    pairing = _pair(writer("U Ra Aa T"))
    assert pairing.faults == (Fault(EARLY, 1, "a"),)
    assert pairing.pairs == (Pair(2, 1),)
    assert pairing.order == (0, 2, 1, 3)


@pytest.mark.parametrize("writer", MESSAGES)
@pytest.mark.parametrize(
    ("plan", "order"),
    [
        ("Aa U Ra", (0, 2, 1)),
        ("Aa T Ra U", (0, 2, 1, 3)),
        ("Aa U Ra Ab T Rb", (0, 2, 1, 3, 5, 4)),
        ("Aab Ra U Rb", (0, 1, 3, 2)),
        ("Aa Ab Ra Rb", (0, 2, 1, 3)),
    ],
)
def test_a_result_apart_from_its_call_is_moved_to_it(
    writer: Writer, plan: str, order: tuple[int, ...]
) -> None:
    pairing = _pair(writer(plan))
    assert {fault.defect for fault in pairing.faults} == {APART}
    assert pairing.order == order


def test_the_items_of_responses_need_not_be_adjacent() -> None:
    assert _faults("Aa U Ra", responses) == []
    assert _faults("Aab Ra U Rb", responses) == []


def test_a_message_that_says_more_is_not_moved() -> None:
    body = anthropic("Aa U Ra")
    messages = body["messages"]
    assert isinstance(messages, list)
    result: Json = {"type": "tool_result", "tool_use_id": "a"}
    messages[2] = {"role": "user", "content": [result, {"type": "text", "text": "and"}]}
    pairing = _pair(body)
    assert [fault.defect for fault in pairing.faults] == [APART]
    assert pairing.order is None


def test_results_of_two_turns_in_one_message_are_not_moved() -> None:
    pairing = _pair(anthropic("Aa T Ab Rab"))
    assert [fault.defect for fault in pairing.faults] == [APART]
    assert pairing.order is None


def test_an_order_leaves_other_faults_as_they_are() -> None:
    pairing = _pair(anthropic("Aa U Ra Rx"))
    assert [fault.defect for fault in pairing.faults] == [APART, ORPHAN]
    assert pairing.order == (0, 2, 1, 3)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    ("plan", "filled"),
    [
        ("Aa R?", "a"),
        ("Aab Ra R?", "b"),
        ("Aab R? Ra", "b"),
        ("Aa Ra Ab R? T", "b"),
    ],
)
def test_the_only_id_that_is_possible_is_filled(writer: Writer, plan: str, filled: str) -> None:
    pairing = _pair(writer(plan))
    assert [fault.defect for fault in pairing.faults] == [NO_ID]
    assert [one for _, one in pairing.filled] == [filled]


@pytest.mark.parametrize("writer", MESSAGES)
@pytest.mark.parametrize(
    "plan", ["Aab R?", "Aab R??", "Aa R??", "Aa Ra R?", "R? Aa", "U R?", "A? R?"]
)
def test_an_id_that_is_not_unique_is_not_filled(writer: Writer, plan: str) -> None:
    pairing = _pair(writer(plan))
    assert NO_ID in {fault.defect for fault in pairing.faults}
    assert pairing.filled == ()


def test_an_id_that_is_used_again_pairs_with_the_outstanding_call() -> None:
    pairing = _pair(chat("Aa Ra T Aa Ra T Aa Ra"))
    assert pairing.pairs == (Pair(0, 1), Pair(3, 4), Pair(6, 7))
    assert {fault.defect for fault in pairing.faults} == {REUSED}


def test_gemini_without_ids_pairs_by_name() -> None:
    call: Json = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
    answer: Json = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}
    other: Json = {"role": "user", "parts": [{"functionResponse": {"name": "g", "response": {}}}]}
    assert _pair({"contents": [call, answer]}).faults == ()
    assert [one.defect for one in _pair({"contents": [call, other]}).faults] == [MISSING, ORPHAN]


def test_a_tool_of_the_provider_is_answered_in_the_same_message() -> None:
    call: Json = {"toolUse": {"toolUseId": "a", "name": "t", "type": "server_tool_use"}}
    answer: Json = {"toolResult": {"toolUseId": "a", "content": []}}
    message: Json = {"role": "assistant", "content": [call, answer, {"text": "words"}]}
    user: Json = {"role": "user", "content": [{"text": "more"}]}
    assert _pair({"messages": [message, user]}).faults == ()


@pytest.mark.parametrize("body", [{}, {"messages": "text"}, {"input": "text"}, {"model": "m"}])
def test_a_body_without_history_has_none(body: Body) -> None:
    assert read_history(body) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "id", "tool_calls", "toolUse", "parts"]),
            inner,
            max_size=3,
        )
    ),
)


@given(st.lists(JSON, max_size=5), st.sampled_from(["messages", "input", "contents"]))
def test_no_history_raises(members: list[Json], key: str) -> None:
    _pair({key: members})


WORDS = st.sampled_from(["U", "T", "Aa", "Aab", "Ab", "Ra", "Rb", "Rab", "Rba", "R?", "Rc", "Aaa"])


@given(st.lists(WORDS, max_size=9).map(" ".join), st.sampled_from(WRITERS))
def test_a_proposed_order_mends_the_order_and_loses_nothing(plan: str, writer: Writer) -> None:
    body = writer(plan)
    pairing = _pair(body)
    if pairing.order is None:
        return
    (key, members), *_ = body.items()
    assert isinstance(members, list)
    assert sorted(pairing.order) == list(range(len(members)))
    again = _pair({key: [members[index] for index in pairing.order]})
    assert not {fault.defect for fault in again.faults} & {EARLY, APART}
    before = [one.defect for one in pairing.faults if one.defect not in (EARLY, APART)]
    assert sorted(before) == sorted(one.defect for one in again.faults)
