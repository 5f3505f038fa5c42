"""Short spellings for the JSON Schemas of the tools."""

from typing import Any, TypeAlias

Arguments: TypeAlias = dict[str, Any]
Schema: TypeAlias = dict[str, Any]


def text(about: str) -> Schema:
    """A string."""
    return {"type": "string", "description": about}


def whole(about: str) -> Schema:
    """An integer."""
    return {"type": "integer", "description": about}


def flag(about: str) -> Schema:
    """A boolean."""
    return {"type": "boolean", "description": about}


def one_of(*members: str) -> Schema:
    """A string out of a closed list."""
    return {"type": "string", "enum": list(members)}


def list_of(items: Schema) -> Schema:
    """An array of such items."""
    return {"type": "array", "items": items}


def map_of(values: Schema) -> Schema:
    """An object with any keys and such values."""
    return {"type": "object", "additionalProperties": values}


def record(properties: Schema, *required: str, closed: bool = False) -> Schema:
    """An object; open unless closed."""
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    if closed:
        schema["additionalProperties"] = False
    return schema


FREE_FORM: Schema = {"type": "object", "description": "Any JSON object."}
