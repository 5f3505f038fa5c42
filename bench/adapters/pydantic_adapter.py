"""pydantic in its default (lax) mode, on models made from the schema."""

from __future__ import annotations

from pydantic import ValidationError  # type: ignore[import-not-found, unused-ignore]  # peers' own

from bench.adapters.ndjson_loop import Refused, Repair, Request, serve, text_of
from bench.adapters.schema_models import model_of


def prepare(request: Request) -> Repair:
    """Validate as a host does with `model_validate` or `model_validate_json`."""
    model = model_of(request["schema"])
    is_value = "args" in request
    given, text = request.get("args"), text_of(request)

    def repair() -> object:
        try:
            one = model.model_validate(given) if is_value else model.model_validate_json(text)
        except ValidationError as error:
            raise Refused(str(error)) from error
        return one.model_dump(mode="json", by_alias=True, exclude_unset=True)

    return repair


if __name__ == "__main__":
    serve(prepare)
