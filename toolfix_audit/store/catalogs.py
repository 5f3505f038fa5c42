"""Tool schemas and tool lists, kept once each under the digest of their content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

from toolfix_audit.model.json import Json, dump_json, escape_surrogates
from toolfix_audit.model.records import ToolCatalog, ToolDefinition
from toolfix_audit.store import tables
from toolfix_audit.store.tables import Batch, Buffer


def schema_digest(text: str) -> str:
    """The digest under which the text of a schema is kept."""
    return sha256(escape_surrogates(text).encode()).hexdigest()


def catalog_digest(tools: Mapping[str, str | None]) -> str:
    """The id of a tool list: names and schema digests, in whatever order they came."""
    pairs: list[Json] = [[name, digest] for name, digest in sorted(tools.items())]
    return sha256(dump_json(pairs).encode()).hexdigest()


def digests_by_tool(definitions: Iterable[ToolDefinition]) -> dict[str, str | None]:
    """The schema digest of each tool of one list.

    None where only the name is known, and where one name has two schemas: nobody can say which
    of them the model was held to.
    """
    found: dict[str, set[str]] = {}
    for definition in definitions:
        digests = found.setdefault(escape_surrogates(definition.name), set())
        if definition.schema is not None:
            digests.add(schema_digest(definition.schema))
    return {
        name: next(iter(digests)) if len(digests) == 1 else None for name, digests in found.items()
    }


class CatalogRows:
    """The tool lists of one source, each kept once, and which is in force in each session."""

    def __init__(self, full: list[Batch]) -> None:
        self._texts = Buffer(tables.TOOL_SCHEMAS, full)
        self._catalogs = Buffer(tables.CATALOGS, full)
        self._uses = Buffer(tables.CATALOG_USES, full)
        self._in_force: dict[str, str | None] = {}
        self._stored: set[str] = set()
        # Many logs repeat one list with every request: it is digested once while it stays.
        self._last_tools: tuple[ToolDefinition, ...] = ()
        self._last_catalog = catalog_digest({})

    def put(self, record: ToolCatalog) -> None:
        """Note that this list holds from here on, in its session."""
        if record.tools != self._last_tools:
            self._last_tools = record.tools
            self._last_catalog = self._store(record.tools)
        self._in_force[record.session] = self._last_catalog if record.tools else None
        self._uses.add((record.session, record.position, self._last_catalog))

    def in_force(self, session: str) -> str | None:
        """The id of the list that a call of this session was made under; None if it is empty."""
        return self._in_force.get(session)

    def flush(self) -> None:
        """Make batches of what is there."""
        for buffer in (self._texts, self._catalogs, self._uses):
            buffer.flush()

    def _store(self, tools: tuple[ToolDefinition, ...]) -> str:
        digests = digests_by_tool(tools)
        catalog = catalog_digest(digests)
        if catalog not in self._stored:
            self._stored.add(catalog)
            for tool, digest in digests.items():
                self._catalogs.add((catalog, tool, digest))
            self._store_texts(tools)
        return catalog

    def _store_texts(self, tools: tuple[ToolDefinition, ...]) -> None:
        for definition in tools:
            if definition.schema is None:
                continue
            digest = schema_digest(definition.schema)
            if digest not in self._stored:
                self._stored.add(digest)
                self._texts.add((digest, definition.schema), len(definition.schema))
