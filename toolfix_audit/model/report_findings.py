"""Families G to J in the report: what was found beside the calls, and what a repair would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FoundRow:
    """Finds of one kind with the same tool and model, and one of them as an example.

    `kind` names what was found and `variant` its form (a syntax, a media type, a class of
    failure). `count` are the finds, `repairable` those that could be repaired as they stand.
    `shown` is what stands in the log, cut, and `says` what a repair would do, or why none is
    proposed. `call` is the call that the example belongs to, if any.
    """

    family: str
    kind: str
    variant: str
    tool: str | None
    model: str | None
    count: int
    repairable: int
    session: str
    path: str
    call: str | None
    shown: str
    says: str


@dataclass(frozen=True, slots=True)
class Reask:
    """What a policy that answers a leak with "repeat that as a real call" would have done.

    `sessions` are those with a leak or an answer; `answered` the turns that it answers, of which
    `wrong` leaked nothing; `missed` the leaks that it passes over, `why` by reason; `limited` the
    sessions in which it gives up. `clean`, `unclean` and `unfollowed` tell of the turn after each
    answer. `policy` is its rule in words.
    """

    policy: str = ""
    sessions: int = 0
    answered: int = 0
    wrong: int = 0
    missed: int = 0
    limited: int = 0
    clean: int = 0
    unclean: int = 0
    unfollowed: int = 0
    why: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoweringRow:
    """Results with images as text in the form of one provider: how many could be `lowered` and
    how many `refused`, and the estimated tokens of the texts and of what would stand in their
    place, for those where both are known (`estimated`)."""

    target: str
    lowered: int
    refused: int
    estimated: int
    tokens_before: int
    tokens_after: int
    method: str


@dataclass(frozen=True, slots=True)
class Images:
    """Results that hold images as text: the images in them, the characters that a right form
    takes away, and what each provider's form would be."""

    results: int = 0
    images: int = 0
    characters: int = 0
    targets: tuple[LoweringRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in all texts, results and failed `streams`. `untold` texts might be calls,
    and no tool of their session is known. `rows` are the most frequent first in each family;
    `more` finds are in rows that were left off."""

    streams: int = 0
    untold: int = 0
    rows: tuple[FoundRow, ...] = ()
    more: int = 0
    reask: Reask = Reask()
    images: Images = Images()
