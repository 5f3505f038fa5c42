"""Planters of D and K: a key, or the tool, under another name for the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from toolfix_audit.audit.inject.subject import Planted, Subject, objects_of
from toolfix_audit.audit.misfix.names import are_related, is_same_tool
from toolfix_audit.audit.misfix.shapes import WRAPPERS
from toolfix_audit.model.json import Json
from toolfix_audit.model.pointer import Path, with_value

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SYNONYMS: Final = {
    "command": "cmd",
    "cmd": "command",
    "string": "text",
    "str": "string",
    "text": "string",
    "directory": "dir",
    "dir": "directory",
    "message": "msg",
    "msg": "message",
    "number": "num",
    "num": "number",
    "description": "desc",
    "config": "configuration",
    "configuration": "config",
    "document": "doc",
    "doc": "document",
    "argument": "arg",
    "parameter": "param",
}
_HEADS: Final = ("file", "absolute", "relative", "user", "tool", "item")


def plant_key_alias(subject: Subject, value: dict[str, Json], rng: Random) -> Iterator[Planted]:
    """D: a declared key under a related name that is not declared, where no other reading is."""
    for path, holder in objects_of(value):
        declared = subject.ground.declared_names(path)
        for target in [key for key in holder if key in declared]:
            aliases = [
                alias
                for alias in _aliases(target, subject.tool)
                if _is_clear(subject, (path, holder), alias, target)
            ]
            if aliases:
                alias = rng.choice(aliases)
                renamed: Json = {
                    alias if key == target else key: member for key, member in holder.items()
                }
                damaged = with_value(value, path, renamed)
                yield Planted("D", f"{target} as {alias}", path, damaged, subject.tool)


def plant_tool_name(subject: Subject, value: dict[str, Json], rng: Random) -> Iterator[Planted]:
    """K: a prefix, an index, a leaked token, a blank or another case in the tool's name."""
    name = subject.tool
    forms = [
        f"functions.{name}",
        f"functions.{name}:{rng.randrange(12)}",
        f"tools/{name}",
        f"{name}:{rng.randrange(12)}",
        f"{name}<|channel|>commentary",
        f" {name}",
        name.upper(),
        name.capitalize(),
    ]
    for form in forms:
        meant = [other for other in subject.names if is_same_tool(form, other)]
        if form not in subject.names and meant == [name]:
            yield Planted("K", repr(form), (), value, form)


def _is_clear(
    subject: Subject, spot: tuple[Path, dict[str, Json]], alias: str, target: str
) -> bool:
    """Whether the alias means the target alone, and nothing else could be meant by it."""
    path, holder = spot
    ground = subject.ground
    if alias in holder or alias in WRAPPERS or ground.declares(path, alias):
        return False
    if not are_related(alias, target):
        return False
    absent = [name for name in ground.declared_names(path) if name not in holder]
    strangers = [key for key in holder if not ground.declares(path, key)]
    return not any(are_related(alias, name) for name in absent) and not any(
        are_related(key, target) for key in strangers
    )


def _aliases(target: str, tool: str) -> list[str]:
    words = [word.lower() for word in _WORD.findall(target)]
    if not words:
        return []
    found = [
        "_".join(words),
        words[0] + "".join(word.capitalize() for word in words[1:]),
        "".join(word.capitalize() for word in words),
        "_".join(_SYNONYMS.get(word, word) for word in words),
        "_".join([*words[:-1], f"{words[-1]}s"]),
        target.removesuffix("s"),
        "_".join(words[1:]),
        *(f"{head}_{'_'.join(words)}" for head in (*_HEADS, *_WORD.findall(tool.lower())[-2:])),
    ]
    return [alias for alias in dict.fromkeys(found) if alias and alias != target]
