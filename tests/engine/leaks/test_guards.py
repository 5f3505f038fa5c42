"""The guards, one by one and in their order, and what counts as quoted."""

from __future__ import annotations

import pytest

from toolfix_audit.engine.leaks import Detection, Message, detect
from toolfix_audit.engine.leaks.code_spans import CodeSpans, only_fence
from toolfix_audit.engine.leaks.syntax import EXAMPLE_TOOLS
from toolfix_audit.engine.leaks.words import Guard, Reason

PING = '<tool_call>{"name":"ping","arguments":{}}</tool_call>'
OPEN = '<tool_call>{"name":"ping","arguments":{}}'
UNKNOWN = '<tool_call>{"name":"fetch","arguments":{}}</tool_call>'
INVOKE = '<invoke name="ping">\n</invoke>'


def _in(text: str) -> Detection:
    return detect(Message(text), EXAMPLE_TOOLS)


REFUSED = [
    (f"`{PING}`", Guard.QUOTED),
    (f"```\n{PING}\n```\nas shown", Guard.QUOTED),
    (f"```\n{UNKNOWN}\n```\nas shown", Guard.QUOTED),
    (f'The string "{PING}"', Guard.QUOTED),
    (f"> {PING}", Guard.QUOTED),
    (f"So:\n\n\t{PING}", Guard.QUOTED),
    (f"{OPEN}\nand more", Guard.NOT_CLOSED),
    (f"Then {OPEN}", Guard.NOT_CLOSED),
    (UNKNOWN, Guard.UNKNOWN_NAME),
    (f"It is {UNKNOWN} there", Guard.UNKNOWN_NAME),
    ('{"name":"read","arguments":{"path":5}}', Guard.INVALID_ARGUMENTS),
    ('{"name":"read","arguments":{"file":"a"}} then', Guard.INVALID_ARGUMENTS),
    (f"It is {PING} there", Guard.MISPLACED),
    (f"{INVOKE}\nand so on", Guard.MISPLACED),
    (f"Then {INVOKE}", Guard.MISPLACED),
    ('So: {"x":1}\n<read>\n<path>a</path>\n</read> and', None),
    ('<tool_call>{"name":"read","arguments":{"path":"<path>"}}</tool_call>', Guard.PLACEHOLDER),
    ('<tool_call>{"name":"read","arguments":{"path":"…"}}</tool_call>', Guard.PLACEHOLDER),
]


@pytest.mark.parametrize(("text", "guard"), REFUSED)
def test_the_first_guard_that_refuses_is_named(text: str, guard: Guard | None) -> None:
    found = _in(text)
    assert found.leaks == ()
    assert [one.guard for one in found.refusals[:1]] == ([guard] if guard else [])


def test_placeholder_names_are_no_calls_even_if_registered() -> None:
    for name in ("NAME", "function_name", "tool_name", "example_search", "your_tool"):
        text = PING.replace("ping", name)
        found = detect(Message(text), {name: {"type": "object"}})
        assert [one.guard for one in found.refusals] == [Guard.PLACEHOLDER]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"Now.\n{PING}", "Now."),
        (f"Now.{PING}", "Now."),
        (f"{PING}\nThe rest.", "The rest."),
        (f"One.\n{PING}\nTwo.", "One.\n\nTwo."),
        (f"{PING}{PING}", ""),
        (f"{PING}<|im_end|>", "<|im_end|>"),
        (f"See `{PING}`.\n{PING}", f"See `{PING}`."),
    ],
)
def test_the_rest_of_the_text_survives(text: str, rest: str) -> None:
    found = _in(text)
    assert len(found.leaks) == 1
    assert found.text == rest


def test_text_that_holds_a_leak_which_can_not_be_repaired_is_kept() -> None:
    text = '<tool_call>{"name":"read","arguments":{}}</tool_call>'
    found = _in(text)
    assert [leak.reason for leak in found.leaks] == [Reason.INVALID_ARGUMENTS]
    assert found.text == text


def test_a_run_with_one_unknown_tool_is_counted_and_not_made() -> None:
    (leak,) = _in(f"{PING}\n{UNKNOWN}").leaks
    assert leak.reason is Reason.UNKNOWN_NAME
    assert [call.name for call in leak.calls] == ["ping", "fetch"]


def test_calls_apart_are_leaks_apart() -> None:
    found = _in(f"{PING}\nthen\n{PING}")
    assert [len(leak.calls) for leak in found.leaks] == [1, 1]
    assert found.text == "then"


def test_a_fence_inside_a_value_neither_opens_nor_closes_one() -> None:
    write = '<tool_call>{"name":"write","arguments":{"path":"a","content":"```\\n"}}</tool_call>'
    raw = write.replace("\\n", "\n```\n```")
    assert len(_in(f"{raw}\nthen\n{PING}").leaks) == 2
    assert _in(f"```\n{raw}\n```\nas shown").leaks == ()


def test_drifted_names_are_resolved_where_the_tokens_are_sure() -> None:
    (leak,) = _in(PING.replace("ping", "functions.Ping")).leaks
    assert (leak.name, leak.reason) == ("ping", None)
    assert _in('{"name":"Ping","arguments":{}}').leaks == ()
    assert _in("<Read>\n<path>a</path>\n</Read>").leaks == ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a `x` b", "x"),
        ("a ``x ` x`` b", "x ` x"),
        ("```\nx\n```", "x"),
        ("~~~\nx", "x"),
        ("````\n```\nx\n```\n````", "```\nx\n```"),
        ("- item\n  ```\n  x\n  ```", "x"),
        ("> ```\n> x\n> ```", "x"),
        ("a `two\nlines x` b", "x"),
    ],
)
def test_code_is_code(text: str, shown: str) -> None:
    code = CodeSpans(text)
    start = text.index(shown)
    assert all(code.holds(place) for place in range(start, start + len(shown)))


@pytest.mark.parametrize(
    "text", ["a ` x b", "`a`\nx", "a `\n\n x `b", "```a```\nx", "x", "`` a ` x", "```\n```\nx"]
)
def test_plain_text_is_none(text: str) -> None:
    assert not CodeSpans(text).holds(text.index("x"))


@pytest.mark.parametrize(
    ("text", "inner"),
    [("```\na\n```", "a\n"), ("  ~~~json\na\n~~~~\n", "a\n"), ("```\n```", "")],
)
def test_a_message_that_is_one_fence(text: str, inner: str) -> None:
    fence = only_fence(text)
    assert fence is not None
    assert fence.inner == inner
    assert text[fence.offset :].startswith(inner)


@pytest.mark.parametrize(
    "text",
    ["```\na\n```\nb", "b\n```\na\n```", "```\na\n```\n```\nb\n```", "```a```", "```\na", "a", ""],
)
def test_a_message_that_is_not(text: str) -> None:
    assert only_fence(text) is None


@pytest.mark.parametrize("language", ["", "json", "xml", "text"])
def test_a_lone_fence_may_hold_a_call(language: str) -> None:
    text = f"```{language}\n{PING}\n```"
    (leak,) = _in(text).leaks
    assert text[leak.start : leak.end] == PING


@pytest.mark.parametrize("language", ["python", "js", "bash", "markdown", "yaml"])
def test_a_lone_fence_of_a_language_is_an_answer(language: str) -> None:
    assert _in(f"```{language}\n{PING}\n```").leaks == ()
    assert _in(f'```{language}\nread(path="a")\n```').leaks == ()
