"""What a value says, whatever way it is spelled: read by code of the tests' own."""

from __future__ import annotations

import ast
import json
from collections import Counter
from decimal import Decimal

from toolfix_audit.model.json import Json

EMPTY = frozenset({"null", "", "{}", "[]"})
ENVELOPE = frozenset({"valid", "object"})


def leaves(value: Json) -> Counter[str]:
    """How often each scalar or empty container occurs, in one spelling for all that spell it."""
    found: Counter[str] = Counter()
    todo: list[Json] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            item = _read(item)
        if isinstance(item, dict | list) and item:
            todo.extend(item.values() if isinstance(item, dict) else item)
        else:
            found[_spelling(item)] += 1
    return found


def _read(text: str) -> Json:
    """What a text spells, through any number of encodings; itself where it spells nothing."""
    item: Json = text
    while isinstance(item, str):
        read = _read_once(item)
        if read is None or read == item:
            return item
        item = read
    return item


def _read_once(text: str) -> Json:
    for reader in (lambda raw: json.loads(raw, strict=False), ast.literal_eval):
        try:
            read = reader(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        if isinstance(read, str | dict | list):
            return read
    return None


def _spelling(item: Json) -> str:
    if item is None or isinstance(item, bool | dict | list):
        return json.dumps(item)
    try:
        number = Decimal(repr(item) if isinstance(item, float) else str(item))
    except ArithmeticError:
        return str(item).lower()
    return str(number.normalize()) if number.is_finite() else str(item).lower()
