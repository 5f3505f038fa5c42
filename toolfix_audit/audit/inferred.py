"""Schemas inferred from calls that their host accepted, for tools without any other.

Such a schema knows no more than what was seen: keys and types, and the keys that were always
there. It is marked `inferred` wherever it judges, and a gate does not count its verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from genson import SchemaBuilder

from toolfix_audit.audit.request import Request, schema_set
from toolfix_audit.audit.spec import SchemaSet
from toolfix_audit.model.json import Json, JsonError, dump_json, is_deeper, parse_json
from toolfix_audit.model.records import ToolDefinition
from toolfix_audit.model.words import HostVerdict, Origin
from toolfix_audit.store.store import Store
from toolfix_audit.wire.host_verdict import host_verdict

MIN_CALLS: Final = 5
"""A schema from fewer calls would say too much of too little."""

_MAX_DEPTH: Final = 40


@dataclass(frozen=True, slots=True)
class InferredTool:
    """A schema and the number of accepted calls that it was made from."""

    definition: ToolDefinition
    calls: int


def infer_schemas(store: Store, *, min_calls: int = MIN_CALLS) -> tuple[InferredTool, ...]:
    """The schemas of the tools that have no other, each from at least `min_calls` calls that the
    host accepted.

    Raises:
        ConfigError: one tool was given two different schemas.
    """
    builders: dict[str, SchemaBuilder] = {}
    counts: dict[str, int] = {}
    for tool, arguments in _accepted(store, schema_set(store, Request())):
        if tool not in builders:
            builders[tool] = SchemaBuilder(schema_uri=None)
        builders[tool].add_object(arguments)
        counts[tool] = counts.get(tool, 0) + 1
    return tuple(
        InferredTool(ToolDefinition(tool, _schema_text(builder)), counts[tool])
        for tool, builder in sorted(builders.items())
        if counts[tool] >= min_calls
    )


def _accepted(store: Store, schemas: SchemaSet) -> Iterator[tuple[str, dict[str, Json]]]:
    """The arguments of accepted calls to tools without a schema."""
    for batch in store.call_batches():
        for call in batch.to_pylist():
            if _has_schema(call, schemas) or not _is_accepted(call):
                continue
            arguments = _arguments(call["arguments"])
            if arguments is not None:
                yield call["tool"], arguments


def _has_schema(call: Mapping[str, Any], schemas: SchemaSet) -> bool:
    tools = schemas.catalogs.get(call["catalog"] or "") or {}
    if tools.get(call["tool"]) is not None:
        return True
    beside = schemas.beside(call["tool"], (call["harness"], call["version"]))
    return beside is not None and beside.origin is not Origin.INFERRED


def _is_accepted(call: Mapping[str, Any]) -> bool:
    verdict = host_verdict(
        call["harness"],
        call["has_result"],
        call["is_error"],
        call["result_text"],
        call["error_code"],
        tool=call["tool"],
    )
    return verdict is HostVerdict.ACCEPTED


def _arguments(text: str) -> dict[str, Any] | None:
    """The arguments in plain Python values; None if they are no object, or nested too deeply."""
    try:
        value = parse_json(text)
    except JsonError:
        return None
    if not isinstance(value, dict) or is_deeper(value, _MAX_DEPTH):
        return None
    plain: dict[str, Any] = json.loads(dump_json(value))
    return plain


def _schema_text(builder: SchemaBuilder) -> str:
    return dump_json(builder.to_schema(), sort_keys=True)
