"""The bounds that docs/engine.md states: counted, over inputs made to cost as much as they can."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from toolfix_audit.engine import ALL, FAMILIES, compile_schema, repair, search
from toolfix_audit.engine.judges import effort, pair, patterns, python, soundness
from toolfix_audit.engine.proposal import Candidate, Family, Place, Rivalry
from toolfix_audit.engine.relaxed import read_container
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.engine.search import Search
from toolfix_audit.engine.state import State
from toolfix_audit.engine.wrappers import MAX_LAYERS
from toolfix_audit.model.json import Json, dump_json, same_json
from toolfix_audit.model.repair import JudgeLimitError, Unusable
from toolfix_audit.model.words import Outcome, UntouchedReason

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"

S: Json = {"type": "string"}
N: Json = {"type": "integer"}
LIST: dict[str, Json] = {"properties": {"l": {"type": "array", "items": N}}}
CLOSED: dict[str, Json] = {
    "properties": {f"w{i}q_name": S for i in range(40)},
    "required": [f"w{i}q_name" for i in range(40)],
    "additionalProperties": False,
}
NODE: Json = {"type": "object", "properties": {"c": {"$ref": "#/$defs/n"}, "v": N, "o": N}}
TREE: dict[str, Json] = {"$ref": "#/$defs/n", "$defs": {"n": NODE}}


def _texts(levels: int) -> str:
    text = '{"v":"1","o":null}'
    for _ in range(levels):
        text = f'{{"c":{dump_json(text)},"v":"2"}}'
    return text


ADVERSARIAL: dict[str, tuple[Json, dict[str, Json]]] = {
    "texts in a list": ({"l": [str(i) for i in range(300)]}, LIST),
    "wrong items": ({"l": ["x"] * 300}, LIST),
    "renames": ({f"my_w{i}q_name": "v" for i in range(40)}, CLOSED),
    "renames that don't fit": ({f"my_w{i}q_name": i for i in range(40)}, CLOSED),
    "renames of which half fit": (
        {f"my_w{i}q_name": "v" if i % 2 else i for i in range(40)},
        CLOSED,
    ),
    "nulls": ({f"k{i}": None for i in range(40)}, {**LIST, "additionalProperties": False}),
    "wrappers": ({"arguments": {"args": {"arguments": {"l": ["1"]}}}}, {**LIST, "required": ["l"]}),
    "wrappers that don't help": ({"args": {"input": {"l": "x"}}}, {**LIST, "required": ["l"]}),
    "paths": ({f"l[{i}]": str(i) for i in range(50)}, {**LIST, "additionalProperties": False}),
    "texts in texts": ({"c": _texts(6)}, TREE),
    "everything at once": (
        {"arguments": {"my_l": '["1", "x"]', "k": None, "l.x": 1, "args": {"v": "2"}}},
        {**LIST, "required": ["l"], "additionalProperties": False},
    ),
}


def _run(arguments: Json, schema: Json) -> Search:
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable)
    found = Search(judge, SchemaView.of(schema), FAMILIES, read_container)
    before = tuple(judge.violations(arguments))
    with suppress(JudgeLimitError):
        found.run(State(arguments, before))
    return found


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_a_visit_judges_few_values(name: str) -> None:
    found = _run(*ADVERSARIAL[name])
    assert found.visits
    assert found.trials <= _stated(r"= (\d+) values") * found.visits
    assert found.visits * search.VISIT + found.trials <= found.work <= search.MAX_WORK


@pytest.mark.parametrize("count", [4, 12])
def test_edits_whose_keys_depend_on_one_another_take_a_square(count: int) -> None:
    names = [f"w{i}q_name" for i in range(count)]
    schema: Json = {
        "properties": dict.fromkeys(names, S),
        "required": list(names),
        "additionalProperties": False,
        "minProperties": 1,
    }
    for value in ("v", 1):
        found = _run({f"my_{name}": value for name in names}, schema)
        rest = _stated(r"= (\d+) values") * found.visits
        assert count <= found.trials <= count * (count + 3) // 2 * 2 + rest


def test_a_thousand_defects_side_by_side_take_a_trial_each() -> None:
    found = _run({"l": [str(i) for i in range(1_000)]}, LIST)
    assert (found.trials, found.visits) == (1_000 + 2, 1_000 + 2)


def _places(value: Json, view: SchemaView, path: tuple[str | int, ...] = ()) -> Iterator[Place]:
    yield Place(path, value, view, read_container, lambda _key: True)
    parts = value.items() if isinstance(value, dict) else ()
    for part, member in (*parts, *(enumerate(value) if isinstance(value, list) else ())):
        yield from _places(member, view.child(part), (*path, part))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.code))
def test_a_family_proposes_one_candidate_at_a_place(family: Family) -> None:
    calls = [(case.before, case.schema) for one in FAMILIES for case in one.cases]
    for arguments, schema in (*calls, *ADVERSARIAL.values()):
        for place in _places(arguments, SchemaView.of(schema)):
            proposed = [one for one in family.propose(place) if not isinstance(one, Rivalry)]
            assert len(proposed) <= 1
            fallbacks = list(_fallbacks(proposed))
            assert len(fallbacks) <= (family.code == "A")
            is_split = any(len(one.edits) > 1 for one in proposed)
            assert not is_split or family.code in {"A", "B", "D", "M"}


def _fallbacks(proposed: list[Candidate]) -> Iterator[Candidate]:
    for one in proposed:
        if one.fallback is not None:
            yield one.fallback
            yield from _fallbacks([one.fallback])


@pytest.mark.parametrize(("bound", "value"), [("MAX_TRIALS", 20), ("MAX_WORK", 1_000)])
@pytest.mark.parametrize("name", ADVERSARIAL)
def test_what_reaches_a_bound_stays_whole(
    name: str, bound: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, schema = ADVERSARIAL[name]
    free = repair(arguments, schema, families=ALL)
    monkeypatch.setattr(search, bound, value)
    done = repair(arguments, schema, families=ALL)
    if done.outcome is Outcome.UNTOUCHED and done.reason is UntouchedReason.LIMIT:
        assert done.arguments is arguments
        assert done.steps == ()
        assert done.violations_before == done.violations_after == free.violations_before
        return
    assert done.outcome is free.outcome
    assert same_json(done.arguments, free.arguments)


def test_both_bounds_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    for bound, value in (("MAX_TRIALS", 20), ("MAX_WORK", 1_000)):
        with monkeypatch.context() as patch:
            patch.setattr(search, bound, value)
            done = repair(*ADVERSARIAL["texts in a list"])
        assert done.reason is UntouchedReason.LIMIT


def _stated(pattern: str) -> int:
    (found,) = re.findall(pattern, PAGE.read_text(encoding="utf-8"))
    return int(str(found).replace(",", ""))


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ("values judged in one search", search.MAX_TRIALS),
        ("work of one search", search.MAX_WORK),
        ("work of one judgement", effort.MAX_CHECKS),
        ("depth of a place", search.MAX_DEPTH),
        ("wrappers around one another", MAX_LAYERS),
        ("objects in a schema", soundness.MAX_SCHEMAS),
        ("schemas inside one another", python.MAX_SCHEMA_DEPTH),
        ("references that lead to references", soundness.MAX_REFERENCE_CHAIN),
        ("schemas that the fast judge may look at", pair.MAX_VISITS),
    ],
)
def test_the_page_states_the_limits(row: str, value: int) -> None:
    assert _stated(rf"\| {row}[^|]*\| ([\d,]+) \|") == value


def test_the_page_states_the_times() -> None:
    times = f"{patterns.PATTERN_SECONDS} s, {patterns.PATTERN_SECONDS_IN_ALL:g} s"
    assert times in PAGE.read_text(encoding="utf-8")
