"""L argument-text: the text of all arguments is not JSON, and yet has one reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from toolfix_audit.engine.proposal import (
    Candidate,
    Case,
    Edit,
    Family,
    Place,
    RecordedText,
    Rivalry,
)
from toolfix_audit.engine.relaxed import (
    ESCAPED,
    PYTHON,
    RELAXED,
    Dialect,
    read_container,
    read_relaxed,
    read_relaxed_prefix,
)
from toolfix_audit.model.json import Json, JsonError, has_repeated_keys, parse_json, same_json
from toolfix_audit.model.words import Safety

_FENCE: Final = re.compile(r"\s*+```[ \t]*+[\w+-]*+[ \t]*+\r?\n")
_QUOTED: Final = re.compile(r"(?<!\w)'[^'\n]+'(?!\w)|`[^`\n]+`")
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_TELLING: Final = '{["=\u201c\u201d\u300c'
_GLUED: Final = re.compile(r"[\w/.~$-]")
_NAMED: Final = re.compile(r"<(?=\w)|\w\s*+:(?!//)")
"""An opening tag, or a word with a colon: what follows may be an argument."""
_CLOSING: Final = re.compile(r"</[^<>]*>|<[|\uff5c][^<>]*[|\uff5c]>")
_WORD: Final = re.compile(r"\w")
_TRAILING_COMMA: Final = re.compile(r",\s*[\]}]")


def propose(place: Place) -> Iterator[Candidate | Rivalry]:
    """Read the text in the first way that gives an object; a text that parses is only decoded."""
    if not place.is_root or not isinstance(place.value, str):
        return
    readings = _READINGS if isinstance(place.value, RecordedText) else _DECODINGS
    for action, read in readings:
        try:
            value = read(place.value)
        except JsonError:
            continue
        if isinstance(value, dict) and not has_repeated_keys(value):
            name = _relaxed_name(place.value) if action == "relaxed" else action
            yield Candidate((Edit("L", f"text:{name}", lambda _text, value=value: value),))  # type: ignore[misc]
            return


def _relaxed_name(text: str) -> str:
    """What a text that is almost JSON needed: a comma outside its strings is looked for first."""
    is_comma = _TRAILING_COMMA.search(_STRING.sub('""', text))
    return "trailing-comma" if is_comma else "control-chars"


def _fenced(text: str) -> Json:
    opening = _FENCE.match(text)
    closing = text.rstrip()
    if opening is None or not closing.endswith("```") or len(closing) - 3 < opening.end():
        raise JsonError("no fence", 0)
    inner = closing[opening.end() : -3]
    for read in (parse_json, _in(RELAXED), _in(PYTHON)):
        try:
            return read(inner)
        except JsonError:
            continue
    raise JsonError("no value in the fence", 0)


def _before_junk(text: str) -> Json:
    """A complete object, and behind it nothing that could belong to one."""
    value, end = read_relaxed_prefix(text, RELAXED)
    if not isinstance(value, dict) or not is_junk(text[end:], behind_nothing=not value):
        raise JsonError("no object before junk", end)
    return value


def is_junk(rest: str, *, behind_nothing: bool) -> bool:
    """Whether what follows a complete object says nothing about arguments; behind an empty one
    any word may be the arguments."""
    if _GLUED.match(rest):
        return False
    rest = rest.strip().replace('""', "").replace("''", "")
    if any(mark in rest for mark in _TELLING) or rest.startswith((",", ":")):
        return False
    if behind_nothing and _WORD.search(_CLOSING.sub("", rest)):
        return False
    return not (_QUOTED.search(rest) or _NAMED.search(rest))


def _repeated(text: str) -> Json:
    """The one object that is written two or more times in a row."""
    whole = text.rstrip()
    first, end = read_relaxed_prefix(whole, RELAXED)
    if not isinstance(first, dict) or end == len(whole):
        raise JsonError("no repeated object", end)
    spelled = whole[:end]
    while end < len(whole):
        if whole.startswith(spelled, end):
            end += len(spelled)
            continue
        again, end = read_relaxed_prefix(whole, RELAXED, end)
        if not same_json(first, again):
            raise JsonError("another object", end)
    return first


def _in(dialect: Dialect) -> Callable[[str], Json]:
    return lambda text: read_relaxed(text, dialect)


_READINGS: Final[tuple[tuple[str, Callable[[str], Json]], ...]] = (
    ("relaxed", _in(RELAXED)),
    ("escaped-space", _in(ESCAPED)),
    ("python-literal", _in(PYTHON)),
    ("fence", _fenced),
    ("junk", _before_junk),
    ("repeated", _repeated),
)
_DECODINGS: Final = (("double-encoded", read_container),)

_RUN: Json = {
    "type": "object",
    "properties": {"command": {"type": "string"}, "background": {"type": "boolean"}},
    "required": ["command"],
}

FAMILY = Family(
    code="L",
    name="argument-text",
    summary="Fence, trailing comma, Python literal, control characters, junk, double encoding.",
    rationale=(
        "Strict JSON is tried first, and a text that parses is never touched by a syntax "
        "repair. Each accepted form is complete and has one reading. A text that is cut is "
        "never closed, and of two different objects none is taken."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("fence", _RUN, '```json\n{"command": "ls"}\n```', {"command": "ls"}, text=True),
        Case("trailing comma", _RUN, '{"command": "ls",}', {"command": "ls"}, text=True),
        Case(
            "Python literal",
            _RUN,
            "{'command': 'ls', 'background': True}",
            {"command": "ls", "background": True},
            text=True,
        ),
        Case("control characters", _RUN, '{"command": "a\n\tb"}', {"command": "a\n\tb"}, text=True),
        Case("stray closer", _RUN, '{"command": "ls"}}', {"command": "ls"}, text=True),
        Case(
            "same object twice",
            _RUN,
            '{"command": "ls"}{"command": "ls"}',
            {"command": "ls"},
            text=True,
        ),
        Case("twice encoded", _RUN, '"{\\"command\\": \\"ls\\"}"', {"command": "ls"}, text=True),
        Case("cut in a string", _RUN, '{"command": "rm -rf /tmp/', text=True),
        Case("cut behind a value", _RUN, '{"command": "ls"', text=True),
        Case("two objects", _RUN, '{"command": "ls"}{"command": "pwd"}', text=True),
        Case("more members behind", _RUN, '{"command": "ls"}, "background": true}', text=True),
        Case("path behind nothing", {"properties": {"path": {}}}, "{}/home/user", text=True),
        Case("words behind nothing", {"properties": {"path": {}}}, "{} limit 5", text=True),
        Case(
            "argument as a tag behind",
            _RUN,
            '{"command": "ls"}<parameter=background>true</parameter>',
            text=True,
        ),
        Case("assignment behind", _RUN, '{"command": "ls"} background=true', text=True),
        Case("key and value behind", _RUN, '{"command": "ls"}\nbackground: true', text=True),
        Case("word glued behind", _RUN, '{"command": "ls"}b.md', text=True),
        Case(
            "closing tag behind",
            _RUN,
            '{"command": "ls"}</parameter>',
            {"command": "ls"},
            text=True,
        ),
        Case("quoted text behind", _RUN, '{"command": "ls"} "pwd"', text=True),
        Case("text before", _RUN, 'Sure: {"command": "ls"}', text=True),
        Case("bare text", _RUN, "ls -l", text=True),
        Case("unquoted keys", _RUN, "{command: 'ls'}", text=True),
        Case("set", _RUN, "{'ls'}", text=True),
        Case("list", _RUN, "['ls',]", text=True),
        Case("key twice", _RUN, '{"command": "ls", "command": "pwd",}', text=True),
        Case("number with underscore", {"properties": {"n": {}}}, "{'n': 1_000}", text=True),
        Case("markdown in a string", _RUN, {"command": "```sh\nls\n```"}),
        Case("two fences", _RUN, '```\n{"command": "ls"}\n```\n```\n{}\n```', text=True),
    ),
)
