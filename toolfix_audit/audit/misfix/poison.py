"""A required key that nobody can supply, so that no engine can stop at "valid"."""

from __future__ import annotations

from typing import Final

from toolfix_audit.model.json import Json

POISON: Final = "zz unsuppliable zz"
"""A required key that no call holds and no name is related to."""


def poisoned_schema(schema: dict[str, Json]) -> dict[str, Json]:
    """A schema with the poison among its required keys."""
    required = schema.get("required")
    return {**schema, "required": [*(required if isinstance(required, list) else []), POISON]}
