"""Tool definitions in any shape to a catalogue: names, types, required keys, enums; no prose.

    python corpora/catalogues/catalogue.py pi 0.73.1 MIT "npm …" requests.jsonl > pi-0.73.1.json

Several files are of several set-ups of one version. A tool that has two different schemas among
them is kept by its name alone: nobody can say which one held.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.records import ToolDefinition

MAPS: Final = ("properties", "patternProperties", "$defs", "definitions")
SCHEMAS: Final = ("items", "additionalProperties", "not", "prefixItems", "anyOf", "oneOf", "allOf")
VALUES: Final = (
    *("$schema", "$ref", "type", "required", "enum", "const", "nullable", "pattern"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems"),
    *("minProperties", "maxProperties"),
)

OWN_NAMES: Final = frozenset({("activate_skill", "name"), ("task", "subagent_type")})
"""Parameters whose enum lists what a user has installed: another user has other names."""


def opened(tool: str, schema: Any) -> Any:
    """A stripped schema without the enums that no two set-ups share."""
    for name, member in schema.get("properties", {}).items():
        if (tool, name) in OWN_NAMES:
            member.pop("enum", None)
    return schema


def stripped(schema: Any) -> Any:
    """A schema without what only people and models read."""
    if isinstance(schema, list):
        return [stripped(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in MAPS and isinstance(value, dict):
            kept[key] = {name: stripped(member) for name, member in value.items()}
        elif key in SCHEMAS:
            kept[key] = stripped(value)
        elif key in VALUES:
            kept[key] = value
    return kept


def sent(path: Path) -> Iterator[ToolDefinition]:
    """The tools of the requests of a file, or of a plain list of tools."""
    text = path.read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [text]
    for row in rows:
        value = json.loads(row) if isinstance(row, str) else row.get("body", row)
        yield from tools_sent(value if isinstance(value, list) else value.get("tools"))


def catalogue(head: dict[str, str], paths: list[Path]) -> dict[str, Any]:
    """The document of one harness and version."""
    found: dict[str, list[Any]] = {}
    for path in paths:
        for tool in sent(path):
            schema = json.loads(tool.schema) if tool.schema else None
            if schema is not None:
                schema = opened(tool.name, stripped(schema))
            known = found.setdefault(tool.name, [])
            if schema is not None and schema not in known:
                known.append(schema)
    tools = [
        {"name": name, "input_schema": schemas[0]} if len(schemas) == 1 else {"name": name}
        for name, schemas in sorted(found.items())
    ]
    return {**head, "tools": tools}


if __name__ == "__main__":
    names = ("harness", "version", "licence", "source")
    about = dict(zip(names, sys.argv[1:5], strict=True))
    made = catalogue(about, [Path(name) for name in sys.argv[5:]])
    print(json.dumps(made, indent=1, ensure_ascii=False))
