"""Broken engines make wrong changes, and every one of them is convicted."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from toolfix_audit.audit.power import attempts, measure_power
from toolfix_audit.audit.power.broken import Broken, parsed, run_broken
from toolfix_audit.audit.power.closing import closed
from toolfix_audit.audit.power.measure import BROKEN, MAX_WRONG, NEAREST_NAME
from toolfix_audit.engine import SAFE, repair
from toolfix_audit.model.json import Json, dump_json, same_json
from toolfix_audit.model.words import MisfixKind

from .calls import EDIT, power_call, some_calls, valid_edit

ATTEMPTS = tuple(attempts(some_calls(), SAFE))


def test_every_family_has_a_broken_engine() -> None:
    assert {broken.family for broken in BROKEN} | {"K"} == SAFE
    assert len({broken.name for broken in BROKEN}) == len(BROKEN) >= 10


@pytest.mark.parametrize("name", [*(broken.name for broken in BROKEN), NEAREST_NAME])
def test_every_broken_engine_errs_and_is_convicted(name: str) -> None:
    made = [attempt for attempt in ATTEMPTS if attempt.broken == name]
    assert made
    assert len(made) <= MAX_WRONG
    missed = [(attempt.given, attempt.result) for attempt in made if not attempt.kinds]
    assert not missed


def test_a_wrong_change_is_none_that_the_sound_engine_makes() -> None:
    schemas = {call.call: call.schema for call in some_calls()}
    for attempt in ATTEMPTS:
        if attempt.family == "K":
            continue
        sound = repair(attempt.given, parsed(schemas[attempt.call]))
        assert not same_json(attempt.result, parsed(sound.arguments))
        assert not same_json(attempt.result, parsed(attempt.given))


def test_each_wrong_change_counts_once() -> None:
    power = measure_power(some_calls(), SAFE)
    for family in SAFE:
        cells = power[family].values()
        made = [attempt for attempt in ATTEMPTS if attempt.family == family]
        assert sum(cell["wrong"] for cell in cells) == len(made)
        assert sum(cell["convicted"] for cell in cells) == len(made)
    assert {kind for kinds in power.values() for kind in kinds} <= set(MisfixKind)


def test_only_the_families_that_are_asked_for() -> None:
    assert set(measure_power(some_calls(), {"A", "B+"})) == {"A", "B"}
    assert measure_power(some_calls(), ()) == {}
    assert measure_power((), SAFE) == {}


def test_the_order_of_the_calls_does_not_matter() -> None:
    calls = some_calls()
    once = measure_power(calls, {"A", "D", "F"})
    random.Random(1).shuffle(calls)
    assert measure_power(calls, {"A", "D", "F"}) == once


def test_the_limit_takes_the_first_calls_of_the_order() -> None:
    calls = sorted(some_calls(), key=lambda call: call.order)
    assert measure_power(calls[:5], "DM") == measure_power(some_calls(), "DM", limit=5)


def test_a_check_that_convicts_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolfix_audit.audit.power.measure.check", lambda *_: ())
    cells = [
        cell for kinds in measure_power(some_calls(), "AF").values() for cell in kinds.values()
    ]
    assert sum(cell["wrong"] for cell in cells) > 0
    assert sum(cell["convicted"] for cell in cells) == 0


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_engine_is_a_pure_function(broken: Broken) -> None:
    value: Json = {"arguments": {**valid_edit(1), "zeta": "", "a.b": " X "}}
    before = dump_json(value)
    once = run_broken(value, EDIT, broken=broken, families=SAFE)
    assert run_broken(value, EDIT, broken=broken, families=SAFE) == once
    assert dump_json(value) == before


def test_unusable_schemas_and_hostile_arguments_are_passed_over() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    remote: Json = {"$ref": "https://example.org/schema"}
    calls = [
        power_call(1, {"x": 1}, remote),
        power_call(2, f'{{"file_path": {deep}}}'),
        power_call(3, '{"file_path": "a", "file_path": "b"}'),
        power_call(4, ""),
        power_call(5, "null"),
        power_call(6, '"\\ud800"'),
    ]
    assert all(attempt.kinds for attempt in attempts(calls, SAFE))


def test_families_that_ran_are_not_broken() -> None:
    calls = [power_call(1, {**valid_edit(1), "tags": "a, b"})]
    by_default = Counter(attempt.broken for attempt in attempts(calls, "N"))
    assert by_default["split at commas"]
    asked_for = attempts(calls, "N", ran=SAFE | {"N+"})
    assert not any(
        one.broken == "split at commas" and "a, b" in str(one.given) for one in asked_for
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"a": [1, 2', {"a": [1, 2]}),
        ('{"a": "b', {"a": "b"}),
        ('{"a"', {"a": None}),
        ('{"a":', {"a": None}),
        ('{"a": 1,', {"a": 1}),
        ('["x", {"y": "]', ["x", {"y": "]"}]),
        ('{"a": 1}', None),
        ("words", None),
        ('{"a": tru', None),
    ],
)
def test_closing(text: str, wanted: Json) -> None:
    assert closed(text) == wanted
