"""Type words of other notations than JSON Schema, turned into its own.

Gemini writes its words in capitals (`OBJECT`); the function documents of BFCL write those of
Python, Java and JavaScript (`dict`, `float`, `tuple`, `any`, `HashMap`). A schema whose root says
`object` is left as it is: a type word that it may hold wrongly is then its author's fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolfix_audit.model.json import Json, is_deeper

_FOREIGN_ROOTS: Final = frozenset({"OBJECT", "dict"})
_WORDS: Final[Mapping[str, str | None]] = {
    **{
        word.upper(): word
        for word in ("object", "string", "number", "integer", "boolean", "array", "null")
    },
    "dict": "object",
    "HashMap": "object",
    "String": "string",
    "char": "string",
    "float": "number",
    "double": "number",
    "long": "integer",
    "Boolean": "boolean",
    "tuple": "array",
    "Array": "array",
    "ArrayList": "array",
    "any": None,
    "": None,
}
"""None: any value is of that type."""


MAX_DEPTH: Final = 300
"""A deeper schema is left in its own notation, which no judge runs."""


def plain_types(schema: Json) -> Json:
    """A schema in the notation of JSON Schema; the same object if it is in it already."""
    root = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(root, str) and root in _FOREIGN_ROOTS and not is_deeper(schema, MAX_DEPTH):
        return _schema(schema)
    return schema


def _schema(schema: Json) -> Json:
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Json] = {}
    for key, value in schema.items():
        if key in {"properties", "patternProperties", "$defs"} and isinstance(value, dict):
            made[key] = {name: _schema(member) for name, member in value.items()}
        elif key in {"items", "additionalProperties", "anyOf", "oneOf", "allOf"}:
            made[key] = (
                [_schema(one) for one in value] if isinstance(value, list) else _schema(value)
            )
        elif key != "type" or not isinstance(value, str) or value not in _WORDS:
            made[key] = value
        elif (word := _WORDS[value]) is not None:
            made[key] = word
    return made
