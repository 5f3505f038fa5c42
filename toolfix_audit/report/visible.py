"""Untrusted text made harmless and honest: what is invisible is spelled out, what is long is cut.

Every emitter for people passes every string of a report through here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_INVISIBLE: Final = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f\xad"  # controls, soft hyphen
    "\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"  # zero width, separators, bidi
    "\ud800-\udfff"  # lone surrogates
    "\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # tags and the variation selectors that can carry data
    "]"
)
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """Spell out control, format and bidi characters and lone surrogates (`\\x1b`, `\\u202e`).

    The result is one line, encodable as UTF-8, and unchanged by a second pass.
    """
    return _INVISIBLE.sub(lambda match: _spelled(match.group()), text)


def shown(text: str, limit: int) -> str:
    """Visible text of at most `limit` characters, then `… +N chars` where N were left out."""
    if len(text) <= limit and len(spelled := visible(text)) <= limit:
        return spelled
    kept = min(limit, len(text))
    if len(visible(text[:kept])) > limit:
        kept = _fitting(text, limit)
    return f"{visible(text[:kept])}… +{len(text) - kept:,} chars"


def _fitting(text: str, limit: int) -> int:
    """How many characters fit once they are spelled out."""
    room = limit
    for place, character in enumerate(text):
        room -= len(visible(character))
        if room < 0:
            return place
    return len(text)


@lru_cache(maxsize=4096)
def _spelled(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return _SHORT.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
