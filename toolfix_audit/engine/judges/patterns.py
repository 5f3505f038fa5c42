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
    return regex.compile(pattern)
