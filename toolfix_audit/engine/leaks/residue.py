"""Markup of leaked calls inside structured calls, and bits of it beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from toolfix_audit.engine.families import SAFE
from toolfix_audit.engine.leaks.code_spans import CodeSpans
from toolfix_audit.engine.leaks.leak import Leak, LeakedCall, StructuredCall
from toolfix_audit.engine.leaks.syntax import WrittenCall, plain_tokens
from toolfix_audit.engine.leaks.syntaxes import SYNTAXES, glm_arg_kv
from toolfix_audit.engine.leaks.typed import TypedCall, typed_call
from toolfix_audit.engine.leaks.words import Channel, Kind, Reason
from toolfix_audit.model.json import Json, JsonError, parse_json

_TAG: Final = re.compile(r"</?(?:arg_key|arg_value|tool_call)>\s*+")
_PAIR: Final = re.compile(r"\s*+" + glm_arg_kv.KEY.pattern + r"(?P<value>[^<]*)</arg_value>")
_LEAST: Final = 8
"""Characters of a cut marker that tell it from other text."""


def in_call(call: StructuredCall, tools: Mapping[str, Json]) -> Leak | None:
    """Markup in the name or in a key of a structured call; what it says without the markup."""
    if call.name in tools:
        return _in_keys(call, tools)
    name, tag, rest = _split(call.name)
    if not tag or name not in tools:
        return None
    arguments, untyped = _pairs(tag + rest)
    given = _parsed(call.arguments)
    if arguments is None or (arguments and given):
        return _leak(Kind.RESIDUE_IN_NAME, TypedCall(name, None, Reason.INVALID_ARGUMENTS))
    written = WrittenCall(name, arguments or given, untyped)
    return _leak(Kind.RESIDUE_IN_NAME, typed_call(written, name, tools, SAFE))


def beside_calls(text: str) -> Leak | None:
    """A marker, whole or cut, that ends a text beside structured calls."""
    plain = plain_tokens(text.rstrip())
    start = max(plain.rfind("<"), plain.rfind("[TOOL_CALLS"), plain.rfind("[ARGS"))
    tail = plain[start:] if start >= 0 else ""
    if len(tail) < _LEAST or CodeSpans(text).holds(start):
        return None
    if tail.startswith("</") and tail.replace("</", "<").rstrip(">") in plain[:start]:
        return None  # its opening tag is there: the text shows a call, and nothing is left over
    for syntax in SYNTAXES:
        if any(marker.startswith(tail) for marker in syntax.markers):
            strays = (text[start : len(plain)],)
            place = (Channel.TEXT, start, len(plain))
            return Leak(Kind.RESIDUE_ONLY, syntax.name, *place, calls=(), strays=strays)
    return None


def _in_keys(call: StructuredCall, tools: Mapping[str, Json]) -> Leak | None:
    given = _parsed(call.arguments)
    if not isinstance(given, dict) or not any(map(_TAG.search, given)):
        return None
    cleaned = {_TAG.sub("", key).strip(): value for key, value in given.items()}
    if len(cleaned) < len(given) or "" in cleaned or _is_declared(given, tools[call.name]):
        return None
    typed = typed_call(WrittenCall(call.name, cleaned), call.name, tools, SAFE)
    return _leak(Kind.RESIDUE_IN_KEY, typed)


def _is_declared(arguments: Mapping[str, Json], schema: Json) -> bool:
    """Whether the schema names a key that looks like markup."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return isinstance(properties, dict) and any(
        key in properties for key in arguments if _TAG.search(key)
    )


def _leak(kind: Kind, typed: TypedCall) -> Leak:
    calls = (LeakedCall(typed.name, typed.arguments),)
    return Leak(kind, glm_arg_kv.SYNTAX.name, Channel.CALL, 0, 0, calls, typed.reason)


def _split(name: str) -> tuple[str, str, str]:
    """A name up to its first tag, the tag, and what follows."""
    match = _TAG.search(name)
    if match is None:
        return name, "", ""
    return name[: match.start()].strip(), match.group(), name[match.end() :]


def _pairs(text: str) -> tuple[dict[str, Json] | None, frozenset[str]]:
    """The pairs of keys and values in a text that holds nothing else but tags; None if it does,
    or a key occurs twice."""
    values: dict[str, Json] = {}
    position = 0
    while match := _PAIR.match(text, position):
        key, position = match.group("key").strip(), match.end()
        if key in values:
            return None, frozenset()
        values[key] = match.group("value")
    if _TAG.sub("", text[position:]).strip():
        return None, frozenset()
    return values, frozenset(values)


def _parsed(arguments: Json) -> Json:
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse_json(arguments) if arguments.strip() else {}
    except JsonError:
        return arguments
