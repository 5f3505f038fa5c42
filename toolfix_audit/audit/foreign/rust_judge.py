"""`jsonschema-rs` alone as the judge: a second opinion, not the default.

Where it can't read a value (numbers beyond its range), it gives no verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Final, cast

import jsonschema_rs

from toolfix_audit.engine.judges.pair import is_plain
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.pointer import Path, to_pointer
from toolfix_audit.model.repair import JudgeLimitError, Unusable, Violation
from toolfix_audit.model.words import UnjudgedReason, UntouchedReason

NAME: Final = "jsonschema-rs"
VERSION: Final = version("jsonschema-rs")

_MESSAGE_CHARACTERS: Final = 200
_FAULTS: Final = (ValueError, TypeError, OverflowError, RecursionError)


class RustJudge:
    """See the protocol `Judge`."""

    name = NAME
    version = VERSION

    def __init__(self, validator: jsonschema_rs.Validator) -> None:
        self._validator = validator

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        if not isinstance(value, dict):
            return False
        try:
            return self._validator.is_valid(_plain(value))
        except _FAULTS:
            raise JudgeLimitError(UntouchedReason.LIMIT) from None

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation; one for each extra key."""
        if not isinstance(value, dict):
            return (Violation((), "/type", None, "the arguments are not an object"),)
        try:
            errors = list(self._validator.iter_errors(_plain(value)))
        except _FAULTS:
            raise JudgeLimitError(UntouchedReason.LIMIT) from None
        return tuple(one for error in errors for one in _violations(error))


def compile_rust(schema: Json) -> RustJudge | Unusable:
    """Compile a schema, or say why it can't be."""
    if not isinstance(schema, dict | bool):
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema is not an object")
    given = cast("dict[str, object] | bool", schema)
    try:
        return RustJudge(jsonschema_rs.validator_for(given, offline=True))
    except _FAULTS as error:
        is_remote = "Retrieval is disabled" in str(error)
        reason = UnjudgedReason.REMOTE_REF if is_remote else UnjudgedReason.SCHEMA_UNUSABLE
        return Unusable(reason, str(error).partition("\n")[0][:_MESSAGE_CHARACTERS])


def _plain(value: Json) -> object:
    """The value in plain Python types: the validator takes a subclass for no JSON at all."""
    return value if is_plain(value) else json.loads(dump_json(value))


def _violations(error: jsonschema_rs.ValidationError) -> Iterator[Violation]:
    path = cast(Path, tuple(error.instance_path))
    keyword = to_pointer(cast(Path, tuple(error.schema_path)))
    missing = getattr(error.kind, "property", None)
    extra = getattr(error.kind, "unexpected", None)
    if isinstance(extra, list):
        for key in extra:
            yield Violation(path, keyword, str(key), f"{key!r} is not declared")
    elif isinstance(missing, str) and keyword.endswith("/required"):
        yield Violation(path, keyword, missing, f"{missing!r} is a required property")
    else:
        yield Violation(path, keyword, None, error.message[:_MESSAGE_CHARACTERS])
