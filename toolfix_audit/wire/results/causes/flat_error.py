"""The event itself is the error: it is of the type, the kind or the name `error`."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.results.causes.cause import Cause, Event, Place, cause_of_body

_NAME: Final = "flat-error"
_KINDS: Final = ("type", "object", "event_type")


def _read(event: Event, name: str | None) -> Cause | None:
    if name != "error" and not any(event.get(key) == "error" for key in _KINDS):
        return None
    return cause_of_body(_NAME, (), event)


PLACE: Final = Place(_NAME, _read)
