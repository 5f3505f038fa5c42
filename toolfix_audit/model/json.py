"""Lossless JSON values: what was written is what is written back.

Plain `json` loses four things that matter to a repair: the spelling of a number (`0.10`,
`1e400`, `-0`), keys that occur twice, depth beyond the recursion limit, and the refusal of
`NaN`. Values here are ordinary Python values, with three subclasses for what those can't hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final, TypeAlias, cast

from toolfix_audit.model.json_deep import Readers, parse_deep_prefix
from toolfix_audit.model.json_errors import JsonError, json_error, skip_space

__all__ = [
    "Json",
    "JsonError",
    "RepeatedKeys",
    "VerbatimFloat",
    "VerbatimInt",
    "clip_json",
    "decimal_of",
    "dump_json",
    "escape_surrogates",
    "has_repeated_keys",
    "is_deeper",
    "kind_of",
    "parse_json",
    "parse_prefix",
    "same_json",
]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

MAX_INTEGER_DIGITS: Final = 4300
"""Python converts no longer integer text by default; longer ones keep their text."""

MAX_EXACT_DIGITS: Final = 50_000
"""Longer integers are kept as text only, and count as numbers beyond every bound."""

_LONG: Final = 10**MAX_INTEGER_DIGITS
_SURROGATE = re.compile("[\ud800-\udfff]")


class VerbatimFloat(float):
    """A number whose text a float does not give back (`0.10`, `1e400`, 5,000 digits)."""

    text: str

    def __new__(cls, text: str) -> VerbatimFloat:
        """Keep the text beside the number."""
        number = super().__new__(cls, text)
        number.text = text
        return number


class VerbatimInt(int):
    """An integer whose text an int does not give back: `-0`, and those of very many digits."""

    text: str

    def __new__(cls, text: str) -> VerbatimInt:
        """Keep the text beside the number."""
        digits = text.removeprefix("-")
        value = 0
        for start in range(0, len(digits), MAX_INTEGER_DIGITS):
            part = digits[start : start + MAX_INTEGER_DIGITS]
            value = value * 10 ** len(part) + int(part)
        number = super().__new__(cls, -value if text.startswith("-") else value)
        number.text = text
        return number

    def __repr__(self) -> str:
        return self.text


class RepeatedKeys(dict[str, Json]):
    """An object in which a key occurred twice with different values: last wins for reading,
    `pairs` holds every pair in order and is what is written back."""

    pairs: tuple[tuple[str, Json], ...] = ()


def parse_json(text: str) -> Json:
    """Read one JSON document, of any depth, losing nothing.

    Raises:
        JsonError: the text is not exactly one JSON value (`NaN` and `Infinity` are none).
    """
    try:
        return cast(Json, _DECODER.decode(text))
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise json_error(text, error.msg, error.pos) from None
    except RecursionError:
        return _parse_deep(text)


def parse_prefix(text: str, start: int = 0) -> tuple[Json, int]:
    """Read the JSON value that starts at `start`; also say where it ended.

    Raises:
        JsonError: no complete value starts there.
    """
    start = skip_space(text, start)
    try:
        value, end = _DECODER.raw_decode(text, start)
        return cast(Json, value), end
    except json.JSONDecodeError as error:
        raise json_error(text, error.msg, error.pos) from None
    except RecursionError:
        return parse_deep_prefix(text, start, _READERS)


def dump_json(value: Json, *, sort_keys: bool = False) -> str:
    """Write a value compactly, exactly as it was read; lone surrogates become escapes.

    The result is always encodable as UTF-8. With `sort_keys` equal values of equal types give
    equal texts, whatever the order of their keys.
    """
    out: list[str] = []
    todo: list[object] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, _Raw):
            out.append(item)
        elif isinstance(item, dict):
            todo.extend(reversed(_object_parts(item, sort_keys)))
        elif isinstance(item, list):
            todo.extend(reversed(_array_parts(item)))
        else:
            out.append(_scalar_text(item))
    return "".join(out)


def clip_json(value: Json, limit: int) -> str | None:
    """The JSON text of a value, or None if it is longer than `limit` characters; a huge value
    costs no more than the limit."""
    size = 0
    todo: list[Json] = [value]
    while todo:
        item = todo.pop()
        size += len(item) + 2 if isinstance(item, str) else 1
        if isinstance(item, dict):
            size += sum(map(len, item)) + 1
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
        if size > limit:
            return None
    text = dump_json(value)
    return text if len(text) <= limit else None


def same_json(left: Json, right: Json) -> bool:
    """Whether two values are equal with their types: `1` is not `1.0` is not `true`."""
    return dump_json(left, sort_keys=True) == dump_json(right, sort_keys=True)


def kind_of(value: Json) -> str:
    """The JSON Schema type word: null, boolean, integer, number, string, array or object."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def escape_surrogates(text: str) -> str:
    """Replace lone surrogates by `\\uXXXX`, so that the text can be stored as UTF-8.

    Inside a JSON string the escape means the same character, and nowhere else may one stand.
    """
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def has_repeated_keys(value: Json) -> bool:
    """Whether any object inside holds one key with two different values."""
    todo: list[Json] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, RepeatedKeys):
            return True
        if isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return False


def is_deeper(value: Json, limit: int) -> bool:
    """Whether containers are nested more than `limit` levels deep."""
    level = [item for item in [value] if isinstance(item, dict | list)]
    for _ in range(limit):
        level = [
            member for item in level for member in _members(item) if isinstance(member, dict | list)
        ]
        if not level:
            return False
    return bool(level)


def _members(item: Json) -> Iterable[Json]:
    if isinstance(item, dict):
        return item.values()
    return item if isinstance(item, list) else ()


def decimal_of(number: float) -> Decimal | None:
    """The exact decimal value of a number as it was written; None for no finite one."""
    text = number.text if isinstance(number, VerbatimFloat | VerbatimInt) else repr(number)
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


class _Raw(str):
    """Text that is already JSON."""

    __slots__ = ()


def _object_parts(item: dict[str, Json], sort_keys: bool) -> list[object]:
    pairs: Iterable[tuple[str, Json]] = item.items()
    if isinstance(item, RepeatedKeys):
        pairs = item.pairs
    if sort_keys:
        pairs = sorted(pairs, key=lambda pair: pair[0])
    parts: list[object] = [_Raw("{")]
    for key, member in pairs:
        lead = "" if len(parts) == 1 else ","
        parts.append(_Raw(f"{lead}{_string_text(key)}:"))
        parts.append(member)
    parts.append(_Raw("}"))
    return parts


def _array_parts(item: list[Json]) -> list[object]:
    parts: list[object] = [_Raw("[")]
    for index, member in enumerate(item):
        if index:
            parts.append(_Raw(","))
        parts.append(member)
    parts.append(_Raw("]"))
    return parts


def _scalar_text(item: object) -> str:
    if isinstance(item, str):
        return _string_text(item)
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, VerbatimFloat | VerbatimInt):
        return item.text
    if isinstance(item, int):
        return repr(item) if abs(item) < _LONG else f"{Decimal(item):f}"
    if isinstance(item, float):
        return repr(item)
    raise TypeError(f"not a JSON value: {type(item).__name__}")


def _string_text(text: str) -> str:
    return escape_surrogates(json.encoder.encode_basestring(text))


def _read_float(text: str) -> float:
    number = float(text)
    return number if repr(number) == text else VerbatimFloat(text)


def _read_int(text: str) -> int | float:
    if len(text) > MAX_EXACT_DIGITS:
        return VerbatimFloat(text)
    if text == "-0" or len(text) > MAX_INTEGER_DIGITS:
        return VerbatimInt(text)
    return int(text)


def _read_pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    if all(same_json(plain[key], value) for key, value in pairs):
        return plain
    repeated = RepeatedKeys(plain)
    repeated.pairs = tuple(pairs)
    return repeated


def _refuse_constant(word: str) -> Json:
    raise JsonError(f"{word} is not JSON", 0)


_DECODER: Final = json.JSONDecoder(
    parse_float=_read_float,
    parse_int=_read_int,
    parse_constant=_refuse_constant,
    object_pairs_hook=_read_pairs,
)
_READERS: Final = Readers(_read_float, _read_int, _read_pairs)


def _parse_deep(text: str) -> Json:
    value, end = parse_deep_prefix(text, skip_space(text, 0), _READERS)
    end = skip_space(text, end)
    if end != len(text):
        raise JsonError("Extra data", end)
    return cast(Json, value)
