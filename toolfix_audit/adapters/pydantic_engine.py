"""pydantic in its lax mode, on models made from the schema of the call.

Made: properties, required, closed and open objects, arrays, type lists, enum, const, `anyOf`,
`oneOf`, local `$ref`. Not made, so that anything goes there: everything else, limits and patterns
among it, and references to themselves. What was not sent stays absent.
"""

from __future__ import annotations

import json
import warnings
from typing import Any, Literal

from toolfix_audit.adapters.lines import Refusal, Request, needed, serve, text_of

pydantic = needed("pydantic", "pip install pydantic")

_SCALARS: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float | int,
    "boolean": bool,
    "null": None,
}
_MODELS: dict[str, Any] = {}


def repair(request: Request) -> Any:
    """The arguments as the model holds them; a ValidationError leaves the call."""
    key = json.dumps(request["schema"], sort_keys=True)
    if key not in _MODELS:
        _MODELS[key] = Types(request["schema"]).model(request["schema"], ())
    try:
        held = _MODELS[key].model_validate_json(text_of(request))
    except pydantic.ValidationError as error:
        raise Refusal(str(error)) from error
    return held.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Types:
    """Python types for the places of one schema; `seen` are the references on the way."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.count = 0

    def model(self, schema: Any, seen: tuple[str, ...]) -> Any:
        """A model class for an object schema."""
        schema, seen = self._resolved(schema, seen)
        required = schema.get("required") or ()
        fields: dict[str, Any] = {}
        for number, (name, member) in enumerate((schema.get("properties") or {}).items()):
            default = ... if name in required else None
            field = pydantic.Field(default, alias=name)
            fields[f"field_{number}"] = (self.type_of(member, seen), field)
        is_closed = schema.get("additionalProperties") is False
        config = pydantic.ConfigDict(extra="ignore" if is_closed else "allow")
        self.count += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pydantic.create_model(f"Model{self.count}", __config__=config, **fields)

    def type_of(self, schema: Any, seen: tuple[str, ...]) -> Any:
        """The type of what a schema admits; Any where it can't be told."""
        schema, seen = self._resolved(schema, seen)
        for word in ("anyOf", "oneOf"):
            if schema.get(word):
                return _union([self.type_of(branch, seen) for branch in schema[word]])
        members = [schema["const"]] if "const" in schema else schema.get("enum")
        if members and all(isinstance(one, str | int | bool | None) for one in members):
            return Literal[tuple(members)]
        declared = schema.get("type")
        words = declared if isinstance(declared, list) else [declared]
        return _union([self._kind(word, schema, seen) for word in words])

    def _kind(self, word: Any, schema: Any, seen: tuple[str, ...]) -> Any:
        if word == "object":
            return self.model(schema, seen) if schema.get("properties") else dict[str, Any]
        if word == "array":
            item = self.type_of(schema.get("items"), seen)
            return list[item]  # type: ignore[valid-type]  # made at run time
        return _SCALARS.get(word, Any)

    def _resolved(self, schema: Any, seen: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        while isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            reference = schema["$ref"]
            if reference in seen:
                return {}, seen
            schema, seen = _looked_up(self.root, reference), (*seen, reference)
        return (schema if isinstance(schema, dict) else {}), seen


def _union(types: list[Any]) -> Any:
    union = types[0]
    for other in types[1:]:
        union = union | other if union is not None else other | None
    return union


def _looked_up(root: Any, reference: str) -> Any:
    node = root
    for part in reference.removeprefix("#").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        node = node.get(name) if isinstance(node, dict) else None
    return node


if __name__ == "__main__":
    serve("pydantic", repair)
