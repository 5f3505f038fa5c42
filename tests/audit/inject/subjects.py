"""Small subjects for the tests of the planters."""

from __future__ import annotations

from toolfix_audit.audit.inject import Subject
from toolfix_audit.audit.inject.ground import ground_for
from toolfix_audit.engine import compile_schema
from toolfix_audit.model.json import Json
from toolfix_audit.model.repair import Unusable

READ: Json = {
    "type": "object",
    "properties": {
        "file_path": {"type": "string"},
        "limit": {"type": "integer"},
        "force": {"type": "boolean"},
        "mode": {"type": "string", "enum": ["text", "binary"]},
        "ranges": {"type": "array", "items": {"type": "integer"}},
        "either": {"anyOf": [{"type": "string"}, {"type": "array"}]},
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"old": {"type": "string"}, "count": {"type": "integer"}},
                "required": ["old"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["file_path"],
    "additionalProperties": False,
}

EDIT: dict[str, Json] = {"old": "a\nb", "count": 2}
FULL: dict[str, Json] = {
    "file_path": "notes.txt",
    "limit": 5,
    "force": True,
    "mode": "text",
    "ranges": [7],
    "edits": [EDIT],
}


def subject_of(
    schema: Json, value: dict[str, Json], *, tool: str = "read", names: tuple[str, ...] = ("read",)
) -> Subject:
    """A subject, which must be valid."""
    judge = compile_schema(schema)
    assert not isinstance(judge, Unusable)
    found = Subject("c1", tool, names, ground_for(schema), judge, value)
    assert found.count(value) == 0
    return found
