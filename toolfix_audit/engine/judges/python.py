"""The reference judge: `jsonschema`, with keywords that count per key and patterns that end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from importlib.metadata import version
from typing import Any, Final, cast

from jsonschema import (
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
    ValidationError,
    validators,
)
from jsonschema.protocols import Validator

from toolfix_audit.engine.judges.effort import MAX_CHECKS, limited, spend
from toolfix_audit.engine.judges.equality import Members
from toolfix_audit.engine.judges.keywords import (
    CONTAINS,
    CONTAINS_ANY,
    KEYWORDS,
    UNEVALUATED,
    UNEVALUATED_2019,
    KeyViolationError,
    counted,
)
from toolfix_audit.engine.judges.parts import Applied, Division, divide
from toolfix_audit.engine.judges.patterns import pattern_budget
from toolfix_audit.engine.judges.soundness import KNOWN, fault_of
from toolfix_audit.model.json import Json, JsonError, is_deeper, parse_json
from toolfix_audit.model.json_fast import dump_value
from toolfix_audit.model.pointer import Path, to_pointer
from toolfix_audit.model.repair import JudgeLimitError, Unusable, Violation
from toolfix_audit.model.words import UnjudgedReason, UntouchedReason

NAME: Final = "jsonschema"
VERSION: Final = version("jsonschema")
NOT_AN_OBJECT: Final = Violation((), "/type", None, "the arguments are not an object")

_EXTENDED: Final = {
    cls: validators.extend(  # type: ignore[no-untyped-call]  # its stub lacks types
        cls,
        {
            name: counted(name, keyword)
            for name, keyword in {**cls.VALIDATORS, **KEYWORDS, **contains, **unevaluated}.items()
            if name in cls.VALIDATORS
        },
    )
    for cls, contains, unevaluated in (
        (Draft4Validator, CONTAINS_ANY, {}),
        (Draft6Validator, CONTAINS_ANY, {}),
        (Draft7Validator, CONTAINS_ANY, {}),
        (Draft201909Validator, CONTAINS, UNEVALUATED_2019),
        (Draft202012Validator, CONTAINS, UNEVALUATED),
    )
}

MAX_SCHEMA_DEPTH: Final = 100

_DATA: Final = frozenset({"const", "enum", "default", "examples"})  # values, not schemas


class PartJudge:
    """`jsonschema` for one place of the arguments, of any type; see the protocol `Judge`.

    Paths of violations begin at that place.
    """

    name = NAME
    version = VERSION

    def __init__(self, applied: tuple[Applied, ...]) -> None:
        self._applied = applied
        self._parts: dict[str | int, PartJudge] = {}

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        with _bounded():
            return all(one.validator.is_valid(value) for one in self._applied)

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation, in the order of the schema's keywords."""
        with _bounded():
            return tuple(
                _violation(error, one.location)
                for one in self._applied
                for error in one.validator.iter_errors(value)
            )

    @cached_property
    def division(self) -> Division | None:
        """How the schemas of this place divide among its parts; None where they don't."""
        with _bounded():
            return divide(self._applied)

    def of_part(self, part: str | int) -> PartJudge | None:
        """The judge of one member or item, where the schemas of this place divide."""
        division = self.division
        if division is None:
            return None
        kind = division.kind(part)
        judge = None if kind is None else self._parts.get(kind)
        if judge is None:
            with _bounded():
                judge = PartJudge(division.of(part))
            if kind is not None:
                self._parts[kind] = judge
        return judge


class PythonJudge(PartJudge):
    """`jsonschema` for one schema; see the protocol `Judge`."""

    def __init__(self, validator: Validator) -> None:
        super().__init__((Applied(validator),))

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        return isinstance(value, dict) and super().is_valid(value)

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation, in the order of the schema's keywords."""
        return super().violations(value) if isinstance(value, dict) else (NOT_AN_OBJECT,)


@contextmanager
def _bounded() -> Iterator[None]:
    """Turn the ways in which the library gives up into JudgeLimitError."""
    try:
        with pattern_budget(), limited(MAX_CHECKS):
            yield
    except (RecursionError, OverflowError):
        raise JudgeLimitError(UntouchedReason.LIMIT) from None
    except ValueError as error:
        if "integer string conversion" in str(error):  # an int of thousands of digits in a message
            raise JudgeLimitError(UntouchedReason.LIMIT) from None
        raise
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # recursion inside the registry's maps
            raise JudgeLimitError(UntouchedReason.LIMIT) from None
        raise


def compile_python(schema: Json) -> PythonJudge | Unusable:
    """Compile a schema for `jsonschema`; the draft is that of `$schema`, else 2020-12.

    Compiled once per distinct schema. Nothing is ever fetched: a `$ref` that leads out of the
    schema makes it unusable (`remote-ref`).
    """
    if not isinstance(schema, dict | bool):
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema is not an object")
    try:
        return _compile(dump_value(schema))
    except (JsonError, TypeError) as error:
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, f"the schema is not JSON: {error}")


def draft_of(schema: Json) -> type[Validator]:
    """The validator class for a schema's `$schema`; 2020-12 where it names none that is known."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    default = cast("type[Validator]", Draft202012Validator)
    if not isinstance(named, str):
        return default
    return validators.validator_for({"$schema": named}, default=default)


@lru_cache(maxsize=8192)
def _compile(text: str) -> PythonJudge | Unusable:
    schema = cast("dict[str, Json] | bool", parse_json(text))
    if is_deeper(schema, MAX_SCHEMA_DEPTH):
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema is nested too deeply")
    extended = _EXTENDED.get(cast(Any, draft_of(schema)))
    try:
        with _bounded():
            fault = fault_of(schema, extended)
    except JudgeLimitError:
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema is too large or too deep")
    if fault is not None or extended is None:
        return fault or Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "draft 3 is not supported")
    judge = PythonJudge(extended(cast(Any, _prepared(schema)), registry=KNOWN))
    try:
        judge.violations({})
    except JudgeLimitError as limit:
        if limit.reason is UntouchedReason.LIMIT:
            detail = "the schema refers to itself without end"
            return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, detail)
    return judge


def _prepared(schema: Json) -> Json:
    """The schema without `$schema`, at which the library would switch to its own keywords, and
    with members that are found at once."""
    if isinstance(schema, list):
        return [_prepared(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _prepared_data(key, member) if key in _DATA else _prepared(member)
        for key, member in schema.items()
        if not (key == "$schema" and isinstance(member, str))
    }


def _prepared_data(key: str, data: Json) -> Json:
    return Members(data) if key == "enum" and isinstance(data, list) else data


def _violation(error: ValidationError, location: Path) -> Violation:
    path = cast(Path, tuple(error.absolute_path))
    spend(len(error.absolute_schema_path))  # each level has handed the error on
    keyword = to_pointer(location + cast(Path, tuple(error.absolute_schema_path)))
    key = error.key if isinstance(error, KeyViolationError) else None
    return Violation(path, keyword, key, error.message)
