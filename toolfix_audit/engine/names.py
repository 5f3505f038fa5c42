"""When two key names mean the same: equal words, or one name is the other's tail.

Source of the classes and selectors: pairs seen in public reports of renamed tool arguments, and
the pairs that must never be mixed up (`old_string`/`new_string`, `parent_id`/`id`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_CLASSES: Final = (
    {"command", "cmd"},
    {"string", "str", "text", "txt"},
    {"directory", "dir"},
    {"message", "msg"},
    {"number", "num"},
    {"description", "desc"},
    {"parameter", "param"},
    {"argument", "arg"},
    {"configuration", "config"},
    {"document", "doc"},
)
_CLASS_OF: Final = {word: min(words) for words in _CLASSES for word in words}

_SELECTORS: Final = """
    old new start end first last source target src dst from to min max parent child prev next
    before after left right in out not no exclude include other root base lower upper
    dest destination previous excluded excluding included including minimum maximum begin finish
    except ignore ignored skip skipped without non un never dont disable disabled enable enabled
    negative anti inverse inverted invert reverse forbidden forbid unwanted delete deleted remove
    removed add added original origin replacement replace replaced current existing backup input
    output total count html base64 raw default expected actual temp tmp local remote inner outer
    top bottom private public move
    bypass hide hidden omit omitted suppress avoid block deny prevent prohibit refuse reject cannot
    unset mute stop cancel lock clear purge kill drop ban dry test soft hard per vs sub related
    average avg nick proxy callback referrer cc bcc sender recipient author reply thread second
    third middle secondary primary initial final low high bid ask limit tax discount gross net mask
    alt placeholder visible encrypted plain system refresh confirm channel
"""
SELECTORS: Final = frozenset(_SELECTORS.split())
"""Words that pick one of several things: a name that differs by one means another thing."""

_NO_PLURAL: Final = frozenset({"news", "series", "species", "lens"})

_WORD: Final = re.compile(
    r"[A-Z]{2,}s(?![a-z])"  # IDs, URLs
    r"|[^\W\d_a-z]+(?![a-z])\d*"  # ID, HTTP before Server, letters without case
    r"|[^\W\d_a-z]?[^\W_A-Z]+"  # Name, name, sha256
    r"|[^\W_]+"
)


_NAME: Final = re.compile(r"[^\W_$][\w .$-]*+|[_$][\w .$-]*+")
"""A name: anything else in it (`!recursive`, `amount>`, `#path`) says more than the words do."""


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, lower-cased: split at case changes and at what is no letter or digit."""
    return tuple(match.group().lower() for match in _WORD.finditer(name))


@lru_cache(maxsize=65536)
def are_related(one: str, other: str) -> bool:
    """Whether two different key names may stand for the same thing. Symmetric."""
    left, right = words_of(one), words_of(other)
    if not left or not right or (one != other and not (_is_name(one) and _is_name(other))):
        return False
    if _same_words(left, right) or _joined(left) & _joined(right):
        return True
    short, long = sorted((left, right), key=len)
    extra = long[: len(long) - len(short)]
    if not extra or not _same_words(long[len(extra) :], short):
        return False
    return not any(word in SELECTORS or word.isdigit() for word in extra)


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text.strip()) is not None


def related_pairs(sources: Iterable[str], targets: Iterable[str]) -> list[tuple[str, str]]:
    """Every (source, target) of related names, in the order of sources, then targets; in time
    that grows with the number of names rather than with that of pairs."""
    index: dict[str, list[tuple[int, str]]] = {}
    for order, target in enumerate(targets):
        for mark in _marks(target):
            index.setdefault(mark, []).append((order, target))
    pairs: list[tuple[str, str]] = []
    for source in sources:
        near = sorted({found for mark in _marks(source) for found in index.get(mark, ())})
        pairs.extend((source, target) for _, target in near if are_related(source, target))
    return pairs


@lru_cache(maxsize=65536)
def _marks(name: str) -> frozenset[str]:
    """What two related names have in common at least one of: the last word, or all joined."""
    words = words_of(name)
    return frozenset() if not words else _forms(words[-1]) | _joined(words)


def _same_words(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    return len(left) == len(right) and all(
        _forms(one) & _forms(other) for one, other in zip(left, right, strict=True)
    )


def _joined(words: tuple[str, ...]) -> frozenset[str]:
    head = "".join(words[:-1])
    return frozenset(head + form for form in _singulars(words[-1]))


def _forms(word: str) -> frozenset[str]:
    return frozenset(_CLASS_OF.get(form, form) for form in _singulars(word))


def _singulars(word: str) -> frozenset[str]:
    forms = {word}
    if len(word) > 2 and word.endswith("s") and not word.endswith("ss") and word not in _NO_PLURAL:
        forms.add(word[:-1])
        if word.endswith("ies") and len(word) > 4:
            forms.add(word[:-3] + "y")
        if word.endswith(("ses", "xes", "zes", "ches", "shes")):
            forms.add(word[:-2])
    return frozenset(forms)
