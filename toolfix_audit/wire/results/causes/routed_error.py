"""`error.metadata`: a router's words in `message`, and the provider's own in `raw` (OpenRouter)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolfix_audit.wire.fields import object_of
from toolfix_audit.wire.results.causes.cause import Cause, Event, Place, cause_of_body, word
from toolfix_audit.wire.results.causes.embedded import inner_message

_NAME: Final = "routed-error"


def _read(event: Event, _: str | None) -> Cause | None:
    error = object_of(event, "error")
    told = object_of(error, "metadata")
    raw, provider = word(told.get("raw")), word(told.get("provider_name"))
    cause = cause_of_body(_NAME, ("error",), error)
    if cause is None or (raw is None and provider is None):
        return None
    return replace(cause, detail=raw and (inner_message(raw) or raw), provider=provider)


PLACE: Final = Place(_NAME, _read)
