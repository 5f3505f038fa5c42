"""F stringified-scalar: a boolean, number or null was sent as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Final

from toolfix_audit.engine.proposal import Candidate, Case, Edit, Family, Place, Rivalry
from toolfix_audit.engine.schema_view import SchemaView
from toolfix_audit.model.json import MAX_INTEGER_DIGITS, Json, JsonError, decimal_of, parse_json
from toolfix_audit.model.words import Safety

_BOOLEANS: Final = {"true": True, "false": False}
_INTEGER: Final = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:\.0+)?")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Read the word, where no branch of the schema admits a string."""
    if place.is_root or not isinstance(place.value, str) or place.view.admits("string"):
        return
    text = place.value
    for kind, value in _readings(text, place.view):
        yield Candidate((Edit("F", f"cast:{kind}", lambda _text, value=value: value),))  # type: ignore[misc]


def _readings(text: str, view: SchemaView) -> Iterator[tuple[str, Json]]:
    if view.admits("null") and text == "null":
        yield "null", None
    if view.admits("boolean") and text.lower() in _BOOLEANS:
        yield "boolean", _BOOLEANS[text.lower()]
    if view.admits("number"):
        number = _number(text)
        if number is not None:
            yield "number", number
    elif view.admits("integer"):
        integer = _integer(text)
        if integer is not None:
            yield "integer", integer


def _integer(text: str) -> int | None:
    """The exact integer, where the text spells one; `007`, `-0`, `3.14` and ` 5` do not."""
    match = _INTEGER.fullmatch(text)
    if match is None or match.group(1) == "-0" or len(match.group(1)) > MAX_INTEGER_DIGITS:
        return None
    return int(match.group(1))


def _number(text: str) -> Json:
    """The number, where the text is JSON's and its decimal value survives the float."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = parse_json(text)
    except JsonError:
        return None
    if not isinstance(number, int | float) or (text.startswith("-") and number == 0):
        return None
    try:
        sent = Decimal(text)
    except InvalidOperation:
        return None
    kept = decimal_of(float(number)) if isinstance(number, float) else Decimal(number)
    return number if kept == sent else None


_READ: Json = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "limit": {"type": "integer", "maximum": 100},
        "ratio": {"type": "number"},
        "force": {"type": "boolean"},
        "depth": {"type": ["integer", "null"]},
    },
    "required": ["path"],
}

FAMILY = Family(
    code="F",
    name="stringified-scalar",
    summary='"True" for a boolean, "5" for an integer, "null" for null.',
    rationale=(
        "The schema admits no string there and the text is exactly one spelling of one value: "
        "true or false in any case, `null`, a JSON number whose value is kept exactly. "
        "Truthiness, rounding, blanks and leading zeros are guesses."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("boolean", _READ, {"path": "a", "force": "False"}, {"path": "a", "force": False}),
        Case("integer", _READ, {"path": "a", "limit": "5"}, {"path": "a", "limit": 5}),
        Case("zero fraction", _READ, {"path": "a", "limit": "50.0"}, {"path": "a", "limit": 50}),
        Case("number", _READ, {"path": "a", "ratio": "2.5"}, {"path": "a", "ratio": 2.5}),
        Case("null", _READ, {"path": "a", "depth": "null"}, {"path": "a", "depth": None}),
        Case("declared string", _READ, {"path": "5"}),
        Case("leading zeros", _READ, {"path": "a", "limit": "007"}),
        Case("blank before", _READ, {"path": "a", "limit": " 5"}),
        Case("fraction for an integer", _READ, {"path": "a", "limit": "3.14"}),
        Case("truthiness", _READ, {"path": "a", "force": "yes"}),
        Case("number for a boolean", _READ, {"path": "a", "force": "1"}),
        Case("out of range", _READ, {"path": "a", "limit": "500"}),
        Case("Python null", _READ, {"path": "a", "depth": "None"}),
        Case("beyond a float", _READ, {"path": "a", "ratio": "1e400"}),
        Case("more digits than a float", _READ, {"path": "a", "ratio": "0.12345678901234567890"}),
    ),
)
