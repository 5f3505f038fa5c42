"""How answers count in the comparison with peers: hand-made answers, no network, no installs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.adapters import toolfix_adapter
from bench.adapters.baml_schema import BamlSource
from bench.comparison.case_files import Asked, read_cases
from bench.comparison.engines import ENGINES, OURS, Home
from bench.comparison.page import Measured, Missing, Run, page
from bench.comparison.scoring import (
    Answer,
    Case,
    Mark,
    Need,
    Numbers,
    fold_numbers,
    mark_of,
    median_rate,
    score,
    timed_by_all,
)
from toolfix_audit.model.json import Json, dump_json, parse_json

ADAPTERS = Path(toolfix_adapter.__file__).parent


def a_case(need: Need, sent: Json, expected: Json = None, *, is_legal: bool = False) -> Case:
    return Case("c", "F", need, sent, is_legal, expected)


def came(value: Json, *, tool: str | None = None) -> Answer:
    return Answer(value, has_value=True, tool=tool, nanoseconds=1000.0)


REFUSED = Answer(is_refusal=True, nanoseconds=1000.0)
FIX = a_case(Need.FIX, {"n": "5"}, {"n": 5})
STAY = a_case(Need.STAY, {"n": "007"})
LEGAL = a_case(Need.STAY, {"s": "[1]"}, is_legal=True)
GUESS = a_case(Need.GUESS, {"tags": "a, b"}, {"tags": ["a", "b"]})


@pytest.mark.parametrize(
    ("case", "answer", "mark"),
    [
        (FIX, came({"n": 5}), Mark.RIGHT),
        (FIX, came({"n": "5"}), Mark.LEFT),
        (FIX, REFUSED, Mark.LEFT),
        (FIX, came({"n": 5.0}), Mark.MISFIXED),
        (FIX, came({"n": 5, "m": None}), Mark.MISFIXED),
        (FIX, came({}), Mark.MISFIXED),
        (FIX, came(None), Mark.MISFIXED),
        (FIX, Answer(detail="broke"), Mark.NONE),
        (STAY, came({"n": "007"}), Mark.RIGHT),
        (STAY, REFUSED, Mark.RIGHT),
        (STAY, came({"n": 7}), Mark.MISFIXED),
        (STAY, came({}), Mark.MISFIXED),
        (LEGAL, came({"s": "[1]"}), Mark.RIGHT),
        (LEGAL, came({"s": [1]}), Mark.MISFIXED),
        (LEGAL, REFUSED, Mark.NONE),
        (GUESS, came({"tags": "a, b"}), Mark.RIGHT),
        (GUESS, REFUSED, Mark.RIGHT),
        (GUESS, came({"tags": ["a", "b"]}), Mark.GUESSED),
        (GUESS, came({"tags": ["a, b"]}), Mark.MISFIXED),
    ],
)
def test_mark(case: Case, answer: Answer, mark: Mark) -> None:
    assert mark_of(case, answer, Numbers.PYTHON, takes_names=False) is mark


@pytest.mark.parametrize(
    ("value", "mark"),
    [(True, Mark.MISFIXED), (1, Mark.RIGHT), (1.0, Mark.MISFIXED), ("1", Mark.LEFT)],
)
def test_types_count(value: Json, mark: Mark) -> None:
    case = a_case(Need.FIX, {"n": "1"}, {"n": 1})
    assert mark_of(case, came({"n": value}), Numbers.PYTHON, takes_names=False) is mark


def test_key_order_does_not_count() -> None:
    case = a_case(Need.STAY, {"a": 1, "b": 2})
    assert mark_of(case, came({"b": 2, "a": 1}), Numbers.EXACT, takes_names=False) is Mark.RIGHT


@pytest.mark.parametrize(
    ("sent", "answer", "numbers", "is_same"),
    [
        ("120000.0", "120000", Numbers.DOUBLE, True),
        ("120000.0", "120000", Numbers.PYTHON, False),
        ("0.10", "0.1", Numbers.PYTHON, True),
        ("0.10", "0.1", Numbers.EXACT, False),
        ("9007199254740993", "9007199254740992", Numbers.DOUBLE, True),
        ("9007199254740993", "9007199254740992", Numbers.PYTHON, False),
        ("true", "1", Numbers.DOUBLE, False),
        ('"1"', "1", Numbers.DOUBLE, False),
        ("1" + "0" * 400, "1", Numbers.DOUBLE, False),
    ],
)
def test_numbers_as_the_engine_reads_them(
    sent: str, answer: str, numbers: Numbers, is_same: bool
) -> None:
    case = a_case(Need.STAY, {"n": parse_json(sent)})
    mark = mark_of(case, came({"n": parse_json(answer)}), numbers, takes_names=False)
    assert mark is (Mark.RIGHT if is_same else Mark.MISFIXED)


def test_folding_keeps_its_input_and_takes_any_depth() -> None:
    value = parse_json('{"a":' * 3000 + "[1]" + "}" * 3000)
    before = dump_json(value)
    assert dump_json(fold_numbers(value, Numbers.DOUBLE)) == before.replace("[1]", "[1.0]")
    assert dump_json(value) == before


@pytest.mark.parametrize(
    ("need", "tool", "mark"),
    [
        (Need.FIX, "read", Mark.RIGHT),
        (Need.FIX, "functions.read", Mark.LEFT),
        (Need.FIX, "write", Mark.MISFIXED),
        (Need.STAY, "functions.read", Mark.RIGHT),
        (Need.STAY, "read", Mark.MISFIXED),
        (Need.GUESS, "functions.read", Mark.RIGHT),
        (Need.GUESS, "read", Mark.GUESSED),
    ],
)
def test_names(need: Need, tool: str, mark: Mark) -> None:
    case = Case("c", "K", need, {}, False, {}, "functions.read", "read")
    assert mark_of(case, came({}, tool=tool), Numbers.EXACT, takes_names=True) is mark
    assert mark_of(case, came({}, tool=tool), Numbers.EXACT, takes_names=False) is Mark.NONE


def test_score_counts_by_family_and_need() -> None:
    cases = [
        Case("a", "E", Need.FIX, {"n": "5"}, False, {"n": 5}),
        Case("b", "E", Need.FIX, {"n": "5"}, False, {"n": 5}),
        Case("c", "E", Need.STAY, {"n": 5.0}, False),
        Case("d", "F", Need.FIX, {"n": "5"}, False, {"n": 5}),
    ]
    answers = {"a": came({"n": 5}), "b": came({"n": 5.0}), "c": came({"n": 5}), "x": came(1)}
    result = score(cases, answers, Numbers.PYTHON)
    assert result.total(Need.FIX, "E") == {Mark.RIGHT: 1, Mark.MISFIXED: 1}
    assert result.total(Need.STAY) == {Mark.MISFIXED: 1}
    assert result.total(family="F") == {Mark.NONE: 1}
    assert result.total().total() == len(cases)
    assert result.misfixed == ("b", "c")
    assert result.only_kind == 2
    assert result.by_case["d"] is Mark.NONE


def test_rates() -> None:
    fast = {"a": came(1), "b": Answer(is_refusal=True, nanoseconds=3000.0), "c": Answer()}
    slow = {"a": Answer(1, has_value=True, nanoseconds=2000.0), "b": came(1), "c": came(1)}
    assert timed_by_all([fast, slow]) == {"a", "b"}
    assert timed_by_all([]) == frozenset()
    assert median_rate(fast, {"a", "b"}) == pytest.approx(500_000)
    assert median_rate(fast, {"c", "other"}) is None


def write_cases(path: Path, *cases: Mapping[str, object]) -> tuple[Asked, ...]:
    path.write_text("\n".join(map(json.dumps, cases)) + "\n", encoding="utf-8")
    return read_cases(path)


SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def test_case_files(tmp_path: Path) -> None:
    fixed = {"outcome": "fixed", "value": {"n": 5}}
    stays = {"outcome": "untouched"}
    kept: dict[str, object] = {"schema": SCHEMA, "expected": stays}
    tool = {"called": "Read", "available": ["read"], "expected": "read"}
    text, value, root, cut, name, guess = write_cases(
        tmp_path / "cases.jsonl",
        {"id": 1, "family": "F", "schema": SCHEMA, "args_text": '{"n": "5"}', "expected": fixed},
        {**kept, "id": 2, "family": "html-entity", "args": {"n": 1}},
        {**kept, "id": 3, "family": "whole-double-encoded", "args": '{"n": 1}'},
        {**kept, "id": 4, "family": "truncated", "args_text": '{"n": 1'},
        {**kept, "id": 5, "family": "tool-name", "args": {}, "tool": tool},
        {**kept, "id": 6, "family": "N+", "args": {}, "expected": {"outcome": "unsafe_fix_only"}},
    )
    assert (text.case.need, text.case.sent, text.case.is_legal) == (Need.FIX, {"n": "5"}, False)
    assert (value.case.family, value.case.is_legal) == ("other", True)
    assert (root.case.family, root.case.sent, root.case.is_legal) == ("L", '{"n": 1}', False)
    assert (cut.case.family, cut.case.sent) == ("L", '{"n": 1')
    assert (name.case.family, name.case.called, name.case.expected_name) == ("K", "Read", "read")
    assert (guess.case.family, guess.case.need) == ("N", Need.GUESS)
    assert json.loads(text.request) == {"id": 1, "schema": SCHEMA, "args_text": '{"n": "5"}'}


def test_a_line_that_is_no_case(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="not a case"):
        write_cases(tmp_path / "cases.jsonl", {"id": 1})


def a_run(tmp_path: Path, peer: Mapping[str, Answer]) -> Run:
    expected = {"outcome": "fixed", "value": {"n": 5}}
    sent = {"n": "5", "note": "a|b`\n<c>"}
    case = {"family": "F", "schema": SCHEMA, "args": sent, "expected": expected}
    cases = write_cases(tmp_path / "cases.jsonl", {**case, "id": "one"})
    source = {"source": "a manual", "family": "documented"}
    examples = write_cases(tmp_path / "examples.jsonl", {**case, **source, "id": "two"})
    results: list[Measured | Missing] = []
    for engine, answers in ((OURS, {"one": came({"n": 5})}), (ENGINES[1], peer)):
        marks = score([one.case for one in cases], answers, engine.numbers)
        documented = score([one.case for one in examples], answers, Numbers.DOUBLE)
        results.append(Measured(engine, "9.9", marks, documented, answers, 10.0, None))
    results.append(Missing(ENGINES[-1], "npm is not on the PATH"))
    return Run("2026-01-01", "a machine", (Path("cases.jsonl"),), cases, examples, tuple(results))


def test_page_shows_counts_wins_changes_and_absent_peers(tmp_path: Path) -> None:
    text = page(a_run(tmp_path, {"one": came({"n": 6}), "two": came({"n": 5})}))
    assert "| toolfix-audit | 1 | 0 | 0 | 0 | 0 | 0 | 10 | – |" in text
    assert "| json_repair | 0 | 0 | 0 | 1 | 0 | 0 | 10 | – |" in text
    assert "| F (1) | 1 / 0 / 0 / 0 | 0 / 0 / 1 / 0 |" in text
    assert "- documented examples (ours 0): json_repair (1)" in text
    assert "Not measured: … coerceBySchema: npm is not on the PATH" in text
    assert (
        r"""| json_repair | one | `{"n":"5","note":"a¦b'\n<c>"}` | `{"n":6}` | `{"n":5}` |"""
        in text
    )


def test_page_is_a_function_of_the_run(tmp_path: Path) -> None:
    run = a_run(tmp_path, {})
    assert page(run) == page(run)


def test_engines_are_pinned_and_driven_by_an_adapter() -> None:
    for engine in ENGINES:
        assert (ADAPTERS / engine.adapter[0]).is_file()
        assert bool(engine.version) == (engine.home is not Home.PROJECT)
        assert engine.purpose
        assert engine.limits
    driven = {engine.adapter[0] for engine in ENGINES}
    assert driven == {path.name for path in ADAPTERS.glob("*_adapter.*")}


def test_documented_examples_are_cases() -> None:
    examples = read_cases(ADAPTERS / "documented.jsonl")
    assert {one.case.need for one in examples} == {Need.FIX}
    assert all(one.source and one.case.family == "documented" for one in examples)
    assert len({one.case.identity for one in examples}) == len(examples)


@pytest.mark.parametrize(
    ("request_line", "arguments"),
    [
        ({"args": {"n": "5"}}, {"n": 5}),
        ({"args_text": '{"n": "5"}'}, {"n": 5}),
        ({"args": '{"n": "5"}'}, {"n": 5}),
        ({"args_text": '{"n": '}, '{"n": '),
    ],
)
def test_our_own_adapter(request_line: dict[str, object], arguments: object) -> None:
    assert toolfix_adapter.prepare({"schema": SCHEMA, **request_line})() == arguments


def test_the_baml_translation() -> None:
    choice = {"enum": ["x", "y"]}
    schema = {
        "type": "object",
        "properties": {"a b": {"type": ["integer", "null"]}, "c": choice, "d": {}},
        "required": ["a b"],
    }
    source = BamlSource(schema)
    assert source.names == {"Arguments": {"field0": "a b", "field1": "c", "field2": "d"}}
    assert '  field0 (int | null) @alias("a b")' in source.text
    assert '  field1 ("x" | "y")? @alias("c")' in source.text
    assert '  field2 (Anything)? @alias("d")' in source.text
