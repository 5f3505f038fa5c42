"""Exceptions of AWS: a member, an event or a type whose name ends in `Exception`."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.results.causes.cause import Cause, Event, Place, cause_of_body, word

_NAME: Final = "aws-exception"
_SUFFIX: Final = "Exception"


def _read(event: Event, name: str | None) -> Cause | None:
    for key, value in event.items():
        if key.endswith(_SUFFIX) and isinstance(value, dict):
            return cause_of_body(_NAME, (key,), value, code=key)
    code = name or (word(event.get("__type")) or "").rpartition("#")[2]
    return cause_of_body(_NAME, (), event, code=code) if code.endswith(_SUFFIX) else None


PLACE: Final = Place(_NAME, _read)
