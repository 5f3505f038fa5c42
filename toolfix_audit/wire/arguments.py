"""The arguments of one streamed call, put together from what came of them.

Fragments are joined as they are. Three habits of servers are told from that, and each only where
the joined text is no JSON: a fragment that repeats the whole text so far and goes on (cumulative),
a complete text sent once more, and objects in the place of text (merged, later keys win).
Overlaps are never guessed.
"""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json, JsonError, dump_json, escape_surrogates, parse_json
from toolfix_audit.model.records import ArgumentsForm

CUMULATIVE: Final = "cumulative"
REPEATED: Final = "repeated_full_arguments"
ONLY_IN_START: Final = "input_only_in_start"
MERGED: Final = "merged_objects"

_LOST_PREFIXES: Final = ('{"', "{")


class ArgumentBuffer:
    """Takes the fragments of one call; holds its text once (twice while a server repeats it)."""

    __slots__ = (
        "_complete",
        "_flags",
        "_joined",
        "_parts",
        "_size",
        "_start",
        "_value",
        "_whole",
        "fragments",
    )

    def __init__(self) -> None:
        self.fragments = 0
        self._parts: list[str] = []
        self._size = 0
        self._joined: list[str] | None = None
        self._flags: dict[str, None] = {}
        self._value: dict[str, Json] | None = None
        self._start: Json = None
        self._whole: Json = None
        self._complete: bool | None = None

    @property
    def is_empty(self) -> bool:
        """Whether neither text nor an object came so far."""
        return not self._size and self._value is None and self._whole is None

    def start(self, value: Json) -> None:
        """The arguments that the opening of the call holds; they count if no fragment comes."""
        if value is not None:
            self._start = value

    def add(self, fragment: Json) -> None:
        """One more fragment; anything but text and objects is none."""
        self._complete = None
        if isinstance(fragment, dict):
            self._merge(fragment)
        elif isinstance(fragment, str):
            self.fragments += 1
            if fragment:
                self._append(fragment)

    def replace(self, whole: Json) -> None:
        """A complete copy. It counts from now on; an empty one only if nothing else comes."""
        if whole not in ("", None, {}):
            self._whole = whole
        elif self._start is None:
            self._start = whole

    def is_complete(self) -> bool:
        """Whether what came so far is one whole object."""
        if not self._size:
            return self._value is not None
        if self._complete is None:
            self._complete = isinstance(parsed_arguments(self._text()), dict)
        return self._complete

    def finish(self) -> tuple[str, ArgumentsForm]:
        """The arguments as exact text, or as the compact JSON text of a value."""
        for value in (self._whole, self._own_text() or None, self._value, self._start):
            if isinstance(value, str):
                return escape_surrogates(value), ArgumentsForm.TEXT
            if value is not None:
                return dump_json(value), ArgumentsForm.VALUE
        return "", ArgumentsForm.TEXT if self.fragments else ArgumentsForm.ABSENT

    def streamed(self) -> str | None:
        """The text as its fragments join, or None if there is none."""
        return escape_surrogates(self._own_text()) or None if self.fragments else None

    def flags(self) -> tuple[str, ...]:
        """What was odd about the fragments."""
        only_in_start = self._start not in (None, {}, "") and self.is_empty
        if self._joined is not None and self._own_text() != self._text():
            return ()
        return (*self._flags, ONLY_IN_START) if only_in_start else tuple(self._flags)

    def _append(self, fragment: str) -> None:
        text = self._text() if self._size and len(fragment) >= self._size else None
        if self._joined is not None:
            self._joined.append(fragment)
        if text is None or not fragment.startswith(text):
            self._parts.append(fragment)
            self._size += len(fragment)
        elif len(fragment) > len(text):
            self._take_over(fragment, CUMULATIVE, text)
        elif isinstance(parsed_arguments(text), dict):
            self._take_over(fragment, REPEATED, text)
        else:
            self._parts.append(fragment)
            self._size += len(fragment)

    def _take_over(self, fragment: str, flag: str, before: str) -> None:
        self._flags[flag] = None
        if self._joined is None:
            self._joined = [before, fragment]
        self._parts = [fragment]
        self._size = len(fragment)

    def _merge(self, fragment: dict[str, Json]) -> None:
        if self._value is None:
            self._value = fragment
        else:
            self._value = {**self._value, **fragment}
            self._flags[MERGED] = None

    def _text(self) -> str:
        """The text with repetitions left out."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    def _own_text(self) -> str:
        """The plain joined text where that is JSON, else the one with repetitions left out."""
        if self._joined is not None:
            joined = join_halves("".join(self._joined))
            if parsed_arguments(joined) is not None:
                return joined
        return join_halves(self._text())


def parsed_arguments(text: str) -> Json:
    """The value of an argument text: `{}` for a blank one, None for one that is no JSON."""
    if not text or text.isspace():
        return {}
    try:
        return parse_json(text)
    except JsonError:
        return None


def join_halves(text: str) -> str:
    """A character whose two halves came in two fragments is one again."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def lost_prefix_candidate(text: str) -> Json:
    """The object that a text holds whose first characters were lost; None unless exactly one of
    the few possible beginnings makes it one. A candidate only: a schema must accept it."""
    if text.lstrip()[:1] in ("", "{", "[") or parsed_arguments(text) is not None:
        return None
    found = [parsed_arguments(prefix + text) for prefix in _LOST_PREFIXES]
    objects = [value for value in found if isinstance(value, dict)]
    return objects[0] if len(objects) == 1 else None
