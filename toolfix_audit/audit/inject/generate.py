"""Valid arguments for a tool schema, made from nothing but the schema and a seed.

Not every schema can be satisfied this way (patterns, arithmetic between keys): what the judge
rejects is thrown away.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from toolfix_audit.audit.inject.ground import ground_for
from toolfix_audit.audit.inject.subject import Subject, random_of
from toolfix_audit.model.json import Json, dump_json
from toolfix_audit.model.repair import Judge, JudgeLimitError

MAX_DEPTH: Final = 8
TRIES_PER_CALL: Final = 6

_WORDS: Final = (
    "notes.txt",
    "main",
    "two words",
    "line one\nline two",
    'say "hi"',
    "naïve ü 漢",
    "a, b; c",
    "C:\\temp\\x",
    "/srv/data/report.md",
    "42",
    "",
)
_FORMATS: Final = {
    "date": "2026-11-30",
    "date-time": "2026-11-30T10:00:00Z",
    "time": "10:00:00Z",
    "email": "someone@example.org",
    "uri": "https://example.org/a",
    "url": "https://example.org/a",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "ipv4": "192.0.2.1",
    "hostname": "example.org",
}
_PATTERNED: Final = (
    "abc",
    "a1b2c3",
    "12345",
    "A",
    "Ab-1_x",
    "2026-11-30",
    "10:00",
    "#a1b2c3",
    "someone@example.org",
    "https://example.org/a",
    "123e4567-e89b-42d3-a456-426614174000",
    "1.2.3",
    "/a/b.txt",
    "1h",
)


def generated(
    tool: str, schema: Json, judge: Judge, *, names: tuple[str, ...], limit: int, seed: int
) -> Iterator[Subject]:
    """At most `limit` different valid calls of a tool, the same for the same seed."""
    ground = ground_for(schema)
    known: set[str] = set()
    for number in range(limit * TRIES_PER_CALL):
        if len(known) >= limit:
            return
        rng = random_of("generate", seed, tool, number)
        value = _Maker(schema, rng, fullness=(0.0, 1.0, 0.5)[number % 3]).make(schema, 0)
        text = dump_json(value)
        if isinstance(value, dict) and text not in known and _is_valid(judge, value):
            known.add(text)
            yield Subject(f"generated:{tool}:{number}", tool, names, ground, judge, value)


def _is_valid(judge: Judge, value: Json) -> bool:
    try:
        return judge.is_valid(value)
    except JudgeLimitError:
        return False


class _Maker:
    """Makes one value; `fullness` is how likely an optional key is there."""

    def __init__(self, root: Json, rng: Random, *, fullness: float) -> None:
        self.root = root
        self.rng = rng
        self.fullness = fullness

    def make(self, schema: Json, depth: int) -> Json:
        """A value that the schema probably admits."""
        merged = self._merged(schema, depth)
        if "const" in merged:
            return merged["const"]
        listed = merged.get("enum")
        if isinstance(listed, list) and listed:
            return self.rng.choice(listed)
        kind = self._kind(merged)
        if kind == "object":
            return self._object(merged, depth)
        if kind == "array":
            return self._array(merged, depth)
        if kind == "string":
            return self._string(merged)
        if kind in {"integer", "number"}:
            return self._number(merged, is_whole=kind == "integer")
        return None if kind == "null" else self.rng.random() < 0.5

    def _merged(self, schema: Json, depth: int) -> dict[str, Json]:
        """One object of keywords: references followed, one branch taken, all parts joined."""
        if not isinstance(schema, dict) or depth > 2 * MAX_DEPTH:
            return {}
        merged: dict[str, Json] = dict(schema)
        parts: list[Json] = []
        reference = merged.pop("$ref", None)
        if isinstance(reference, str):
            parts.append(self._target(reference))
        for word in ("anyOf", "oneOf"):
            branches = merged.pop(word, None)
            if isinstance(branches, list) and branches:
                parts.append(self.rng.choice(branches))
        beside = merged.pop("allOf", None)
        parts.extend(beside if isinstance(beside, list) else [])
        for part in parts:
            merged = _joined(merged, self._merged(part, depth + 1))
        return merged

    def _target(self, reference: str) -> Json:
        node = self.root
        for part in reference.removeprefix("#").split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            node = node.get(name) if isinstance(node, dict) else None
        return node

    def _kind(self, schema: dict[str, Json]) -> str:
        types = schema.get("type")
        if isinstance(types, list):
            types = self.rng.choice(types) if types else None
        if isinstance(types, str):
            return types
        if "properties" in schema or "required" in schema:
            return "object"
        return "array" if "items" in schema else self.rng.choice(("string", "integer", "object"))

    def _object(self, schema: dict[str, Json], depth: int) -> Json:
        properties = schema.get("properties")
        named = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        needed = (
            [name for name in required if isinstance(name, str)]
            if isinstance(required, list)
            else []
        )
        found: dict[str, Json] = {}
        for name, inner in named.items():
            is_wanted = depth < MAX_DEPTH and self.rng.random() < self.fullness
            if name in needed or is_wanted:
                found[name] = self.make(inner, depth + 1)
        extra = schema.get("additionalProperties")
        for name in needed:
            if name not in found:
                found[name] = self.make(extra if extra is not None else {}, depth + 1)
        if not named and extra is not False and depth < MAX_DEPTH:
            for name in ("alpha", "beta")[: self.rng.randrange(3)]:
                found.setdefault(name, self.make(extra if extra is not None else {}, depth + 1))
        return found

    def _array(self, schema: dict[str, Json], depth: int) -> Json:
        items = schema.get("items")
        prefix = schema.get("prefixItems")
        heads = items if isinstance(items, list) else prefix if isinstance(prefix, list) else []
        rest: Json = {} if isinstance(items, list) or items is None else items
        low = _whole(schema.get("minItems"), 0)
        high = _whole(schema.get("maxItems"), max(low, 3))
        size = max(low, min(high, self.rng.randrange(1, 4) if depth < MAX_DEPTH else 0))
        made = [self.make(heads[at] if at < len(heads) else rest, depth + 1) for at in range(size)]
        if schema.get("uniqueItems") is not True:
            return made
        return list({dump_json(item): item for item in made}.values())

    def _string(self, schema: dict[str, Json]) -> Json:
        shaped = _FORMATS.get(str(schema.get("format")))
        if shaped is not None:
            return shaped
        if "pattern" in schema:
            return self.rng.choice(_PATTERNED)
        text = self.rng.choice(_WORDS)
        low = _whole(schema.get("minLength"), 0)
        high = _whole(schema.get("maxLength"), max(low, 10_000))
        return (text + "x" * max(0, low - len(text)))[:high]

    def _number(self, schema: dict[str, Json], *, is_whole: bool) -> Json:
        low = _bound(schema, "minimum", "exclusiveMinimum", 1)
        high = _bound(schema, "maximum", "exclusiveMaximum", -1)
        start = low if low is not None else (high - 40 if high is not None else 0)
        end = high if high is not None else start + 40
        number = self.rng.randrange(int(start), max(int(start), int(end)) + 1)
        step = schema.get("multipleOf")
        if isinstance(step, int) and step > 0:
            return number // step * step
        if is_whole or self.rng.random() < 0.4:
            return number
        return number + self.rng.choice((0.5, 0.25, 0.0))


def _joined(left: dict[str, Json], right: dict[str, Json]) -> dict[str, Json]:
    """Two sets of keywords as one: properties and required names of both, else the right one's."""
    joined = {**left, **right}
    for word in ("properties", "required"):
        ours, theirs = left.get(word), right.get(word)
        if isinstance(ours, dict) and isinstance(theirs, dict):
            joined[word] = {**ours, **theirs}
        elif isinstance(ours, list) and isinstance(theirs, list):
            joined[word] = [*ours, *theirs]
    return joined


def _whole(value: Json, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _bound(schema: dict[str, Json], word: str, exclusive: str, step: int) -> int | None:
    limit = schema.get(exclusive)
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        return int(limit) + step
    limit = schema.get(word)
    is_number = isinstance(limit, int | float) and not isinstance(limit, bool)
    return int(limit) if is_number and isinstance(limit, int | float) else None
