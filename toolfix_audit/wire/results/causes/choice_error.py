"""`choices[].error`, or a choice that says no more than that its finish reason is `error`."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.fields import object_of, objects_of
from toolfix_audit.wire.results.causes.cause import Cause, CauseKind, Event, Place, cause_of_body

_NAME: Final = "choice-error"


def _read(event: Event, _: str | None) -> Cause | None:
    for index, choice in enumerate(objects_of(event, "choices")):
        error = object_of(choice, "error")
        cause = cause_of_body(_NAME, ("choices", index, "error"), error) if error else None
        if cause is not None:
            return cause
        if choice.get("finish_reason") == "error":
            return Cause(CauseKind.ERROR, _NAME, f"/choices/{index}/finish_reason")
    return None


PLACE: Final = Place(_NAME, _read)
