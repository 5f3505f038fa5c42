"""OTLP spans: their attributes as plain values, and numbered attributes as lists of objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolfix_audit.logs.dialogues import Row
from toolfix_audit.logs.fields import list_at, object_at, text_at
from toolfix_audit.model.json import Json, JsonError, parse_json

_SCALARS: Final = ("stringValue", "boolValue", "doubleValue", "bytesValue")
_MAX_DEPTH: Final = 16
_MAX_INDEX: Final = 10_000


def spans_in(document: Json) -> Iterator[Row]:
    """The spans of an export, in the order in which they began."""
    found: list[Row] = []
    for resource in list_at(document, "resourceSpans") if isinstance(document, dict) else ():
        for scope in list_at(resource, "scopeSpans") if isinstance(resource, dict) else ():
            spans = list_at(scope, "spans") if isinstance(scope, dict) else []
            found += [span for span in spans if isinstance(span, dict)]
    yield from sorted(found, key=_began)


def attributes_of(holder: Row) -> Row:
    """The attributes of a span or event by name."""
    return {
        key: _plain(object_at(entry, "value"), _MAX_DEPTH)
        for entry in list_at(holder, "attributes")
        if isinstance(entry, dict) and (key := text_at(entry, "key")) is not None
    }


def decoded(value: Json) -> Json:
    """A value that may have been written as JSON text, as structured attributes are."""
    try:
        return parse_json(value) if isinstance(value, str) else value
    except JsonError:
        return value


def numbered(attributes: Row, prefix: str) -> list[Row]:
    """The objects that attributes such as `prefix.0.name` spell out, in order."""
    tree: Row = {}
    for name, value in attributes.items():
        if name.startswith(prefix + "."):
            _put(tree, name.removeprefix(prefix + ".").split("."), value)
    return [item for item in items_at({"items": tree}, "items") if isinstance(item, dict)]


def items_at(row: Row, key: str) -> list[Json]:
    """The members of a numbered object in the order of their numbers."""
    holder = object_at(row, key)
    indexes = sorted(int(name) for name in holder if name.isascii() and name.isdigit())
    return [holder.get(str(index)) for index in indexes[:_MAX_INDEX]]


def _put(tree: Row, path: list[str], value: Json) -> None:
    for name in path[:-1]:
        inner = tree.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.setdefault(path[-1], value)


def _plain(value: Row, depth: int) -> Json:
    for kind in _SCALARS:
        if kind in value:
            return value[kind]
    if "intValue" in value:  # 64 bits are written as text
        return decoded(value["intValue"])
    if not depth:
        return None
    if "arrayValue" in value:
        items = list_at(object_at(value, "arrayValue"), "values")
        return [_plain(item, depth - 1) for item in items if isinstance(item, dict)]
    entries = list_at(object_at(value, "kvlistValue"), "values")
    return {
        key: _plain(object_at(entry, "value"), depth - 1)
        for entry in entries
        if isinstance(entry, dict) and (key := text_at(entry, "key")) is not None
    }


def _began(span: Row) -> int:
    moment = span.get("startTimeUnixNano")
    text = str(moment)[:20]
    return int(text) if text.isascii() and text.isdigit() else 0
