"""Pydantic models made from JSON Schema, as far as their type systems meet.

Covered: properties, required, closed and open objects, arrays, type lists, enum, const, anyOf and
oneOf, local `$ref`, and the common limits of numbers, strings and arrays. Not expressed: allOf,
not, if/then/else, patternProperties, schemas for additional properties, recursion (any value
there). Absent keys stay absent; an open object keeps its undeclared keys.
"""

from __future__ import annotations

import keyword
import warnings
from typing import Annotated, Any, Literal, Union

from pydantic import (  # type: ignore[import-not-found, unused-ignore]  # peers' environment
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    create_model,
)

from bench.adapters.ndjson_loop import Unusable

Node = dict[str, Any]

NUMBER_LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
}
STRING_LIMITS = {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"}
ARRAY_LIMITS = {"minItems": "min_length", "maxItems": "max_length"}


def model_of(schema: object, *, number: Any = int | float) -> type[BaseModel]:
    """A model that accepts what the schema describes; `number` stands for JSON's `number`.

    Raises:
        Unusable: the root is no object schema.
    """
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        raise Unusable("the root is no object schema")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # field names that shadow attributes of BaseModel
        return _Models(schema, number).model(schema, ())


class _Models:
    """Makes types for the places of one schema."""

    def __init__(self, root: Node, number: Any) -> None:
        self.root = root
        self.number = number

    def model(self, node: Node, path: tuple[str, ...]) -> type[BaseModel]:
        required = set(node.get("required", ()))
        fields: dict[str, Any] = {}
        for index, (name, child) in enumerate(node.get("properties", {}).items()):
            kind = self.type_of(child, (*path, name))
            default = ... if name in required else None
            if _is_plain(name):
                fields[name] = (kind, default)
            else:
                fields[f"field_{index}"] = (kind, Field(default, alias=name))
        extra: Literal["forbid", "allow"]
        extra = "forbid" if node.get("additionalProperties") is False else "allow"
        config = ConfigDict(extra=extra, protected_namespaces=())
        return create_model("_".join(("Arguments", *map(_word, path))), __config__=config, **fields)

    def type_of(self, node: object, path: tuple[str, ...]) -> Any:
        if not isinstance(node, dict):
            return Any
        if "$ref" in node:
            return self.referred(node["$ref"], path)
        if "const" in node:
            return Literal[node["const"]]
        if isinstance(node.get("enum"), list):
            return Literal[tuple(node["enum"])]
        branches = node.get("anyOf") or node.get("oneOf")
        if isinstance(branches, list):
            return Union[tuple(self.type_of(branch, path) for branch in branches)]  # noqa: UP007  # of a tuple
        names = node.get("type")
        if isinstance(names, list):
            return Union[tuple(self.typed(name, node, path) for name in names)]  # noqa: UP007  # of a tuple
        return self.typed(names, node, path)

    def typed(self, name: object, node: Node, path: tuple[str, ...]) -> Any:
        if name == "object":
            return self.model(node, path) if node.get("properties") else dict[str, Any]
        if name == "array":
            items = self.type_of(node.get("items"), (*path, "item"))
            return _limited(list[items], node, ARRAY_LIMITS)  # type: ignore[valid-type]
        if name == "string":
            limits = {
                ours: node[theirs] for theirs, ours in STRING_LIMITS.items() if theirs in node
            }
            return Annotated[str, StringConstraints(**limits)] if limits else str
        if name == "integer":
            return _limited(int, node, NUMBER_LIMITS)
        if name == "number":
            return _limited(self.number, node, NUMBER_LIMITS)
        return {"boolean": bool, "null": None}.get(str(name), Any)

    def referred(self, reference: str, path: tuple[str, ...]) -> Any:
        if not reference.startswith("#/") or path.count(reference):
            return Any
        node: Any = self.root
        for part in reference[2:].split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return self.type_of(node, (*path, reference))


def _limited(kind: Any, node: Node, limits: dict[str, str]) -> Any:
    found = {ours: node[theirs] for theirs, ours in limits.items() if theirs in node}
    return Annotated[kind, Field(**found)] if found else kind


def _is_plain(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_") and not keyword.iskeyword(name)


def _word(part: str) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in part)
