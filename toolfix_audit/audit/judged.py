"""Under which schema a call is judged: the request's own, else one that was supplied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, NamedTuple

from toolfix_audit.audit.foreign import compiler_of, engine_of
from toolfix_audit.audit.spec import SchemaSet, Spec
from toolfix_audit.engine import repair_name
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.model.json import Json, JsonError, parse_json
from toolfix_audit.model.json_fast import parse_and_dump
from toolfix_audit.model.records import ArgumentsForm
from toolfix_audit.model.repair import Judge, Unusable
from toolfix_audit.model.words import Origin, UnjudgedReason, UntouchedReason

NO_JUDGE: Final = Unusable(UnjudgedReason.NO_SCHEMA, "no schema")
NO_VIEW: Final = SchemaView.of(True)

_TELLING: Final = itemgetter("tool", "catalog", "dispatched", "harness")
"""What of a call tells its schema, beside the harness's version."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The schema under which a call of `tool` is judged, or why there is none. `resolved` is the
    available tool that was meant, one of `tools`; `text` the schema's JSON text; `alternates` are
    the other schemas under which a change is probed."""

    tool: str
    resolved: str
    origin: Origin | None = None
    digest: str | None = None
    schema: Json = None
    text: str = ""
    judge: Judge | Unusable = NO_JUDGE
    view: SchemaView = NO_VIEW
    alternates: tuple[Json, ...] = ()
    tools: tuple[str, ...] = ()
    fault: UnjudgedReason | UntouchedReason | None = None


class Judging:
    """The schemas that calls of one run are judged under, each looked up once."""

    def __init__(self, schemas: SchemaSet, spec: Spec) -> None:
        self._schemas = schemas
        self._spec = spec
        self._is_foreign = spec.engine is not None
        self._known: dict[tuple[Any, ...], Judged] = {}

    def of(self, call: Mapping[str, Any]) -> Judged:
        """The schema of a call; a foreign engine may read the arguments to tell which tool is
        meant, so that nothing is kept of its answers."""
        if self._is_foreign:
            return judged_under(call, self._schemas, self._spec)
        key = (*_TELLING(call), call.get("version"))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = judged_under(call, self._schemas, self._spec)
        return known


def judged_under(call: Mapping[str, Any], schemas: SchemaSet, spec: Spec) -> Judged:
    """The request's own schema, else the supplied one; a call made by code is never unknown."""
    tools, compiler = schemas.catalogs.get(call["catalog"] or ""), compiler_of(spec)
    tool: str = call["tool"]
    resolved = tool
    if tools is not None and tool not in tools and not call["dispatched"]:
        meant = _meant(call, tools, schemas, spec)
        if meant is None:
            return Judged(tool, tool, Origin.REQUEST, fault=UntouchedReason.UNKNOWN_TOOL)
        resolved = meant
    names = (tool, resolved)
    digest = tools.get(resolved) if tools is not None else None
    if digest is not None:
        found = _judged(names, Origin.REQUEST, digest, schemas, compiler=compiler)
        return found if resolved == tool else replace(found, tools=tuple(tools or ()))
    supplied = schemas.beside(resolved, (call["harness"], call.get("version")))
    if supplied is None:
        return Judged(tool, resolved, fault=UnjudgedReason.NO_SCHEMA)
    return _judged(names, supplied.origin, supplied.digest, schemas, compiler=compiler)


def _meant(
    call: Mapping[str, Any], tools: Mapping[str, str | None], schemas: SchemaSet, spec: Spec
) -> str | None:
    """The available tool that the engine under audit takes an unknown name for."""
    foreign = engine_of(spec)
    if foreign is None:
        return repair_name(call["tool"], tools) if "K" in spec.families else None
    declared: dict[str, Json] = {
        name: {} if digest is None else _schema(schemas.texts[digest])
        for name, digest in tools.items()
    }
    return foreign.meant(call["tool"], given_arguments(call).given, declared)


def _judged(
    names: tuple[str, str],
    origin: Origin,
    digest: str,
    schemas: SchemaSet,
    *,
    compiler: Callable[[Json], Judge | Unusable],
) -> Judged:
    tool, resolved = names
    alternates = tuple(
        _schema(schemas.texts[other])
        for other in schemas.alternates.get(resolved, ())
        if other != digest
    )
    text = schemas.texts[digest]
    schema, judge, view = _compiled(text, compiler)
    return Judged(tool, resolved, origin, digest, schema, text, judge, view, alternates)


class Given(NamedTuple):
    """The arguments of a call: what the engine is `given`, the `value` that this reads as, or why
    it doesn't, and the JSON `text` of the value, or the text as recorded."""

    given: Json
    value: Json | JsonError
    text: str


def given_arguments(call: Mapping[str, Any]) -> Given:
    """Read the arguments of a call, once and without loss."""
    recorded: str = call["arguments"]
    text = "" if call["form"] == ArgumentsForm.ABSENT else recorded
    try:
        value, written = parse_and_dump(text)
    except JsonError as error:
        return Given(text, error, recorded)
    is_text = call["form"] == ArgumentsForm.TEXT or isinstance(value, str)
    return Given(text if is_text else value, value, written)


@lru_cache(maxsize=8192)
def _compiled(
    text: str, compiler: Callable[[Json], Judge | Unusable]
) -> tuple[Json, Judge | Unusable, SchemaView]:
    schema = _schema(text)
    return schema, compiler(schema), SchemaView.of(schema)


@lru_cache(maxsize=8192)
def _schema(text: str) -> Json:
    return parse_json(text)
