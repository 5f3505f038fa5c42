"""Rewrites that an engine must not make, each a few lines; none knows the right answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import unescape

from toolfix_audit.model.json import Json, JsonError, parse_json, parse_prefix

from .bench import Rewrite


def _named(schema: Json) -> dict[str, Json]:
    named = schema.get("properties", {}) if isinstance(schema, dict) else {}
    return named if isinstance(named, dict) else {}


def _absent(value: dict[str, Json], schema: Json) -> list[str]:
    return [key for key in _named(schema) if key not in value]


def _extra(value: dict[str, Json], schema: Json) -> list[str]:
    return [key for key in value if key not in _named(schema)]


def _each(change: Callable[[str, Json, Json], Json]) -> Rewrite:
    """Rewrite every member of the root by its key, value and the schema declared for it."""

    def rewrite(value: Json, schema: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {key: change(key, one, _named(schema).get(key)) for key, one in value.items()}

    return rewrite


def _wanted(schema: Json) -> set[str]:
    """The types that a schema mentions, in any branch."""
    return {word for word in _TYPES if f'"{word}"' in json.dumps(schema)}


_TYPES = ("boolean", "integer", "number", "string", "array", "object", "null")


def blind_rename(value: Json, schema: Json) -> Json:
    """The first extra key becomes the first absent one."""
    if not isinstance(value, dict):
        return value
    extra, absent = _extra(value, schema), _absent(value, schema)
    if not extra or not absent:
        return value
    return {absent[0] if key == extra[0] else key: one for key, one in value.items()}


def truthy(key: str, value: Json, schema: Json) -> Json:
    return bool(value) if isinstance(value, str) and "boolean" in _wanted(schema) else value


def to_int(key: str, value: Json, schema: Json) -> Json:
    if not isinstance(value, str) or "integer" not in _wanted(schema):
        return value
    try:
        return int(float(value))
    except ValueError:
        return value


def drop_extra(value: Json, schema: Json) -> Json:
    if not isinstance(value, dict):
        return value
    return {key: one for key, one in value.items() if key not in _extra(value, schema)}


def take_first(value: Json, schema: Json) -> Json:
    if not isinstance(value, str):
        return value
    try:
        return parse_prefix(value)[0]
    except JsonError:
        return value


def close_text(value: Json, schema: Json) -> Json:
    if not isinstance(value, str):
        return value
    for tail in ("}", '"}', '"]}', "]}"):
        try:
            return parse_json(value + tail)
        except JsonError:
            continue
    return value


def empty_for_unreadable(value: Json, schema: Json) -> Json:
    return {} if isinstance(value, str) else value


def decode(key: str, value: Json, schema: Json) -> Json:
    if not isinstance(value, str):
        return value
    try:
        inner = parse_json(value)
    except JsonError:
        return value
    return inner if isinstance(inner, dict | list) else value


def decode_arrays(key: str, value: Json, schema: Json) -> Json:
    """Decodes where an array is mentioned, although a string may be legal beside it."""
    return decode(key, value, schema) if "array" in _wanted(schema) else value


def unwrap(value: Json, schema: Json) -> Json:
    """Unwraps a sole `arguments`, declared or not."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("arguments"), dict):
        return value["arguments"]
    return value


def invent(value: Json, schema: Json) -> Json:
    if not isinstance(value, dict):
        return value
    return {**value, **dict.fromkeys(_absent(value, schema), "")}


def swap(value: Json, schema: Json) -> Json:
    if not isinstance(value, dict) or len(value) < 2:
        return value
    first, second, *rest = value
    return {first: value[second], second: value[first], **{key: value[key] for key in rest}}


def split(key: str, value: Json, schema: Json) -> Json:
    if isinstance(value, str) and "array" in _wanted(schema):
        return [part.strip() for part in value.split(",")]
    return value


def wrap(key: str, value: Json, schema: Json) -> Json:
    if isinstance(value, list) or "array" not in _wanted(schema):
        return value
    return [value]


def first_member(key: str, value: Json, schema: Json) -> Json:
    listed = schema.get("enum") if isinstance(schema, dict) else None
    return listed[0] if isinstance(listed, list) and value not in listed else value


def lossy_merge(value: Json, schema: Json) -> Json:
    """Merges a wrapper, and forgets its last member."""
    if not isinstance(value, dict) or not isinstance(value.get("arguments"), dict):
        return value
    inner = value["arguments"]
    assert isinstance(inner, dict)
    kept = dict(list(inner.items())[:-1])
    return {**{key: one for key, one in value.items() if key != "arguments"}, **kept}


def colliding_merge(value: Json, schema: Json) -> Json:
    if not isinstance(value, dict) or not isinstance(value.get("arguments"), dict):
        return value
    inner = value["arguments"]
    assert isinstance(inner, dict)
    return {**inner, **{key: one for key, one in value.items() if key != "arguments"}}


def dedupe(key: str, value: Json, schema: Json) -> Json:
    if not isinstance(value, list):
        return value
    return [one for at, one in enumerate(value) if one not in value[:at]]


def reorder(key: str, value: Json, schema: Json) -> Json:
    return value[::-1] if isinstance(value, list) else value


def through_float(key: str, value: Json, schema: Json) -> Json:
    if isinstance(value, str) and value.isdecimal() and "integer" in _wanted(schema):
        return int(float(value))
    return value


def drop_nulls(value: Json, schema: Json) -> Json:
    if not isinstance(value, dict):
        return value
    return {key: one for key, one in value.items() if one is not None}


def trim(key: str, value: Json, schema: Json) -> Json:
    return value.strip() if isinstance(value, str) else value


def zero_for_nothing(key: str, value: Json, schema: Json) -> Json:
    return 0 if value in (None, "") and "integer" in _wanted(schema) else value


def unescape_html(key: str, value: Json, schema: Json) -> Json:
    return unescape(value) if isinstance(value, str) else value


def overwrite(value: Json, schema: Json) -> Json:
    """An extra key's value replaces that of a declared one, and the key goes."""
    if not isinstance(value, dict) or not _extra(value, schema):
        return value
    extra = _extra(value, schema)[0]
    first = next(iter(_named(schema)))
    return {**{key: one for key, one in value.items() if key != extra}, first: value[extra]}


EACH = _each
