"""Single rules of the families, each by the smallest call that tells whether it holds.

A rule says what becomes of the arguments and by which steps; no step means that they stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from toolfix_audit.engine import repair, repair_name
from toolfix_audit.model.json import MAX_INTEGER_DIGITS, Json, dump_json
from toolfix_audit.model.words import Outcome, UntouchedReason

OPEN: dict[str, Json] = {"properties": {"name": {"type": "string"}, "limit": {"type": "integer"}}}
NEEDS_TWO: dict[str, Json] = {
    "properties": {"name": {"type": "string"}, "path": {"type": "string"}},
    "required": ["name", "path"],
}
CLOSED: dict[str, Json] = {
    "properties": {"url": {"type": "string"}, "note": {"type": ["string", "null"]}},
    "additionalProperties": False,
}
RUN: dict[str, Json] = {"properties": {"command": {"type": "string"}}, "required": ["command"]}


def just(schema: Json, *, required: bool = False) -> dict[str, Json]:
    """An open object with the one key `x` of that schema."""
    return {"properties": {"x": schema}, **({"required": ["x"]} if required else {})}


def branches(*schemas: Json) -> dict[str, Json]:
    """The key `x`, of which each branch of an `anyOf` says something."""
    return {"anyOf": [just(schema) for schema in schemas]}


@dataclass(frozen=True, slots=True)
class Rule:
    """What must become of a call: `steps` are family and action, in order."""

    title: str
    schema: Json
    sent: Json
    after: Json = None
    steps: tuple[str, ...] = ()


PERSON: Json = {"properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}

CREDIT = (
    Rule(
        "a merge is not credited with what is mended beside it",
        OPEN, {"args": {"name": "x"}, "limit": "5"},
        {"args": {"name": "x"}, "limit": 5}, ("F cast:integer",),
    ),
    Rule(
        "a rename is not credited with what is mended beside it",
        OPEN, {"skill_name": "x", "limit": "5"},
        {"skill_name": "x", "limit": 5}, ("F cast:integer",),
    ),
    Rule(
        "a required key that is absent does not stop a rename alone",
        NEEDS_TWO, {"skill_name": "x"}, {"name": "x"}, ("D rename:skill_name→name",),
    ),
    Rule("beside an unknown key it does", NEEDS_TWO, {"skill_name": "x", "other": 1}),
)  # fmt: skip

LONGEST = "9" * MAX_INTEGER_DIGITS
SCALARS = (
    Rule("integer", just({"type": "integer"}), {"x": "5"}, {"x": 5}, ("F cast:integer",)),
    Rule("boolean", just({"type": "boolean"}), {"x": "TRUE"}, {"x": True}, ("F cast:boolean",)),
    Rule(
        "null", just({"type": ["null", "integer"]}), {"x": "null"}, {"x": None}, ("F cast:null",)
    ),
    Rule("short fraction", just({"type": "number"}), {"x": "0.1"}, {"x": 0.1}, ("F cast:number",)),
    Rule("negative", just({"type": "number"}), {"x": "-5"}, {"x": -5}, ("F cast:number",)),
    Rule("zero", just({"type": "number"}), {"x": "0"}, {"x": 0}, ("F cast:number",)),
    Rule(
        "integer beyond 2^53 for a number",
        just({"type": "number"}), {"x": "9007199254740993"}, {"x": 9007199254740993},
        ("F cast:number",),
    ),
    Rule("negative zero has two readings", just({"type": "number"}), {"x": "-0"}),
    Rule("negative zero for an integer", just({"type": "integer"}), {"x": "-0"}),
    Rule("many digits", just({"type": "integer"}), {"x": LONGEST}, {"x": int(LONGEST)},
         ("F cast:integer",)),
    Rule("more digits than are read", just({"type": "integer"}), {"x": LONGEST + "9"}),
)  # fmt: skip

TEXTS = (
    Rule("trailing comma", RUN, '{"command": "ls",}', {"command": "ls"},
         ("L text:trailing-comma",)),
    Rule("raw tab", RUN, '{"command": "a\tb"}', {"command": "a\tb"}, ("L text:control-chars",)),
    Rule(
        "raw tab, and a comma only inside the string",
        RUN, '{"command": "{a,}\t"}', {"command": "{a,}\t"}, ("L text:control-chars",),
    ),
    Rule(
        "trailing comma in a fence",
        RUN, '```json\n{"command": "ls",}\n```', {"command": "ls"}, ("L text:fence",),
    ),
    Rule("empty quotes behind", RUN, '{"command": "ls"}""', {"command": "ls"}, ("L text:junk",)),
    Rule("empty marks behind", RUN, "{\"command\": \"ls\"} ''", {"command": "ls"},
         ("L text:junk",)),
    Rule("words behind", RUN, '{"command": "ls"} EXIT', {"command": "ls"}, ("L text:junk",)),
    Rule("a comma behind", RUN, '{"command": "ls"}, and'),
    Rule("a colon behind", RUN, '{"command": "ls"}: yes'),
)  # fmt: skip

EMPTIES = (
    Rule(
        "null that every branch rejects",
        branches({"type": "string"}, {"type": "integer"}), {"x": None}, {}, ("M drop-null:x",),
    ),
    Rule(
        "empty text where branches take null",
        branches({"type": ["integer", "null"]}, {"type": ["boolean", "null"]}), {"x": ""}, {},
        ("M drop-null:x",),
    ),
    Rule("null that one branch takes", branches({"type": "string"}, {"type": "null"}), {"x": None}),
    Rule(
        "legal null in an object with a key too many",
        {**CLOSED, "maxProperties": 1}, {"url": "u", "note": None},
    ),
    Rule("an unknown key alone", CLOSED, {"in_file": None}, {}, ("M drop-null:in_file",)),
    Rule("an empty wrapper alone", CLOSED, {"args": None}),
    Rule("an empty wrapper beside a key", CLOSED, {"url": "u", "args": None}, {"url": "u"},
         ("M drop-null:args",)),
)  # fmt: skip

ITEMS = (
    Rule("word", just({"type": "array"}), {"x": "a"}, {"x": ["a"]}, ("N wrap:array",)),
    Rule("text of an item", just({"type": "array", "items": {"type": "integer"}}), {"x": "5"}),
    Rule(
        "an object is mended once it is an item",
        just({"type": "array", "items": PERSON}), {"x": {"name": "Ada", "age": "7"}},
        {"x": [{"name": "Ada", "age": 7}]}, ("N wrap:array", "F cast:integer"),
    ),
    Rule(
        "the first item has a schema of its own",
        just({"type": "array", "prefixItems": [PERSON], "items": {"properties": {"zip": {}}}}),
        {"x": {"name": "Ada"}}, {"x": [{"name": "Ada"}]}, ("N wrap:array",),
    ),
    Rule("an object that items do not know", just({"type": "array", "items": PERSON}),
         {"x": {"zip": 1}}),
    Rule("null is no item", just({"type": "array"}, required=True), {"x": None}),
    Rule("empty text is no item", just({"type": "array"}, required=True), {"x": ""}),
    Rule("an empty object is no item", just({"type": "array", "items": PERSON}, required=True),
         {"x": {}}),
)  # fmt: skip

MEMBERS = (
    Rule("quotes around nothing", just({"enum": ["", "a"]}), {"x": '""'}, {"x": ""},
         ('O enum:""→',)),
    Rule("a blank behind quotes", just({"enum": ["json"]}), {"x": '"json" '}),
    Rule("a blank before quotes", just({"enum": ["json"]}), {"x": ' "json"'}),
)  # fmt: skip

RULES = (*CREDIT, *SCALARS, *TEXTS, *EMPTIES, *ITEMS, *MEMBERS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.title)
def test_a_rule_holds(rule: Rule) -> None:
    done = repair(rule.sent, rule.schema)
    assert tuple(f"{step.family} {step.action}" for step in done.steps) == rule.steps
    after = rule.after if rule.steps else rule.sent
    assert dump_json(done.arguments) == dump_json(after)


def test_an_empty_wrapper_is_no_arguments() -> None:
    done = repair({"args": None}, CLOSED)
    assert done.outcome is Outcome.UNTOUCHED
    assert done.reason is UntouchedReason.EMPTY_ARGUMENTS


@pytest.mark.parametrize(
    ("called", "available", "meant"),
    [
        ("functions.read:0", ("read", "Read"), "read"),
        ("functions.READ:0", ("read", "Read"), None),
        ("exec <|channel|>commentary", ("exec",), "exec"),
        ("<|channel|>exec", ("exec",), None),
    ],
)
def test_a_name_is_read_in_that_order(
    called: str, available: tuple[str, ...], meant: str | None
) -> None:
    """What is taken off first, then the exact name, and only then one without case."""
    assert repair_name(called, available) == meant
