"""Wrapper keys, envelopes and path keys, told apart by this check's own rules."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from toolfix_audit.audit.misfix.readings import read_container
from toolfix_audit.audit.misfix.schema_nodes import Nodes, declares
from toolfix_audit.model.json import Json, RepeatedKeys

Parts: TypeAlias = tuple[str | int, ...]

ARGUMENTS: Final = "arguments"
_ALIASES: Final = """
    args parameters params input inputs kwargs tool_input tool_arguments function_arguments _
"""
WRAPPERS: Final = frozenset((ARGUMENTS, *_ALIASES.split()))

_EMPTY_WORDS: Final = frozenset({"valid", "object"})
_PATH_KEY: Final = re.compile(r"[^.\[\]]+(?:\.[^.\[\]]+|\[[0-9]{1,4}\])+")
_PATH_PART: Final = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)")
_BARRED: Final = frozenset({"__proto__", "constructor", "prototype"})


def wrapped_object(value: dict[str, Json], key: str, nodes: Nodes) -> dict[str, Json] | None:
    """The object that an undeclared wrapper key holds or spells; None if it is no wrapper."""
    if key not in WRAPPERS or declares(nodes, key):
        return None
    return _object_in(value[key])


def enveloped_object(value: dict[str, Json], nodes: Nodes) -> dict[str, Json] | None:
    """The object in an envelope `{"type": "valid", "value": {…}}`; None if there is none. Other
    keys may stand beside the two: a repair of those may come first."""
    word = value.get("type")
    if "value" not in value or not isinstance(word, str) or word not in _EMPTY_WORDS:
        return None
    if isinstance(value, RepeatedKeys) or declares(nodes, "type") or declares(nodes, "value"):
        return None
    return _object_in(value["value"])


def sole_layer(value: dict[str, Json], nodes: Nodes) -> tuple[str, dict[str, Json]] | None:
    """The outermost layer of an object that is nothing but a wrapper: its key and what it holds."""
    if len(value) == 1 and not isinstance(value, RepeatedKeys):
        (key,) = value
        inner = wrapped_object(value, key, nodes)
        return None if inner is None else (key, inner)
    inner = enveloped_object(value, nodes) if len(value) == 2 else None
    return None if inner is None else ("value", inner)


def is_bare_chain(value: Json, nodes: Nodes) -> bool:
    """Whether a value is a chain of sole undeclared `arguments` keys that ends in an object."""
    layers = 0
    while isinstance(value, dict) and len(value) == 1 and ARGUMENTS in value:
        if layers == 0 and (declares(nodes, ARGUMENTS) or isinstance(value, RepeatedKeys)):
            return False
        value, layers = value[ARGUMENTS], layers + 1
    return layers > 0 and isinstance(value, dict)


def innermost(value: Json) -> Json:
    """What is left when every sole `arguments` key is taken off."""
    while isinstance(value, dict) and len(value) == 1 and ARGUMENTS in value:
        value = value[ARGUMENTS]
    return value


def path_parts(key: str, nodes: Nodes) -> Parts | None:
    """The parts of an undeclared key that spells a path below a declared one, else None."""
    if not _PATH_KEY.fullmatch(key) or declares(nodes, key):
        return None
    parts: list[str | int] = [
        match.group(2) if match.group(1) is None else int(match.group(1))
        for match in _PATH_PART.finditer(key)
    ]
    head = parts[0]
    if not isinstance(head, str) or not declares(nodes, head) or _BARRED.intersection(parts):
        return None
    return tuple(parts)


def _object_in(value: Json) -> dict[str, Json] | None:
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        read = read_container(value)
        return read if isinstance(read, dict) else None
    return None
