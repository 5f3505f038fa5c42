"""The tools that a request offered, as far as its log and the schemas beside it tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from toolfix_audit.audit.spec import Program, SchemaSet
from toolfix_audit.model.json import Json, parse_json

_ANYTHING: Final[Mapping[str, Json]] = {}
_KEPT: Final = 512


@dataclass(frozen=True, slots=True)
class Offer:
    """Tools and their schemas; of those in `nameless` only the name is known, and their schema
    admits anything."""

    tools: Mapping[str, Json]
    nameless: frozenset[str] = frozenset()


@dataclass(slots=True)
class Offers:
    """Looks up what was offered, each list once."""

    schemas: SchemaSet
    _known: dict[tuple[str | None, Program, tuple[str, ...]], Offer] = field(default_factory=dict)

    def of(self, catalog: str | None, program: Program, called: Sequence[str]) -> Offer:
        """The tools of a list; without a list those that were supplied or ship for the program,
        and those that the session called, since it could."""
        key = (catalog, program, () if catalog is not None else tuple(called))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            known = self._known[key] = self._made(*key)
        return known

    def _made(self, catalog: str | None, program: Program, called: tuple[str, ...]) -> Offer:
        schemas = self.schemas
        digests: dict[str, str | None] = dict.fromkeys(called)
        if catalog is not None:
            digests = dict(schemas.catalogs.get(catalog, {}))
        else:
            digests |= dict.fromkeys((*schemas.shipped.get(program, {}), *schemas.supplied))
        for name, digest in digests.items():
            beside = schemas.beside(name, program) if digest is None else None
            digests[name] = digest if beside is None else beside.digest
        tools: dict[str, Json] = {
            name: dict(_ANYTHING) if digest is None else _parsed(schemas.texts[digest])
            for name, digest in digests.items()
        }
        return Offer(tools, frozenset(name for name, digest in digests.items() if digest is None))


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Json:
    return parse_json(text)
