"""A foreign engine's answers as repairs: our judge decides what they are worth."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolfix_audit.audit.foreign import ForeignEngine, Process
from toolfix_audit.engine import compile_schema, repair
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import Outcome, UnjudgedReason, UntouchedReason

from .scripted import always

Fake = Callable[..., Process]
READ: Json = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path"],
}
LIST: Json = {"type": "object", "properties": {"path": {"type": "string"}}}


def engine(answer: dict[str, Json]) -> ForeignEngine:
    return ForeignEngine(always(answer), compile_schema)


@pytest.mark.parametrize(
    ("sent", "answer", "outcome"),
    [
        ({"path": "a"}, {"path": "a"}, Outcome.VALID),
        ({"path": "a", "limit": 1.0}, {"path": "a", "limit": 1}, Outcome.VALID),
        ({"path": "a"}, {"path": "b"}, Outcome.FIXED),
        ({"path": "a", "limit": "5"}, {"path": "a", "limit": 5}, Outcome.FIXED),
        ({"path": 1, "limit": "5"}, {"path": 1, "limit": 5}, Outcome.STILL_FAILING),
        ({"path": "a"}, {}, Outcome.STILL_FAILING),
        ({"limit": "5"}, {"limit": "5"}, Outcome.UNTOUCHED),
        ('{"path": "a"}', {"path": "a"}, Outcome.VALID),
        ('{"path": "a",}', {"path": "a"}, Outcome.FIXED),
        ('{"path": "a"', {"path": "a"}, Outcome.FIXED),
        ('{"path": "a"', '{"path": "a"', Outcome.UNTOUCHED),
        ('{"path": "a"', None, Outcome.STILL_FAILING),
        ({"path": "a"}, "text", Outcome.STILL_FAILING),
        ({"path": "a"}, [], Outcome.STILL_FAILING),
    ],
)
def test_outcomes(sent: Json, answer: Json, outcome: Outcome) -> None:
    done = engine({"arguments": answer}).repair(sent, READ)
    assert done.outcome is outcome
    assert bool(done.steps) == done.changed
    if not done.changed:
        assert done.arguments is sent


def test_swallowed_needs_the_proof() -> None:
    sent: Json = {"arguments": {"path": "a"}}
    assert engine({"arguments": {"path": "a"}}).repair(sent, LIST).outcome is Outcome.SWALLOWED
    assert engine({"arguments": {"path": "b"}}).repair(sent, LIST).outcome is Outcome.FIXED
    assert engine({"arguments": {}}).repair(sent, LIST).outcome is Outcome.FIXED
    assert engine({"arguments": {"path": "a"}}).repair({"path": "b"}, LIST).outcome is Outcome.FIXED


def test_an_answer_without_arguments_leaves_the_call() -> None:
    left = engine({"refused": "can't"})
    assert left.repair({"path": "a"}, READ).outcome is Outcome.VALID
    done = left.repair({"limit": 1}, READ)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.OMITTED_REQUIRED)


@pytest.mark.parametrize(
    ("reason", "want"),
    [
        ("ambiguous", UntouchedReason.AMBIGUOUS),
        ("whatever", UntouchedReason.OMITTED_REQUIRED),
        (None, UntouchedReason.OMITTED_REQUIRED),
        ([], UntouchedReason.OMITTED_REQUIRED),
    ],
)
def test_the_reason_is_the_engines_or_ours(reason: Json, want: UntouchedReason) -> None:
    sent: Json = {"limit": 1}
    assert engine({"arguments": sent, "reason": reason}).repair(sent, READ).reason is want


def test_no_answer_leaves_the_call(fake: Fake) -> None:
    hung = ForeignEngine(fake("hang", seconds=0.5), compile_schema)
    done = hung.repair({"limit": "trigger"}, READ)
    assert (done.outcome, done.reason) == (Outcome.UNTOUCHED, UntouchedReason.LIMIT)
    assert hung.repair({"path": "trigger"}, READ).outcome is Outcome.VALID
    assert hung.process.failures == {"timeout": 2}


def test_a_schema_that_can_not_be_judged_is_not_asked_about() -> None:
    scripted = always({"arguments": {}})
    done = ForeignEngine(scripted, compile_schema).repair({}, {"$ref": "https://x.test/s.json"})
    assert (done.outcome, done.reason) == (Outcome.UNJUDGED, UnjudgedReason.REMOTE_REF)
    assert scripted.seen == []


def test_text_is_sent_as_text_and_a_value_as_a_value() -> None:
    scripted = always({"refused": "no"})
    foreign = ForeignEngine(scripted, compile_schema)
    foreign.repair('{"path": "a"}', READ)
    foreign.repair({"path": "a"}, READ, tool="read")
    assert scripted.seen == [
        {"schema": READ, "args_text": '{"path": "a"}'},
        {"schema": READ, "args": {"path": "a"}, "tool": "read"},
    ]


@pytest.mark.parametrize(
    ("told", "want"), [("read", "read"), ("nope", None), (None, None), (["read"], None)]
)
def test_a_name_is_one_of_the_tools_or_none(told: Json, want: str | None) -> None:
    tools: dict[str, Json] = {"read": READ, "list": LIST}
    assert engine({"tool": told}).meant("Read", {}, tools) == want


def test_what_our_engine_would_do_with_the_same_text() -> None:
    sent = '{"path": "a", "limit": "5"}'
    ours = repair(sent, READ)
    done = engine({"arguments": ours.arguments}).repair(sent, READ)
    assert (done.outcome, done.steps) == (ours.outcome, ours.steps)
    assert done.violations_before == ours.violations_before
    assert done.violations_after == ours.violations_after
