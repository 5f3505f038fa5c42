"""Why a message of the model ended: the provider's own word, and one word for cut messages."""

from __future__ import annotations

from typing import Final

CUT: Final = "length"
"""The message ran into a limit on its length."""

_CUT_WORDS: Final = frozenset({"max_tokens", "MAX_TOKENS", "max_output_tokens", "max-tokens"})


def finish_word(reason: str | None) -> str | None:
    """The word to record for what a log tells."""
    return CUT if reason in _CUT_WORDS else reason
