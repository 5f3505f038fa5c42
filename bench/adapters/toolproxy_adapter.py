"""toolproxy's `repair_arguments`, then the validation that its executor does.

The model for the repair maps `number` to float, as the package does for MCP tools; the one for
the validation admits both kinds of number, so that an integer stays one.
"""

from __future__ import annotations

from pydantic import ValidationError  # type: ignore[import-not-found, unused-ignore]  # peers' own
from toolproxy import (  # type: ignore[import-not-found, unused-ignore]  # peers' own
    repair_arguments,
)

from bench.adapters.ndjson_loop import Refused, Repair, Request, serve, value_of
from bench.adapters.schema_models import model_of


def prepare(request: Request) -> Repair:
    """Repair and validate; a call that fails validation is answered with an error there."""
    guide, judge = model_of(request["schema"], number=float), model_of(request["schema"])
    given = value_of(request)

    def repair() -> object:
        repaired = repair_arguments(guide, given)
        try:
            one = judge.model_validate(repaired)
        except ValidationError as error:
            raise Refused(str(error)) from error
        return one.model_dump(mode="json", by_alias=True, exclude_unset=True)

    return repair


if __name__ == "__main__":
    serve(prepare)
