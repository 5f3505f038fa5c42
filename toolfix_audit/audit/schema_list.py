"""Which schemas a store knows for each tool, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolfix_audit.audit.beside import shipped_for
from toolfix_audit.model.words import Origin
from toolfix_audit.store.store import Store


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One tool as one source has it: the origin (None: nobody has a schema), how many versions of
    its schema there are, how often the tool was called, and the name of the source."""

    tool: str
    origin: str | None
    versions: int
    calls: int
    source: str


def list_schemas(store: Store) -> tuple[ListedTool, ...]:
    """Every tool that was declared, supplied or called, by name and origin."""
    calls = store.calls_by_tool()
    found = [
        ListedTool(tool, origin, versions, calls.get(tool, 0), source)
        for tool, origin, versions, source in (*_requests(store), *_beside(store))
    ]
    known = {row.tool for row in found}
    bare = [ListedTool(tool, None, 0, n, "") for tool, n in calls.items() if tool not in known]
    return tuple(sorted((*found, *bare), key=lambda row: (row.tool, row.origin or "", row.source)))


def _requests(store: Store) -> Iterator[tuple[str, str, int, str]]:
    digests: dict[str, set[str]] = {}
    for tools in store.catalogs().values():
        for tool, digest in tools.items():
            digests.setdefault(tool, set()).update([digest] if digest else [])
    for tool, known in digests.items():
        yield tool, Origin.REQUEST.value, len(known), "requests"


def _beside(store: Store) -> Iterator[tuple[str, str, int, str]]:
    for origin, source, tool, versions in store.supplied_names():
        yield tool, origin, versions, source
    called = store.calls_by_tool()
    for (harness, version), tools in shipped_for(store).tools.items():
        for tool in sorted(tools):
            if tool in called:
                title = f"{harness} {version or ''}".strip()
                yield tool, Origin.CATALOGUE.value, 1, f"shipped for {title}"
