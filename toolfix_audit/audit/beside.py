"""Schemas that did not come with the request: those that ship, and names spelled alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from toolfix_audit.audit.spec import Program
from toolfix_audit.logs.shipped_catalogues import Chosen, chosen_for, version_key
from toolfix_audit.store.catalogs import schema_digest
from toolfix_audit.store.store import Store

Given = TypeVar("Given")


@dataclass(slots=True)
class Shipped:
    """The catalogues that ship, for the harnesses of a store: `tools` maps a program to its tools
    and the digests of their schemas, `texts` a digest to its schema, `notes` say which catalogue
    stands for which program."""

    tools: dict[Program, dict[str, str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def shipped_for(store: Store) -> Shipped:
    """The catalogues for the sessions of a store whose requests brought no tool list."""
    shipped = Shipped()
    for harness, version in store.programs():
        chosen = chosen_for(harness, version)
        if chosen is None:
            continue
        digests = shipped.tools[harness, version] = {}
        for tool in chosen.tools:
            if tool.schema is not None:
                digests[tool.name] = schema_digest(tool.schema)
                shipped.texts[digests[tool.name]] = tool.schema
        shipped.notes.append(_note(harness, version, chosen))
    shipped.notes = list(dict.fromkeys(shipped.notes))
    return shipped


def _note(harness: str, version: str | None, chosen: Chosen) -> str:
    program = f"{harness} {version if version_key(version) else 'of unknown version'}"
    return f"{program}: calls without a schema are judged by {chosen.title}, as shipped"


def spelled_alike(called: Iterable[str], given: Mapping[str, Given]) -> dict[str, Given]:
    """What is given for the called names that only differ in spelling from a given one.

    Providers that allow no dot in a name write `_` for it, and each harness names the tools of an
    MCP server in its own way: `mcp__git__log`, `git__log`, `git_log`. A name that could be two of
    the given ones is none.
    """
    plain: dict[str, list[str]] = {}
    for name in given:
        plain.setdefault(_plain_name(name), []).append(name)
    found: dict[str, Given] = {}
    for name in called:
        alike = plain.get(_plain_name(name), ())
        if name not in given and len(alike) == 1:
            found[name] = given[alike[0]]
    return found


def _plain_name(name: str) -> str:
    spelled = name.replace(".", "_").removeprefix("mcp__").removeprefix("mcp_")
    return spelled.replace("__", "_")
