"""What one schema object says of a place: its types, its members, the keys that it knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from toolfix_audit.engine.judges.patterns import compiles, matches
from toolfix_audit.engine.schema_nodes import Leaf
from toolfix_audit.model.json import Json, kind_of
from toolfix_audit.model.repair import JudgeLimitError

KINDS: Final = ("null", "boolean", "integer", "number", "string", "array", "object")


class ClosedList:
    """All values that may be legal at a place, found at once however many they are."""

    def __init__(self, members: tuple[Json, ...]) -> None:
        self._scalars = frozenset(one for one in members if not isinstance(one, dict | list))
        texts = sorted(one for one in self._scalars if isinstance(one, str))
        self._texts: dict[str, list[str]] = {}
        for text in texts:
            self._texts.setdefault(text.lower(), []).append(text)

    def holds(self, scalar: Json) -> bool:
        """Whether a string, number, boolean or null is a member."""
        return scalar in self._scalars

    def spelled(self, form: str) -> list[str]:
        """The texts that equal a form, but perhaps for their case, in alphabetical order."""
        return self._texts.get(form.lower(), [])


def prefix_of(leaf: Leaf) -> list[Json]:
    """The schemas of the first items, one each."""
    items = leaf.keywords.get("items")
    found = items if isinstance(items, list) else leaf.keywords.get("prefixItems")
    return found if isinstance(found, list) else []


def leaf_admits(leaf: Leaf, kind: str) -> bool:
    """Whether a value of that JSON type may be legal: one of KINDS."""
    keywords = leaf.keywords
    if kind == "null" and keywords.get("nullable") is True:
        return True
    return (
        _type_admits(keywords.get("type"), kind)
        and _values_admit(leaf, kind)
        and not _excludes(keywords.get("not"), kind)
    )


def _type_admits(types: Json, kind: str) -> bool:
    names = [types] if isinstance(types, str) else types
    if not isinstance(names, list) or any(name not in KINDS for name in names):
        return True
    return kind in names or (kind == "integer" and "number" in names)


def members_of(leaf: Leaf) -> list[Json] | None:
    """The members of `enum` or the one of `const`, if the schema lists any."""
    if "const" in leaf.keywords:
        return [leaf.keywords["const"]]
    listed = leaf.keywords.get("enum")
    return listed if isinstance(listed, list) else None


def admits_free_text(leaf: Leaf) -> bool:
    """Whether strings may be legal beyond listed members."""
    return members_of(leaf) is None and leaf_admits(leaf, "string")


def _values_admit(leaf: Leaf, kind: str) -> bool:
    members = members_of(leaf)
    return members is None or any(_type_admits(kind_of(member), kind) for member in members)


def _excludes(schema: Json, kind: str) -> bool:
    """Whether `not` excludes the whole type: only where it says nothing else."""
    if schema is True or schema == {}:
        return True
    if not isinstance(schema, dict) or set(schema) != {"type"}:
        return False
    types = schema["type"]
    names = types if isinstance(types, list) else [types]
    return kind in names or (kind == "integer" and "number" in names)


def describes_extra(leaf: Leaf) -> bool:
    """Whether a schema other than `true` and `{}` speaks of all keys that are not named."""
    extra = (leaf.keywords.get(f"{word}Properties") for word in ("additional", "unevaluated"))
    return any(isinstance(schema, dict) and bool(schema) for schema in extra)


def named_elsewhere(leaf: Leaf) -> Iterator[str]:
    """Keys that the schema knows by name outside `properties`: required ones, those of the
    objects that it lists, and those that it allows as names."""
    yield from required_by(leaf)
    for member in members_of(leaf) or ():
        if isinstance(member, dict):
            yield from member
    names = leaf.keywords.get("propertyNames")
    if isinstance(names, dict):
        listed = [*listed_in(names, "enum"), names.get("const")]
        yield from (name for name in listed if isinstance(name, str))
    for keyword in ("dependentRequired", "dependencies"):
        for trigger, needed in mapping_of(leaf, keyword).items():
            yield trigger
            if isinstance(needed, list):
                yield from (name for name in needed if isinstance(name, str))


def may_match(pattern: str, key: str) -> bool:
    """Whether a pattern occurs in the key; yes where it can't be run."""
    try:
        return not compiles(pattern) or matches(pattern, key)
    except JudgeLimitError:
        return True


def required_by(leaf: Leaf) -> tuple[str, ...]:
    """The keys that the schema requires."""
    names = leaf.keywords.get("required")
    if not isinstance(names, list):
        return ()
    return tuple(name for name in names if isinstance(name, str))


def mapping_of(leaf: Leaf, keyword: str) -> Mapping[str, Json]:
    """The mapping that a keyword holds; an empty one where it holds none."""
    found = leaf.keywords.get(keyword)
    return found if isinstance(found, dict) else {}


def listed_in(schema: Mapping[str, Json], keyword: str) -> list[Json]:
    """The list that a keyword holds; an empty one where it holds none."""
    found = schema.get(keyword)
    return found if isinstance(found, list) else []
