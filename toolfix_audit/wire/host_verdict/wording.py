"""How a host words its refusals: patterns in order, each with the verdict that it means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from toolfix_audit.model.words import HostVerdict

HEAD: Final = 600
"""A host says what is wrong at the start of its text; what follows may be quoted data."""

_NONE: Final[Mapping[str, HostVerdict]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Rule:
    """A verdict and the start of a text that means it.

    A group `tool` in the pattern must be the name of the tool that was called, if it is known:
    what a tool printed of another one is no verdict on this call. `only` is the one tool whose
    results the rule is for.
    """

    verdict: HostVerdict
    pattern: re.Pattern[str]
    only: str | None = None

    def holds(self, head: str, tool: str | None) -> bool:
        """Whether a text that starts so is this verdict on a call of `tool`."""
        if self.only is not None and tool != self.only:
            return False
        found = self.pattern.match(head)
        if found is None:
            return False
        named = found.groupdict().get("tool")
        return named is None or tool is None or named == tool


@dataclass(frozen=True, slots=True)
class Wording:
    """What one host, or a kind of host, writes.

    `harnesses` are the names under which its sessions are known, `codes` its error codes,
    `flagged` the rules for results that are marked as errors, `plain` those for results that are
    not: there the host's own words alone stand, from the first character on.
    """

    harnesses: tuple[str, ...]
    flagged: tuple[Rule, ...]
    plain: tuple[Rule, ...] = ()
    codes: Mapping[str, HostVerdict] = field(default_factory=lambda: _NONE)


def rejected_arguments(*patterns: str, only: str | None = None) -> tuple[Rule, ...]:
    """Rules for what is wrong with the arguments, each from the start of the text."""
    return _rules(HostVerdict.REJECTED_ARGUMENTS, patterns, only)


def rejected_name(*patterns: str, only: str | None = None) -> tuple[Rule, ...]:
    """Rules for a tool that the host does not know."""
    return _rules(HostVerdict.REJECTED_NAME, patterns, only)


def denied(*patterns: str) -> tuple[Rule, ...]:
    """Rules for a call that a person, a policy or a hook did not allow."""
    return _rules(HostVerdict.DENIED, patterns, None)


def failed(*patterns: str) -> tuple[Rule, ...]:
    """Rules for a call that ran and failed, before others read what it printed."""
    return _rules(HostVerdict.FAILED, patterns, None)


def _rules(verdict: HostVerdict, patterns: tuple[str, ...], only: str | None) -> tuple[Rule, ...]:
    flags = re.IGNORECASE
    return tuple(Rule(verdict, re.compile(pattern, flags), only) for pattern in patterns)
