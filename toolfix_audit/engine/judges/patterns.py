"""Regular expressions from schemas, run with a time limit.

Python's `re` takes exponential time on patterns such as `^(a+)+$`; `regex` can be stopped.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from toolfix_audit.model.repair import JudgeLimitError
from toolfix_audit.model.words import UnjudgedReason

PATTERN_SECONDS: Final = 0.25
"""Time that one match may take before the pattern counts as unsupported."""


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
        JudgeLimitError: the pattern does not compile, or the match took too long.
    """
    try:
        return _compile(pattern).search(text, timeout=PATTERN_SECONDS) is not None
    except (regex.error, TimeoutError, RecursionError, OverflowError):
        raise JudgeLimitError(UnjudgedReason.PATTERN_UNSUPPORTED) from None


@lru_cache(maxsize=4096)
def _compile(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)
