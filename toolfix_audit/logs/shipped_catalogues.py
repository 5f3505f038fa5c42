"""The built-in tools of common harnesses, by version, as they ship with this package.

Each file of `catalogues/` holds one harness at one version: names, types, required keys and
enums, with its licence and its source. Logs of a harness that writes down no tool schemas can be
judged by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

from toolfix_audit.logs.fields import list_at, required_text
from toolfix_audit.logs.tool_shapes import tools_sent
from toolfix_audit.model.json import Json, dump_json, parse_json
from toolfix_audit.model.records import ToolDefinition

VersionKey: TypeAlias = tuple[tuple[int, ...], bool, tuple[int, ...]]

_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+)+)(.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tools of one harness at one version; `source` says where they come from."""

    harness: str
    version: str
    licence: str
    source: str
    tools: tuple[ToolDefinition, ...]

    @property
    def title(self) -> str:
        """The harness and the version, as a person writes them."""
        return f"{self.harness} {self.version}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The catalogues that stand for one version of a harness, the likeliest first, and the
    schema of each tool under them."""

    catalogues: tuple[Catalogue, ...]
    tools: tuple[ToolDefinition, ...]

    @property
    def title(self) -> str:
        """Which catalogues these are, in one line."""
        return " or ".join(catalogue.title for catalogue in self.catalogues)


@cache
def shipped_catalogues() -> tuple[Catalogue, ...]:
    """Every catalogue, by harness and rising version."""
    folder = files("toolfix_audit") / "catalogues"
    texts = (file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".json"))
    return tuple(sorted(map(_catalogue, texts), key=lambda one: (one.harness, _key(one))))


def chosen_for(harness: str, version: str | None) -> Chosen | None:
    """The tools of a harness at a version; None if none ship for it.

    A version of its own stands alone. For another one it is the nearest below and the nearest
    above, and for a version that is unknown it is every one, newest first: where a tool's schema
    differs among them, the schema admits what any of them admits.
    """
    of_harness = [one for one in shipped_catalogues() if one.harness == harness]
    if not of_harness:
        return None
    catalogues = tuple(_nearest(of_harness, version))
    return Chosen(catalogues, tuple(_tools(catalogues)))


def version_key(version: str | None) -> VersionKey | None:
    """What orders versions: `0.1.0-rc.8` is before `0.1.0`. None for what is no program's version,
    such as the number of a log format."""
    found = _VERSION.fullmatch(version or "")
    if found is None:
        return None
    numbers = tuple(int(number) for number in _NUMBER.findall(found[1]))
    return numbers, not found[2], tuple(int(number) for number in _NUMBER.findall(found[2]))


def _catalogue(text: str) -> Catalogue:
    document = parse_json(text)
    assert isinstance(document, dict)  # noqa: S101 — a file of ours, and tested
    harness, version, licence, source = (
        required_text(document, key, "a catalogue")
        for key in ("harness", "version", "licence", "source")
    )
    tools = tools_sent(list_at(document, "tools"))
    return Catalogue(harness, version, licence, source, tools)


def _key(catalogue: Catalogue) -> VersionKey:
    return version_key(catalogue.version) or ((), False, ())


def _nearest(rising: list[Catalogue], version: str | None) -> Iterator[Catalogue]:
    wanted = version_key(version)
    if wanted is None:
        yield from reversed(rising)
        return
    below = [one for one in rising if _key(one) <= wanted]
    yield from below[-1:]
    if not below or _key(below[-1]) != wanted:
        yield from rising[len(below) : len(below) + 1]


def _tools(catalogues: tuple[Catalogue, ...]) -> Iterator[ToolDefinition]:
    """Each tool once; where its schemas differ, any of them may hold."""
    found: dict[str, dict[str, None]] = {}
    for catalogue in catalogues:
        for tool in catalogue.tools:
            schemas = found.setdefault(tool.name, {})
            if tool.schema is not None:
                schemas[tool.schema] = None
    for name, texts in found.items():
        if texts:
            yield ToolDefinition(name, _any_of([parse_json(text) for text in texts]))


def _any_of(schemas: list[Json]) -> str:
    return dump_json(schemas[0] if len(schemas) == 1 else {"type": "object", "anyOf": schemas})
