"""Broken engines of E, F, L, N and O: guesses about values and about text."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from random import Random
from typing import Final

from toolfix_audit.audit.inject.ground import TEXT, Ground
from toolfix_audit.audit.inject.subject import Subject, places_of
from toolfix_audit.audit.power.broken import Broken, Guess
from toolfix_audit.audit.power.closing import closed
from toolfix_audit.model.json import Json, JsonError, dump_json, parse_json, parse_prefix
from toolfix_audit.model.pointer import Path, with_value
from toolfix_audit.model.words import MisfixKind

_TRUE: Final = frozenset({"yes", "y", "on", "1", "ok"})
_FALSE: Final = frozenset({"no", "n", "off", "0", ""})
_SCALARS: Final = ("boolean", "integer", "number", "string")


def _decode_string(value: Json, _ground: Ground) -> Iterator[Guess]:
    for path, text in _strings(value):
        if text.lstrip().startswith(("{", "[")):
            try:
                read = parse_json(text)
            except JsonError:
                continue
            yield Guess(path, "parse:object", read)


def _lure_json_text(subject: Subject, rng: Random) -> Iterator[Json]:
    for path, _ in _strings(subject.value):
        if subject.ground.excludes(path, TEXT):
            continue
        text = rng.choice(('{"a": 1}', '["x", "y"]', '{"name": "app", "private": true}'))
        yield with_value(subject.value, path, text)


def _close_cut_member(value: Json, ground: Ground) -> Iterator[Guess]:
    for path, text in _strings(value):
        if ground.excludes(path, "string") and text.startswith(("{", "[")):
            made = closed(text)
            if made is not None:
                yield Guess(path, "parse:array", made)


def _lure_cut_member(subject: Subject, _rng: Random) -> Iterator[Json]:
    for path, member in places_of(subject.value):
        if isinstance(member, dict | list) and subject.ground.excludes(path, "string"):
            yield with_value(subject.value, path, dump_json(member)[:-1])


def _truthiness(value: Json, ground: Ground) -> Iterator[Guess]:
    for path, member in _places(value):
        if ground.excludes(path, "boolean") or isinstance(member, bool | dict | list):
            continue
        word = (member if isinstance(member, str) else dump_json(member)).strip().lower()
        if word in _TRUE | _FALSE:
            yield Guess(path, "cast:boolean", word in _TRUE)


def _lure_truthy(subject: Subject, rng: Random) -> Iterator[Json]:
    for path, member in places_of(subject.value):
        if isinstance(member, bool):
            new: Json = rng.choice(("yes", "on", 1) if member else ("no", "off", 0))
            yield with_value(subject.value, path, new)


def _loose_integer(value: Json, ground: Ground) -> Iterator[Guess]:
    for path, text in _strings(value):
        if ground.excludes(path, "integer") or not ground.excludes(path, "string"):
            continue
        try:
            yield Guess(path, "cast:integer", int(text))
        except ValueError:
            continue


def _lure_padded(subject: Subject, rng: Random) -> Iterator[Json]:
    for path, member in places_of(subject.value):
        if isinstance(member, int) and not isinstance(member, bool) and member >= 0:
            text = rng.choice((f"00{member}", f" {member} ", f"{member}_000", f"+{member}"))
            yield with_value(subject.value, path, text)


def _round(value: Json, ground: Ground) -> Iterator[Guess]:
    for path, member in _places(value):
        if ground.excludes(path, "integer") or isinstance(member, bool):
            continue
        try:
            number = float(member) if isinstance(member, str | float) else None
        except ValueError:
            continue
        if number is not None and abs(number) < 1e15 and not number.is_integer():
            yield Guess(path, "cast:integer", round(number))


def _lure_fraction(subject: Subject, rng: Random) -> Iterator[Json]:
    for path, member in places_of(subject.value):
        if isinstance(member, int) and not isinstance(member, bool) and abs(member) < 10**9:
            new: Json = rng.choice((member + 0.4, f"{member}.4"))
            yield with_value(subject.value, path, new)


def _close_text(value: Json, _ground: Ground) -> Iterator[Guess]:
    made = closed(value) if isinstance(value, str) else None
    if isinstance(made, dict):
        yield Guess((), "text:closed", made)


def _lure_cut_text(subject: Subject, rng: Random) -> Iterator[Json]:
    text = dump_json(subject.value)
    if len(text) > 4:
        yield text[: rng.randrange(len(text) // 2, len(text) - 1)]


def _take_first(value: Json, _ground: Ground) -> Iterator[Guess]:
    if isinstance(value, str):
        try:
            first, _ = parse_prefix(value)
        except JsonError:
            return
        if isinstance(first, dict):
            yield Guess((), "text:first", first)


def _lure_two_texts(subject: Subject, _rng: Random) -> Iterator[Json]:
    text = dump_json(subject.value)
    yield f'{text}{{"other": true}}'
    yield f'{text}, "more": 1}}'


def _empty_object(value: Json, _ground: Ground) -> Iterator[Guess]:
    if isinstance(value, str):
        yield Guess((), "text:empty", {})


def _lure_words(subject: Subject, _rng: Random) -> Iterator[Json]:
    yield f"call {subject.tool} now"


def _split(value: Json, ground: Ground) -> Iterator[Guess]:
    for path, text in _strings(value):
        if ground.excludes(path, "array") or not ground.excludes(path, "string"):
            continue
        parts = [part.strip() for part in text.split(",")]
        if len(parts) > 1:
            yield Guess(path, "split:array", list(parts))
            yield Guess(path, "split:array", [_scalar(part) for part in parts])


def _lure_commas(subject: Subject, _rng: Random) -> Iterator[Json]:
    for path, member in places_of(subject.value):
        if isinstance(member, list) and subject.ground.excludes(path, "string"):
            for text in ("a, b", "1, 2", "true, false"):
                yield with_value(subject.value, path, text)


def _first_item(value: Json, ground: Ground) -> Iterator[Guess]:
    for path, member in _places(value):
        if isinstance(member, list) and len(member) > 1 and ground.excludes(path, "array"):
            yield Guess(path, "first:array", member[0])


def _lure_list(subject: Subject, _rng: Random) -> Iterator[Json]:
    for path, member in places_of(subject.value):
        if not isinstance(member, dict | list) and subject.ground.excludes(path, "array"):
            other: Json = f"{member}~" if isinstance(member, str) else dump_json(member)
            yield with_value(subject.value, path, [member, other])


def _nearest_member(value: Json, ground: Ground) -> Iterator[Guess]:
    for path, text in _strings(value):
        listed = [one for one in ground.members(path) if isinstance(one, str)]
        if listed and text not in listed and ground.excludes(path, TEXT):
            near = difflib.get_close_matches(text, listed, n=1, cutoff=0.0)
            if near:
                yield Guess(path, f"enum:{text}→{near[0]}", near[0])


def _lure_synonym(subject: Subject, rng: Random) -> Iterator[Json]:
    for path, text in _strings(subject.value):
        if text and subject.ground.excludes(path, TEXT):
            yield with_value(subject.value, path, rng.choice((f"{text}_mode", f"{text}s", "zz")))


def _tidy(value: Json, _ground: Ground) -> Iterator[Guess]:
    for path, text in _strings(value):
        if text.strip().lower() != text:
            yield Guess(path, f"enum:{text}→{text.strip().lower()}", text.strip().lower())


def _lure_untidy(subject: Subject, _rng: Random) -> Iterator[Json]:
    for path, text in _strings(subject.value):
        if not subject.ground.excludes(path, TEXT):
            yield with_value(subject.value, path, f" {text.title()} ")


def _places(value: Json) -> list[tuple[Path, Json]]:
    return places_of(value) if isinstance(value, dict) else []


def _strings(value: Json) -> Iterator[tuple[Path, str]]:
    return ((path, member) for path, member in _places(value) if isinstance(member, str))


def _scalar(text: str) -> Json:
    try:
        return parse_json(text)
    except JsonError:
        return text


BROKEN: Final[tuple[Broken, ...]] = (
    Broken(
        "decode a declared string",
        "E",
        MisfixKind.ALTERNATE_SCHEMA,
        _decode_string,
        _lure_json_text,
        obeys=False,
    ),
    Broken(
        "close a cut container",
        "E",
        MisfixKind.VALUE_INVENTED,
        _close_cut_member,
        _lure_cut_member,
        obeys=True,
    ),
    Broken(
        "truthiness cast", "F", MisfixKind.VALUE_INVENTED, _truthiness, _lure_truthy, obeys=True
    ),
    Broken(
        "integers with zeros, blanks and underscores",
        "F",
        MisfixKind.VALUE_INVENTED,
        _loose_integer,
        _lure_padded,
        obeys=True,
    ),
    Broken("rounding", "F", MisfixKind.VALUE_LOST, _round, _lure_fraction, obeys=True),
    Broken(
        "close truncated text",
        "L",
        MisfixKind.VALUE_INVENTED,
        _close_text,
        _lure_cut_text,
        obeys=True,
    ),
    Broken(
        "take the first of two",
        "L",
        MisfixKind.VALUE_LOST,
        _take_first,
        _lure_two_texts,
        obeys=True,
    ),
    Broken(
        "nothing for text that does not parse",
        "L",
        MisfixKind.VALUE_INVENTED,
        _empty_object,
        _lure_words,
        obeys=False,
    ),
    Broken("split at commas", "N", MisfixKind.MISPLACED, _split, _lure_commas, obeys=True),
    Broken("take the first item", "N", MisfixKind.VALUE_LOST, _first_item, _lure_list, obeys=True),
    Broken(
        "nearest member",
        "O",
        MisfixKind.VALUE_INVENTED,
        _nearest_member,
        _lure_synonym,
        obeys=True,
    ),
    Broken("lower-case and trim", "O", MisfixKind.TOUCHED_VALID, _tidy, _lure_untidy, obeys=False),
)
"""Broken engines that guess about values and text."""
