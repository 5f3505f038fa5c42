"""Regular expressions from schemas, run with a time limit.

Python's `re` takes exponential time on patterns such as `^(a+)+$`; `regex` can be stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from time import thread_time
from typing import Final

import regex

from toolfix_audit.model.repair import JudgeLimitError
from toolfix_audit.model.words import UnjudgedReason

PATTERN_SECONDS: Final = 0.25
"""Time that one match may take before its pattern counts as unsupported."""

PATTERN_SECONDS_IN_ALL: Final = 1.0
"""Processor time that the slow matches of one call may take together."""

MAX_PATTERN: Final = 20_000
"""Characters of the longest pattern that is run."""

MAX_EXPANDED: Final = 100_000
"""Items that a pattern may have once its counted repeats are written out."""

_TOKEN: Final = regex.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\{(?P<least>\d{1,9})(?:,\d*)?\}|(?P<mark>[()])|.",
    regex.DOTALL,
)
_SLOW: Final = PATTERN_SECONDS / 20
_spent: ContextVar[list[float] | None] = ContextVar("_spent", default=None)


@contextmanager
def pattern_budget() -> Iterator[None]:
    """One call: the slow matches inside share PATTERN_SECONDS_IN_ALL. Nested ones join in."""
    if _spent.get() is not None:
        yield
        return
    token = _spent.set([0.0])
    try:
        yield
    finally:
        _spent.reset(token)


def compiles(pattern: str) -> bool:
    """Whether the pattern can be run at all."""
    try:
        _compile(pattern)
    except (regex.error, RecursionError, OverflowError):
        return False
    return True


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern occurs in the text (unanchored, as JSON Schema says).

    Raises:
        JudgeLimitError: the pattern does not compile, or matching took too long.
    """
    spent = _spent.get()
    start = thread_time()
    try:
        found = _compile(pattern).search(text, timeout=PATTERN_SECONDS) is not None
    except (regex.error, TimeoutError, RecursionError, OverflowError):
        raise JudgeLimitError(UnjudgedReason.PATTERN_UNSUPPORTED) from None
    seconds = thread_time() - start
    if spent is not None and seconds > _SLOW:
        spent[0] += seconds
        if spent[0] > PATTERN_SECONDS_IN_ALL:
            raise JudgeLimitError(UnjudgedReason.PATTERN_UNSUPPORTED)
    return found


@lru_cache(maxsize=4096)
def _compile(pattern: str) -> regex.Pattern[str]:
    if len(pattern) > MAX_PATTERN or _expanded(pattern) > MAX_EXPANDED:
        raise regex.error("the pattern is too large")
    return regex.compile(pattern)


def _expanded(pattern: str) -> int:
    """How many items a pattern has once the least of its counted repeats is written out."""
    groups, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        least, mark = token.group("least"), token.group("mark")
        if mark == "(":
            groups.append(0)
            last = 0
        elif mark == ")" and len(groups) > 1:
            last = groups.pop()
            groups[-1] += last
        elif least is not None:
            repeated = last * max(int(least), 1)
            groups[-1] += repeated - last
            last = repeated
        else:
            last = 1
            groups[-1] += 1
    return sum(groups)
