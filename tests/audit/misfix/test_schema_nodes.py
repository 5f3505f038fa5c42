"""What governs a place, by the rules of JSON Schema, drafts 4 to 2020-12."""

from __future__ import annotations

import copy
from typing import cast

import pytest

from toolfix_audit.audit.misfix.schema_nodes import (
    children,
    declared_names,
    declares,
    govern,
    has_required,
    members,
)
from toolfix_audit.model.json import Json

Node = dict[str, Json]

TEXT: Node = {"type": "string"}
INT: Node = {"type": "integer"}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
LATEST = "https://json-schema.org/draft/2020-12/schema"


def under(root: Node, place: Json, *, inline: bool = False) -> list[Node]:
    return govern(root, place, inline=inline)


@pytest.mark.parametrize(
    ("reference", "root"),
    [
        ("#/$defs/t", {"$defs": {"t": TEXT}}),
        ("#/definitions/t", {"definitions": {"t": TEXT}}),
        ("#/$defs/a~1b", {"$defs": {"a/b": TEXT}}),
        ("#/$defs/a~0b", {"$defs": {"a~b": TEXT}}),
        ("#/$defs/a%20b", {"$defs": {"a b": TEXT}}),
        ("#/$defs/l/1", {"$defs": {"l": [INT, TEXT]}}),
        ("#t", {"$defs": {"x": {"$anchor": "t", **TEXT}}}),
        ("#t", {"$defs": {"l": [{"$dynamicAnchor": "t", **TEXT}]}}),
    ],
)
@pytest.mark.parametrize("word", ["$ref", "$dynamicRef"])
def test_a_reference_brings_its_target(reference: str, root: Node, word: str) -> None:
    found = under(root, {word: reference})
    assert [node.get("type") for node in found] == [None, "string"]


@pytest.mark.parametrize(
    "reference",
    [
        "#/$defs/no",
        "#/$defs/l/2",
        "#/$defs/l/x",
        "#/$defs/t/type/x",
        "other.json",
        "#no",
        "x#/$defs/t",
    ],
)
def test_a_reference_to_nothing_brings_nothing(reference: str) -> None:
    root: Node = {"$defs": {"t": TEXT, "l": [INT, TEXT]}}
    assert under(root, {"$ref": reference}) == [{"$ref": reference}]


def test_the_root_may_refer_to_itself() -> None:
    root: Node = {"properties": {"child": {"$ref": "#"}}, "required": ["child"]}
    place = cast("Node", root["properties"])["child"]
    assert under(root, place) == [{"$ref": "#"}, root]


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
def test_branches_govern_beside(word: str) -> None:
    assert TEXT in under({}, {word: [TEXT, INT]})
    assert INT in under({}, {word: [TEXT, INT]})


def test_conditions_and_dependents_govern_beside() -> None:
    node: Node = {
        "if": {"const": 1},
        "then": TEXT,
        "else": INT,
        "dependentSchemas": {"a": {"x": 1}},
    }
    found = under({}, node)
    assert TEXT in found
    assert INT in found
    assert {"x": 1} in found
    assert {"const": 1} not in found


def test_a_reference_inlined_leaves_the_root_as_it_was() -> None:
    root: Node = {"$defs": {"t": {"$id": "t", "$anchor": "t", **TEXT, "$defs": {"u": INT}}}}
    before = copy.deepcopy(root)
    place: Node = {"$ref": "#/$defs/t", "minLength": 1, "allOf": [{"maxLength": 9}]}
    under(root, place, inline=True)
    assert place == {"minLength": 1, "allOf": [{"maxLength": 9}, TEXT]}
    assert root == before


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (DRAFT_7, {"definitions": {"k": INT}, "allOf": [TEXT]}),
        (LATEST, {"definitions": {"k": INT}, "minLength": 1, "allOf": [{"maxLength": 9}, TEXT]}),
    ],
)
def test_in_old_drafts_nothing_counts_beside_a_reference(draft: str, expected: Node) -> None:
    root: Node = {"$schema": draft, "$defs": {"t": TEXT}}
    place: Node = {
        "$ref": "#/$defs/t", "minLength": 1, "allOf": [{"maxLength": 9}], "definitions": {"k": INT},
    }  # fmt: skip
    under(root, place, inline=True)
    assert place == expected


def test_a_dynamic_reference_is_inlined() -> None:
    root: Node = {"$defs": {"t": {"$dynamicAnchor": "t", **TEXT}}}
    place: Node = {"$dynamicRef": "#t"}
    under(root, place, inline=True)
    assert place == {"allOf": [TEXT]}


def test_members_of_objects() -> None:
    node: Node = {
        "properties": {"a": TEXT},
        "patternProperties": {"^x-": INT},
        "additionalProperties": {"type": "null"},
    }
    assert children([node], "a") == [TEXT]
    assert children([node], "x-1") == [INT]
    assert children([node], "other") == [{"type": "null"}]
    assert children([{"additionalProperties": True}], "a") == []


def test_items_of_arrays() -> None:
    assert children([{"items": TEXT}], 3) == [TEXT]
    assert children([{"prefixItems": [INT], "items": TEXT}], 0) == [INT]
    assert children([{"prefixItems": [INT], "items": TEXT}], 1) == [TEXT]
    assert children([{"items": [INT], "additionalItems": TEXT}], 0) == [INT]
    assert children([{"items": [INT], "additionalItems": TEXT}], 1) == [TEXT]


def test_what_declares_a_key() -> None:
    assert declares([{"properties": {"a": {}}}], "a")
    assert declares([{"patternProperties": {"^a": {}}}], "ab")
    assert declares([{"additionalProperties": {"type": "string"}}], "z")
    assert not declares([{"properties": {"a": {}}}], "b")
    assert not declares([{"additionalProperties": True}], "z")
    assert not declares([{"additionalProperties": False}], "z")


def test_names_requirements_and_members() -> None:
    nodes: list[Node] = [{"properties": {"b": {}, "a": {}}}, {"properties": {"c": {}, "a": {}}}]
    assert declared_names(nodes) == ["b", "a", "c"]
    assert has_required([{}, {"required": ["a"]}])
    assert not has_required([{}, {"required": []}])
    assert members([{"enum": [1, "a"]}, {"const": None}]) == [1, "a", None]
