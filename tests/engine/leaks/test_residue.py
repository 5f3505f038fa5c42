"""Markup in structured calls, and bits of it beside them."""

from __future__ import annotations

import pytest

from toolfix_audit.engine.leaks import Leak, Message, StructuredCall, detect
from toolfix_audit.engine.leaks.syntax import EXAMPLE_TOOLS
from toolfix_audit.engine.leaks.words import Channel, Kind, Reason
from toolfix_audit.model.json import Json

PING = StructuredCall("ping", {})


def _of_call(name: str, arguments: Json) -> tuple[Leak, ...]:
    return detect(Message(calls=(StructuredCall(name, arguments),)), EXAMPLE_TOOLS).leaks


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "meant"),
    [
        ("ping</arg_value>", "{}", Kind.RESIDUE_IN_NAME, ("ping", {})),
        ("ping</tool_call>", "", Kind.RESIDUE_IN_NAME, ("ping", {})),
        (
            "read<arg_key>path</arg_key>\n<arg_value>a b</arg_value>",
            "{}",
            Kind.RESIDUE_IN_NAME,
            ("read", {"path": "a b"}),
        ),
        (
            "search<arg_key>query</arg_key><arg_value>1</arg_value><arg_key>limit</arg_key>"
            "<arg_value>2</arg_value></tool_call>",
            {},
            Kind.RESIDUE_IN_NAME,
            ("search", {"query": "1", "limit": 2}),
        ),
        ("read</arg_value>", {"path": "a"}, Kind.RESIDUE_IN_NAME, ("read", {"path": "a"})),
        ("read", '{"path</arg_key>":"a"}', Kind.RESIDUE_IN_KEY, ("read", {"path": "a"})),
        ("read", {"<arg_key>path": "a"}, Kind.RESIDUE_IN_KEY, ("read", {"path": "a"})),
    ],
)
def test_markup_is_taken_off(
    name: str, arguments: Json, kind: Kind, meant: tuple[str, Json]
) -> None:
    (leak,) = _of_call(name, arguments)
    assert (leak.kind, leak.channel, leak.reason) == (kind, Channel.CALL, None)
    assert (leak.name, leak.arguments) == meant


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read<arg_key>path</arg_key><arg_value>a</arg_value>", {"path": "b"}),
        ("read<arg_key>path</arg_key>", {}),
        (
            "read<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>path</arg_key>"
            "<arg_value>b</arg_value>",
            {},
        ),
        ("read</arg_value> and more", {}),
        ("read</arg_value>", {}),
        ("read", {"paths</arg_key>": 1}),
    ],
)
def test_what_is_not_unique_is_counted_and_not_made(name: str, arguments: Json) -> None:
    (leak,) = _of_call(name, arguments)
    assert leak.reason is Reason.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read", {"path": "</arg_key>"}),
        ("read", {"path": "<tool_call>ping</tool_call>"}),
        ("write", {"path": "a", "content": "<arg_key>k</arg_key><arg_value>v</arg_value>"}),
        ("fetch</arg_value>", {}),
        ("fetch", {}),
        ("ping<b>", {}),
        ("read", {"path</arg_key>": "a", "path": "b"}),
        ("read", "no JSON </arg_key>"),
        ("read", '{"path</arg_key>'),
        ("ping", None),
        ("ping", [1]),
        ("", {}),
        ("<arg_key>", {}),
    ],
)
def test_the_rest_is_no_leak(name: str, arguments: Json) -> None:
    assert _of_call(name, arguments) == ()


def test_a_declared_key_may_look_like_anything() -> None:
    tools: dict[str, Json] = {"t": {"type": "object", "properties": {"a</arg_key>": {}}}}
    call = StructuredCall("t", {"a</arg_key>": 1})
    assert detect(Message(calls=(call,)), tools).leaks == ()


@pytest.mark.parametrize(
    ("text", "strip", "rest"),
    [
        ("Now.\n<｜DSML｜function_calls", "<｜DSML｜function_calls", "Now."),
        ("Now.\n<|tool_call", "<|tool_call", "Now."),
        ("Now.\n</tool_call>\n", "</tool_call>", "Now."),
        ("<tool_call>", "<tool_call>", ""),
        ("Now.\n[TOOL_CALLS]", "[TOOL_CALLS]", "Now."),
    ],
)
def test_bits_beside_a_call_are_only_stripped(text: str, strip: str, rest: str) -> None:
    found = detect(Message(text, calls=(PING,)), EXAMPLE_TOOLS)
    (leak,) = found.leaks
    assert (leak.kind, leak.calls, leak.strays) == (Kind.RESIDUE_ONLY, (), (strip,))
    assert found.text == rest


@pytest.mark.parametrize(
    "text",
    [
        "Now.\n<｜DSML｜function_calls, and so on",
        "It is `<tool_call>`",
        "```\n</tool_call>",
        "x < tool",
        "a <b",
        "a <inv",
        "<details>",
        "</div>",
        '<invoke name="fetch"><parameters></parameters>\n</invoke>',
        "<tool_call>ping the server</tool_call>",
        "",
    ],
)
def test_other_text_beside_a_call_is_kept(text: str) -> None:
    found = detect(Message(text, calls=(PING,)), EXAMPLE_TOOLS)
    assert (found.leaks, found.text) == ((), text)


def test_bits_without_a_call_are_no_residue() -> None:
    assert detect(Message("Now.\n<|tool_call"), EXAMPLE_TOOLS).leaks == ()


def test_a_leak_beside_a_valid_call_is_found() -> None:
    text = 'count\n<invoke name="ping">\n</invoke>'
    (leak,) = detect(Message(text, calls=(PING,)), EXAMPLE_TOOLS).leaks
    assert (leak.kind, leak.stray_token) == (Kind.LEAKED_CALL, "count")
