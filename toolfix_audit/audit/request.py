"""What a dry run is asked for, and the schemas that follow from it and from the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from toolfix_audit.audit.beside import shipped_for, spelled_alike
from toolfix_audit.audit.policy import DEFAULT, Policy
from toolfix_audit.audit.spec import SchemaSet, Spec, Supplied
from toolfix_audit.engine import reask
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.records import ToolDefinition
from toolfix_audit.model.report import Report
from toolfix_audit.model.words import Origin
from toolfix_audit.store.catalogs import schema_digest
from toolfix_audit.store.store import Store

MAX_VERSIONS: Final = 8
"""Versions of one tool's schema that probes use as alternates."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a dry run is asked for, beside the store: extra schemas, labels, limits, the re-ask
    policy to simulate; the keys `by` which calls are counted, an earlier report to compare with,
    and the paths and the store that stays, as they were given."""

    spec: Spec = field(default_factory=Spec)
    definitions: Sequence[ToolDefinition] = ()
    alternates: Sequence[ToolDefinition] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    policy: Policy = DEFAULT
    reask: reask.Policy = reask.DEFAULT
    version: str = "0"
    by: tuple[str, ...] = ()
    earlier: Report | None = None
    inputs: tuple[str, ...] = ()
    store: str | None = None


def schema_set(store: Store, request: Request) -> SchemaSet:
    """The schemas of the store and of the request: what is given now wins over what was stored.

    Raises:
        ConfigError: one tool was given two different schemas.
    """
    texts = store.schemas()
    supplied: dict[str, Supplied] = {}
    for origin in (Origin.INFERRED, Origin.CATALOGUE):
        stored = store.supplied("inferred" if origin is Origin.INFERRED else "catalogue")
        for tool, digests in stored.items():
            if len(digests) > 1:
                raise _two_schemas(tool)
            for digest in digests:
                supplied[tool] = Supplied(digest, origin)
    for tool, digests in _given(request.definitions, texts).items():
        if len(digests) > 1:
            raise _two_schemas(tool)
        supplied[tool] = Supplied(digests[0], Origin.CATALOGUE)
    catalogs = store.catalogs()
    alternates = {**store.supplied("alternate"), **_given(request.alternates, texts)}
    supplied |= spelled_alike(store.called_names(), supplied)
    shipped = shipped_for(store)
    return SchemaSet(
        {**shipped.texts, **texts},
        catalogs,
        supplied,
        _with_versions(alternates, catalogs),
        shipped.tools,
    )


def _with_versions(
    alternates: Mapping[str, tuple[str, ...]], catalogs: Mapping[str, Mapping[str, str | None]]
) -> dict[str, tuple[str, ...]]:
    """The alternates that were given, and every version of a tool's schema in the corpus (at most
    MAX_VERSIONS, the smallest digests)."""
    versions: dict[str, set[str]] = {}
    for tools in catalogs.values():
        for tool, digest in tools.items():
            if digest is not None:
                versions.setdefault(tool, set()).add(digest)
    found = {tool: tuple(digests) for tool, digests in alternates.items()}
    for tool, digests in versions.items():
        if len(digests) > 1:
            more = (*found.get(tool, ()), *sorted(digests)[:MAX_VERSIONS])
            found[tool] = tuple(dict.fromkeys(more))
    return found


def _given(
    definitions: Sequence[ToolDefinition], texts: dict[str, str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for definition in definitions:
        if definition.schema is None:
            continue
        digest = schema_digest(definition.schema)
        texts[digest] = definition.schema
        known = found.get(definition.name, ())
        found[definition.name] = known if digest in known else (*known, digest)
    return found


def _two_schemas(tool: str) -> ConfigError:
    return ConfigError(
        f"the tool {tool!r} has two different schemas among those given",
        hint="give one schema per tool name; others belong to --alt-schemas",
    )
