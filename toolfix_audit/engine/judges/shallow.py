"""The judge for schemas that no validator runs, as real tools declare them.

It counts what can be said without a metaschema: missing required keys, wrong types of top-level
keys, extra keys of a closed object. Calls that it judged are marked, and only the families A to
D run under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from toolfix_audit.model.json import Json, kind_of
from toolfix_audit.model.repair import Violation

FAMILIES: Final = frozenset("ABCD")
_KINDS: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_NOT_AN_OBJECT: Final = Violation((), "/type", None, "the arguments are not an object")


class ShallowJudge:
    """See the protocol `Judge`."""

    name = "shallow"
    version = "1"

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self._properties = _mapping(schema.get("properties"))
        self._required = tuple(_required(schema, self._properties))
        patterned = _mapping(schema.get("patternProperties"))
        self._is_closed = schema.get("additionalProperties") is False and not patterned

    @property
    def says_something(self) -> bool:
        """Whether the schema names any key."""
        return bool(self._properties or self._required)

    def is_valid(self, value: Json) -> bool:
        """Whether the value has no violation."""
        return not self.violations(value)

    def violations(self, value: Json) -> Sequence[Violation]:
        """Every violation that can be seen at the top level."""
        if not isinstance(value, dict):
            return (_NOT_AN_OBJECT,)
        return (*self._missing(value), *self._mistyped(value), *self._extra(value))

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


def compile_shallow(schema: Json) -> ShallowJudge | None:
    """The shallow judge of an object schema that declares something; None for anything else."""
    if not isinstance(schema, dict):
        return None
    judge = ShallowJudge(schema)
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
    if not isinstance(schema, dict):
        return True
    if value is None and schema.get("nullable") is True:
        return True
    declared = schema.get("type")
    words = declared if isinstance(declared, list) else [declared]
    names = {word.lower() for word in words if isinstance(word, str)}
    if not names or not names <= _KINDS:
        return True
    kind = kind_of(value)
    whole = isinstance(value, float) and value.is_integer()
    return (
        kind in names or (kind == "integer" and "number" in names) or (whole and "integer" in names)
    )


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
