"""What the gate compares, and with which limits: one rule a policy, integers only.

A limit is written as a whole number (an error beyond it), as `error` or `warn` (the rule's own
limit, at that level), or as both: `warn:5` in a text, `{level = "warn", max = 5}` in TOML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from toolfix_audit.audit.counted import counted_calls
from toolfix_audit.audit.spec import NO_FAMILY
from toolfix_audit.model.errors import ConfigError
from toolfix_audit.model.report import Counts, Report
from toolfix_audit.model.words import Outcome

MAX_LIMIT: Final = 10**15


class Level(StrEnum):
    """What it means if a policy does not hold."""

    ERROR = "error"
    WARN = "warn"


@dataclass(frozen=True, slots=True)
class Limit:
    """A level and a whole number."""

    level: Level
    limit: int


Figures = Callable[[Report, "Policy"], tuple[int, int]]
"""The number found and the number that it is compared with, from the report and the limits."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A policy: `relation` is `<=` or `>=`. Only `settable` ones can be given other limits; those
    that `proves` that something was checked at all end in another exit code. `default` None: the
    rule holds only where it was given a limit."""

    name: str
    meaning: str
    figures: Figures
    relation: str = "<="
    default: Limit | None = Limit(Level.ERROR, 0)
    settable: bool = False
    proves: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """The limits that were given, by the name of the rule."""

    limits: Mapping[str, Limit] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, rule: Rule) -> Limit | None:
        """The limit of a rule; None if it does not apply."""
        return self.limits.get(rule.name, rule.default)

    def number(self, name: str, default: int) -> int:
        """The number that was given for a rule."""
        limit = self.limits.get(name)
        return default if limit is None else limit.limit

    def under(self, other: Policy) -> Policy:
        """These limits, with those of `other` in place of the same names."""
        return Policy({**self.limits, **other.limits})


DEFAULT: Final = Policy()
UNANSWERED: Final = frozenset({"engine-unanswered", "judge-unanswered"})
"""The findings about calls that a foreign engine or judge gave no answer for."""


def _counted(report: Report, policy: Policy) -> int:
    return counted_calls(
        report.corpus.calls,
        report.outcomes.get(Outcome.UNJUDGED, 0),
        report.schemas,
        count_inferred=bool(policy.number("count_inferred", 0)),
    )


def _unreadable(report: Report, policy: Policy) -> tuple[int, int]:
    corpus = report.corpus
    percent = policy.number("unreadable", 1)
    return 100 * corpus.unreadable, percent * (corpus.records + corpus.unreadable)


def _unprobed(report: Report, policy: Policy) -> tuple[int, int]:
    changed = [row for row in report.families if row.calls]
    return sum(not row.probes for row in changed), policy.number("unprobed", 0)


def _powerless(report: Report, policy: Policy) -> tuple[int, int]:
    """A family that changed something needs checks that convict; for changes that no family
    makes, whatever they convict counts."""
    convicted = {code: _convicted(kinds) for code, kinds in report.power.items()}
    convicted[NO_FAMILY] = sum(convicted.values())
    changed = [row for row in report.families if row.calls]
    return sum(not convicted.get(row.code) for row in changed), policy.number("power", 0)


def _convicted(kinds: Mapping[str, Counts]) -> int:
    return sum(counts["convicted"] for counts in kinds.values())


def _unanswered(report: Report, _policy: Policy) -> tuple[int, int]:
    return sum(one.count for one in report.findings if one.code in UNANSWERED), 0


def _finds(name: str, family: str) -> Figures:
    return lambda report, policy: (
        sum(one.count for one in report.findings if one.code == family),
        policy.number(name, 0),
    )


def _outcome(name: str, word: str) -> Figures:
    return lambda report, policy: (report.outcomes.get(word, 0), policy.number(name, 0))


RULES: Final = (
    Rule(
        "calls",
        "no tool call was found",
        lambda report, _: (report.corpus.calls, 1),
        relation=">=",
        proves=True,
    ),
    Rule(
        "judged",
        "no call could be judged: give the tool schemas with --schemas",
        lambda report, policy: (_counted(report, policy), 1),
        relation=">=",
        proves=True,
    ),
    Rule(
        "unreadable",
        "too much could not be read (hundredfold, against per cent times all units)",
        _unreadable,
        settable=True,
        proves=True,
    ),
    Rule(
        "misfix",
        "the engine changed what it should not have",
        lambda report, _: (report.misfixes.count, 0),
    ),
    Rule("unprobed", "families changed something, and no probe looked at it", _unprobed),
    Rule(
        "power",
        "families changed something, and the checks convict no broken engine of them",
        _powerless,
        settable=True,
    ),
    Rule(
        "unanswered",
        "calls for which the engine or the judge gave no answer, so nothing is proven",
        _unanswered,
    ),
    Rule(
        "still_failing",
        "calls still fail after their repair",
        _outcome("still_failing", Outcome.STILL_FAILING),
        default=Limit(Level.WARN, 0),
        settable=True,
    ),
    Rule(
        "unjudged",
        "calls could not be judged",
        _outcome("unjudged", Outcome.UNJUDGED),
        default=Limit(Level.WARN, 0),
        settable=True,
    ),
    Rule(
        "min_request_schema",
        "too few calls were judged by the request's own schema",
        lambda report, policy: (
            report.schemas.get("request", 0),
            policy.number("min_request_schema", 0),
        ),
        relation=">=",
        default=None,
        settable=True,
    ),
    *(
        Rule(name, meaning, _finds(name, family), default=Limit(Level.WARN, 0), settable=True)
        for name, family, meaning in (
            ("leaked_calls", "G", "calls were written as text, and nothing ran"),
            ("stringified_images", "H", "results hold an image as text"),
            ("swallowed_errors", "I", "streams failed, and their cause was not shown or is lost"),
            ("result_shapes", "J", "results have an odd form, or answer no call as they should"),
        )
    ),
)
"""Every policy on one report, in the order in which they are shown."""

REGRESSIONS: Final = Rule(
    "regressions",
    "what was fixed is not any more",
    lambda _report, policy: (0, policy.number("regressions", 0)),
    settable=True,
)
"""The policy on two reports; its number comes from their comparison."""

COUNT_INFERRED: Final = "count_inferred"
"""No limit but a choice, 0 or 1: whether verdicts under an inferred schema count as judged."""

SETTABLE: Final = (
    *(rule.name for rule in (*RULES, REGRESSIONS) if rule.settable),
    COUNT_INFERRED,
)


def read_limit(name: str, value: object, where: str) -> Limit:
    """A limit as it is written in a text or in TOML.

    Raises:
        ConfigError: the name is unknown (the nearest one is told) or can't be set, or the value
            is none of the forms.
    """
    _require_settable(name, where)
    limit = _from_table(value) if isinstance(value, Mapping) else _from_scalar(name, value)
    if limit is None or not 0 <= limit.limit <= MAX_LIMIT:
        raise ConfigError(
            f"{where}: {name}: {value!r} is no limit",
            hint='a whole number, "error", "warn", "warn:5", or {level = "warn", max = 5}',
        )
    if name == COUNT_INFERRED and limit.limit > 1:
        raise ConfigError(f"{where}: {name} is 0 or 1")
    return limit


def _require_settable(name: str, where: str) -> None:
    if name in SETTABLE:
        return
    fixed = [rule.name for rule in RULES if not rule.settable]
    if name in fixed:
        raise ConfigError(f"{where}: the policy {name} can't be changed", hint="leave it out")
    near = get_close_matches(name, SETTABLE, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known policies: {', '.join(SETTABLE)}"
    raise ConfigError(f"{where}: unknown policy {name!r}", hint=hint)


def _from_table(value: Mapping[object, object]) -> Limit | None:
    level, number = value.get("level", "error"), value.get("max", value.get("min", 0))
    is_known = set(value) <= {"level", "max", "min"} and not {"max", "min"} <= set(value)
    if level not in tuple(Level) or type(number) is not int or not is_known:
        return None
    return Limit(Level(str(level)), number)


def _from_scalar(name: str, value: object) -> Limit | None:
    if type(value) is int:
        return Limit(Level.ERROR, value)
    if not isinstance(value, str):
        return None
    word, colon, number = value.partition(":")
    if word.isascii() and word.isdigit() and not colon:
        return Limit(Level.ERROR, int(word))
    if word not in tuple(Level) or (colon and not (number.isascii() and number.isdigit())):
        return None
    return Limit(Level(word), int(number) if colon else _own_number(name))


def _own_number(name: str) -> int:
    return 1 if name == "unreadable" else 0
