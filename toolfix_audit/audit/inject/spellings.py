"""Planters of E, F, N and O: a value in another spelling than its schema wants."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from random import Random
from typing import Final

from toolfix_audit.audit.inject.ground import TEXT
from toolfix_audit.audit.inject.subject import Planted, Subject, places_of
from toolfix_audit.audit.inject.texts import python_text, with_trailing_comma
from toolfix_audit.audit.misfix.readings import has_one_reading, read_scalar
from toolfix_audit.audit.misfix.shapes import sole_layer, wrapped_object
from toolfix_audit.model.json import (
    Json,
    JsonError,
    decimal_of,
    dump_json,
    kind_of,
    parse_json,
)
from toolfix_audit.model.pointer import Path, with_value

_SCALARS: Final = ("null", "boolean", "integer", "number", "string", "object")


def plant_container_text(
    subject: Subject, value: dict[str, Json], rng: Random
) -> Iterator[Planted]:
    """E: an array or object as text, in one of several encodings, where no string can stand."""
    for path, member in places_of(value):
        if not isinstance(member, dict | list) or not subject.ground.excludes(path, "string"):
            continue
        plain = dump_json(member)
        texts = [
            ("JSON text", plain),
            ("twice encoded", dump_json(plain)),
            ("Python literal", python_text(member)),
            ("trailing comma", with_trailing_comma(member)),
            ("blanks", f" {plain}\n"),
        ]
        weighted = [texts[0], *texts]
        label, text = rng.choice([pair for pair in weighted if pair[1] is not None])
        yield _placed(subject, value, path, ("E", label, text))


def plant_scalar_text(subject: Subject, value: dict[str, Json], rng: Random) -> Iterator[Planted]:
    """F: a boolean, number or null as text, where no string can stand."""
    for path, member in places_of(value):
        if isinstance(member, str | dict | list) or not subject.ground.excludes(path, "string"):
            continue
        texts = list(_scalar_texts(subject, path, member))
        if texts:
            text = rng.choice(texts)
            yield _placed(subject, value, path, ("F", f"{kind_of(member)} as text", text))


def plant_single_item(subject: Subject, value: dict[str, Json], _rng: Random) -> Iterator[Planted]:
    """N: the one item of a list without its list, where nothing but a list can stand."""
    for path, member in places_of(value):
        if not isinstance(member, list) or len(member) != 1:
            continue
        item = member[0]
        is_sure = all(subject.ground.excludes(path, kind) for kind in _SCALARS)
        is_inner = isinstance(path[-1], int) if path else True  # the outer array may lack a layer
        if is_sure and not is_inner and _is_one_item(subject, path, item):
            yield _placed(subject, value, path, ("N", f"{kind_of(item)} for its list", item))


def plant_enum_spelling(subject: Subject, value: dict[str, Json], rng: Random) -> Iterator[Planted]:
    """O: a member of a closed list in another case, quoted, or as the number of its digits."""
    for path, member in places_of(value):
        if not isinstance(member, str) or not subject.ground.excludes(path, TEXT):
            continue
        listed = [one for one in subject.ground.members(path) if isinstance(one, str)]
        if member not in listed:
            continue
        spelled = [
            form
            for form in _enum_forms(member)
            if form not in listed and {one for one in listed if _spells(form, one)} == {member}
        ]
        if spelled:
            form = rng.choice(spelled)
            yield _placed(subject, value, path, ("O", f"{member} as {dump_json(form)}", form))


def _scalar_texts(subject: Subject, path: Path, member: Json) -> Iterator[str]:
    if member is None:
        yield "null"
    elif isinstance(member, bool):
        yield from ("True", "true", "TRUE") if member else ("False", "false", "FALSE")
    elif isinstance(member, int):
        text = dump_json(member)
        if text == "-0":
            return
        yield text
        if subject.ground.excludes(path, "number"):
            yield f"{text}.0"
    elif isinstance(member, float) and not subject.ground.excludes(path, "number"):
        text = dump_json(member)
        if decimal_of(member) == decimal_of(float(member)) and Decimal(text) != 0:
            yield text


def _is_one_item(subject: Subject, path: Path, item: Json) -> bool:
    """Whether the item can be meant as nothing but one item."""
    if item is None or item in ("", {}) or isinstance(item, list):
        return False
    if isinstance(item, str):
        return has_one_reading(item) and not read_scalar(item)[0]
    if isinstance(item, dict):
        nodes = subject.ground.nodes(path)
        wraps = any(wrapped_object(item, key, nodes) is not None for key in item)
        return not wraps and sole_layer(item, nodes) is None
    return True


def _enum_forms(member: str) -> list[Json]:
    forms: list[Json] = [member.upper(), member.lower(), member.capitalize(), dump_json(member)]
    try:
        number = parse_json(member)
    except JsonError:
        return forms
    if isinstance(number, int | float) and not isinstance(number, bool):
        forms.append(number)
    return forms


def _spells(form: Json, member: str) -> bool:
    if not isinstance(form, str):
        return dump_json(form) == member
    return form.casefold() == member.casefold() or form == dump_json(member)


def _placed(subject: Subject, value: Json, path: Path, damage: tuple[str, str, Json]) -> Planted:
    family, variant, new = damage
    return Planted(family, variant, path, with_value(value, path, new), subject.tool)
