"""Every family: its own cases, their proportion, and the registry that must hold it."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from toolfix_audit.engine import ALL, FAMILIES, SAFE, compile_schema, families, repair, repair_call
from toolfix_audit.engine.proposal import Case, Family
from toolfix_audit.model.json import dump_json, same_json
from toolfix_audit.model.repair import Repair, Unusable
from toolfix_audit.model.words import Outcome, Safety

OWN_CASES = [
    pytest.param(family, case, id=f"{family.code}-{case.title}")
    for family in FAMILIES
    for case in family.cases
]


def run(family: Family, case: Case, codes: frozenset[str]) -> Repair:
    if case.available:
        tools = {name: case.schema if case.schema is not None else {} for name in case.available}
        return repair_call(str(case.before), {}, tools, families=codes)
    given = case.before if case.text or not isinstance(case.before, str) else dump_json(case.before)
    return repair(given, case.schema, families=codes)


def alone_and_with_all(family: Family) -> list[frozenset[str]]:
    """By itself and beside the safe ones; E and F help where a case is about what they read."""
    return [frozenset({family.code}), SAFE | {family.code}]


@pytest.mark.parametrize(("family", "case"), OWN_CASES)
def test_a_family_does_what_its_cases_say(family: Family, case: Case) -> None:
    for codes in alone_and_with_all(family):
        done = run(family, case, codes)
        if case.stays:
            others = [step for step in done.steps if step.family != family.code[0]]
            assert done.steps == tuple(others), case.title
            continue
        assert done.outcome is Outcome.FIXED, (codes, done)
        if case.available:
            assert done.tool == case.after
        else:
            assert same_json(done.arguments, case.after), (codes, done.arguments)
            judge = compile_schema(case.schema)
            assert not isinstance(judge, Unusable)
            assert judge.is_valid(done.arguments)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.code)
def test_at_least_twice_as_many_cases_stay_as_are_repaired(family: Family) -> None:
    stays = sum(case.stays for case in family.cases)
    assert stays < len(family.cases)
    assert stays >= 2 * (len(family.cases) - stays)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.code)
def test_a_family_says_what_it_is(family: Family) -> None:
    assert family.code[0].isupper()
    assert family.name == family.name.lower()
    assert " " not in family.name
    for text in (family.summary, family.rationale):
        assert text.endswith(".")
        assert "\n" not in text
    assert len({case.title for case in family.cases}) == len(family.cases)


def test_every_family_file_is_registered() -> None:
    folder = Path(families.__file__).parent
    modules = [
        importlib.import_module(f"toolfix_audit.engine.families.{path.stem}")
        for path in sorted(folder.glob("*.py"))
        if path.stem != "__init__"
    ]
    found = [one for module in modules for one in vars(module).values() if isinstance(one, Family)]
    assert sorted(one.code for one in found) == sorted(one.code for one in FAMILIES)
    for module in modules:
        letter = module.__name__.rpartition(".")[2][0].upper()
        assert module.FAMILY.code == letter
        assert module.FAMILY in FAMILIES


def test_codes_are_unique_and_opt_in_is_not_safe() -> None:
    codes = [family.code for family in FAMILIES]
    assert len(codes) == len(set(codes))
    assert frozenset(codes) == ALL
    assert frozenset(one.code for one in FAMILIES if one.safety is Safety.SAFE) == SAFE
    assert not any(code.endswith("+") for code in SAFE)


def test_the_order_of_the_families_is_that_of_the_rules() -> None:
    letters = list(dict.fromkeys(family.code[0] for family in FAMILIES))
    assert letters == [letter for letter in "LKABCPDEFONM" if letter in letters]
