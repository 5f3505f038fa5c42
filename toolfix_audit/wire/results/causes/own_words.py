"""Words of clients that hide a cause: they say that a stream failed, and not why."""

from __future__ import annotations

import re
from typing import Final

_MAX: Final = 300

_OWN_WORDS: Final = re.compile(
    r"(?:error:? ?)?(?:"
    r"[\w .-]{0,40}\b(?:stream error|response failed)"
    r"|stream emitted error event"
    r"|[\w .-]{0,40}:? ?unknown error"
    r"|failed to generate a response\. please try again"
    r"|\[object object\]"
    r"|provider returned (?:error|an empty stream[\w ]*)"
    r"|upstream stream terminated unexpectedly[\w ]*"
    r"|(?:api |stream decode |network |connection |an )?error(?: occurred[\w ]{0,40})?"
    r"|an error without a message"
    r"|invalid stream payload"
    r"|(?:llm |model )?stream (?:closed|failed|disconnected)(?: before completion)?"
    r"|(?:sse )?stream ended without (?:\[done\]|finish_reason|[\w ]{1,30})"
    r"|[\w .-]{0,40}api stream from \S{1,200} failed"
    r"|terminated|aborted|fetch failed|socket hang up|premature close|other side closed"
    r"|connection (?:closed|reset|lost)[\w ]{0,40}"
    r"|stream_closed|transport|empty_response"
    r")[.:!]?",
    re.IGNORECASE,
)


def hides_cause(text: str) -> bool:
    """Whether the whole text is a client's own words, without any of the provider's."""
    bare = text.strip()
    return not bare or (len(bare) <= _MAX and _OWN_WORDS.fullmatch(bare) is not None)
