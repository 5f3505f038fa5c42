"""The judge for schemas that no validator runs, as real tools declare them.

It counts what can be said without a metaschema: missing required keys, wrong types of top-level
keys, extra keys of a closed object. What it can't look at it does not admit: where nothing is
wrong, and something was not checked, it gives up (`schema-unusable`). Calls that it judged are
marked, and only the families A to D run under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from toolfix_audit.model.json import Json, kind_of
from toolfix_audit.model.repair import Judge, JudgeLimitError, Violation
from toolfix_audit.model.words import UnjudgedReason

FAMILIES: Final = frozenset("ABCD")
_KINDS: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_ANY: Final = "any"
_UNSEEN: Final = frozenset(
    {
        "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "enum",
        "const", "dependencies", "dependentRequired", "dependentSchemas", "propertyNames",
        "minProperties", "maxProperties", "unevaluatedProperties",
    }
)  # fmt: skip
"""Keywords of the whole that are not looked at."""

_NOT_AN_OBJECT: Final = Violation((), "/type", None, "the arguments are not an object")


class ShallowJudge:
    """See the protocol `Judge`.

    `strict` is a judge that runs the schema but takes it too narrowly: what that one admits is
    valid, whatever else is in the schema.
    """

    name = "shallow"
    version = "2"

    def __init__(self, schema: Mapping[str, Json], strict: Judge | None = None) -> None:
        self._strict = strict
        self._properties = _mapping(schema.get("properties"))
        self._required = tuple(_required(schema, self._properties))
        patterned = _mapping(schema.get("patternProperties"))
        self._is_closed = schema.get("additionalProperties") is False and not patterned
        self._is_seen_whole = not _UNSEEN & schema.keys()
        extra = schema.get("additionalProperties", True)
        self._extra_is_seen = extra in (True, False, {}) and not patterned

    @property
    def says_something(self) -> bool:
        """Whether the schema names any key."""
        return bool(self._properties or self._required)

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation.

        Raises:
            JudgeLimitError: none is seen, but not all was looked at.
        """
        return not self.violations(value)

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation that can be seen at the top level.

        Raises:
            JudgeLimitError: none is seen, but not all was looked at.
        """
        if not isinstance(value, dict):
            return (_NOT_AN_OBJECT,)
        found = (*self._missing(value), *self._mistyped(value), *self._extra(value))
        if not found and not self._is_checked(value) and not self._is_strictly_valid(value):
            raise JudgeLimitError(UnjudgedReason.SCHEMA_UNUSABLE)
        return found

    def _is_checked(self, value: dict[str, Json]) -> bool:
        return self._is_seen_whole and all(
            _is_typed(self._properties[name]) if name in self._properties else self._extra_is_seen
            for name in value
        )

    def _is_strictly_valid(self, value: Json) -> bool:
        return self._strict is not None and self._strict.is_valid(value)

    def _missing(self, value: dict[str, Json]) -> Iterator[Violation]:
        for name in self._required:
            if name not in value:
                yield Violation((), "/required", name, f"missing required key {name!r}")

    def _mistyped(self, value: dict[str, Json]) -> Iterator[Violation]:
        for name, schema in self._properties.items():
            if name in value and not _fits(schema, value[name]):
                keyword = f"/properties/{name}/type"
                yield Violation((name,), keyword, None, "not of the declared type")

    def _extra(self, value: dict[str, Json]) -> Iterator[Violation]:
        for name in value if self._is_closed else ():
            if name not in self._properties:
                yield Violation((), "/additionalProperties", name, f"key {name!r} is not declared")


def compile_shallow(schema: Json, strict: Judge | None = None) -> ShallowJudge | None:
    """The shallow judge of an object schema that declares something; None for anything else."""
    if not isinstance(schema, dict):
        return None
    judge = ShallowJudge(schema, strict)
    return judge if judge.says_something else None


def is_sloppy(schema: Json) -> bool:
    """Whether a schema says `nullable: true`, which validators ignore although its author means
    that null is legal."""
    todo: list[Json] = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            if item.get("nullable") is True and "type" in item:
                return True
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return False


def _required(schema: Mapping[str, Json], properties: Mapping[str, Json]) -> Iterator[str]:
    listed = schema.get("required")
    for name in listed if isinstance(listed, list) else ():
        if isinstance(name, str):
            yield name
    for name, declared in properties.items():
        if isinstance(declared, dict) and declared.get("required") is True:
            yield name


def _fits(schema: Json, value: Json) -> bool:
    """Whether a value may be of the declared type; unknown type words admit everything."""
    names = _type_words(schema)
    if not names or not names <= _KINDS:
        return True
    if value is None and isinstance(schema, dict) and schema.get("nullable") is True:
        return True
    kind = kind_of(value)
    whole = isinstance(value, float) and value.is_integer()
    return (
        kind in names or (kind == "integer" and "number" in names) or (whole and "integer" in names)
    )


def _is_typed(schema: Json) -> bool:
    """Whether the type of a key is all known words, so that its value was looked at."""
    names = _type_words(schema)
    return schema in (True, {}) or bool(names and names <= _KINDS | {_ANY})


def _type_words(schema: Json) -> frozenset[str]:
    declared = schema.get("type") if isinstance(schema, dict) else None
    words = declared if isinstance(declared, list) else [declared]
    return frozenset(word.lower() for word in words if isinstance(word, str))


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
