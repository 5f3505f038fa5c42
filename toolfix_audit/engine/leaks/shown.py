"""Whether words before a block say that it is shown, not meant: an example, a ban, a listing."""

from __future__ import annotations

import re
from typing import Final

_BEFORE: Final = 2_000
_LEAD: Final = 200
_LISTING: Final = re.compile(r"\s*+(?:#|//|[+-]|\*(?=\s)|\d{1,3}[.)]\s)")
_WORDS: Final = re.compile(
    r"\b(?:never|don['\u2019]?t|do not|must not|should not|instead of|for example|for instance"
    r"|e\.g\.|such as|an? example|like this|as follows|the format|the syntax)(?!\w)",
    re.IGNORECASE,
)
_OPENED: Final = re.compile(r"<(?P<tag>pre|code|example)\b[^<>]*>|(?P<comment><!--)", re.IGNORECASE)


def is_shown(text: str, start: int) -> bool:
    """Whether the block that begins there is a listing's line, comes with words that show or
    forbid, or stands in an HTML element for code or in a comment."""
    before = text[max(0, start - _BEFORE) : start]
    if _LISTING.match(before.rpartition("\n")[2]):
        return True
    lead = before.rstrip()[-_LEAD:].rpartition("\n")[2]
    return _WORDS.search(lead) is not None or _is_inside_markup(before)


def _is_inside_markup(before: str) -> bool:
    for opened in _OPENED.finditer(before):
        tag = opened.group("tag")
        closer = f"</{tag}".lower() if tag else "-->"
        if closer not in before[opened.end() :].lower():
            return True
    return False
