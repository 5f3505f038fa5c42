"""How many verdicts a gate may count: an inferred schema is no schema that anybody wrote. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from toolfix_audit.model.words import Origin


def counted_calls(
    calls: int, unjudged: int, schemas: Mapping[str, int], *, count_inferred: bool = False
) -> int:
    """The judged calls that a gate may count: those judged by a schema that somebody wrote, and
    with `count_inferred` those judged by an inferred one as well. `schemas` counts the judged
    calls by the origin of their schema."""
    inferred = 0 if count_inferred else schemas.get(Origin.INFERRED.value, 0)
    return calls - unjudged - inferred
