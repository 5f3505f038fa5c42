"""Steps that are derived from the difference lead to the result, with the letters that fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolfix_audit.audit.foreign.steps import LETTERS, derived_steps, told_steps
from toolfix_audit.audit.misfix.steps import resolve
from toolfix_audit.audit.spec import NO_FAMILY
from toolfix_audit.engine import FAMILIES, repair
from toolfix_audit.engine.proposal import Case
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json, same_json
from toolfix_audit.model.pointer import with_value
from toolfix_audit.model.repair import Step

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "limit": {"type": "integer"},
        "mode": {"enum": ["fast", "slow"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object", "properties": {"deep": {"type": "boolean"}}},
    },
}


def steps_of(given: Json, result: Json, schema: Json = SCHEMA) -> tuple[Step, ...]:
    start = given
    if isinstance(given, str):
        try:
            start = parse_json(given)
        except JsonError:
            start = given
    return derived_steps(given, start, result, schema)


def letters(steps: tuple[Step, ...]) -> str:
    return "".join(step.family for step in steps)


@pytest.mark.parametrize(
    ("given", "result", "want"),
    [
        ({"arguments": {"arguments": {"path": "a"}}}, {"path": "a"}, "AA"),
        ({"args": {"path": "a"}}, {"path": "a"}, "B"),
        ({"type": "valid", "value": {"path": "a"}}, {"path": "a"}, "B"),
        ({"limit": 1, "arguments": {"path": "a"}}, {"limit": 1, "path": "a"}, "C"),
        ({"file_path": "a"}, {"path": "a"}, "D"),
        ({"tags": '["a"]'}, {"tags": ["a"]}, "E"),
        ({"limit": "5"}, {"limit": 5}, "F"),
        ({"path": "a", "limit": None}, {"path": "a"}, "M"),
        ({"tags": "a"}, {"tags": ["a"]}, "N"),
        ({"mode": "FAST"}, {"mode": "fast"}, "O"),
        ({"options.deep": True}, {"options": {"deep": True}}, "P"),
        ('{"path": "a",}', {"path": "a"}, "L"),
        ('"{\\"path\\": \\"a\\"}"', {"path": "a"}, "L"),
        ("", {}, "M"),
        ({"arguments": {"file_path": "a", "limit": "5"}}, {"path": "a", "limit": 5}, "ADF"),
        ({"limit": "many"}, {"limit": 0}, NO_FAMILY),
        ({"path": "a"}, {"path": "a", "limit": 7}, NO_FAMILY),
        ({"path": "a", "why": "x"}, {"path": "a"}, NO_FAMILY),
        ({"limit": 2.5}, {"limit": 2}, NO_FAMILY),
        ('{"path": "a', {"path": "a"}, NO_FAMILY),
        ("ls -l", {"path": "ls"}, NO_FAMILY),
        ([1], {"path": "1"}, NO_FAMILY),
    ],
)
def test_the_letter_is_guessed_from_the_shape(given: Json, result: Json, want: str) -> None:
    assert letters(steps_of(given, result)) == want


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{family.code} {case.title}")
        for family in FAMILIES
        for case in family.cases
        if not case.stays and not case.available
    ],
)
def test_our_own_repairs_are_recognised(case: Case) -> None:
    done = repair(case.before, case.schema)
    if not done.changed:
        return  # the opt-in tier
    told = {step.family for step in done.steps}
    derived = steps_of(case.before, done.arguments, case.schema)
    assert {step.family for step in derived} <= told | {"A", "B", "E", "F", "N"}
    assert NO_FAMILY not in letters(derived)


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["arguments", "args", "path", "limit", "options.deep", "x"]), inner
        )
    ),
    max_leaves=8,
)


@given(JSONS, JSONS)
def test_the_steps_lead_to_the_result(before: Json, after: Json) -> None:
    if isinstance(before, str):
        before = {"path": before}
    assert same_json(replayed(before, steps_of(before, after)), after)


@given(st.text(max_size=20), JSONS)
def test_the_steps_of_a_text_lead_to_the_result(text: str, after: Json) -> None:
    try:
        start = parse_json(text)
    except JsonError:
        start = text
    assert same_json(replayed(start, derived_steps(text, start, after, SCHEMA)), after)


def replayed(value: Json, steps: tuple[Step, ...]) -> Json:
    for step in steps:
        path = resolve(step.pointer, value)
        assert path is not None
        value = with_value(value, path, step.after)
    return value


def told(step: Step) -> Json:
    return {
        "family": step.family,
        "action": step.action,
        "pointer": step.pointer,
        "before": step.before,
        "after": step.after,
    }


def test_told_steps_that_lead_there_are_taken() -> None:
    sent: Json = {"arguments": {"limit": "5"}}
    schema: Json = {"properties": {"limit": {"type": "integer"}}, "required": ["limit"]}
    done = repair(sent, schema)
    assert told_steps([told(step) for step in done.steps], sent, done.arguments) == done.steps


@pytest.mark.parametrize(
    "lie",
    [
        None,
        [],
        "A",
        [None],
        [{"family": "A"}],
        [{"family": 1, "action": "x", "pointer": "", "before": 1, "after": {}}],
        [{"family": "A", "action": "x", "pointer": "/nowhere", "before": 1, "after": {}}],
        [{"family": "A", "action": "x", "pointer": "", "before": 1, "after": {"path": "b"}}],
        [{"family": "A", "action": "x" * 2001, "pointer": "", "before": 1, "after": {"path": "a"}}],
    ],
)
def test_told_steps_that_lead_elsewhere_are_not(lie: Json) -> None:
    assert told_steps(lie, {"arguments": {"path": "a"}}, {"path": "a"}) is None


def test_thousands_of_changes_are_told_as_one() -> None:
    sent: Json = {f"k{number}": str(number) for number in range(3000)}
    result: Json = {f"k{number}": number for number in range(3000)}
    steps = steps_of(sent, result)
    assert len(steps) <= 201
    assert dump_json(steps[-1].after) == dump_json(result)


def test_a_told_letter_of_no_family_is_none_of_ours() -> None:
    assert {family.code[0] for family in FAMILIES} == LETTERS
    for letter in ("Z", "B+", "family of mine", ""):
        told: Json = [
            {"family": letter, "action": "x", "pointer": "", "before": 1, "after": {"path": "a"}}
        ]
        steps = told_steps(told, {"arguments": {"path": "a"}}, {"path": "a"})
        assert steps is not None
        assert steps[0].family == NO_FAMILY
