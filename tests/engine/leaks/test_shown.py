"""Calls that a text shows or forbids are no leaks; calls after plain words are."""

from __future__ import annotations

import pytest

from toolfix_audit.engine.leaks.detect import detect
from toolfix_audit.engine.leaks.leak import Message
from toolfix_audit.engine.leaks.syntax import EXAMPLE_TOOLS

CALL = '<tool_call>{"name":"read","arguments":{"path":"a.md"}}</tool_call>'


@pytest.mark.parametrize(
    "text",
    [
        f"Never write {CALL}",
        f"Don't answer with\n{CALL}",
        f"For example: {CALL}",
        f"The model writes a block like this:\n{CALL}\nwhere `name` is the tool.",
        f"# {CALL}",
        f"// {CALL}",
        f"- {CALL}",
        f"1. {CALL}",
        f"The patch:\n+{CALL}",
        f"The patch:\n-{CALL}",
        f"<!--\n{CALL}\n-->",
        f"<pre>\n{CALL}\n</pre>",
        f'<code class="x">{CALL}',
        f"<example>\nUser: hi\n{CALL}\n</example>",
    ],
)
def test_a_call_that_is_shown_is_no_leak(text: str) -> None:
    assert detect(Message(text), EXAMPLE_TOOLS).leaks == ()


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"I will read the file.\n{CALL}",
        f"Let me look at it:\n\n{CALL}",
        f"The user gave an example; I'll read it now.\n\nReading:\n{CALL}",
        f"<!-- done -->\n{CALL}",
        f"<pre>x</pre>\n\n{CALL}",
    ],
)
def test_a_call_after_plain_words_is_one(text: str) -> None:
    (leak,) = detect(Message(text), EXAMPLE_TOOLS).leaks
    assert leak.is_repairable
