"""The catalogues that ship: whole, licensed, without prose, and chosen by version."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from toolfix_audit.engine import compile_schema
from toolfix_audit.logs.shipped_catalogues import (
    Catalogue,
    chosen_for,
    shipped_catalogues,
    version_key,
)
from toolfix_audit.model.json import parse_json
from toolfix_audit.model.repair import Unusable

CATALOGUES = shipped_catalogues()
HARNESSES = {"dsh", "codex", "opencode", "pi", "cline", "gemini-cli", "qwen-code", "openhands"}
PROSE = {"description", "title", "examples", "$comment", "default"}


def schema(harness: str, version: str | None, tool: str) -> Any:
    chosen = chosen_for(harness, version)
    assert chosen
    texts = {one.name: one.schema for one in chosen.tools}
    return json.loads(str(texts[tool]))


def keywords(schema: Any) -> set[str]:
    """The keywords of a schema at every level; names of parameters are none."""
    if isinstance(schema, list):
        return set().union(*map(keywords, schema))
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for key, value in schema.items():
        members = value.values() if key in {"properties", "$defs"} else [value]
        found |= set().union(set(), *map(keywords, members))
    return found


def test_every_harness_has_one() -> None:
    assert {one.harness for one in CATALOGUES} == HARNESSES
    assert len({one.title for one in CATALOGUES}) == len(CATALOGUES)
    names = {file.name for file in (files("toolfix_audit") / "catalogues").iterdir()}
    assert names == {f"{one.harness}-{one.version}.json" for one in CATALOGUES}


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda one: one.title)
def test_a_catalogue_is_licensed_and_every_schema_judges(catalogue: Catalogue) -> None:
    assert catalogue.licence in {"MIT", "Apache-2.0", "BSD-3-Clause"}
    assert catalogue.version in catalogue.source
    assert len(catalogue.tools) >= 5
    for tool in catalogue.tools:
        if tool.schema is not None:
            assert not isinstance(compile_schema(parse_json(tool.schema)), Unusable), tool.name
            assert not keywords(json.loads(tool.schema)) & PROSE, tool.name


def test_versions_are_ordered_as_programs_order_them() -> None:
    rising = ["0.1.0-rc.2", "0.1.0-rc.8", "0.1.0-rc.10", "0.1.0", "0.9.9", "0.30.2", "v1.0"]
    keys = [version_key(version) for version in rising]
    assert None not in keys
    assert keys == sorted(keys, key=lambda key: key or ((), False, ()))
    assert [version_key(word) for word in (None, "", "3", "latest", "0")] == [None] * 5


@pytest.mark.parametrize(
    ("version", "title"),
    [
        ("0.142.4", "codex 0.142.4"),
        ("0.120.0", "codex 0.114.0 or codex 0.142.4"),
        ("0.142.5", "codex 0.142.4 or codex 0.171.0"),
        ("0.9.0", "codex 0.114.0"),
        ("9.0.0", "codex 0.171.0"),
        (None, "codex 0.171.0 or codex 0.142.4 or codex 0.114.0"),
        ("3", "codex 0.171.0 or codex 0.142.4 or codex 0.114.0"),
    ],
)
def test_the_nearest_versions_stand_for_another(version: str | None, title: str) -> None:
    chosen = chosen_for("codex", version)
    assert chosen
    assert chosen.title == title


def test_where_versions_differ_either_schema_holds() -> None:
    old, new = schema("pi", "0.30.2", "edit"), schema("pi", "0.73.1", "edit")
    assert old["required"] == ["path", "oldText", "newText"]
    assert new["required"] == ["path", "edits"]
    assert schema("pi", "0.50.0", "edit") == {"type": "object", "anyOf": [old, new]}
    assert schema("pi", None, "edit") == {"type": "object", "anyOf": [new, old]}
    assert schema("pi", None, "read") == schema("pi", "0.73.1", "read")


def test_a_tool_of_one_version_alone_is_known_between() -> None:
    chosen = chosen_for("codex", "0.143.0")
    assert chosen
    assert "shell_command" in {tool.name for tool in chosen.tools}


@pytest.mark.parametrize("harness", ["claude-code", "none", ""])
def test_a_harness_without_a_catalogue_has_none(harness: str) -> None:
    assert chosen_for(harness, "1.0") is None
