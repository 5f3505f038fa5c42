"""Text without a type: typed where the schema leaves one reading, and never guessed."""

from __future__ import annotations

import pytest

from toolfix_audit.engine.leaks import Message, detect
from toolfix_audit.engine.leaks.words import Reason
from toolfix_audit.model.json import Json, same_json

SHAPES = (
    "<tool_call><function=t><parameter=v>{}</parameter></function></tool_call>",
    '<function_calls><invoke name="t"><parameter name="v">{}</parameter></invoke></function_calls>',
    '<invoke name="t"><parameter name="v">{}</parameter></invoke>',
    "<tool_call>t<arg_key>v</arg_key><arg_value>{}</arg_value></tool_call>",
    '<invoke name="t"><v>{}</v></invoke>',
    "<t>\n<v>{}</v>\n</t>",
)


def _read(shape: str, text: str, schema: Json) -> tuple[Json, Reason | None]:
    tools: dict[str, Json] = {
        "t": {"type": "object", "properties": {"v": schema}, "required": ["v"]}
    }
    leaks = detect(Message(shape.replace("{}", text)), tools).leaks
    if not leaks:
        return None, Reason.INVALID_ARGUMENTS
    arguments = leaks[0].arguments
    assert isinstance(arguments, dict)
    return arguments["v"], leaks[0].reason


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("02134", {"type": "string"}, "02134"),
        ("false", {"type": "string"}, "false"),
        ("null", {"type": "string"}, "null"),
        ("[1]", {"type": "string"}, "[1]"),
        ("&lt;b&gt;", {"type": "string"}, "&lt;b&gt;"),
        ("two  blanks ", {"type": "string"}, "two  blanks "),
        ("5", {"type": "integer"}, 5),
        ("false", {"type": "boolean"}, False),
        ("1.5", {"type": "number"}, 1.5),
        ('["a"]', {"type": "array", "items": {"type": "string"}}, ["a"]),
        ('{"a": 1}', {"type": "object"}, {"a": 1}),
        ("12345678901234567890", {"type": "integer"}, 12345678901234567890),
        ("b", {"enum": ["a", "b"]}, "b"),
        ("word", {"type": ["string", "integer"]}, "word"),
        ("word", {}, "word"),
    ],
)
def test_one_reading_is_taken(shape: str, text: str, schema: Json, value: Json) -> None:
    read, reason = _read(shape, text, schema)
    assert reason is None
    assert same_json(read, value)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("5", {"type": ["string", "integer"]}),
        ("null", {"type": ["string", "null"]}),
        ("true", {"anyOf": [{"type": "boolean"}, {"type": "string"}]}),
        ("5", {}),
        ("[1]", {}),
        ('{"a":1}', {"description": "anything"}),
    ],
)
def test_two_readings_stay_text_and_are_not_made(shape: str, text: str, schema: Json) -> None:
    read, reason = _read(shape, text, schema)
    assert reason is Reason.UNTYPED_VALUE
    assert read == text


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("007", {"type": "integer"}),
        ("yes", {"type": "boolean"}),
        ("1", {"type": "boolean"}),
        ("3.7", {"type": "integer"}),
        ("", {"type": "integer"}),
        ("a, b", {"type": "array", "items": {"type": "string"}}),
        ("[1", {"type": "array"}),
        ("c", {"enum": ["a", "b"]}),
    ],
)
def test_no_reading_is_not_made(shape: str, text: str, schema: Json) -> None:
    assert _read(shape, text, schema)[1] is Reason.INVALID_ARGUMENTS


def test_a_flag_in_the_tag_decides_between_text_and_json() -> None:
    shape = (
        '<｜DSML｜invoke name="t"><｜DSML｜parameter name="v" string="{}">5</｜DSML｜parameter>'
        "</｜DSML｜invoke>"
    )
    both: Json = {"type": ["string", "integer"]}
    assert _read(shape, "true", both) == ("5", None)
    assert _read(shape, "false", both) == (5, None)
    untold = shape.replace(' string="{}"', "")
    assert _read(untold, "", both) == ("5", Reason.UNTYPED_VALUE)


def test_a_schema_that_no_judge_runs_leaves_the_call_unjudged() -> None:
    (leak,) = detect(Message("<tool_call>t</tool_call>"), {"t": None}).leaks
    assert leak.reason is Reason.UNJUDGED


def test_values_keep_their_line_ends_but_for_the_layout() -> None:
    text = (
        "<tool_call>\n<function=t>\n<parameter=v>\n\n  a\n\n</parameter>\n</function>\n</tool_call>"
    )
    assert _read(text, "", {"type": "string"}) == ("\n  a\n", None)
