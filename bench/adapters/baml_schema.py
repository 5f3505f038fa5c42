"""BAML source made from JSON Schema, as far as BAML's type language goes.

Covered: properties, required, arrays, type lists, enum and const as literals, anyOf and oneOf,
local `$ref`. BAML has no closed or open objects (a class keeps its own fields only), no limits
and no patterns; an untyped place is a recursive JSON type.
"""

from __future__ import annotations

import json
from typing import Any

from bench.adapters.ndjson_loop import Unusable

Node = dict[str, Any]

HEAD = """
client<llm> Nowhere {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}

type Anything = int | float | bool | string | null | Anything[] | map<string, Anything>

function Call(text: string) -> Arguments {
  client Nowhere
  prompt #"{{ text }}"#
}
"""
SCALARS = {
    "string": "string",
    "integer": "int",
    "number": "(int | float)",
    "boolean": "bool",
    "null": "null",
}


class BamlSource:
    """The source for one schema, and the JSON names behind the fields of its classes."""

    def __init__(self, schema: object) -> None:
        """Translate a schema.

        Raises:
            Unusable: the root is no object schema.
        """
        if not isinstance(schema, dict) or schema.get("type", "object") != "object":
            raise Unusable("the root is no object schema")
        self.root = schema
        self.names: dict[str, dict[str, str]] = {}
        self._classes: list[str] = []
        if schema.get("properties"):
            self._class("Arguments", schema, ())
        else:
            self._classes.append("type Arguments = map<string, Anything>")
        self.text = HEAD + "\n\n".join(self._classes) + "\n"

    def _class(self, name: str, node: Node, path: tuple[str, ...]) -> None:
        required, lines = set(node.get("required", ())), []
        self.names[name] = {}
        for index, (key, child) in enumerate(node["properties"].items()):
            kind = self._type(child, f"{name}_{index}", path)
            optional = "" if key in required else "?"
            field = f"field{index}"
            self.names[name][field] = key
            lines.append(f"  {field} ({kind}){optional} @alias({json.dumps(key)})")
        self._classes.append("\n".join((f"class {name} {{", *lines, "}")))

    def _type(self, node: object, name: str, path: tuple[str, ...]) -> str:
        if not isinstance(node, dict):
            return "Anything"
        if "$ref" in node:
            return self._referred(node["$ref"], name, path)
        literals = node.get("enum") or ([node["const"]] if "const" in node else None)
        if literals is not None:
            return _literals(literals)
        branches = node.get("anyOf") or node.get("oneOf")
        if isinstance(branches, list):
            parts = enumerate(branches)
            return " | ".join(self._type(one, f"{name}_{index}", path) for index, one in parts)
        kinds = node.get("type")
        if isinstance(kinds, list):
            return " | ".join(self._typed(kind, node, name, path) for kind in kinds)
        return self._typed(kinds, node, name, path)

    def _typed(self, kind: object, node: Node, name: str, path: tuple[str, ...]) -> str:
        if kind == "array":
            return f"({self._type(node.get('items'), f'{name}_item', path)})[]"
        if kind == "object" and node.get("properties"):
            self._class(name, node, path)
            return name
        if kind == "object":
            return "map<string, Anything>"
        return SCALARS.get(str(kind), "Anything")

    def _referred(self, reference: str, name: str, path: tuple[str, ...]) -> str:
        if not reference.startswith("#/") or reference in path:
            return "Anything"
        node: Any = self.root
        for part in reference[2:].split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return self._type(node, name, (*path, reference))


def _literals(values: list[object]) -> str:
    words = {True: "true", False: "false", None: "null"}
    if any(isinstance(value, float | list | dict) for value in values):
        raise Unusable("an enum member that BAML has no literal for")
    return " | ".join(
        words[value] if value is None or isinstance(value, bool) else json.dumps(value)
        for value in values
    )
