"""Why a message of the model ended: the provider's own word, and one word for cut messages."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.parts import CUT_REASONS

CUT: Final = "length"
"""The message was cut: it ran into a limit on its length, or its stream had no end."""

_CUT_WORDS: Final = CUT_REASONS | {"incomplete"}  # the status in OpenAI's Responses


def finish_word(reason: str | None) -> str | None:
    """The word to record for what a log tells."""
    return CUT if reason is not None and reason.lower() in _CUT_WORDS else reason
