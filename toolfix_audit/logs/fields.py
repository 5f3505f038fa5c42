"""Typed access to the fields of a log row. Texts come out storable as UTF-8."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from toolfix_audit.model.json import Json, escape_surrogates
from toolfix_audit.model.json_fast import dump_value
from toolfix_audit.model.records import ArgumentsForm

_EMPTY: Final[dict[str, Json]] = {}
_LAST_MILLISECOND: Final = 253_402_300_799_999  # the end of the year 9999


class RowError(ValueError):
    """A row lacks what its kind must have; the text is the cause, for a person."""


def storable(text: str) -> str:
    """The text with lone surrogates escaped, so that it can be stored as UTF-8."""
    return text if text.isascii() else escape_surrogates(text)


def object_at(row: Mapping[str, Json], key: str) -> dict[str, Json]:
    """The object under a key; an empty one if there is none."""
    value = row.get(key)
    return value if isinstance(value, dict) else _EMPTY


def list_at(row: Mapping[str, Json], key: str) -> list[Json]:
    """The array under a key; an empty one if there is none."""
    value = row.get(key)
    return value if isinstance(value, list) else []


def text_at(row: Mapping[str, Json], key: str, *others: str) -> str | None:
    """The first string under one of the keys."""
    value = row.get(key)
    if isinstance(value, str):
        return value if value.isascii() else escape_surrogates(value)
    return text_at(row, *others) if others else None


def texts_at(row: Mapping[str, Json], keys: tuple[str, ...]) -> list[str | None]:
    """The string under each of the keys, None where there is no string."""
    found: list[str | None] = []
    for key in keys:
        value = row.get(key)
        if isinstance(value, str):
            found.append(value if value.isascii() else escape_surrogates(value))
        else:
            found.append(None)
    return found


def word_at(row: Mapping[str, Json], key: str) -> str | None:
    """The string under a key, or any other value there as compact JSON; None for null."""
    value = row.get(key)
    return dump_value(value) if not isinstance(value, str | None) else text_at(row, key)


def integer_at(row: Mapping[str, Json], key: str) -> int | None:
    """The integer under a key."""
    value = row.get(key)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None


def required_text(row: Mapping[str, Json], key: str, kind: str) -> str:
    """The string under a key.

    Raises:
        RowError: there is none.
    """
    text = row.get(key)
    if not isinstance(text, str):
        raise RowError(f"{kind} without a text {key!r}")
    return text if text.isascii() else escape_surrogates(text)


def arguments_at(row: Mapping[str, Json], key: str) -> tuple[str, ArgumentsForm]:
    """The arguments as the log holds them: exact text, compact JSON of a value, or absent."""
    if key not in row:
        return "", ArgumentsForm.ABSENT
    value = row[key]
    if isinstance(value, str):
        return storable(value), ArgumentsForm.TEXT
    return dump_value(value), ArgumentsForm.VALUE


def iso_time(value: Json) -> str | None:
    """ISO 8601 in UTC from milliseconds since 1970, or from a text that is ISO already."""
    if isinstance(value, str):
        return storable(value) or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 < value <= _LAST_MILLISECOND:
        return None
    moment = datetime.fromtimestamp(value / 1000, tz=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def content_texts(content: Json) -> tuple[str, str | None]:
    """The text of a message or result, and its JSON text where it is more than plain text."""
    if content is None:
        return "", None
    if isinstance(content, str):
        return storable(content), None
    if not isinstance(content, list):
        written = dump_value(content)
        return written, written
    texts = [text for block in content if (text := _block_text(block)) is not None]
    blocks = None if len(texts) == len(content) else dump_value(content)
    return texts[0] if len(texts) == 1 else "\n".join(texts), blocks


def _block_text(block: Json) -> str | None:
    if isinstance(block, str):
        return storable(block)
    if isinstance(block, dict) and block.get("type") in ("text", "output_text", "input_text"):
        return text_at(block, "text", "content")
    return None
