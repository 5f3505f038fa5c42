"""The re-ask policy, simulated: which turns would be answered with "repeat that as a real call".

A policy sees the text of a turn and how it finished, nothing else. Beside what it would do stands
what the detector of leaked calls says, so that what it misses and what it gets wrong can be
counted before anyone turns it on. Pure: it sends nothing, and looks at recorded turns only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Miss", "Missed", "Nudge", "Policy", "SessionOutcome", "Totals", "Turn", "simulate"]


@dataclass(frozen=True, slots=True)
class Policy:
    """When a turn is taken for a leak, and how often in a row it is answered.

    A turn must have finished for one of the reasons, hold no call, be at most so many characters
    long, begin with one of the openers or end with one of the closers, blanks aside; and hold no
    code block, unless it may.
    """

    finish_reasons: frozenset[str] = frozenset({"stop"})
    max_characters: int = 1_200
    openers: tuple[str, ...] = ("<tool_call>",)
    closers: tuple[str, ...] = ("</tool_call>",)
    code_fences: tuple[str, ...] = ("```", "~~~")
    may_hold_code: bool = False
    max_in_a_row: int = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the assistant: the text that was shown, how it finished, whether it held a
    structured call, and whether the detector found a leaked call in it (reasoning counts).

    Turns with the same `key` are copies of one turn.
    """

    key: str
    text: str
    finish_reason: str | None
    has_calls: bool
    is_leak: bool


class Miss(StrEnum):
    """Why a policy does not answer a turn; the first that applies."""

    FINISH_REASON = "finish-reason"
    HAS_CALLS = "has-calls"
    TOO_LONG = "too-long"
    CODE_BLOCK = "code-block"
    SHAPE = "shape"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Nudge:
    """A turn that would be answered, as the how-manieth in a row.

    `is_wrong` if the detector found no leak in it. `next_is_clean` says whether the turn after it
    held neither a leak nor anything that would be answered; None if there is no such turn.
    """

    key: str
    in_a_row: int
    is_wrong: bool
    next_is_clean: bool | None


@dataclass(frozen=True, slots=True)
class Missed:
    """A leak that would not be answered, and why not."""

    key: str
    why: Miss


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """What a policy would have done in one session. `turns` counts each turn once; `given_up` are
    the turns it would have answered, had it not reached its limit."""

    turns: int
    nudges: tuple[Nudge, ...]
    given_up: tuple[str, ...]
    missed: tuple[Missed, ...]

    @property
    def hit_limit(self) -> bool:
        """Whether the policy gave up at least once."""
        return bool(self.given_up)

    @property
    def wrong(self) -> tuple[Nudge, ...]:
        """The nudges of turns that leaked nothing."""
        return tuple(nudge for nudge in self.nudges if nudge.is_wrong)


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over sessions; adding them up in any order gives the same.

    `followed_clean`, `followed_unclean` and `unfollowed` tell of the turn after each nudge, and
    together they are the nudges.
    """

    sessions: int = 0
    turns: int = 0
    nudges: int = 0
    wrong: int = 0
    missed: int = 0
    limited_sessions: int = 0
    followed_clean: int = 0
    followed_unclean: int = 0
    unfollowed: int = 0

    @staticmethod
    def of(outcome: SessionOutcome) -> Totals:
        """The sums of one session."""
        after = [nudge.next_is_clean for nudge in outcome.nudges]
        return Totals(
            sessions=1,
            turns=outcome.turns,
            nudges=len(outcome.nudges),
            wrong=len(outcome.wrong),
            missed=len(outcome.missed),
            limited_sessions=int(outcome.hit_limit),
            followed_clean=after.count(True),
            followed_unclean=after.count(False),
            unfollowed=after.count(None),
        )

    def __add__(self, other: Totals) -> Totals:
        """The sums of both."""
        return Totals(
            sessions=self.sessions + other.sessions,
            turns=self.turns + other.turns,
            nudges=self.nudges + other.nudges,
            wrong=self.wrong + other.wrong,
            missed=self.missed + other.missed,
            limited_sessions=self.limited_sessions + other.limited_sessions,
            followed_clean=self.followed_clean + other.followed_clean,
            followed_unclean=self.followed_unclean + other.followed_unclean,
            unfollowed=self.unfollowed + other.unfollowed,
        )


DEFAULT = Policy()
"""The policy as it was first published."""


def simulate(turns: Iterable[Turn], policy: Policy = DEFAULT) -> SessionOutcome:
    """What a policy would have done over the turns of one session, in their order.

    A turn that it would not answer is clean for it, and begins a new count. Deterministic, and
    never raises.
    """
    by_key: dict[str, Turn] = {}
    for turn in turns:
        by_key.setdefault(turn.key, turn)
    once = list(by_key.values())
    nudges: list[Nudge] = []
    given_up: list[str] = []
    missed: list[Missed] = []
    in_a_row = 0
    for index, turn in enumerate(once):
        why = _passed_over(turn, policy)
        in_a_row = 0 if why else in_a_row
        if why is None and in_a_row >= policy.max_in_a_row:
            given_up.append(turn.key)
            why = Miss.LIMIT
        if why is None:
            in_a_row += 1
            after = _is_clean_after(once, index, policy)
            nudges.append(Nudge(turn.key, in_a_row, not turn.is_leak, after))
        elif turn.is_leak:
            missed.append(Missed(turn.key, why))
    return SessionOutcome(len(once), tuple(nudges), tuple(given_up), tuple(missed))


def _passed_over(turn: Turn, policy: Policy) -> Miss | None:
    """Why the policy takes a turn for no leak; None if it takes it for one."""
    text = turn.text.strip()
    if turn.finish_reason not in policy.finish_reasons:
        return Miss.FINISH_REASON
    if turn.has_calls:
        return Miss.HAS_CALLS
    if len(turn.text) > policy.max_characters:
        return Miss.TOO_LONG
    if not policy.may_hold_code and any(fence in text for fence in policy.code_fences):
        return Miss.CODE_BLOCK
    if not (text.startswith(policy.openers) or text.endswith(policy.closers)):
        return Miss.SHAPE
    return None


def _is_clean_after(turns: Sequence[Turn], index: int, policy: Policy) -> bool | None:
    if index + 1 >= len(turns):
        return None
    following = turns[index + 1]
    return not following.is_leak and _passed_over(following, policy) is not None
