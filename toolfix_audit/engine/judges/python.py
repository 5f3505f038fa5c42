"""The reference judge: `jsonschema`, with keywords that count per key and patterns that end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final, TypeAlias, cast

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
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # a data package
from referencing import Resource
from referencing._core import Resolver
from referencing.exceptions import NoSuchResource, Unresolvable
from referencing.jsonschema import DRAFT202012, SchemaRegistry

from toolfix_audit.engine.judges.keywords import (
    CONTAINS,
    CONTAINS_ANY,
    KEYWORDS,
    UNEVALUATED,
    UNEVALUATED_2019,
    KeyViolationError,
)
from toolfix_audit.engine.judges.patterns import compiles, pattern_budget
from toolfix_audit.model.json import Json, JsonError, dump_json, is_deeper, parse_json
from toolfix_audit.model.pointer import Path, to_pointer
from toolfix_audit.model.repair import JudgeLimitError, Unusable, Violation
from toolfix_audit.model.words import UnjudgedReason, UntouchedReason

UNRESOLVED: Final = (
    Unresolvable,
    NoSuchResource,
    ValueError,
    TypeError,
    AttributeError,
    KeyError,
    IndexError,
)
"""What a look-up raises for a reference that leads nowhere, or through garbage."""

_KNOWN: Final[SchemaRegistry] = REGISTRY  # the metaschemas of every draft; fetches nothing
NAME: Final = "jsonschema"
VERSION: Final = version("jsonschema")
NOT_AN_OBJECT: Final = Violation((), "/type", None, "the arguments are not an object")

_EXTENDED: Final = {
    cls: validators.extend(  # type: ignore[no-untyped-call]  # its stub lacks types
        cls,
        {
            name: keyword
            for name, keyword in {**KEYWORDS, **contains, **unevaluated}.items()
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
MAX_REFERENCE_CHAIN: Final = 50
"""References that lead to references to references … beyond this make a schema unusable."""

_UNEVALUATED_KEYS: Final = frozenset({"unevaluatedProperties", "unevaluatedItems"})
_DATA: Final = frozenset({"const", "enum", "default", "examples"})  # values, not schemas


class PythonJudge:
    """`jsonschema` for one schema; see the protocol `Judge`."""

    name = NAME
    version = VERSION

    def __init__(self, validator: Validator) -> None:
        self._validator = validator

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        if not isinstance(value, dict):
            return False
        with _bounded():
            return self._validator.is_valid(value)

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation, in the order of the schema's keywords."""
        if not isinstance(value, dict):
            return (NOT_AN_OBJECT,)
        with _bounded():
            return tuple(_violation(error) for error in self._validator.iter_errors(value))


@contextmanager
def _bounded() -> Iterator[None]:
    """Turn the ways in which the library gives up into JudgeLimitError."""
    try:
        with pattern_budget():
            yield
    except (RecursionError, OverflowError):
        raise JudgeLimitError(UntouchedReason.LIMIT) from None
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
        return _compile(dump_json(schema))
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
            fault = _metaschema_fault(extended, schema) or _inner_fault(schema, extended)
    except JudgeLimitError:
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "the schema is nested too deeply")
    if fault is not None or extended is None:
        return fault or Unusable(UnjudgedReason.SCHEMA_UNUSABLE, "draft 3 is not supported")
    validator = extended(cast(Any, _undialected(schema)), registry=_KNOWN)
    try:
        with _bounded():
            tuple(validator.iter_errors({}))
    except JudgeLimitError as limit:
        if limit.reason is UntouchedReason.LIMIT:
            detail = "the schema refers to itself without end"
            return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, detail)
    return PythonJudge(validator)


def _undialected(schema: Json) -> Json:
    """The schema without `$schema`, at which the library would switch to its own keywords."""
    if isinstance(schema, list):
        return [_undialected(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: member if key in _DATA else _undialected(member)
        for key, member in schema.items()
        if not (key == "$schema" and isinstance(member, str))
    }


def _metaschema_fault(cls: type[Validator] | None, schema: Json) -> Unusable | None:
    if cls is None:
        return None
    for error in cls(cls.META_SCHEMA, registry=_KNOWN).iter_errors(schema):
        place = to_pointer(tuple(error.absolute_path)) or "the root"
        return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, f"{place}: {error.message}")
    return None


def _inner_fault(schema: Json, cls: type[Validator] | None) -> Unusable | None:
    """The first reference that does not resolve, or pattern that can't be run. What a reference
    leads to is looked at as well, wherever it stands."""
    root = Resource.from_contents(cast(Any, schema), default_specification=DRAFT202012)
    start = _KNOWN.with_resource("", root).resolver()
    todo = [(root, start)]
    seen: set[int] = set()
    has_unevaluated = has_patterns = False
    while todo:
        resource, resolver = todo.pop()
        contents = resource.contents
        if not isinstance(contents, dict) or id(contents) in seen:
            continue
        seen.add(id(contents))
        targets, fault = _targets(contents, resolver, cls)
        fault = fault or _pattern_fault(contents)
        has_unevaluated = has_unevaluated or _UNEVALUATED_KEYS & contents.keys() != set()
        has_patterns = has_patterns or "patternProperties" in contents
        if fault is not None:
            return fault
        todo.extend((sub, resolver.in_subresource(sub)) for sub in resource.subresources())
        todo.extend(targets)
    if has_unevaluated and has_patterns:  # the library runs these patterns without a limit
        detail = "patternProperties beside unevaluated keywords"
        return Unusable(UnjudgedReason.PATTERN_UNSUPPORTED, detail)
    return None


_Place: TypeAlias = "tuple[Resource[Any], Resolver[Any]]"


def _targets(
    contents: dict[str, Any], resolver: Resolver[Any], cls: type[Validator] | None
) -> tuple[list[_Place], Unusable | None]:
    """What the references of a schema object lead to, and what is wrong with that."""
    targets: list[_Place] = []
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        reference = contents.get(keyword)
        if not isinstance(reference, str):
            continue
        found = _resolve(reference, resolver)
        if isinstance(found, Unusable):
            return targets, found
        fault = _metaschema_fault(cls, found[0].contents)
        if fault is not None:
            return targets, fault
        targets.append(found)
    return targets, None


def _resolve(reference: str, resolver: Resolver[Any]) -> _Place | Unusable:
    """The schema that a reference leads to, in a few hops."""
    for _ in range(MAX_REFERENCE_CHAIN):
        try:
            found = resolver.lookup(reference)
        except UNRESOLVED:
            local = reference.startswith("#")
            reason = UnjudgedReason.SCHEMA_UNUSABLE if local else UnjudgedReason.REMOTE_REF
            return Unusable(reason, f"the reference {reference!r} does not resolve")
        if not isinstance(found.contents, dict | bool):
            detail = f"the reference {reference!r} leads to no schema"
            return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, detail)
        further = found.contents.get("$ref") if isinstance(found.contents, dict) else None
        if not isinstance(further, str):
            contents = cast(Any, found.contents)
            resource = Resource.from_contents(contents, default_specification=DRAFT202012)
            return resource, found.resolver
        resolver, reference = found.resolver, further
    detail = "references lead to references without end"
    return Unusable(UnjudgedReason.SCHEMA_UNUSABLE, detail)


def _pattern_fault(contents: dict[str, Any]) -> Unusable | None:
    patterns = list(contents.get("patternProperties") or ())
    if isinstance(contents.get("pattern"), str):
        patterns.append(contents["pattern"])
    for pattern in patterns:
        if not compiles(pattern):
            return Unusable(
                UnjudgedReason.PATTERN_UNSUPPORTED, f"pattern {pattern!r} does not compile"
            )
    return None


def _violation(error: ValidationError) -> Violation:
    path = cast(Path, tuple(error.absolute_path))
    keyword = to_pointer(cast(Path, tuple(error.absolute_schema_path)))
    key = error.key if isinstance(error, KeyViolationError) else None
    return Violation(path, keyword, key, error.message)
