"""Wrapper keys and envelopes, told apart by this check's own rules."""

from __future__ import annotations

from typing import Final

from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.licences import NO_LICENCE, Licence, Licences
from toolfix_audit.audit.misfix.readings import read_container
from toolfix_audit.audit.misfix.schema_nodes import Nodes, declares
from toolfix_audit.model.json import Json, RepeatedKeys

ARGUMENTS: Final = "arguments"
_ALIASES: Final = """
    args parameters params input inputs kwargs tool_input tool_arguments function_arguments _
"""
WRAPPERS: Final = frozenset((ARGUMENTS, *_ALIASES.split()))

_EMPTY_WORDS: Final = frozenset({"valid", "object"})


def wrapped_object(value: dict[str, Json], key: str, nodes: Nodes) -> dict[str, Json] | None:
    """The object that an undeclared wrapper key holds or spells; None if it is no wrapper."""
    if key not in WRAPPERS or declares(nodes, key):
        return None
    return _object_in(value[key])


def enveloped_object(
    value: dict[str, Json], nodes: Nodes, licences: Licences = NO_LICENCE
) -> dict[str, Json] | None:
    """The object in an envelope `{"type": "valid", "value": {…}}`; None if there is none. Other
    keys may stand beside the two: a repair of those may come first. A licensed envelope may have
    any word, and beside it only what says nothing."""
    word = value.get("type")
    if "value" not in value or not isinstance(word, str):
        return None
    if word not in _EMPTY_WORDS and not _is_licensed(value, licences):
        return None
    if isinstance(value, RepeatedKeys) or declares(nodes, "type") or declares(nodes, "value"):
        return None
    return _object_in(value["value"])


def sole_layer(
    value: dict[str, Json], nodes: Nodes, licences: Licences = NO_LICENCE
) -> tuple[str, dict[str, Json]] | None:
    """The outermost layer of an object that is nothing but a wrapper: its key and what it holds."""
    if len(value) == 1 and not isinstance(value, RepeatedKeys):
        (key,) = value
        inner = wrapped_object(value, key, nodes)
        return None if inner is None else (key, inner)
    inner = enveloped_object(value, nodes, licences) if len(value) == 2 else None
    return None if inner is None else ("value", inner)


def repeated_siblings(
    value: dict[str, Json], key: str, inner: dict[str, Json], nodes: Nodes
) -> frozenset[str]:
    """The keys that stand in the one wrapper of an object and beside it; none where there is
    another wrapper, or where one of them has two values."""
    wrappers = [name for name in value if wrapped_object(value, name, nodes) is not None]
    shared = frozenset(name for name in inner if name in value and name != key)
    if wrappers != [key] or not all(is_same(inner[name], value[name]) for name in shared):
        return frozenset()
    return shared


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


def _is_licensed(value: dict[str, Json], licences: Licences) -> bool:
    """Whether an envelope may go whatever its word says."""
    beside = (member for key, member in value.items() if key not in {"type", "value"})
    return Licence.TELLING_ENVELOPE in licences and all(one in (None, "", {}) for one in beside)


def _object_in(value: Json) -> dict[str, Json] | None:
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        read = read_container(value)
        return read if isinstance(read, dict) else None
    return None
