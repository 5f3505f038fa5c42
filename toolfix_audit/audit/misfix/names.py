"""Which key names mean the same thing, and which tool names: a word table of this check's own."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[^\W_A-Z]+|[^\W_]+")

_SPELLINGS: Final = {
    "cmd": "command",
    "str": "string",
    "text": "string",
    "txt": "string",
    "dir": "directory",
    "msg": "message",
    "num": "number",
    "desc": "description",
    "param": "parameter",
    "arg": "argument",
    "config": "configuration",
    "doc": "document",
}

_SELECTOR_WORDS: Final = """
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
_SELECTORS: Final = frozenset(_SELECTOR_WORDS.split())

_SIGNS: Final = re.compile(r"\A\s*-|[^\w\s.$-]")
"""What stands in no plain name: it may turn the meaning round, as in `!recursive`."""

_TOOL_LEAD: Final = re.compile(r"(?:functions|tools|tool)[.:/]")
_TOOL_INDEX: Final = re.compile(r":[0-9]+\Z")


@lru_cache(maxsize=65536)
def are_related(left: str, right: str) -> bool:
    """Whether a value under one name may stand under the other: the same words, or one name is
    the end of the other and the words before it select nothing."""
    ours, theirs = _words(left), _words(right)
    if not ours or not theirs or _SIGNS.search(left) or _SIGNS.search(right):
        return left == right
    if _alike(ours, theirs) or _joined(ours) & _joined(theirs):
        return True
    longer, shorter = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    extra = len(longer) - len(shorter)
    if not extra or not _alike(longer[extra:], shorter):
        return False
    return not any(word in _SELECTORS or word.isdigit() for word in longer[:extra])


def is_same_tool(called: str, resolved: str) -> bool:
    """Whether a called name is a drifted spelling of the other: blanks, special tokens, a call
    index, one leading `functions`, or the case."""
    wanted = resolved.casefold()
    return any(wanted == name.casefold() for name in bare_names(called))


def bare_names(called: str) -> tuple[str, ...]:
    """A called name without what models hang on it, with and without its lead; none if nothing
    is left."""
    bare = called.strip().split("<|", 1)[0].strip()
    bare = _TOOL_INDEX.sub("", bare)
    short = _TOOL_LEAD.sub("", bare, count=1) if _TOOL_LEAD.match(bare) else bare
    return (bare, short) if short else ()


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _alike(ours: list[str], theirs: list[str]) -> bool:
    return len(ours) == len(theirs) and all(
        _meanings(one) & _meanings(other) for one, other in zip(ours, theirs, strict=True)
    )


def _joined(words: list[str]) -> set[str]:
    head = "".join(words[:-1])
    return {head + last for last in _singulars(words[-1])}


def _meanings(word: str) -> set[str]:
    return {_SPELLINGS.get(form, form) for form in _singulars(word)}


def _singulars(word: str) -> set[str]:
    """The word, and every singular that it may be the plural of."""
    forms = {word}
    if len(word) <= 2 or not word.endswith("s") or word.endswith("ss"):
        return forms
    forms.add(word[:-1])
    if len(word) > 4 and word.endswith("ies"):
        forms.add(word[:-3] + "y")
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        forms.add(word[:-2])
    return forms
