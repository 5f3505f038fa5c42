"""How a schema divides among the parts of a value, where it does.

Under keywords such as `properties` and `items` each member or item is judged by itself: what is
wrong with the whole is what is wrong with each part, and what concerns the set of parts alone
(`required`, `minItems`). Where a keyword speaks of the value as one (`anyOf`, `uniqueItems`,
`enum`), the schema does not divide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from referencing.jsonschema import specification_with

from toolfix_audit.engine.judges.keywords import extra_keys
from toolfix_audit.engine.judges.patterns import matches
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path

MAX_APPLIED: Final = 100
"""Schemas that may apply to one place; more are not divided."""

_BY_KEY: Final = frozenset(
    {
        "$ref", "allOf", "type", "required", "properties", "patternProperties",
        "additionalProperties", "propertyNames", "items", "prefixItems", "additionalItems",
        "minItems", "maxItems", "minLength", "maxLength", "pattern", "format", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    }
)  # fmt: skip
"""Keywords whose violations concern one key, one item or the number of items."""

_BY_KEY_SET: Final = frozenset(
    {"minProperties", "maxProperties", "dependentRequired", "dependencies"}
)
"""Keywords whose violations depend on which keys there are."""

_WITH_SUBSCHEMAS: Final = frozenset(
    {"properties", "patternProperties", "items", "prefixItems", "additionalItems"}
)

_Found: TypeAlias = "tuple[Json, Path]"


@dataclass(frozen=True, slots=True)
class Applied:
    """A schema that applies to a place, as the library's validator, and where it stands."""

    validator: Any
    location: Path = ()

    def inner(self, schema: Json, steps: Path, resolver: Any = None) -> Applied:
        """A schema inside this one; references in it resolve as the library resolves them."""
        if resolver is None:
            dialect = specification_with(str(self.validator.META_SCHEMA["$schema"]))
            resource = dialect.create_resource(cast(Any, schema))
            resolver = self.validator._resolver.in_subresource(resource)
        evolved = self.validator.evolve(schema=schema, _resolver=resolver)
        return Applied(evolved, self.location + steps)

    def keywords(self) -> Iterator[tuple[str, Any]]:
        """The keywords that the library applies."""
        return ((name, argument) for _, name, argument in self.validator._validators)


@dataclass(frozen=True, slots=True)
class Division:
    """The schemas that apply to one place, all of which divide among its parts.

    `is_additive` says that the violations are those of each key by itself, present or absent.
    """

    applied: tuple[Applied, ...]
    is_additive: bool

    def of(self, part: str | int) -> tuple[Applied, ...]:
        """The schemas that apply to a part."""
        find = _of_member if isinstance(part, str) else _of_item
        return tuple(
            one.inner(schema, steps)
            for one in self.applied
            for schema, steps in find(one, cast(Any, part))
        )

    def kind(self, part: str | int) -> str | int | None:
        """A name that two parts share only if the same schemas apply to them; None for keys that
        patterns may match, whose number has no end."""
        named = [dict(one.keywords()) for one in self.applied]
        if isinstance(part, int):
            prefixes = [len(_prefix(keywords)) for keywords in named]
            return min(part, max(prefixes, default=0))
        if any("patternProperties" in keywords for keywords in named):
            return None
        is_named = any(part in keywords.get("properties", ()) for keywords in named)
        return f"/{part}" if is_named else ""


def divide(applied: tuple[Applied, ...]) -> Division | None:
    """How the schemas of a place divide among its parts; None where they don't."""
    found: list[Applied] = []
    todo = list(applied)
    is_additive = True
    while todo:
        one = todo.pop()
        found.append(one)
        if len(found) > MAX_APPLIED:
            return None
        for name, argument in one.keywords():
            if not _divides(name, argument):
                return None
            is_additive = is_additive and name not in _BY_KEY_SET
            todo.extend(_applied_in_place(one, name, argument))
    return Division(tuple(found), is_additive)


def _divides(name: str, argument: Any) -> bool:
    if name == "dependencies":
        return not any(isinstance(need, dict | bool) for need in argument.values())
    if name in _WITH_SUBSCHEMAS and any(schema is False for schema in _listed(argument)):
        return False  # the library reports it at the place around the part
    return name in _BY_KEY or name in _BY_KEY_SET


def _listed(argument: Any) -> Iterable[Json]:
    if isinstance(argument, dict):
        return argument.values()
    return argument if isinstance(argument, list) else (argument,)


def _applied_in_place(one: Applied, name: str, argument: Any) -> Iterator[Applied]:
    if name == "$ref":
        found = one.validator._resolver.lookup(argument)
        yield one.inner(found.contents, (), found.resolver)
    elif name == "allOf":
        for index, schema in enumerate(argument):
            yield one.inner(schema, (name, index))


def _of_member(one: Applied, key: str) -> Iterator[_Found]:
    for name, argument in one.keywords():
        if name == "properties" and key in argument:
            yield argument[key], (name, key)
        elif name == "patternProperties":
            for pattern, schema in argument.items():
                if matches(pattern, key):
                    yield schema, (name, pattern)
        elif name == "additionalProperties" and _is_extra(one, key) and argument is not False:
            yield argument, (name,)


def _is_extra(one: Applied, key: str) -> bool:
    return key in extra_keys({key: None}, one.validator.schema)


def _of_item(one: Applied, index: int) -> Iterator[_Found]:
    keywords = dict(one.keywords())
    prefix = _prefix(keywords)
    if index < len(prefix):
        yield prefix[index], ("prefixItems" if "prefixItems" in keywords else "items", index)
        return
    rest = "additionalItems" if isinstance(keywords.get("items"), list) else "items"
    if rest in keywords:
        yield keywords[rest], (rest,)


def _prefix(keywords: dict[str, Any]) -> list[Json]:
    items = keywords.get("items")
    found = items if isinstance(items, list) else keywords.get("prefixItems")
    return found if isinstance(found, list) else []
