"""K tool-name-drift: the name of the tool with a prefix, an index, a token, or in another case."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from toolfix_audit.engine.proposal import Candidate, Case, Family, Place, Rivalry
from toolfix_audit.model.words import Safety

_INDEX: Final = re.compile(r":\d+$")
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
    forms = tuple(form for form in _forms(called) if form)
    for form in forms:
        if form in available:
            return form
    for form in forms:
        matches = [name for name in available if name.casefold() == form.casefold()]
        if matches:
            return matches[0] if len(matches) == 1 else None
    return None


def _forms(called: str) -> Iterator[str]:
    name = called.strip()
    yield name
    name = name.partition("<|")[0].rstrip()
    yield name
    name = _INDEX.sub("", name)
    yield name
    yield _PREFIX.sub("", name)


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
        Case("two without case", None, "EDIT", available=("edit", "Edit")),
        Case("registered prefix", None, "functions.new", available=("functions.new", "new")),
        Case("suffix", None, "read_tool", available=("read",)),
        Case("other name for it", None, "list_files", available=("List",)),
        Case("empty", None, "", available=("read",)),
    ),
)
