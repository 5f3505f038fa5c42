"""Every syntax on its own examples, and on what must never be a call."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from toolfix_audit.engine.leaks import SYNTAXES, Detection, Message, detect, syntaxes
from toolfix_audit.engine.leaks.syntax import EXAMPLE_TOOLS, Example, Syntax
from toolfix_audit.engine.leaks.words import Channel, Kind
from toolfix_audit.model.json import Json

ALL = [(syntax, example) for syntax in SYNTAXES for example in syntax.examples]
LEAKS = [(syntax, example) for syntax, example in ALL if example.leaks]
NO_LEAKS = [(syntax, example) for syntax, example in ALL if not example.leaks]
OTHER_TOOLS: dict[str, Json] = {"deploy": {"type": "object"}, "status": {"type": "object"}}


def _id(pair: tuple[Syntax, Example]) -> str:
    return f"{pair[0].name}: {pair[1].title}"


def _in(text: str) -> Detection:
    return detect(Message(text), EXAMPLE_TOOLS)


@pytest.mark.parametrize("pair", LEAKS, ids=_id)
def test_a_leak_is_found_with_its_calls(pair: tuple[Syntax, Example]) -> None:
    syntax, example = pair
    (leak,) = _in(example.text).leaks
    assert tuple((call.name, call.arguments) for call in leak.calls) == example.calls
    assert (leak.syntax, leak.kind, leak.channel) == (syntax.name, Kind.LEAKED_CALL, Channel.TEXT)
    assert leak.reason == example.reason
    assert leak.is_repairable is (example.reason is None)


@pytest.mark.parametrize("pair", NO_LEAKS, ids=_id)
def test_what_only_looks_like_one_is_none(pair: tuple[Syntax, Example]) -> None:
    found = _in(pair[1].text)
    assert found.leaks == ()
    assert found.text == pair[1].text


@pytest.mark.parametrize("pair", LEAKS, ids=_id)
def test_reasoning_is_read_like_text(pair: tuple[Syntax, Example]) -> None:
    (leak,) = detect(Message(reasoning=pair[1].text), EXAMPLE_TOOLS).leaks
    assert leak.channel is Channel.REASONING
    assert tuple((call.name, call.arguments) for call in leak.calls) == pair[1].calls


def _fenced(text: str) -> str:
    return f"A call looks like this:\n\n`````\n{text}\n`````\n\nThat is all."


def _quoted(text: str) -> str:
    lines = "\n".join(f"> {line}" for line in text.split("\n"))
    return f"They wrote:\n\n{lines}\n\nThat is all."


def _indented(text: str) -> str:
    lines = "\n".join(f"    {line}" for line in text.split("\n"))
    return f"They wrote:\n\n{lines}\n\nThat is all."


def _inline(text: str) -> str:
    return f"The text ````` {text} ````` is a call."


def _open_fence(text: str) -> str:
    return f"~~~~~~\nThis is shown:\n{text}"


@pytest.mark.parametrize("wrap", [_fenced, _quoted, _indented, _inline, _open_fence])
@pytest.mark.parametrize("pair", LEAKS, ids=_id)
def test_what_is_shown_is_not_said(pair: tuple[Syntax, Example], wrap: object) -> None:
    assert callable(wrap)
    assert _in(str(wrap(pair[1].text))).leaks == ()


@pytest.mark.parametrize("pair", LEAKS, ids=_id)
def test_without_the_tool_there_is_no_call(pair: tuple[Syntax, Example]) -> None:
    message = Message(pair[1].text)
    assert detect(message, OTHER_TOOLS).leaks == ()
    assert detect(message, {}).leaks == ()
    assert detect(message, EXAMPLE_TOOLS, may_call=False).leaks == ()


@pytest.mark.parametrize("pair", LEAKS, ids=_id)
def test_a_quoted_call_beside_a_real_one_changes_nothing(pair: tuple[Syntax, Example]) -> None:
    text = f"As in `x`:\n\n`````\n{pair[1].text}\n`````\n\n{LEAKS[0][1].text}"
    (leak,) = _in(text).leaks
    assert tuple((call.name, call.arguments) for call in leak.calls) == LEAKS[0][1].calls


def test_every_syntax_shows_twice_as_much_that_is_no_leak() -> None:
    for syntax in SYNTAXES:
        leaks = sum(example.leaks for example in syntax.examples)
        assert leaks >= 1, syntax.name
        assert len(syntax.examples) - leaks >= 2 * leaks, syntax.name


def test_every_syntax_file_is_in_the_registry() -> None:
    assert syntaxes.__file__
    for path in Path(syntaxes.__file__).parent.glob("*.py"):
        if path.stem != "__init__":
            module = importlib.import_module(f"{syntaxes.__name__}.{path.stem}")
            assert module.SYNTAX in SYNTAXES, path.stem
            assert module.SYNTAX.name == path.stem
    assert len({syntax.name for syntax in SYNTAXES}) == len(SYNTAXES)
