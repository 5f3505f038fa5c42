"""Calls written as JSON: objects with a name and arguments, alone, in a list or in a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from toolfix_audit.engine.leaks.syntax import WrittenCall, skip_blank
from toolfix_audit.engine.relaxed import RELAXED, read_relaxed_prefix
from toolfix_audit.model.json import Json, JsonError, parse_json, parse_prefix

_ARGUMENTS: Final = ("arguments", "parameters")
_BESIDE: Final = frozenset({"name", "id", "type", "index", *_ARGUMENTS})
_WRAPPER: Final = frozenset({"id", "type", "index", "function"})
_TOO_DEEP: Final = re.compile(r'(?:[\[{]\s*+(?:"[^"\\]{0,64}"\s*+:\s*+)?){256}')
_CUT_NAME: Final = re.compile(r'\[?\s*+\{\s*+"name"\s*+:\s*+"([^"\\\n]{1,200})"\s*+(?:,|$)')


@dataclass(frozen=True, slots=True)
class JsonBody:
    """A JSON object or array in a text, up to `end`; `is_cut` if the text ends inside it."""

    value: Json
    end: int
    is_cut: bool = False


def read_body(text: str, position: int) -> JsonBody | None:
    """The object or array that starts at a position, white space before it skipped; raw line
    ends in strings are let pass. None if there is none, it goes wrong, or it begins with more
    levels than any call has."""
    position = skip_blank(text, position)
    if not text.startswith(("{", "["), position) or _TOO_DEEP.match(text, position):
        return None
    try:
        return JsonBody(*parse_prefix(text, position))
    except JsonError as error:
        if error.at_end:
            return JsonBody(None, len(text), is_cut=True)
    try:
        return JsonBody(*read_relaxed_prefix(text, RELAXED, position))
    except JsonError:
        return None


def calls_in(value: Json, *, strict: bool = False) -> tuple[WrittenCall, ...]:
    """The calls that a value spells: an object, or a list of nothing but such objects. If
    `strict`, each must hold arguments. Empty if it is anything else."""
    items = value if isinstance(value, list) else [value]
    calls = [_call(item, strict=strict) for item in items]
    return tuple(call for call in calls if call) if all(calls) else ()


def wrapped_call(value: Json) -> WrittenCall | None:
    """The call in an object of the form `{"type": "function", "function": {...}}`."""
    if not isinstance(value, dict) or not value.keys() <= _WRAPPER:
        return None
    is_function = value.get("type", "function") == "function"
    return _plain_call(value.get("function"), strict=True) if is_function else None


def arguments_of(value: Json) -> Json:
    """Arguments, with one encoding as text undone where the text is an object."""
    if not isinstance(value, str):
        return value
    try:
        inner = parse_json(value)
    except JsonError:
        return value
    return inner if isinstance(inner, dict) else value


def cut_name(text: str, position: int) -> str | None:
    """The name of the call whose JSON starts at a position and is cut."""
    match = _CUT_NAME.match(text, skip_blank(text, position))
    return match.group(1) if match else None


def _call(value: Json, *, strict: bool) -> WrittenCall | None:
    return _plain_call(value, strict=strict) or wrapped_call(value)


def _plain_call(value: Json, *, strict: bool) -> WrittenCall | None:
    if not isinstance(value, dict) or not value.keys() <= _BESIDE:
        return None
    name, keys = value.get("name"), [key for key in _ARGUMENTS if key in value]
    if not isinstance(name, str) or not name or len(keys) > 1 or (strict and not keys):
        return None
    arguments = arguments_of(value[keys[0]]) if keys else {}
    return WrittenCall(name, arguments) if isinstance(arguments, dict | str | None) else None
