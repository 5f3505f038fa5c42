"""Defects put into valid arguments on purpose: the original comes back, exactly."""

from __future__ import annotations

from random import Random
from typing import Any, cast

from hypothesis import assume, given, note
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolfix_audit.engine import ALL, SAFE, repair, repair_call
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.repair import Repair
from toolfix_audit.model.words import Outcome

from .defects import ALIASES, WRAPPERS, drifted_text, split, textless, with_texts, wrapped
from .effort import law
from .governing import at_path, declared_names, is_declared, required_names
from .tools import Tool, rngs, tools, tools_with

TIERS = st.sampled_from((SAFE, ALL))
CHAINS = st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=6)


def declares(tool: Tool, *names: str) -> bool:
    """Whether the root may declare one of the names; true where that is not plain."""
    found = at_path(tool.schema, ())
    return found is None or any(is_declared(found, name) for name in names)


def is_packed(tool: Tool) -> bool:
    """Whether valid arguments look like a wrapper themselves, or hold an undeclared one."""
    value = tool.arguments
    return any(name in value and not declares(tool, name) for name in WRAPPERS) or (
        set(value) == {"type", "value"} and not declares(tool, "type", "value")
    )


def is_swallowed(tool: Tool) -> bool:
    """Whether `arguments` around the valid arguments hides them from a tool that needs none."""
    found = at_path(tool.schema, ())
    return (
        found is not None
        and bool(tool.arguments)
        and not required_names(found)
        and bool(declared_names(found))
        and all(is_declared(found, key) for key in tool.arguments)
    )


def is_plain(schema: Json) -> bool:
    """Whether no part of the schema counts several violations as one."""
    text = dump_json(schema)
    return not any(f'"{word}"' in text for word in ("anyOf", "oneOf", "not", "if"))


def is_open_to_wrappers(schema: Json) -> bool:
    """Whether the root plainly declares something, and not every wrapper name."""
    found = at_path(schema, ())
    return bool(found and declared_names(found)) and not all(
        is_declared(found or [], name) for name in WRAPPERS
    )


def is_plain_and_open(schema: Json) -> bool:
    return is_plain(schema) and is_open_to_wrappers(schema)


wrappable_tools = tools_with(is_open_to_wrappers)
plain_tools = tools_with(is_plain_and_open)


def is_wrong(value: Json, schema: Json) -> bool:
    return not Draft202012Validator(cast(Any, schema)).is_valid(cast(Any, value))


def assert_restored(done: Repair, original: Json) -> None:
    assert done.outcome is Outcome.FIXED
    assert dump_json(done.arguments) == dump_json(original)
    assert done.steps
    assert not done.violations_after


def assert_restored_in_any_order(done: Repair, original: Json) -> None:
    assert done.outcome is Outcome.FIXED
    assert dump_json(done.arguments, sort_keys=True) == dump_json(original, sort_keys=True)


@law
@given(wrappable_tools, st.integers(1, 60))
def test_wrapped_arguments_come_back(tool: Tool, layers: int) -> None:
    """A: `arguments` undeclared, the schema declares a property."""
    assume(not is_packed(tool) and not declares(tool, "arguments"))
    sent = wrapped(tool.arguments, ["arguments"] * layers)
    done = repair(sent, tool.schema)
    if is_wrong(sent, tool.schema):
        assert_restored(done, tool.arguments)
    elif is_swallowed(tool):
        assert done.outcome is Outcome.SWALLOWED
        assert dump_json(done.arguments) == dump_json(tool.arguments)
    else:
        assert done.outcome is Outcome.VALID
        assert done.arguments is sent
    if done.steps:
        assert len(done.steps) == layers


@law
@given(tools, CHAINS, TIERS)
def test_aliases_come_off(tool: Tool, names: list[str], families: frozenset[str]) -> None:
    """B, and mixed chains: every name undeclared, and the wrapped call has violations."""
    assume(names[-1] in ALIASES)
    assume(not is_packed(tool) and not declares(tool, *names))
    sent = wrapped(tool.arguments, names)
    done = repair(sent, tool.schema, families=families)
    if is_wrong(sent, tool.schema):
        assert_restored(done, tool.arguments)
    else:
        assert done.arguments is sent


@law
@given(tools, st.sampled_from(("valid", "object")), TIERS)
def test_envelopes_come_off(tool: Tool, word: str, families: frozenset[str]) -> None:
    """B: `type` and `value` undeclared, the type an empty word."""
    assume(not is_packed(tool) and not declares(tool, "type", "value"))
    sent: Json = {"type": word, "value": tool.arguments}
    assume(is_wrong(sent, tool.schema))
    assert_restored(repair(sent, tool.schema, families=families), tool.arguments)


@law
@given(tools, st.sampled_from(WRAPPERS), rngs)
def test_wrapped_siblings_are_merged(tool: Tool, name: str, rng: Random) -> None:
    """C: the wrapper undeclared, no key twice, and the call has violations."""
    assume(len(tool.arguments) > 1 and not is_packed(tool) and not declares(tool, name))
    sent = split(tool.arguments, name, rng)
    assume(is_wrong(sent, tool.schema))
    note(sent)
    assert_restored_in_any_order(repair(sent, tool.schema), tool.arguments)


@law
@given(tools, rngs)
def test_texts_become_what_they_spell(tool: Tool, rng: Random) -> None:
    """E and F: strings are excluded by every branch at each place."""
    paths = textless(tool.arguments, tool.schema)
    assume(paths)
    sent, chosen = with_texts(tool.arguments, tool.schema, paths, rng)
    assume(chosen)
    assume(len(chosen) == 1 or is_plain(tool.schema))
    note(sent)
    assert_restored(repair(sent, tool.schema), tool.arguments)


@law
@given(tools, rngs)
def test_drifted_texts_come_back(tool: Tool, rng: Random) -> None:
    """L: fences, junk, the same object again, trailing commas, escaped blanks."""
    text = drifted_text(tool.arguments, rng)
    note(text)
    done = repair(text, tool.schema)
    if is_wrapped(tool):
        return
    assert_restored(done, tool.arguments)
    assert done.steps[0].family == "L"


def is_wrapped(tool: Tool) -> bool:
    """Whether the valid arguments are themselves a swallowed wrapper."""
    return set(tool.arguments) == {"arguments"}


@law
@given(plain_tools, CHAINS, rngs)
def test_defects_compose(tool: Tool, names: list[str], rng: Random) -> None:
    """Texts inside a wrapper chain; the whole as double-encoded and as drifted text."""
    paths = textless(tool.arguments, tool.schema)
    assume(paths)
    assume(not is_packed(tool) and not declares(tool, *names))
    inner, chosen = with_texts(tool.arguments, tool.schema, paths, rng)
    assume(chosen)
    sent = wrapped(inner, names)
    assume(is_wrong(sent, tool.schema))
    assert isinstance(sent, dict)
    text = dump_json(sent)
    for given_arguments in (sent, text, dump_json(text), drifted_text(sent, rng)):
        note(given_arguments)
        assert_restored(repair(given_arguments, tool.schema), tool.arguments)


@law
@given(plain_tools, CHAINS, st.sampled_from(WRAPPERS), rngs)
def test_split_arguments_come_back_through_wrappers(
    tool: Tool, names: list[str], name: str, rng: Random
) -> None:
    """C inside A and B, with texts in both halves, called by a drifted name."""
    assume(len(tool.arguments) > 1)
    assume(not is_packed(tool) and not declares(tool, name, *names))
    halves = split(tool.arguments, name, rng)
    assume(is_wrong(halves, tool.schema))
    sent = wrapped(halves, names)
    assume(is_wrong(sent, tool.schema))
    note(sent)
    assert_restored_in_any_order(repair(sent, tool.schema), tool.arguments)
    done = repair_call("functions.t:3", sent, {"t": tool.schema})
    assert done.tool == "t"
    assert_restored_in_any_order(done, tool.arguments)


AROUND = st.tuples(
    st.sampled_from(("functions.", "functions:", "tools/", "tool.", "")),
    st.sampled_from(("", ":0", ":12")),
    st.sampled_from(("", "<|channel|>commentary", "<|end|>", " ")),
)


@law
@given(
    st.lists(
        st.sampled_from(("read", "Write", "bash", "mcp__a__b", "x.y")), unique=True, min_size=1
    ),
    AROUND,
    rngs,
)
def test_drifted_names_come_back(
    names: list[str], around: tuple[str, str, str], rng: Random
) -> None:
    """K: prefix, index, token, blanks and case around one of the tools."""
    name = rng.choice(names)
    called = rng.choice((name, name.upper(), name.title()))
    lead, index, tail = around
    sent = lead + called + index + tail
    schema: Json = {"type": "object", "properties": {"a": {"type": "integer"}}}
    done = repair_call(sent, {"a": 1}, dict.fromkeys(names, schema))
    assert done.tool == name
    assert done.outcome is (Outcome.VALID if sent == name else Outcome.FIXED)
    assert done.arguments == {"a": 1}
