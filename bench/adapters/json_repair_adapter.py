"""json_repair with a schema, in its default `standard` mode."""

from __future__ import annotations

from json_repair import (  # type: ignore[import-not-found, unused-ignore]  # peers' own
    repair_json,
)

from bench.adapters.ndjson_loop import Refused, Repair, Request, serve, text_of


def prepare(request: Request) -> Repair:
    """Repair the text under the schema; ValueError is its word for "can't be repaired"."""
    text, schema = text_of(request), request["schema"]

    def repair() -> object:
        try:
            value: object = repair_json(text, return_objects=True, schema=schema)
        except ValueError as error:
            raise Refused(str(error)) from error
        return value

    return repair


if __name__ == "__main__":
    serve(prepare)
