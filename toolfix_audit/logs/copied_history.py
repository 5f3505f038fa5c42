"""History that logs tell more than once: in a row repeated, in a session resumed or forked."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from typing import Final

REMEMBERED: Final = 65_536
"""So many things are known again; the store finds repetitions that are farther apart."""


_RANDOM: Final = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{16,}",
    re.IGNORECASE,
)


def lasting_number(*parts: str | None) -> int | None:
    """A number below 0 that names a call in every file that tells of it, made from what a log
    keeps when it copies history; None unless all parts are known."""
    if not all(parts):
        return None
    digest = hashlib.sha256("\0".join(part or "" for part in parts).encode()).digest()
    return -1 - (int.from_bytes(digest[:8]) >> 1)


def is_random(call_id: str | None) -> bool:
    """Whether an id was drawn from so many that no other call has it; ids that count do not
    say which call they mean outside their session."""
    return call_id is not None and _RANDOM.search(call_id) is not None


class Owners:
    """The last things that a source told of, each with the session that it belongs to."""

    __slots__ = ("_owners",)

    def __init__(self) -> None:
        self._owners: OrderedDict[str | int, str] = OrderedDict()

    def put(self, key: str | int | None, session: str) -> bool:
        """Remember a thing; say whether it was known. Nothing is known of None."""
        if key is None:
            return False
        known = key in self._owners
        self._owners[key] = session
        if len(self._owners) > REMEMBERED:
            self._owners.popitem(last=False)
        return known

    def of(self, key: str | int | None) -> str | None:
        """The session that a thing belongs to."""
        return None if key is None else self._owners.get(key)
