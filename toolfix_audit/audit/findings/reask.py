"""The re-ask policy, simulated over the sessions of a store that have a leak or an answer."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from toolfix_audit.engine.reask import Policy, SessionOutcome, Totals, Turn, simulate
from toolfix_audit.model.report_findings import Reask
from toolfix_audit.store.finding_rows import TurnRow, turns
from toolfix_audit.store.store import Store

_BLANK: Final = r"(?:\s|[\x0b\x1c-\x1f]|[^\x00-\x7f])*"


class Spoken(NamedTuple):
    """A text at its place in a session, and whether a call leaked there; reasoning is not shown,
    so that its text is empty."""

    session: str
    position: int
    text: str
    is_leak: bool


def told_by(policy: Policy) -> str:
    """A pattern of RE2 for the texts that a policy could answer."""
    openers = [f"^{_BLANK}{re.escape(word)}" for word in policy.openers]
    closers = [f"{re.escape(word)}{_BLANK}$" for word in policy.closers]
    return "|".join((*openers, *closers))


def is_told(text: str, policy: Policy) -> bool:
    """Whether a text has the form of those that a policy answers."""
    bare = text.strip()
    return bare.startswith(policy.openers) or bare.endswith(policy.closers)


class Simulation:
    """Runs a policy over sessions, and adds up what it would have done."""

    def __init__(self, store: Store, policy: Policy) -> None:
        self._store = store
        self._policy = policy
        self._totals = Totals()
        self._why: Counter[str] = Counter()

    def add(self, source: int, spoken: Iterable[Spoken]) -> None:
        """Run over sessions of one source, given those of their texts that leak or may be
        answered. All other turns are clean, whatever they say."""
        sessions: dict[str, dict[int, Spoken]] = defaultdict(dict)
        for one in spoken:
            sessions[one.session][one.position] = one
        for session, told in sorted(sessions.items()):
            parts = turns(self._store, source, session)
            outcome = simulate(turns_of(parts, told), self._policy)
            if outcome.nudges or outcome.missed:
                self._count(outcome)

    def done(self) -> Reask:
        """What the policy would have done in all."""
        totals = self._totals
        return Reask(
            policy=in_words(self._policy),
            sessions=totals.sessions,
            answered=totals.nudges,
            wrong=totals.wrong,
            missed=totals.missed,
            limited=totals.limited_sessions,
            clean=totals.followed_clean,
            unclean=totals.followed_unclean,
            unfollowed=totals.unfollowed,
            why=dict(sorted(self._why.items())),
        )

    def _count(self, outcome: SessionOutcome) -> None:
        self._totals += Totals.of(outcome)
        self._why.update(one.why.value for one in outcome.missed)


def in_words(policy: Policy) -> str:
    """The rule of a policy in one line."""
    finish = " or ".join(sorted(policy.finish_reasons))
    shape = [f"{word} first" for word in policy.openers]
    shape += [f"{word} last" for word in policy.closers]
    code = "" if policy.may_hold_code else " or code"
    return (
        f"finish {finish}, no call{code}, ≤ {policy.max_characters:,} chars, "
        f"{' or '.join(shape)}, ≤ {policy.max_in_a_row} in a row"
    )


@dataclass(slots=True)
class _Open:
    """A turn while its parts come in."""

    key: str
    finish_reason: str | None
    has_calls: bool
    text: str | None = None
    is_leak: bool = False

    def takes(self, part: TurnRow) -> bool:
        """Whether a part belongs to this turn: a call to one that has any, and a text or the
        reasoning to one of its like that has no text yet."""
        if part.part == "call":
            return self.has_calls
        return self.text is None and self.has_calls is part.has_calls

    def add(self, part: TurnRow, spoken: Spoken | None) -> None:
        """Take a part in."""
        if part.part == "text":
            self.text = spoken.text if spoken else ""
            self.finish_reason = part.finish_reason
        self.is_leak = self.is_leak or (spoken is not None and spoken.is_leak)

    def turn(self) -> Turn:
        """The whole turn."""
        return Turn(self.key, self.text or "", self.finish_reason, self.has_calls, self.is_leak)


def turns_of(parts: Iterable[TurnRow], told: Mapping[int, Spoken]) -> list[Turn]:
    """The turns of a session from its parts in order. A result ends a turn."""
    made: list[_Open] = []
    is_open = False
    for part in parts:
        if part.part == "result":
            is_open = False
            continue
        if not is_open or not made[-1].takes(part):
            made.append(_Open(str(part.position), part.finish_reason, part.has_calls))
        made[-1].add(part, told.get(part.position))
        is_open = True
    return [one.turn() for one in made]
