"""Right fixes, which must never be convicted: known answers, and what the real engine does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolfix_audit.audit.misfix import Change, Probe, check
from toolfix_audit.engine import repair
from toolfix_audit.engine.answers import given_arguments
from toolfix_audit.model.json import Json, dump_json, parse_json, same_json
from toolfix_audit.model.repair import Repair, Step
from toolfix_audit.model.words import MisfixKind, Outcome

from .bench import Engine, checked, closed, context_of, convicted, kind, opened

TEXT = kind("string")
INT = kind("integer")


def _cases(path: Path) -> Iterator[dict[str, Json]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            case = parse_json(line)
            assert isinstance(case, dict)
            yield case


def _expected(case: dict[str, Json]) -> tuple[str, Json]:
    expected = case["expected"]
    assert isinstance(expected, dict)
    return str(expected["outcome"]), expected.get("value")


def _oracle(case: dict[str, Json]) -> Engine:
    """Gives the expected value for exactly this call, and leaves everything else."""
    sent, schema = given_arguments(case), case["schema"]
    outcome, value = _expected(case)
    done = Outcome.FIXED if outcome == "unsafe_fix_only" else Outcome(outcome)

    def engine(arguments: Json, given_schema: Json) -> Repair:
        if same_json(arguments, sent) and same_json(given_schema, schema):
            step = Step("X", "x", "", sent, value)
            return Repair(done, None, value, (step,), (), ())
        return Repair(Outcome.UNTOUCHED, None, arguments, (), (), ())

    return engine


def _probes(case: dict[str, Json], engine: Engine, *, with_steps: bool) -> tuple[Probe, ...]:
    sent, tool = given_arguments(case), case.get("tool")
    done = engine(sent, case["schema"])
    called = str(tool["called"]) if isinstance(tool, dict) else None
    meant = str(tool["expected"]) if isinstance(tool, dict) else None
    steps = done.steps if with_steps else ()
    change = Change(called, meant, sent, done.arguments, done.outcome, steps, 1, 0)
    return check(change, context_of(engine, case["schema"]))


def test_no_expected_value_is_convicted(shared: Path) -> None:
    seen = 0
    for case in _cases(shared / "cases" / "args.jsonl"):
        if _expected(case)[0] in {"fixed", "still_failing", "swallowed"}:
            for with_steps in (True, False):
                probes = _probes(case, _oracle(case), with_steps=with_steps)
                faults = [probe for probe in probes if probe.convicted]
                assert not faults, (case["id"], faults)
            seen += 1
    assert seen > 40


def test_every_guess_is_convicted(shared: Path) -> None:
    """Values that only a guess reaches."""
    seen = 0
    for case in _cases(shared / "cases" / "args.jsonl"):
        if _expected(case)[0] == "unsafe_fix_only":
            assert convicted(_probes(case, _oracle(case), with_steps=False)), case["id"]
            seen += 1
    assert seen > 8


def test_nothing_that_the_engine_does_to_the_cases_is_convicted(shared: Path) -> None:
    seen = 0
    for case in _cases(shared / "cases" / "args.jsonl"):
        if repair(given_arguments(case), case["schema"]).changed:
            faults = [probe for probe in _probes(case, repair, with_steps=True) if probe.convicted]
            assert not faults, (case["id"], faults)
            seen += 1
    assert seen > 10


EDIT = closed(["path", "new_text"], path=TEXT, new_text=TEXT, all=kind("boolean"))
ROWS = closed(["rows"], rows=kind("array", items=closed(["n"], n=INT)))
AT = closed(["at"], at=closed(["n"], n=INT))
LIST = closed(["at"], at=closed(["tags"], tags=kind("array", items=TEXT)))
NOTES = opened(["notes"], notes={"anyOf": [kind("array", items=TEXT), kind("null")]})
TREE: Json = {
    "$ref": "#/$defs/Node",
    "$defs": {"Node": closed(["cmd"], cmd=TEXT, next={"$ref": "#/$defs/Node"})},
}


@pytest.mark.parametrize(
    ("schema", "arguments", "result"),
    [
        (EDIT, {"args": {"path": "a", "newString": ""}}, {"path": "a", "new_text": ""}),
        (
            EDIT,
            {"arguments": {"filePath": "a", "new_text": "b"}, "all": "True"},
            {"path": "a", "new_text": "b", "all": True},
        ),
        (
            EDIT,
            {"arguments": {"args": {"path": "a"}, "new_text": "b"}, "all": True},
            {"path": "a", "new_text": "b", "all": True},
        ),
        (EDIT, {"arguments": '{"path": "a", "new_text": "b"}'}, {"path": "a", "new_text": "b"}),
        (
            EDIT,
            {"type": "valid", "value": {"path": "a", "new_text": "b"}, "note": None},
            {"path": "a", "new_text": "b"},
        ),
        (ROWS, {"rows": '{"n": "5"}'}, {"rows": [{"n": 5}]}),
        (ROWS, {"rows": "[\"{'n': 5}\"]"}, {"rows": [{"n": 5}]}),
        (ROWS, {"rows[0].n": 1, "rows[1].n": "2"}, {"rows": [{"n": 1}, {"n": 2}]}),
        (ROWS, {"rows": [{"arguments": {"n": 1}}]}, {"rows": [{"n": 1}]}),
        (AT, {"at.type": "valid", "at.value": {"n": 1}}, {"at": {"n": 1}}),
        (AT, {"at.type": "object", "at.value.n": 1}, {"at": {"n": 1}}),
        (AT, {"at.arguments.n": "1"}, {"at": {"n": 1}}),
        (AT, {"args": {"at.input": '{"n": 1}'}}, {"at": {"n": 1}}),
        (LIST, {"at.tags": "a"}, {"at": {"tags": ["a"]}}),
        (LIST, {"at.tags": '["a b"]', "at.x": None}, {"at": {"tags": ["a b"]}}),
        (ROWS, {"rows[0].type": "valid", "rows[0].value": {"n": 1}}, {"rows": [{"n": 1}]}),
        (NOTES, {"notes": "one"}, {"notes": ["one"]}),
        (NOTES, {"notes": '"[\\"a\\", \\"5\\"]"'}, {"notes": ["a", "5"]}),
        (TREE, {"command": "a", "next": '{"cmd": "b"}'}, {"cmd": "a", "next": {"cmd": "b"}}),
        (TREE, {"cmd": "a", "next": {"Cmd": "b"}}, {"cmd": "a", "next": {"cmd": "b"}}),
        (
            opened(["a"], a=TEXT),
            {"args": {"arguments": {"a": "x", "args": 1}}},
            {"a": "x", "args": 1},
        ),
        (closed(None, n={"type": ["integer", "null"]}), {"n": "null"}, {"n": None}),
        (closed(None, e={"enum": ["1", "2"]}), {"e": 1}, {"e": "1"}),
        (closed(None, e={"enum": ["edit", "Run"]}), {"e": '"edit"'}, {"e": "edit"}),
        (closed(None, e={"enum": ["edit", "Run"]}), {"e": "RUN"}, {"e": "Run"}),
        (closed(None, x={"type": "number"}), {"x": "0.10"}, {"x": 0.1}),
        (closed(None, x=INT), {"x": "140.0"}, {"x": 140}),
        (closed(None, x=INT), None, {}),
        (closed(None, x=INT), "", {}),
        (closed(None, x=INT), " \n", {}),
        (closed(None, x=INT), "null", {}),
        (closed(None, x=INT), {"x": None}, {}),
        (closed(["x"], x=INT), '{"x": 1}{"x": 1}', {"x": 1}),
        (closed(["x"], x=INT), '```json\n{"x": 1,}\n```', {"x": 1}),
        (closed(["x"], x=INT), '{\\n "x": 1\\n}', {"x": 1}),
        (closed(["x"], x=INT), dump_json('{"x": 1}'), {"x": 1}),
        (closed(["t"], t=TEXT), '{"t": "a\nb"}', {"t": "a\nb"}),
        (closed(["t"], t=TEXT), "{'t': 'it\\'s'}", {"t": "it's"}),
    ],
)
def test_a_right_fix_stands(schema: Json, arguments: Json, result: Json) -> None:
    def engine(given_arguments: Json, given_schema: Json) -> Repair:
        if given_schema == schema and same_json(given_arguments, arguments):
            return Repair(Outcome.FIXED, None, result, (), (), ())
        return Repair(Outcome.UNTOUCHED, None, given_arguments, (), (), ())

    faults = [probe for probe in checked(engine, arguments, schema) if probe.convicted]
    assert not faults


def test_a_root_wrapper_may_uncover_as_many_violations() -> None:
    schema = opened(["n"], n=INT)
    change = Change(
        None, None, {"arguments": {"n": "x"}}, {"n": "x"}, Outcome.STILL_FAILING, (), 1, 1
    )
    assert not convicted(check(change, context_of(repair, schema)))
    worse = Change(None, None, {"args": {"n": "x"}}, {"n": "x"}, Outcome.STILL_FAILING, (), 1, 1)
    found = convicted(check(worse, context_of(repair, schema)))
    assert MisfixKind.NOT_BETTER in found


_TEXTS = st.sampled_from(["x", "two words", "5", "true", "null", "[1]", '{"a":1}', "a, b", ""])
_CALLS: st.SearchStrategy[dict[str, Json]] = st.fixed_dictionaries(
    {"path": _TEXTS, "old_text": _TEXTS, "count": st.integers(-5, 2**60)},
    optional={
        "rows": st.lists(st.fixed_dictionaries({"n": st.integers(0, 9)}), max_size=3),
        "all": st.booleans(),
        "tags": st.lists(_TEXTS, max_size=3),
    },
)
_CALL_SCHEMA = closed(
    ["path", "old_text", "count"],
    path=TEXT,
    old_text=TEXT,
    count=INT,
    rows=kind("array", items=closed(["n"], n=INT)),
    all=kind("boolean"),
    tags=kind("array", items=TEXT),
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_what_the_engine_makes_of_a_damaged_call_is_never_convicted(data: st.DataObject) -> None:
    call = dict(data.draw(_CALLS))
    for key in data.draw(st.sets(st.sampled_from(sorted(call)))):
        member = call[key]
        call[key] = member if isinstance(member, str) else dump_json(member)
    if data.draw(st.booleans()):
        call["oldString"] = call.pop("old_text")
    if data.draw(st.booleans()):
        call["extra"] = None
    wrapper = data.draw(st.sampled_from([None, "arguments", "args", "_"]))
    sent: Json = call if wrapper is None else {wrapper: call}
    if data.draw(st.booleans()):
        sent = dump_json(sent) + data.draw(st.sampled_from(["", " thanks", "}"]))
    done = repair(sent, _CALL_SCHEMA)
    if done.changed:
        faults = [probe for probe in checked(repair, sent, _CALL_SCHEMA) if probe.convicted]
        assert not faults
