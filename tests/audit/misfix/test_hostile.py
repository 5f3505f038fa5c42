"""Arguments that would crash or stall a careless check."""

from __future__ import annotations

import pytest

from toolfix_audit.audit.misfix import Change, check
from toolfix_audit.engine import repair
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.repair import Repair
from toolfix_audit.model.words import MisfixKind, Outcome

from .bench import closed, context_of, convicted, kind

SCHEMA = closed(["command"], command=kind("string"))
LS: Json = {"command": "ls"}


def _nothing(arguments: Json, schema: Json) -> Repair:
    return Repair(Outcome.UNTOUCHED, None, arguments, (), (), ())


def _check(arguments: Json, result: Json) -> set[MisfixKind]:
    change = Change("t", "t", arguments, result, Outcome.FIXED, (), 1, 0)
    return convicted(check(change, context_of(_nothing, SCHEMA)))


@pytest.mark.parametrize("layers", [38, 2_500, 100_000])
def test_a_chain_of_any_depth_is_checked(layers: int) -> None:
    text = '{"arguments":' * layers + '{"command":"ls"}' + "}" * layers
    assert _check(text, LS) == set()
    wrong = _check(text, {"command": "pwd"})
    assert {MisfixKind.VALUE_LOST, MisfixKind.VALUE_INVENTED} <= wrong


@pytest.mark.parametrize("layers", [38, 2_500])
def test_the_steps_of_a_long_chain_are_probed_within_bounds(layers: int) -> None:
    text = '{"arguments":' * layers + '{"command":"ls"}' + "}" * layers
    done = repair(text, SCHEMA)
    change = Change("t", "t", text, done.arguments, done.outcome, done.steps, 2, 0)
    probes = check(change, context_of(repair, SCHEMA))
    assert not convicted(probes)
    assert len(probes) < 20


@pytest.mark.parametrize("layers", [2_500, 100_000])
def test_deep_values_are_compared(layers: int) -> None:
    lists = '{"command":' + "[" * layers + "]" * layers + "}"
    assert MisfixKind.VALUE_LOST in _check(lists, LS)
    objects = '{"command":' + '{"a":' * layers + "1" + "}" * layers + "}"
    other = parse_json(objects.replace("1", "2"))
    assert {MisfixKind.VALUE_LOST, MisfixKind.VALUE_INVENTED} <= _check(objects, other)
    python = "{'command':" + "[" * layers + "]" * layers + "}"
    assert MisfixKind.VALUE_LOST in _check(python, LS)
    cut = '{"command":' + "[" * layers
    assert _check(cut, {}) == {MisfixKind.VALUE_INVENTED}


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '"',
        "\\",
        "{",
        "NaN",
        '{"a":NaN}',
        "\x00",
        '{}{"a":1}',
        "{'a':1",
        "'{}'",
        "0",
        "true",
        '"hello"',
        "```",
        "``````",
        "{,}",
        "[,]",
        "{'a' 'b'}",
        "{1: 2}",
        "{'\\N{DASH}': 1}",
        "{'a': '\\ud800'}",
        '{"a": "\\ud800"}',
        "{'a': b'x'}",
        "{'a', 'b'}",
        '{"a": 1}, "b"',
        "\ufeff{}",
    ],
)
def test_no_text_crashes_the_check(text: str) -> None:
    assert _check(text, {}), text


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ('{"command":"a","command":"b"}', {"command": "b"}),
        ('{"command":"a","command":"b","x":1}', {"command": "a", "x": 1}),
        ('{"arguments":{"command":"a","command":"b"}}', {"command": "b"}),
    ],
)
def test_of_two_values_under_one_key_none_may_go(arguments: str, result: Json) -> None:
    assert MisfixKind.VALUE_LOST in _check(arguments, result)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({"command": "{" + "x" * 1_000_000}, {"command": 5}),
        ({"command": "[" + '"a",' * 200_000 + "]"}, {"command": 5}),
        ("```\n" * 50_000, {}),
        ('{"command": ' + "1" * 500_000 + "}", LS),
        ('{"command": 1e' + "9" * 5_000 + "}", LS),
        ({"command": [{"a": str(at)} for at in range(3_000)]}, {"command": "x"}),
        ({"command": {f"k{at}": 1 for at in range(3_000)}}, {"command": {"k": 1}}),
        (
            {"command": [{"old_key": at} for at in range(2_000)]},
            {"command": [{"oldKey": at} for at in range(2_000)]},
        ),
        ({"command": list(range(10_000))}, {"command": list(range(10_000))[::-1]}),
        ({"command": ["a"] * 10_000}, {"command": ["b"] * 10_000}),
    ],
)
def test_the_check_of_large_arguments_ends(arguments: Json, result: Json) -> None:
    assert _check(arguments, result)


def test_an_alternate_with_a_hostile_pattern_ends() -> None:
    schema = closed(None) | {"patternProperties": {"^(a+)+$": kind("integer")}}  # type: ignore[operator]  # an object
    sent: Json = {"a" * 40 + "!": "5"}
    change = Change(None, None, sent, {}, Outcome.FIXED, (), 1, 0)
    assert MisfixKind.VALUE_LOST in convicted(check(change, context_of(_nothing, schema)))
