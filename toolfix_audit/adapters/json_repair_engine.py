"""json_repair under the schema of the call (its `standard` schema mode)."""

from __future__ import annotations

from typing import Any

from toolfix_audit.adapters.lines import Refusal, Request, needed, serve, text_of

json_repair = needed("json_repair", "pip install 'json_repair[schema]'")


def repair(request: Request) -> Any:
    """What json_repair makes of the text; its ValueError is its word for "not repairable"."""
    try:
        return json_repair.loads(text_of(request), schema=request["schema"])
    except ValueError as error:
        raise Refusal(str(error)) from error


if __name__ == "__main__":
    needed("jsonschema", "pip install 'json_repair[schema]'")
    serve("json_repair", repair)
