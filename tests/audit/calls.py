"""Calls as the store hands them to the kernel."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from toolfix_audit.audit.arrow import CALLS
from toolfix_audit.audit.spec import SchemaSet, Supplied
from toolfix_audit.model.words import Origin

READ: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path"],
}
LIST: dict[str, Any] = {"type": "object", "properties": {"scope": {"type": "string"}}}
TEXTS = {"d-read": json.dumps(READ), "d-list": json.dumps(LIST), "d-bad": '{"type":"any"}'}
SCHEMAS = SchemaSet(
    texts=TEXTS,
    catalogs={"cat": {"read": "d-read", "list": "d-list", "bad": "d-bad", "named": None}},
    supplied={
        "write": Supplied("d-read", Origin.CATALOGUE),
        "list": Supplied("d-read", Origin.CATALOGUE),
    },
)
ABCD = ("A", "B", "C", "D")


def row(number: int, tool: str, arguments: str, **changes: Any) -> dict[str, Any]:
    """One call with every column."""
    plain: dict[str, Any] = {
        "call": f"call-{number:04}",
        "session": "s1",
        "path": "log.jsonl",
        "tool": tool,
        "arguments": arguments,
        "form": "text",
        "streamed": None,
        "dispatched": False,
        "catalog": "cat",
        "finish_reason": None,
        "harness": "dsh",
        "provider": "p",
        "model": "m",
        "has_result": True,
        "is_error": False,
        "result_text": "ok",
        "error_code": None,
    }
    assert set(changes) <= set(plain)
    return {**plain, **changes}


def batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    """Calls as Arrow."""
    return pa.RecordBatch.from_pylist(rows, schema=CALLS)
