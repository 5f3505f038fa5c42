"""Tool blocks of Chat Completions: each choice has its own, by id and index.

Nothing ends a block but what follows it: the next call, once the arguments are one whole object;
else the finish reason or the end mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.call_keys import CallKeys, Fragment
from toolfix_audit.wire.chat import is_built_in, read_fragment
from toolfix_audit.wire.fields import integer_of, object_of, text_of
from toolfix_audit.wire.parts import CUT_REASONS
from toolfix_audit.wire.rewrite.acts import Act, Begin, Doubt, End, Take
from toolfix_audit.wire.rewrite.block import Block, Role
from toolfix_audit.wire.rewrite.spans import Path
from toolfix_audit.wire.rewrite.tally import Refusal

_CUT: Final = CUT_REASONS | {"content_filter", "error"}
_FRAGMENT_KEYS: Final = frozenset({"index", "type", "function"})


class ChatLens:
    """The choices of one answer."""

    __slots__ = ("_choices", "_identity")

    def __init__(self) -> None:
        self._choices: dict[int, _Choice] = {}
        self._identity: str | None = None

    def look(self, event: dict[str, Json]) -> Iterator[Act]:
        """What a chunk does."""
        if self._starts_anew(event):
            yield from self.done()
        self._identity = text_of(event, "id") or self._identity
        choices = event.get("choices")
        if not isinstance(choices, list):
            return
        for position, choice in enumerate(choices):
            if isinstance(choice, dict):
                number = integer_of(choice, "index")
                state = self._choices.setdefault(position if number is None else number, _Choice())
                alone = len(choices) == 1 and not event.get("usage")
                yield from state.look(choice, ("choices", position), alone=alone)

    def done(self) -> Iterator[Act]:
        """The end mark: every block is whole."""
        for choice in self._choices.values():
            yield from choice.ends(cut=False)
        self._choices.clear()

    def _starts_anew(self, event: dict[str, Json]) -> bool:
        identity = text_of(event, "id")
        is_other = bool(identity and self._identity and identity != self._identity)
        return is_other and all(choice.finished for choice in self._choices.values())


class _Choice:
    """One choice: its calls, and which of them are open."""

    __slots__ = ("_keys", "_open", "finished")

    def __init__(self) -> None:
        self.finished = False
        self._keys: CallKeys[Block] = CallKeys()
        self._open: list[Block] = []

    def look(self, choice: dict[str, Json], path: Path, *, alone: bool) -> Iterator[Act]:
        delta = object_of(choice, "delta")
        calls = delta.get("tool_calls")
        if isinstance(calls, list):
            bare = alone and _is_bare(choice)
            for number, entry in enumerate(calls):
                if isinstance(entry, dict) and not is_built_in(entry):
                    place = (*path, "delta", "tool_calls", number)
                    yield from self._entry(entry, place, bare=bare)
        legacy = object_of(delta, "function_call")
        if legacy:
            yield from self._entry({"function": legacy}, (*path, "delta"), bare=False)
        reason = text_of(choice, "finish_reason")
        if reason:
            self.finished = True
            yield from self.ends(cut=reason.lower() in _CUT)

    def ends(self, *, cut: bool) -> Iterator[Act]:
        """The end of every open block."""
        ended, self._open = self._open, []
        for block in ended:
            yield End(block, cut)

    def _entry(self, entry: dict[str, Json], path: Path, *, bare: bool) -> Iterator[Act]:
        fragment = read_fragment(entry)
        known = len(self._open)
        block = self._keys.call_of(fragment, lambda: self._begin(fragment))
        if len(self._open) > known:
            yield from self._before(block)
            yield Begin(block)
        key = "function_call" if path[-1] == "delta" else "function"
        arguments = object_of(entry, "function").get("arguments")
        if isinstance(arguments, str | dict):
            yield Take(block, Role.FRAGMENT, (*path, key, "arguments"), arguments, bare)
        elif fragment.arguments is not None and "custom" not in entry:
            yield Doubt(Refusal.NO_TEXT)

    def _begin(self, fragment: Fragment) -> Block:
        block = Block(fragment.tool or "", fragment.call_id)
        self._open.append(block)
        return block

    def _before(self, new: Block) -> Iterator[Act]:
        """The end of those blocks before a new one that are whole."""
        for block in [one for one in self._open if one is not new and one.arguments.is_complete()]:
            self._open.remove(block)
            yield End(block)


def _is_bare(choice: dict[str, Json]) -> bool:
    """Whether a choice holds fragments of arguments and nothing else that a client could need."""
    delta = object_of(choice, "delta")
    if choice.get("finish_reason") or choice.get("logprobs"):
        return False
    if any(value for key, value in delta.items() if key not in ("tool_calls", "role")):
        return False
    calls = delta.get("tool_calls")
    return isinstance(calls, list) and all(map(_is_bare_entry, calls))


def _is_bare_entry(entry: Json) -> bool:
    if not isinstance(entry, dict):
        return False
    others = any(value for key, value in entry.items() if key not in _FRAGMENT_KEYS)
    function = object_of(entry, "function")
    return not others and not any(function[key] for key in function if key != "arguments")
