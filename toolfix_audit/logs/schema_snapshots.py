"""Snapshots that hold only a tool's parameter names, type words and required names.

One tool is an object whose `params`, `parameters`, `properties`, `types` or `args` holds
a map from parameter name to a type word (`string`, `number|null`, `string[]`, `number?`), to a
list of such words, or to `{type, required?}`; or a list of `{name, type?, required?}`. `required`
beside it lists the required names. The result is a JSON Schema that knows no more than that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.fields import text_at
from toolfix_audit.model.json import Json

_HOLDERS: Final = ("params", "parameters", "properties", "types", "args")
_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_UNTYPED: Final = frozenset({"any", "unknown", "enum", "union", ""})


def schema_from_snapshot(tool: dict[str, Json]) -> Json:
    """The JSON Schema that a snapshot of one tool amounts to; None if it is no snapshot."""
    for holder in _HOLDERS:
        parameters = tool.get(holder)
        if isinstance(parameters, dict | list):
            return _schema(parameters, tool.get("required"))
    return None


def _schema(parameters: dict[str, Json] | list[Json], required: Json) -> Json:
    needed = dict.fromkeys(_texts(required))
    properties: dict[str, Json] = {}
    for name, described in _named(parameters):
        schema, is_needed = _property(described)
        if schema is None or name is None:
            return None
        properties[name] = schema
        if is_needed:
            needed[name] = None
    return {"type": "object", "properties": properties, "required": list(needed)}


def _named(parameters: dict[str, Json] | list[Json]) -> Iterator[tuple[str | None, Json]]:
    if isinstance(parameters, dict):
        yield from parameters.items()
        return
    for entry in parameters:
        if isinstance(entry, dict):
            yield text_at(entry, "name"), {key: entry[key] for key in entry if key != "name"}
        else:
            yield None, None


def _property(described: Json) -> tuple[Json, bool]:
    """The schema of one parameter (None if this describes none), and whether it is required."""
    if isinstance(described, dict):
        kept: dict[str, Json] = dict(described)
        needed = kept.pop("required", False) if isinstance(kept.get("required"), bool) else False
        if isinstance(kept.get("type"), str | list):
            words = _words(kept["type"])
            if words is None:
                return None, False
            kept.pop("type")
            kept = {**words, **kept}
        return kept, needed is True
    return _words(described), False


def _words(described: Json) -> dict[str, Json] | None:
    """The schema of a type word or of several; None for a word that is no type."""
    texts = _texts(described) if isinstance(described, list) else [described]
    types: list[Json] = []
    for text in texts:
        if not isinstance(text, str):
            return None
        for word in text.removesuffix("?").lower().split("|"):
            bare = "array" if word.strip().endswith("[]") else word.strip()
            if bare in _UNTYPED:
                return {}
            if bare not in _TYPES:
                return None
            types.append(bare)
    return {"type": types[0] if len(types) == 1 else types} if types else {}


def _texts(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
