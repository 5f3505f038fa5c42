"""The lossless reading and writing of `model.json`, by a faster parser wherever that loses nothing.

The fast parser drops repeated keys, the spelling of numbers and integers beyond 64 bits, and
refuses lone surrogates and great depth. Each result is held against the bytes it came from: where
it can't be proven to be the same, the lossless parser reads them again.
"""

from __future__ import annotations

from typing import Final

import orjson

from toolfix_audit.model.json import Json, dump_json, parse_json

_FLAT: Final = frozenset({str, bool, type(None)})
_SCALARS: Final = frozenset({str, bool, type(None), int})
_PLAIN: Final = _SCALARS | {dict, list}


def parse_row(data: bytes) -> Json:
    """What `parse_json` gives for the text of a log row.

    One difference: in a row of nothing but texts, booleans and nulls, a key that occurs twice
    only has its last value.

    Raises:
        JsonError: the bytes are not exactly one JSON value.
        UnicodeDecodeError: they are not UTF-8.
    """
    try:
        value: Json = orjson.loads(data)
    except orjson.JSONDecodeError:
        return parse_json(data.decode())
    if type(value) is dict and _FLAT.issuperset(map(type, value.values())):
        return value
    if _is_exact(value) and _written(value) == data:
        return value
    return parse_json(data.decode())


def parse_and_dump(text: str) -> tuple[Json, str]:
    """What `parse_json` gives for a text, and what `dump_json` gives for that.

    Raises:
        JsonError: the text is not exactly one JSON value.
    """
    try:
        value: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _parsed_and_dumped(text)
    written = _written(value) if _is_exact(value) else None
    if written is None:
        return _parsed_and_dumped(text)
    compact = written.decode()
    if compact == text:
        return value, text
    if _closed_up(compact) == _closed_up(text):
        return value, compact
    return _parsed_and_dumped(text)


def dump_value(value: Json) -> str:
    """What `dump_json` gives."""
    text = _written(value) if _is_exact(value) else None
    return dump_json(value) if text is None else text.decode()


def _parsed_and_dumped(text: str) -> tuple[Json, str]:
    value = parse_json(text)
    return value, dump_json(value)


def _closed_up(text: str) -> str:
    """A text without the spaces that most writers put between tokens. Where two texts are equal
    without them, and one is written of what was read from the other, they are the same tokens:
    a repeated key would be missing, and another spelling would differ."""
    return text.replace(": ", ":").replace(", ", ",")


def _is_exact(value: Json) -> bool:
    """Whether both writers spell every scalar inside alike: no float, nothing of a subclass."""
    if not isinstance(value, (dict, list)):
        return type(value) in _SCALARS
    if type(value) not in _PLAIN:
        return False
    todo = [value]
    while todo:
        item = todo.pop()
        members = item.values() if isinstance(item, dict) else item
        kinds = set(map(type, members))
        if not kinds <= _SCALARS:
            if not kinds <= _PLAIN:
                return False
            todo += [member for member in members if isinstance(member, (dict, list))]
    return True


def _written(value: Json) -> bytes | None:
    """The compact text; None where the fast writer gives up (depth, large integers, surrogates)."""
    try:
        return orjson.dumps(value)
    except (TypeError, RecursionError):
        return None
