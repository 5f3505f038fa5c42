"""Calls on which broken engines are run."""

from __future__ import annotations

from typing import Final

from toolfix_audit.audit.power import PowerCall
from toolfix_audit.model.json import Json, dump_json

EDIT: Final[Json] = {
    "type": "object",
    "properties": {
        "file_path": {"type": "string"},
        "new_text": {"type": "string"},
        "limit": {"type": "integer"},
        "force": {"type": "boolean"},
        "mode": {"type": "string", "enum": ["text", "binary"]},
        "ranges": {"type": "array", "items": {"type": "integer"}},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["file_path", "new_text", "mode"],
    "additionalProperties": False,
}
OPEN: Final[Json] = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["query"],
}
NAMES: Final = ("edit", "search", "write")


def power_call(
    number: int, value: Json, schema: Json = EDIT, *, families: tuple[str, ...] = ()
) -> PowerCall:
    """One call of a tool."""
    tool = "edit" if schema is EDIT else "search"
    text = value if isinstance(value, str) else dump_json(value)
    return PowerCall(f"c{number}", tool, text, dump_json(schema), NAMES, families)


def valid_edit(number: int) -> dict[str, Json]:
    """Valid arguments, different for every number."""
    return {
        "file_path": f"src/File{number}.txt",
        "new_text": f"line {number}",
        "limit": number + 3,
        "force": number % 2 == 0,
        "mode": "text",
        "ranges": [number, number + 1],
        "tags": ["a", "b"],
    }


def some_calls() -> list[PowerCall]:
    """Valid calls of two tools, wrapped ones, and some that nothing repairs."""
    calls = [power_call(number, valid_edit(number)) for number in range(12)]
    calls += [
        power_call(20 + number, {"query": f"q{number}", "limit": number}, OPEN)
        for number in range(4)
    ]
    calls += [
        power_call(30 + number, {"arguments": valid_edit(number)}, families=("A",))
        for number in range(3)
    ]
    calls.append(power_call(40, '{"file_path": "a', EDIT))
    calls.append(power_call(41, {"file_path": "a", "mode": "text"}, EDIT))
    return calls
