"""Changes that must be convicted without knowing the right answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from toolfix_audit.audit.misfix import Change, check
from toolfix_audit.model.json import Json
from toolfix_audit.model.words import MisfixKind as Kind
from toolfix_audit.model.words import Outcome

from . import broken
from .bench import (
    Rewrite,
    checked,
    closed,
    context_of,
    convicted,
    kind,
    obedient,
    opened,
    reckless,
)

TEXT = kind("string")
INT = kind("integer")
FLAG = kind("boolean")
TEXTS = kind("array", items=TEXT)
EITHER: Json = {"anyOf": [TEXTS, TEXT]}
LOOSE = kind("object")


@dataclass(frozen=True)
class Wrong:
    """One wrong change: it must be convicted of one of `kinds` at least."""

    name: str
    rewrite: Rewrite
    schema: Json
    arguments: Json
    kinds: frozenset[Kind]


def wrong(name: str, rewrite: Any, schema: Json, arguments: Json, *kinds: Kind) -> Wrong:
    return Wrong(name, rewrite, schema, arguments, frozenset(kinds))


LOST, INVENTED, MISPLACED = Kind.VALUE_LOST, Kind.VALUE_INVENTED, Kind.MISPLACED
EACH = broken.EACH

GUESSES = (
    wrong(
        "rename to any key of equal type",
        broken.blind_rename,
        closed(["name"], name=TEXT),
        {"subject": "builder"},
        Kind.KEY_UNRELATED,
    ),
    wrong(
        "rename to another thing",
        broken.blind_rename,
        closed(["id"], id=TEXT),
        {"parent_id": "p1"},
        Kind.KEY_UNRELATED,
    ),
    wrong(
        "rename line1 to line2",
        broken.blind_rename,
        closed(["line2"], line2=TEXT),
        {"line1": "x"},
        Kind.KEY_UNRELATED,
    ),
    wrong(
        "rename one of two sources",
        broken.blind_rename,
        opened(["command"], command=TEXT),
        {"cmd": "ls", "Command": "pwd"},
        Kind.KEY_CROSSED,
    ),
    wrong(
        "rename to one of two targets",
        broken.blind_rename,
        closed(None, old_path=TEXT, absolute_path=TEXT, relative_path=TEXT),
        {"path": "a"},
        Kind.KEY_UNRELATED,
        Kind.KEY_CROSSED,
    ),
    wrong(
        "rename with a value that does not fit",
        broken.blind_rename,
        closed(["queries"], queries=TEXTS),
        {"query": "x"},
        Kind.BAD_VALUE,
    ),
    wrong(
        "overwrite a present key",
        broken.overwrite,
        closed(["path"], path=TEXT),
        {"path": "a", "filePath": "b"},
        Kind.KEY_CROSSED,
    ),
    wrong(
        "truthiness", EACH(broken.truthy), closed(None, all=FLAG), {"all": "false"}, LOST, INVENTED
    ),
    wrong("007 to 7", EACH(broken.to_int), closed(None, agent=INT), {"agent": "007"}, LOST),
    wrong("rounding", EACH(broken.to_int), closed(None, n=INT), {"n": "3.14"}, LOST, INVENTED),
    wrong("1_000 is no number", EACH(broken.to_int), closed(None, n=INT), {"n": "1_000"}, LOST),
    wrong(
        "integer through a float",
        EACH(broken.through_float),
        closed(None, id=INT),
        {"id": "9007199254740993"},
        LOST,
        INVENTED,
    ),
    wrong("zero for null", EACH(broken.zero_for_nothing), closed(None, n=INT), {"n": None}, LOST),
    wrong("zero for blank", EACH(broken.zero_for_nothing), closed(None, n=INT), {"n": ""}, LOST),
    wrong(
        "drop an extra key",
        broken.drop_extra,
        closed(["path"], path=TEXT),
        {"path": "a", "filter": "b"},
        LOST,
    ),
    wrong(
        "first of two objects",
        broken.take_first,
        closed(["a"], a=INT),
        '{"a": 1}{"a": 2}',
        LOST,
    ),
    wrong(
        "close a cut text",
        broken.close_text,
        closed(["content"], content=TEXT),
        '{"content": "first line',
        INVENTED,
    ),
    wrong(
        "nothing for what can't be read",
        broken.empty_for_unreadable,
        closed(None, a=INT),
        '{"a": ',
        INVENTED,
    ),
    wrong(
        "unwrap a declared key",
        broken.unwrap,
        opened(["command"], arguments=LOOSE, command=TEXT),
        {"arguments": {"command": "ls"}},
        Kind.ALTERNATE_SCHEMA,
        MISPLACED,
    ),
    wrong(
        "invent what is missing",
        broken.invent,
        closed(["path"], path=TEXT),
        {},
        INVENTED,
    ),
    wrong(
        "swap two values",
        broken.swap,
        closed(None, a=kind("string", pattern="^x"), b=kind("string", pattern="^y")),
        {"a": "y1", "b": "x1"},
        MISPLACED,
    ),
    wrong("split at the comma", EACH(broken.split), closed(None, t=TEXTS), {"t": "a, b"}, LOST),
    wrong(
        "wrap a text of two readings",
        EACH(broken.wrap),
        closed(None, t=TEXTS),
        {"t": "a, b"},
        MISPLACED,
    ),
    wrong(
        "wrap the text of a list",
        EACH(broken.wrap),
        closed(None, t=TEXTS),
        {"t": '["a"]'},
        MISPLACED,
    ),
    wrong(
        "another member",
        EACH(broken.first_member),
        closed(None, p={"enum": ["low", "high"]}),
        {"p": "urgent"},
        LOST,
        INVENTED,
    ),
    wrong(
        "a number for another member",
        EACH(broken.first_member),
        closed(None, level={"enum": ["1", "2"]}),
        {"level": 3},
        LOST,
        INVENTED,
    ),
    wrong(
        "lose a leaf of a wrapper",
        broken.lossy_merge,
        closed(["command"], command=TEXT, timeout=INT, shell=TEXT),
        {"arguments": {"command": "ls", "timeout": 5}, "shell": "sh"},
        LOST,
    ),
    wrong(
        "merge over a key that is there",
        broken.colliding_merge,
        closed(["command"], command=TEXT),
        {"arguments": {"command": "ls"}, "command": "pwd"},
        LOST,
    ),
    wrong(
        "dedupe",
        EACH(broken.dedupe),
        closed(None, t=kind("array", uniqueItems=True)),
        {"t": ["a", "a", "b"]},
        LOST,
    ),
    wrong(
        "reorder",
        EACH(broken.reorder),
        closed(None, t=kind("array", prefixItems=[TEXT, INT])),
        {"t": [5, "x"]},
        MISPLACED,
    ),
    wrong(
        "trim",
        EACH(broken.trim),
        closed(None, t=kind("string", pattern="^[^ ]*$")),
        {"t": " x "},
        LOST,
        INVENTED,
    ),
)

RECKLESS = (
    wrong(
        "decode a declared string",
        EACH(broken.decode),
        closed(None, content=TEXT),
        {"content": '{"a": 1}'},
        Kind.TOUCHED_VALID,
        Kind.ALTERNATE_SCHEMA,
    ),
    wrong(
        "decode where a string may be",
        EACH(broken.decode_arrays),
        opened(["n"], t=EITHER, n=INT),
        {"t": '["a"]'},
        Kind.NEEDLESS,
        Kind.ALTERNATE_SCHEMA,
    ),
    wrong(
        "decode beside another defect",
        EACH(broken.decode),
        closed(["n"], content=TEXT, n=INT),
        {"content": "[1]"},
        Kind.NOT_BETTER,
    ),
    wrong(
        "drop a legal null",
        broken.drop_nulls,
        closed(None, q={"type": ["string", "null"]}, n=INT),
        {"q": None, "n": None},
        Kind.NEEDLESS,
    ),
    wrong(
        "reorder what nobody asked for",
        EACH(broken.reorder),
        closed(["n"], t=TEXTS, n=INT),
        {"t": ["a", "b"]},
        MISPLACED,
    ),
    wrong(
        "decode entities",
        EACH(broken.unescape_html),
        closed(None, content=TEXT),
        {"content": "&lt;b&gt;"},
        Kind.TOUCHED_VALID,
    ),
    wrong(
        "unwrap a declared wrapper that is valid",
        broken.unwrap,
        opened(None, arguments=LOOSE, command=TEXT),
        {"arguments": {"command": "ls"}},
        Kind.TOUCHED_VALID,
    ),
)


@pytest.mark.parametrize("case", GUESSES, ids=lambda case: case.name)
def test_an_engine_that_obeys_the_judge_and_guesses_is_convicted(case: Wrong) -> None:
    found = convicted(checked(obedient(case.rewrite), case.arguments, case.schema))
    assert case.kinds & found, found


@pytest.mark.parametrize("case", [*GUESSES, *RECKLESS], ids=lambda case: case.name)
def test_an_engine_that_ignores_the_judge_is_convicted(case: Wrong) -> None:
    found = convicted(checked(reckless(case.rewrite), case.arguments, case.schema))
    assert case.kinds & found, found


@pytest.mark.parametrize("case", [*GUESSES, *RECKLESS], ids=lambda case: case.name)
def test_a_wrong_change_without_steps_is_convicted(case: Wrong) -> None:
    engine = reckless(case.rewrite)
    done = engine(case.arguments, case.schema)
    change = Change(None, None, case.arguments, done.arguments, done.outcome, (), 1, 0)
    assert case.kinds & convicted(check(change, context_of(engine, case.schema)))


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (kind("object"), {"arguments": {"x": 1}}),  # free-form
        (opened(["command"], command=TEXT), {"arguments": {"command": "ls"}}),  # not valid as sent
        (opened(None, command=TEXT), {"arguments": {"command": "ls", "x": 1}}),  # a stranger inside
        (opened(None, command=TEXT), {"arguments": {}}),  # nothing inside
        (opened(None, command=TEXT, arguments=LOOSE), {"arguments": {"command": "ls"}}),
        (opened(None, n=INT), {"arguments": {"n": "soon"}}),  # what was hidden is wrong
    ],
)
def test_a_swallowed_call_needs_its_proof(schema: Json, arguments: Json) -> None:
    engine = reckless(broken.unwrap)
    result = engine(arguments, schema).arguments
    change = Change(None, None, arguments, result, Outcome.SWALLOWED, (), 0, 0)
    found = convicted(check(change, context_of(engine, schema)))
    assert Kind.SWALLOW_UNPROVEN in found


def test_a_proven_swallowed_call_stands() -> None:
    schema = opened(None, command=TEXT)
    engine = reckless(
        lambda value, given: broken.unwrap(value, given) if given == schema else value
    )
    arguments: Json = {"arguments": {"arguments": {"command": "ls"}}}
    change = Change(None, None, arguments, {"command": "ls"}, Outcome.SWALLOWED, (), 0, 0)
    assert convicted(check(change, context_of(engine, schema))) == set()


def test_an_engine_that_never_stops_is_convicted() -> None:
    def longer(value: Json, schema: Json) -> Json:
        return {**value, "t": [*value["t"], 1]} if isinstance(value, dict) else value  # type: ignore[misc]  # a list in this test

    schema = closed(None, t=kind("array", minItems=2))
    assert Kind.NOT_IDEMPOTENT in convicted(checked(reckless(longer), {"t": [1]}, schema))


def test_another_tool_is_convicted() -> None:
    schema = opened(None, command=TEXT)
    engine = reckless(lambda value, _: value)
    arguments: Json = {"command": "ls"}
    for called, resolved, is_wrong in (
        ("bash", "terminal", True),
        ("list_files", "List", True),
        ("", "read", True),
        ("functions.read:0", "read", False),
        ("exec<|channel|>commentary", "exec", False),
        ("bash", "Bash", False),
        ("exec\n", "exec", False),
        ("tools/exec", "exec", False),
    ):
        change = Change(called, resolved, arguments, arguments, Outcome.FIXED, (), 1, 0)
        found = convicted(check(change, context_of(engine, schema)))
        assert (Kind.KEY_UNRELATED in found) is is_wrong, called


def test_a_name_that_could_be_two_tools_is_convicted() -> None:
    schema = opened(None, command=TEXT)
    engine = reckless(lambda value, _: value)
    arguments: Json = {"command": "ls"}
    for called, resolved, tools, is_wrong in (
        ("READ", "read", ("read", "Read"), True),
        ("functions.READ", "read", ("read", "Read"), True),
        ("functions.read", "read", ("read", "Read"), False),
        ("READ", "read", ("read", "write"), False),
    ):
        change = Change(
            called, resolved, arguments, arguments, Outcome.FIXED, (), 1, 0, tools=tools
        )
        found = convicted(check(change, context_of(engine, schema)))
        assert (Kind.KEY_CROSSED in found) is is_wrong, (called, tools)


@pytest.mark.parametrize(
    ("listed", "sent", "made"),
    [
        (["markdown", "json", "MARKDOWN"], "Markdown", "markdown"),
        (["a", "A"], '"a"', "A"),
        (["edit", "Edit"], "EDIT", "Edit"),
    ],
)
def test_one_of_two_members_that_are_spelled_alike_is_convicted(
    listed: list[Json], sent: str, made: str
) -> None:
    schema = closed(None, e={"enum": listed})

    def take(_value: Json, _schema: Json) -> Json:
        return {"e": made}

    engine = obedient(take)
    assert {LOST, INVENTED} <= convicted(checked(engine, {"e": sent}, schema))


def test_a_second_judge_may_disagree() -> None:
    schema = closed(None, n=INT)
    engine = obedient(EACH(broken.to_int))
    context = context_of(engine, schema)
    strict = context_of(engine, closed(None, n=kind("integer", minimum=6))).judge
    change = Change(None, None, {"n": "5"}, {"n": 5}, Outcome.FIXED, (), 1, 0)
    for judges, found in (
        ((context.judge, strict), {Kind.JUDGE_DISAGREES}),
        ((context.judge,), set()),
    ):
        assert convicted(check(change, replace(context, second_judges=judges))) == found
