"""Keywords of `jsonschema` that count or explain differently here.

Four reasons to replace one: the library counts all extra keys of an object as one error where
hosts count each; its messages print whole values, which fails on deep ones; its patterns run
without a time limit; and it compares each with each where a set would do. What a keyword accepts
is unchanged. `counted` makes every application of any keyword count as effort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import FunctionType, SimpleNamespace
from typing import Any, Final, TypeAlias, cast

from jsonschema import ValidationError
from jsonschema import _legacy_keywords as library_2019
from jsonschema import _utils as library  # no public way to ask which keys were evaluated

from toolfix_audit.engine.judges.effort import spend
from toolfix_audit.engine.judges.equality import Members, are_unique, equality_text
from toolfix_audit.engine.judges.patterns import matches
from toolfix_audit.model.json import decimal_of
from toolfix_audit.model.repair import JudgeLimitError
from toolfix_audit.model.words import UntouchedReason

Errors: TypeAlias = Iterator[ValidationError]
Keyword: TypeAlias = Callable[[Any, Any, Any, Any], Errors]


_WORDS: Final = {True: "true", False: "false", None: "null"}


class KeyViolationError(ValidationError):
    """An error about one key of an object, which `key` names."""

    key: str | None = None


def _about(key: str, message: str) -> KeyViolationError:
    error = KeyViolationError(message)
    error.key = key
    return error


def brief(value: object) -> str:
    """A value in a message: scalars as they are (cut at 60 characters), containers by kind."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    try:
        text = repr(value)
    except ValueError:  # an integer of very many digits
        return "a very long integer"
    return text if len(text) <= 60 else f"{text[:60]}… +{len(text) - 60} chars"


def type_(validator: Any, types: Any, instance: Any, _schema: Any) -> Errors:
    """`type`."""
    names = [types] if isinstance(types, str) else list(types)
    if not any(validator.is_type(instance, name) for name in names):
        yield ValidationError(f"{brief(instance)} is not of type {', '.join(map(str, names))}")


def enum(_validator: Any, members: Any, instance: Any, _schema: Any) -> Errors:
    """`enum`; quick where the members are Members."""
    known = members if isinstance(members, Members) else Members(members)
    if not known.admit(instance):
        shown = ", ".join(brief(member) for member in members[:8])
        yield ValidationError(f"{brief(instance)} is not one of {shown}")


def const(_validator: Any, member: Any, instance: Any, _schema: Any) -> Errors:
    """`const`."""
    if equality_text(instance) != equality_text(member):
        yield ValidationError(f"{brief(instance)} is not {brief(member)}")


def required(validator: Any, names: Any, instance: Any, _schema: Any) -> Errors:
    """`required`: one error for each missing key."""
    if not validator.is_type(instance, "object"):
        return
    for name in names:
        if name not in instance:
            yield _about(name, f"missing required key {brief(name)}")


def dependent_required(validator: Any, dependents: Any, instance: Any, _schema: Any) -> Errors:
    """`dependentRequired`: one error for each missing key."""
    if not validator.is_type(instance, "object"):
        return
    for trigger, names in dependents.items():
        if trigger in instance:
            for name in names:
                if name not in instance:
                    yield _about(name, f"missing key {brief(name)}, needed beside {brief(trigger)}")


def dependencies(validator: Any, dependents: Any, instance: Any, _schema: Any) -> Errors:
    """`dependencies` of the drafts before 2019-09: lists of keys, or schemas."""
    if not validator.is_type(instance, "object"):
        return
    for trigger, need in dependents.items():
        if trigger not in instance:
            continue
        if isinstance(need, dict | bool):
            yield from validator.descend(instance, need, schema_path=trigger)
            continue
        for name in [need] if isinstance(need, str) else need:
            if name not in instance:
                yield _about(name, f"missing key {brief(name)}, needed beside {brief(trigger)}")


def pattern(validator: Any, wanted: Any, instance: Any, _schema: Any) -> Errors:
    """`pattern`, with a time limit."""
    if validator.is_type(instance, "string") and not matches(wanted, instance):
        yield ValidationError(f"{brief(instance)} does not match {brief(wanted)}")


def pattern_properties(validator: Any, patterns: Any, instance: Any, _schema: Any) -> Errors:
    """`patternProperties`, with a time limit."""
    if not validator.is_type(instance, "object"):
        return
    spend(len(patterns) * len(instance))
    for wanted, subschema in patterns.items():
        for key, member in instance.items():
            if matches(wanted, key):
                yield from validator.descend(member, subschema, path=key, schema_path=wanted)


def extra_keys(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """The keys that neither `properties` nor `patternProperties` names."""
    named = schema.get("properties", {})
    patterns = tuple(schema.get("patternProperties", {}))
    if not patterns:
        yield from library.find_additional_properties(instance, schema)
        return
    spend(len(patterns) * len(instance))
    for key in instance:
        if key not in named and not any(matches(wanted, key) for wanted in patterns):
            yield key


def additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Errors:
    """`additionalProperties`: one error for each extra key."""
    if not validator.is_type(instance, "object"):
        return
    for key in extra_keys(instance, schema):
        if validator.is_type(allowed, "object"):
            yield from validator.descend(instance[key], allowed, path=key)
        elif not allowed:
            yield _about(key, f"key {brief(key)} is not declared")


def _evaluated_keys(module: Any) -> Callable[[Any, Any, Any], list[str]]:
    """The library's search for the keys that a schema evaluates, with patterns that end and
    steps that count: the same code, to which `re` and its own name mean something else."""
    walk: FunctionType = module.find_evaluated_property_keys_by_schema

    def find_keys(validator: Any, instance: Any, schema: Any) -> list[str]:
        patterns = schema.get("patternProperties", ()) if isinstance(schema, dict) else ()
        spend(1 + len(instance) * (1 + len(patterns)))
        return cast("list[str]", mended(validator, instance, schema))

    names = {**walk.__globals__, walk.__name__: find_keys, "re": SimpleNamespace(search=matches)}
    mended = FunctionType(walk.__code__, names)
    return find_keys


def _unevaluated(module: Any) -> Keyword:
    find_keys = _evaluated_keys(module)

    def unevaluated_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Errors:
        if not validator.is_type(instance, "object"):
            return
        seen = set(find_keys(validator, instance, schema))
        for key in instance:
            if key not in seen and not _fits(validator, allowed, instance[key]):
                yield _about(key, f"key {brief(key)} is not declared")

    return unevaluated_properties


def any_of(validator: Any, branches: Any, instance: Any, _schema: Any) -> Errors:
    """`anyOf`: one error, whatever the branches say."""
    if not any(_fits(validator, branch, instance) for branch in branches):
        yield ValidationError(f"{brief(instance)} fits none of {len(branches)} branches")


def one_of(validator: Any, branches: Any, instance: Any, _schema: Any) -> Errors:
    """`oneOf`: one error, for none and for several."""
    fitting = sum(_fits(validator, branch, instance) for branch in branches)
    if fitting != 1:
        yield ValidationError(
            f"{brief(instance)} fits {fitting} of {len(branches)} branches, not exactly one"
        )


def not_(validator: Any, excluded: Any, instance: Any, _schema: Any) -> Errors:
    """`not`."""
    if _fits(validator, excluded, instance):
        yield ValidationError(f"{brief(instance)} fits what is excluded")


def contains(validator: Any, wanted: Any, instance: Any, schema: Any) -> Errors:
    """`contains` with `minContains` and `maxContains`: one error."""
    if not validator.is_type(instance, "array"):
        return
    least = schema.get("minContains", 1)
    most = schema.get("maxContains", len(instance))
    found = sum(_fits(validator, wanted, item) for item in instance)
    if not least <= found <= most:
        yield ValidationError(f"{found} items fit, not {least} to {most}")


def contains_any(validator: Any, wanted: Any, instance: Any, _schema: Any) -> Errors:
    """`contains` of drafts 6 and 7, without counts."""
    if validator.is_type(instance, "array") and not any(
        _fits(validator, wanted, item) for item in instance
    ):
        yield ValidationError("no item fits")


def property_names(validator: Any, names: Any, instance: Any, _schema: Any) -> Errors:
    """`propertyNames`: one error for each key that does not fit."""
    if not validator.is_type(instance, "object"):
        return
    for key in instance:
        if not _fits(validator, names, key):
            yield _about(key, f"key {brief(key)} has a name that is not allowed")


def unique_items(validator: Any, unique: Any, instance: Any, _schema: Any) -> Errors:
    """`uniqueItems`."""
    if unique and validator.is_type(instance, "array") and not are_unique(instance):
        yield ValidationError("the array has equal items")


def _sized(kind: str, *, least: bool, what: str) -> Keyword:
    def check(validator: Any, bound: Any, instance: Any, _schema: Any) -> Errors:
        if not validator.is_type(instance, kind):
            return
        size = len(instance)
        if size < bound if least else size > bound:
            word = "fewer" if least else "more"
            yield ValidationError(f"{size} {what}, {word} than {bound}")

    return check


def multiple_of(validator: Any, unit: Any, instance: Any, _schema: Any) -> Errors:
    """`multipleOf`, also for integers beyond a float."""
    if not validator.is_type(instance, "number"):
        return
    try:
        failed = bool(instance % unit) if isinstance(unit, int) else not _is_whole(instance / unit)
    except (OverflowError, ZeroDivisionError, ValueError):
        exact, step = decimal_of(instance), decimal_of(unit)
        if exact is None or not step or max(abs(exact.adjusted()), abs(step.adjusted())) > 10_000:
            raise JudgeLimitError(UntouchedReason.LIMIT) from None
        failed = bool(Fraction(exact) % Fraction(step))
    if failed:
        yield ValidationError(f"{brief(instance)} is not a multiple of {brief(unit)}")


def _is_whole(quotient: float) -> bool:
    return int(quotient) == quotient


def _fits(validator: Any, schema: Any, instance: Any) -> bool:
    return not any(True for _ in validator.descend(instance, schema))


CONTAINS: Final[Mapping[str, Keyword]] = {"contains": contains}
CONTAINS_ANY: Final[Mapping[str, Keyword]] = {"contains": contains_any}
UNEVALUATED: Final[Mapping[str, Keyword]] = {"unevaluatedProperties": _unevaluated(library)}
UNEVALUATED_2019: Final[Mapping[str, Keyword]] = {
    "unevaluatedProperties": _unevaluated(library_2019)
}
KEYWORDS: Final[Mapping[str, Keyword]] = {
    "type": type_,
    "enum": enum,
    "const": const,
    "required": required,
    "dependentRequired": dependent_required,
    "dependencies": dependencies,
    "pattern": pattern,
    "patternProperties": pattern_properties,
    "additionalProperties": additional_properties,
    "anyOf": any_of,
    "oneOf": one_of,
    "not": not_,
    "propertyNames": property_names,
    "uniqueItems": unique_items,
    "multipleOf": multiple_of,
    "minItems": _sized("array", least=True, what="items"),
    "maxItems": _sized("array", least=False, what="items"),
    "minLength": _sized("string", least=True, what="characters"),
    "maxLength": _sized("string", least=False, what="characters"),
    "minProperties": _sized("object", least=True, what="keys"),
    "maxProperties": _sized("object", least=False, what="keys"),
}


_LOOKS_INSIDE: Final = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "items",
        "patternProperties",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
        "uniqueItems",
    }
)

_LOOKS_UP: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
LOOK_UP: Final = 5
"""What following a reference counts."""


def counted(name: str, keyword: Keyword) -> Keyword:
    """The keyword, with each application counted as effort: once, and once more for every member
    of what the schema lists there, and of the value where the keyword looks at each."""
    looks_inside = name in _LOOKS_INSIDE

    def apply(validator: Any, argument: Any, instance: Any, schema: Any) -> Errors:
        amount = 1 if name not in _LOOKS_UP else LOOK_UP
        if isinstance(argument, dict | list) and not isinstance(argument, Members):
            amount += len(argument)
        if looks_inside and isinstance(instance, dict | list):
            amount += len(instance)
        spend(amount)
        return keyword(validator, argument, instance, schema)

    return apply
