"""What a dry run is asked to do: plain, picklable data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from toolfix_audit.engine import SAFE
from toolfix_audit.model.words import Origin

Program: TypeAlias = tuple[str | None, str | None]
"""A harness and its version, as a session names them."""


NO_FAMILY: Final = "?"
"""The letter of a change that no family makes; only foreign engines make such."""


@dataclass(frozen=True, slots=True)
class Supplied:
    """The schema of a tool that did not come with the request."""

    digest: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class SchemaSet:
    """Every schema that a batch may need.

    `texts` maps a digest to the schema's JSON text, `catalogs` a request's catalogue id to its
    tools (None: only the name is known), `supplied` a tool name to the schema given beside the
    logs, `shipped` a harness and its version to the digests of the tools that ship for it,
    `alternates` a tool name to the digests of other schemas for the mis-fix probes.
    """

    texts: Mapping[str, str]
    catalogs: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    supplied: Mapping[str, Supplied] = field(default_factory=dict)
    alternates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shipped: Mapping[Program, Mapping[str, str]] = field(default_factory=dict)

    def beside(self, tool: str, program: Program) -> Supplied | None:
        """The schema of a tool whose request brought none: the user's own, else the one that ships
        for the harness, else an inferred one."""
        supplied = self.supplied.get(tool)
        if supplied is not None and supplied.origin is Origin.CATALOGUE:
            return supplied
        digest = self.shipped.get(program, {}).get(tool)
        return supplied if digest is None else Supplied(digest, Origin.CATALOGUE)


@dataclass(frozen=True, slots=True)
class Spec:
    """The families that may run, and whether their changes are probed.

    `engine` names the engine under audit (None: our own) and `judge` the one that decides (None:
    the default): an adapter, or `command:…`. `seconds` is how long one answer of theirs may take.
    """

    families: tuple[str, ...] = tuple(sorted(SAFE))
    probes: bool = True
    engine: str | None = None
    judge: str | None = None
    seconds: float = 10.0
