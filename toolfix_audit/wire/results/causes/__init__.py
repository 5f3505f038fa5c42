"""Family I: the cause of a failed stream, wherever the provider put it.

One module for each kind of place. They are asked in the order of `PLACES`: what wraps more is
asked after what it wraps, and an early end after every error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toolfix_audit.model.json import Json
from toolfix_audit.wire.results.causes import (
    aws_exception,
    choice_error,
    flat_error,
    incomplete,
    nested_error,
    response_error,
    routed_error,
    vendor_fields,
)
from toolfix_audit.wire.results.causes.cause import NONE, Cause, CauseKind, Place

__all__ = ["NONE", "PLACES", "Cause", "CauseKind", "Place", "event_cause"]

PLACES: Final[tuple[Place, ...]] = (
    routed_error.PLACE,
    nested_error.PLACE,
    response_error.PLACE,
    choice_error.PLACE,
    flat_error.PLACE,
    aws_exception.PLACE,
    vendor_fields.PLACE,
    incomplete.PLACE,
)
"""Every place, in the order in which they are asked."""

_MAX_EVENTS: Final = 10_000


def event_cause(event: Json, name: str | None = None) -> Cause:
    """The cause that an event or a whole body tells, `NONE` if it tells none. Never raises.

    `name` is the name that the transport gave the event. Of a list, its last failure is told.
    """
    if isinstance(event, dict):
        found = (place.read(event, name) for place in PLACES)
        return next((cause for cause in found if cause is not None), NONE)
    if isinstance(event, list):
        for index in range(len(event) - 1, max(-1, len(event) - 1 - _MAX_EVENTS), -1):
            member = event[index]
            cause = event_cause(member) if isinstance(member, dict) else NONE
            if cause.kind is not CauseKind.NONE:
                return replace(cause, pointer=f"/{index}{cause.pointer}")
    return NONE
