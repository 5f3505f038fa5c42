"""What a text spells, read by code of this check's own.

Strict JSON first; then JSON with raw control characters, trailing commas or blanks written as
`\\n`; then a Python literal. Loops only: any depth, linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from toolfix_audit.audit.misfix.equality import is_same
from toolfix_audit.audit.misfix.literals import LiteralError, read_literal
from toolfix_audit.model.json import Json, JsonError, parse_json, parse_prefix

MAX_ENCODINGS: Final = 8

_FENCE: Final = re.compile(r"\s*(```+|~~~+)[\w+-]*\s(.*?)\1\s*\Z", re.DOTALL)
_QUOTED: Final = re.compile(r'"[^"]+"')
_ARGUMENT: Final = re.compile(r"=|<\w|\w\s*:(?!//)|[\u201c\u201d\u300c]")
"""Words that say something about arguments: a tag, an assignment, or a key."""
_GLUED: Final = re.compile(r"[\w/.~$-]")
_MARKUP: Final = re.compile(r"</[^<>]*>|<[|\uff5c][^<>]*[|\uff5c]>")
_CLOSER: Final = {"{": "}", "[": "]", '"': '"', "'": "'"}
_SINGLE_READING: Final = re.compile(r"[^\s,;|、，；\u200b-\u200f\u2060\ufeff]+")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_OPENERS: Final = ("[", "{", '"', "'", "`")
_NOTHING: Final = frozenset({"null", "none", "nil", "undefined", "n/a", "-"})
_WORDS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Reading:
    """What the arguments spell. `strict` says that they are JSON, once, as they stand; `blank`
    that they are blank text or null."""

    value: Json
    strict: bool
    blank: bool = False


def read_arguments(arguments: Json) -> Reading | None:
    """The one value that recorded arguments spell, or None: cut, ambiguous, or no object."""
    if not isinstance(arguments, str):
        return Reading(arguments, strict=True, blank=arguments is None)
    if not arguments.strip():
        return Reading(None, strict=False, blank=True)
    try:
        value = parse_json(arguments)
    except JsonError:
        return _read_broken(arguments)
    if isinstance(value, str):
        inner = read_container(value)
        return Reading(inner, strict=False) if isinstance(inner, dict) else None
    return Reading(value, strict=True, blank=value is None)


@lru_cache(maxsize=64)
def read_container(text: str) -> Json:
    """The array or object that a string spells, through several encodings; else None."""
    for _ in range(MAX_ENCODINGS):
        bare = text.strip()
        if not bare or _CLOSER.get(bare[0]) != bare[-1]:
            return None
        value = _read_once(text)
        if isinstance(value, dict | list):
            return value
        if not isinstance(value, str):
            return None
        text = value
    return None


def read_scalar(text: str) -> tuple[bool, Json]:
    """Whether a string spells a boolean, null or a number, and which."""
    if text == "null":
        return True, None
    if text.lower() in _WORDS:
        return True, _WORDS[text.lower()]
    if _NUMBER.match(text):
        return True, parse_json(text)
    return False, None


def has_one_reading(text: str) -> bool:
    """Whether a text can only be meant as one item: no separators, no container, no nothing."""
    if not _SINGLE_READING.fullmatch(text) or text[0] in "[{\"'":
        return False
    return text not in {"null", "None"} and read_container(text) is None


def parts_between_commas(text: str) -> tuple[str, ...]:
    """The parts of a text that may be a list written without brackets; none where one part is
    empty, or where the text begins like a container or a quotation."""
    if "," not in text or text.lstrip()[:1] in _OPENERS:
        return ()
    parts = tuple(part.strip() for part in text.split(","))
    return parts if all(parts) else ()


def may_be_one_item(text: str) -> bool:
    """Whether a text that is perhaps a phrase, and no list, may stand as one item: no comma, no
    container, no fence, not nothing."""
    bare = text.strip()
    if not bare or bare.casefold() in _NOTHING or "," in text or bare.startswith("```"):
        return False
    return read_container(text) is None


def first_object(text: str) -> Json:
    """The complete object that a text begins with, or None."""
    try:
        value, _ = parse_prefix(text)
    except JsonError:
        return None
    return value if isinstance(value, dict) else None


def _read_once(text: str) -> Json:
    try:
        return parse_json(text)
    except JsonError:
        pass
    for python in (False, True):
        try:
            value, end = read_literal(text, python=python)
        except LiteralError:
            continue
        if not text[end:].strip():
            return value
    return None


def _read_broken(text: str) -> Reading | None:
    fenced = _FENCE.match(text)
    body = fenced.group(2) if fenced else text
    for python in (False, True):
        try:
            value, end = read_literal(body, python=python)
        except LiteralError:
            continue
        if isinstance(value, str) and not body[end:].strip():
            value = read_container(value)
        if isinstance(value, dict) and _may_follow(value, body[end:], python=python):
            return Reading(value, strict=False)
    return None


def _may_follow(value: Json, rest: str, *, python: bool) -> bool:
    """Whether what follows a complete object holds no information: junk, or the object again."""
    is_glued = _GLUED.match(rest) is not None
    rest = rest.strip()
    if not rest or (not is_glued and _is_junk(rest, value)):
        return True
    while rest:
        try:
            again, end = read_literal(rest, python=python)
        except LiteralError:
            return False
        if not is_same(again, value):
            return False
        rest = rest[end:].strip()
        if rest and _is_junk(rest, value):
            return True
    return True


def _is_junk(rest: str, value: Json) -> bool:
    if "{" in rest or "[" in rest or rest[0] in ",:" or _ARGUMENT.search(rest):
        return False
    if not value and any(letter.isalnum() for letter in _MARKUP.sub("", rest)):
        return False
    return _QUOTED.search(rest.replace('""', "")) is None
