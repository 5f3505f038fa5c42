"""`response.error`: how OpenAI Responses tells that a response failed."""

from __future__ import annotations

from typing import Final

from toolfix_audit.wire.fields import object_of
from toolfix_audit.wire.results.causes.cause import Cause, Event, Place, cause_of_body

_NAME: Final = "response-error"


def _read(event: Event, _: str | None) -> Cause | None:
    error = object_of(object_of(event, "response"), "error")
    return cause_of_body(_NAME, ("response", "error"), error) if error else None


PLACE: Final = Place(_NAME, _read)
