"""`incomplete_details.reason`: a response that a limit or a filter ended; no error."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.pointer import to_pointer
from toolfix_audit.wire.fields import object_of
from toolfix_audit.wire.results.causes.cause import Cause, CauseKind, Event, Place, word

_NAME: Final = "incomplete"
_KEY: Final = "incomplete_details"


def _read(event: Event, _: str | None) -> Cause | None:
    for body, path in ((object_of(event, "response"), ("response",)), (event, ())):
        reason = word(object_of(body, _KEY).get("reason"))
        if reason is not None:
            pointer = to_pointer((*path, _KEY, "reason"))
            return Cause(CauseKind.INCOMPLETE, _NAME, pointer, code=reason)
    return None


PLACE: Final = Place(_NAME, _read)
