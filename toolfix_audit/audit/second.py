"""The validators that look at a result after the judge has accepted it.

They are not the judge, nor the one of the two behind the default judge that decided. Where two
validators are known to read a schema differently, the second one says nothing:

- `jsonschema` and `jsonschema-rs`, or Ajv: decimal against float arithmetic (`multipleOf`), three
  regular expression engines (patterns), formats that are asserted or not, references whose
  reading depends on the draft, and what was evaluated across such references;
- the dsh host knows few keywords, and an `enum` or a `const` only beside one `type`: a schema
  with anything more is looser there, or rejects everything;
- a schema judged at its top level alone (`shallow`) is one that no validator runs as it was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from toolfix_audit.audit.foreign.rust_judge import NAME as RUST
from toolfix_audit.audit.foreign.rust_judge import compile_rust
from toolfix_audit.audit.spec import Spec
from toolfix_audit.engine.judges.pair import PairJudge
from toolfix_audit.engine.judges.python import NAME as PYTHON
from toolfix_audit.engine.judges.python import compile_python
from toolfix_audit.engine.judges.shallow import ShallowJudge
from toolfix_audit.model.json import Json, parse_json
from toolfix_audit.model.repair import Judge, Unusable

Compile = Callable[[Json], Judge | Unusable]

READ_DIFFERENTLY: Final = frozenset(
    {
        *("multipleOf", "pattern", "patternProperties", "format"),
        *("contentMediaType", "contentEncoding", "contentSchema"),
        *("$dynamicRef", "$recursiveRef", "$id", "id", "$anchor", "$dynamicAnchor"),
        *("unevaluatedProperties", "unevaluatedItems", "dependencies", "nullable"),
    }
)
"""Keywords that validators are known to read differently."""

HOST_KEYWORDS: Final = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "items", "oneOf"),
        *("enum", "const", "title", "description", "default", "examples", "$schema", "$comment"),
    }
)
"""Keywords that the dsh host reads, or that nobody has to."""

_NAMES: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)
_DATA: Final = frozenset({"const", "enum", "default", "examples", "required", "dependentRequired"})


def second_judges(spec: Spec, judge: Judge, schema_text: str) -> tuple[Judge, ...]:
    """The validators that have a say on what `judge` (that of the spec) accepted under a schema;
    none where none is independent of it, or where they are known to differ."""
    if isinstance(judge, ShallowJudge):
        return ()
    names: tuple[str, ...]
    if isinstance(judge, PairJudge):
        names = (PYTHON, RUST)  # either of the two may have decided
    else:
        names = (RUST,) if spec.judge in {None, PYTHON} else (PYTHON,)
    return tuple(one for name in names if (one := _second(name, spec.judge, schema_text)))


@lru_cache(maxsize=1024)
def _second(name: str, first: str | None, schema_text: str) -> Judge | None:
    schema = parse_json(schema_text)
    if not _is_read_alike(schema, first):
        return None
    judge = _COMPILERS[name](schema)
    return None if isinstance(judge, Unusable) else judge


def _is_read_alike(schema: Json, first: str | None) -> bool:
    if first == "dsh":
        return all(_is_host_node(node) for node in _nodes(schema))
    return not any(READ_DIFFERENTLY & node.keys() for node in _nodes(schema))


def _is_host_node(node: dict[str, Json]) -> bool:
    """Whether the host reads a schema object as it is meant."""
    listed = "enum" in node or "const" in node
    extra = node.get("additionalProperties", False)
    is_typed = isinstance(node.get("type"), str)
    return (
        node.keys() <= HOST_KEYWORDS
        and isinstance(extra, bool)
        and (is_typed or ("type" not in node and not listed and "properties" not in node))
    )


def _nodes(schema: Json) -> Iterator[dict[str, Json]]:
    """Every schema object in a schema; names of properties are no keywords."""
    todo: list[Json] = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, dict):
            yield item
            for word, member in item.items():
                if word in _NAMES and isinstance(member, dict):
                    todo.extend(member.values())
                elif word not in _DATA:
                    todo.append(member)


_COMPILERS: Final[dict[str, Compile]] = {PYTHON: compile_python, RUST: compile_rust}
