"""What kind of failure a cause is, in one word that is the same for every provider."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from toolfix_audit.wire.results.causes.cause import Cause, CauseKind


class Nature(StrEnum):
    """The kinds of failure; what is none of the others is `other`."""

    CONTEXT_OVERFLOW = "context-overflow"
    RATE_LIMIT = "rate-limit"
    OVERLOADED = "overloaded"
    AUTHENTICATION = "authentication"
    TIMEOUT = "timeout"
    FILTERED = "filtered"
    LENGTH = "length"
    INVALID_REQUEST = "invalid-request"
    SERVER = "server"
    OTHER = "other"


_HEAD: Final = 500

_PATTERNS: Final[tuple[tuple[Nature, str], ...]] = (
    (
        Nature.CONTEXT_OVERFLOW,
        r"context[_ -]?(?:length|window)|maximum context|(?:prompt|input|request) (?:is )?too "
        r"(?:long|large)|request_too_large|too many (?:input )?tokens",
    ),
    (
        Nature.RATE_LIMIT,
        r"\b429\b|rate[_ -]?limit|resource_exhausted|throttl|quota|too many requests",
    ),
    (Nature.AUTHENTICATION, r"\b40[13]\b|authenticat|\bauth\b|permission|api[ _-]?key|credential"),
    (Nature.TIMEOUT, r"\b(?:408|504)\b|time[d]?[ _-]?out|deadline"),
    (
        Nature.OVERLOADED,
        r"\b(?:503|529)\b|overload|unavailable|capacity|high demand",
    ),
    (Nature.FILTERED, r"content[_ -]?filter|safety|moderation|content policy"),
    (Nature.LENGTH, r"max_(?:output_)?tokens|max_messages"),
    (
        Nature.INVALID_REQUEST,
        r"\b4(?:00|04|13|22)\b|invalid[_ ]?(?:request|argument)|bad[_ ]?request|validation",
    ),
    (Nature.SERVER, r"\b5\d\d\b|server|internal|api_error|upstream"),
)
_COMPILED: Final = tuple((nature, re.compile(text, re.IGNORECASE)) for nature, text in _PATTERNS)


def nature_of(cause: Cause) -> Nature | None:
    """The kind of failure, from the names that the provider gave it, else from its message; None
    if there was no failure."""
    if cause.kind is CauseKind.NONE:
        return None
    names = " ".join(str(one) for one in (cause.code, cause.type, cause.status) if one is not None)
    texts = (names, (cause.message or "")[:_HEAD], (cause.detail or "")[:_HEAD])
    if _COMPILED[0][1].search(" ".join(texts)):
        return Nature.CONTEXT_OVERFLOW  # most providers call it an invalid request
    for text in texts:
        for nature, pattern in _COMPILED:
            if pattern.search(text):
                return nature
    return Nature.OTHER
