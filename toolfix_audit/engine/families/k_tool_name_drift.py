"""K tool-name-drift: the name of the tool with a prefix, an index, a token, or in another case."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from toolfix_audit.engine.proposal import Candidate, Case, Family, Place, Rivalry
from toolfix_audit.model.words import Safety

_INDEX: Final = re.compile(r":[0-9]+$")
_PREFIX: Final = re.compile(r"^(?:functions|tools?)[.:/]")


def propose(_place: Place) -> Iterator[Candidate | Rivalry]:
    """Nothing: names are repaired before arguments are looked at, see `repair_name`."""
    yield from ()


def repair_name(called: str, available: Collection[str]) -> str | None:
    """The one available tool that was meant: an exact name always wins, then the name without
    blanks, special tokens, call index and provider prefix, then a unique match without case.
    None where there is none, or more than one."""
    if called in available:
        return called
    forms = frozenset(form for form in _forms(called) if form)
    exact = [name for name in available if name in forms]
    if exact:
        return exact[0] if len(exact) == 1 else None
    near = [name for name in available if any(_same_but_case(name, form) for form in forms)]
    return near[0] if len(near) == 1 else None


def _same_but_case(name: str, form: str) -> bool:
    """Equal without case; a letter outside ASCII never stands for one inside."""
    return name.isascii() == form.isascii() and name.lower() == form.lower()


def _forms(called: str) -> Iterator[str]:
    name = called.strip()
    yield name
    name = name.partition("<|")[0].rstrip()
    for form in (name, _INDEX.sub("", name)):
        yield form
        yield _PREFIX.sub("", form)


FAMILY = Family(
    code="K",
    name="tool-name-drift",
    summary="A prefix, an index, a special token, blanks, or another case in the tool's name.",
    rationale=(
        "Providers add `functions.` and `:0`, templates leak their tokens, models change the "
        "case. What is taken off carries no information, and the rest must be one available "
        "name exactly, or one alone without case. A real tool of that very name always wins."
    ),
    safety=Safety.SAFE,
    propose=propose,
    cases=(
        Case("prefix and index", None, "functions.read:0", "read", available=("read", "write")),
        Case("special token", None, "exec<|channel|>commentary", "exec", available=("exec",)),
        Case("case", None, "bash", "Bash", available=("Bash", "Read")),
        Case("exact name wins", None, "bash", available=("bash", "terminal")),
        Case("two readings", None, "tools/read:1", available=("read", "read:1")),
        Case("look-alike letter", None, "\u212aill", available=("kill",)),
        Case("two without case", None, "EDIT", available=("edit", "Edit")),
        Case("registered prefix", None, "functions.new", available=("functions.new", "new")),
        Case("suffix", None, "read_tool", available=("read",)),
        Case("other name for it", None, "list_files", available=("List",)),
        Case("empty", None, "", available=("read",)),
    ),
)
